/* The sentence and its translation as tokens. It tells the views which token is pointed at, asks them to pin one that is
   clicked, and paints the shade that they tell (signals.js). */

import { watchHistory } from "../shared/address.js";
import { css, followTheme, isBright, isDark, mix, pageColour, parseColour } from "../shared/colour.js";
import { h } from "../shared/dom.js";
import { keepOneStop, rove } from "../shared/roving.js";
import { ask, dropWaiting, follow, tell, withdraw } from "../shared/signals.js";
import { verdict } from "../shared/verdict.js";
import { explain } from "./glossary.js";
import { buildTools, closeDialog, nameTools } from "./menu.js";
import { Ribbons } from "./ribbons.js";
import { skipLink } from "./skip.js";
import { resumeTour } from "./tour.js";
import { buildEditor, close, fillExamples, isWriting, open } from "./writing.js";

const stages = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  let stage = stages.get(parentElement);
  if (!stage) {
    stage = build(parentElement);
    stages.set(parentElement, stage);
  }
  stage.send = setTriggerValue;
  document.documentElement.lang = data.language;
  update(stage, data);
  return () => {
    stage.leaveShade();
    withdraw("point", stage);
    document.removeEventListener("pointerover", explain);
    document.removeEventListener("keydown", closeDialog);
    stage.leaveHistory();
    stage.leaveTheme();
    stage.sizes.disconnect();
    stage.ribbons.end();
    stage.skip.remove();
    stage.root.remove();
    stages.delete(parentElement);
  };
}

function build(parent) {
  const root = h("div", { class: "stage" });
  const stage = { root, shade: {}, data: null };
  stage.sourceSide = h("div", { class: "side" });
  stage.words = h("div", { class: "words", role: "list" });
  stage.edit = h("button", { class: "edit", type: "button", onclick: () => open(stage) });
  stage.sourceRow = h("div", { class: "row source-row" }, stage.words, stage.edit);
  stage.targetSide = h("div", { class: "side target-side" });
  stage.targetRow = h("div", { class: "row target-row", role: "list" });
  stage.verdict = h("p", { class: "verdict" });
  stage.said = h("div", { class: "said", "aria-live": "polite" });
  stage.notice = h("p", { class: "notice", role: "status" });
  stage.ribbons = new Ribbons(stage);
  root.append(
    stage.ribbons.canvas,
    stage.sourceSide,
    stage.sourceRow,
    buildEditor(stage),
    buildTools(stage),
    stage.targetSide,
    stage.targetRow,
    stage.verdict,
    stage.notice,
    stage.said,
  );
  parent.append(root);
  stage.skip = skipLink(() => root.querySelector(".token[tabindex='0']") ?? stage.input);
  for (const [side, row] of [
    ["source", stage.words],
    ["target", stage.targetRow],
  ]) {
    listen(stage, side, row);
    rove(row, ".token");
  }
  // The box is the sentence itself: a click beside its words writes another.
  stage.sourceRow.addEventListener("click", (event) => {
    if (event.target === stage.sourceRow || event.target === stage.words) open(stage);
  });
  stage.leaveShade = follow("shade", (shade) => {
    stage.shade = shade ?? {};
    if (stage.data) paint(stage);
  });
  document.addEventListener("pointerover", explain);
  document.addEventListener("keydown", closeDialog);
  stage.leaveHistory = watchHistory((search, isOtherPage) => {
    // Gone back before an answer came, the page may send what is on screen already, which Streamlit does not pass on.
    if ("waiting" in root.dataset) update(stage, stage.drawn);
    if (isOtherPage) stage.returned = search;
    else stage.send("address", search);
  });
  stage.leaveTheme = followTheme();
  stage.sizes = new ResizeObserver(([entry]) => {
    const { width } = entry.contentRect;
    root.dataset.width = width < 640 ? "narrow" : width < 1000 ? "medium" : "wide";
    stage.ribbons.paint();
  });
  stage.sizes.observe(root);
  return stage;
}

const point = (stage, value) => tell("point", value, stage);

function listen(stage, side, row) {
  const indexOf = (event) => {
    const token = event.target.closest?.(".token");
    return token ? Number(token.dataset.index) : null;
  };
  const pointAt = (event) => {
    const index = indexOf(event);
    if (index !== null) point(stage, { side, index });
  };
  row.addEventListener("pointerover", pointAt);
  row.addEventListener("pointerleave", () => point(stage, null));
  row.addEventListener("focusin", pointAt);
  row.addEventListener("focusout", () => point(stage, null));
  row.addEventListener("click", (event) => {
    const index = indexOf(event);
    if (index !== null) ask({ do: "pin", side, index });
  });
  row.addEventListener("keydown", (event) => {
    if (event.key === "Escape") ask({ do: "release" });
  });
  row.addEventListener("dblclick", () => {
    if (side === "source") open(stage);
  });
}

function update(stage, data) {
  // Sent earlier, it would count as a request of the page before, and lead back to that page.
  if (stage.returned !== undefined && data.page !== stage.data?.page) {
    stage.send("address", stage.returned);
    delete stage.returned;
  }
  const textsOf = (given) =>
    JSON.stringify([given?.source, given?.target].map((side) => side?.map(({ text }) => text)));
  if (textsOf(data) !== textsOf(stage.data)) dropWaiting();
  stage.data = stage.drawn = data;
  const { root } = stage;
  delete root.dataset.waiting;
  const longest = Math.max(data.source.length, data.target.length);
  root.dataset.size = longest > 60 ? "small" : longest > 22 ? "medium" : "large";
  root.toggleAttribute("data-presenter", data.presenter);
  root.toggleAttribute("data-empty", !data.source.length);
  stage.sourceSide.textContent = data.source_label;
  stage.targetSide.textContent = data.target_label;
  for (const part of [stage.targetSide, stage.targetRow]) part.hidden = !data.target_label; // a lone encoder writes nothing
  stage.edit.textContent = data.words.another;
  stage.skip.textContent = data.words.skip;
  nameTools(stage);
  stage.submit.textContent = data.words.translate;
  stage.input.placeholder = data.invitation;
  stage.input.setAttribute("aria-label", data.words.box);
  stage.words.setAttribute("aria-label", data.words.source_row);
  stage.targetRow.setAttribute("aria-label", data.words.target_row);
  stage.notice.textContent = data.notice;
  fillRow(stage.words, data.source, data.source_language);
  fillRow(stage.targetRow, data.target, data.target_language);
  fillExamples(stage);
  const found = data.verdict && verdict(data.verdict.before, data.verdict.after, data.words);
  stage.verdict.replaceChildren(...(found?.nodes ?? []));
  stage.verdict.lang = data.verdict && found?.nodes.length > 1 ? data.target_language : data.language;
  stage.said.textContent = found?.said ?? data.said;
  if (!isWriting(stage)) {
    if (data.source.length) close(stage);
    else open(stage, false);
  }
  paint(stage);
  resumeTour(root);
}

function fillRow(row, tokens, language) {
  if (language) row.lang = language;
  row.dir = "auto";
  const focused = /** @type {HTMLElement} */ (/** @type {ShadowRoot} */ (row.getRootNode()).activeElement);
  const at = focused && row.contains(focused) ? Number(focused.dataset.index) : null;
  row.replaceChildren(
    ...tokens.map((token, index) => {
      const chip = h("button", { class: "token", type: "button", "data-index": index });
      chip.textContent = token.text;
      chip.title = token.title ?? "";
      chip.toggleAttribute("data-start", !token.continues);
      chip.toggleAttribute("data-end", !token.goes_on);
      chip.toggleAttribute("data-special", Boolean(token.special));
      chip.toggleAttribute("data-unknown", Boolean(token.unknown));
      return h("div", { class: "item", role: "listitem" }, chip);
    }),
  );
  keepOneStop(row, ".token");
  if (at !== null) row.querySelector(`.token[data-index="${at}"]`)?.focus();
}

function paint(stage) {
  const { shade, data, root } = stage;
  const dark = isDark(root);
  const colours = data.colours[dark ? "dark" : "light"];
  const page = pageColour(getComputedStyle(root));
  const hue = parseColour(colours[shade.kind ?? data.kind]);
  root.style.setProperty("--hue", css(hue));
  root.style.setProperty("--warm", colours.warm);
  for (const [side, row] of [
    ["source", stage.words],
    ["target", stage.targetRow],
  ]) {
    const weights = shade[side] ?? [];
    row.querySelectorAll(".token").forEach((chip, index) => {
      const weight = Math.max(0, Math.min(1, weights[index] ?? 0));
      chip.style.setProperty("--weight", weight.toFixed(3));
      chip.toggleAttribute("data-strong", isBright(mix(page, hue, weight)) === dark);
      chip.toggleAttribute(
        "data-focus",
        shade.focus?.side === side && (shade.focus.indexes ?? [shade.focus.index]).includes(index),
      );
      chip.toggleAttribute("data-later", side === "target" && shade.from != null && index >= shade.from);
    });
  }
  stage.ribbons.follow(shade, css(hue));
}
