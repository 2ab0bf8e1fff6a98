/* The sentence and its translation as tokens. Hover and pins travel between views as window events:
   this stage sends "regard:point" { side, index, pinned }, and "regard:release" on Escape, and paints what "regard:shade" asks for
   { kind, source, target, focus, from }: weights 0..1 per token, the token in focus, and the target token
   from which nothing is written yet. After every redraw it sends "regard:stage", so that a view can shade it again. */

import { watchHistory } from "../shared/address.js";
import { css, followTheme, isBright, isDark, mix, pageColour, parseColour } from "../shared/colour.js";
import { h } from "../shared/dom.js";
import { explain } from "./glossary.js";

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
    window.removeEventListener("regard:shade", stage.onShade);
    document.removeEventListener("pointerover", explain);
    stage.leaveHistory();
    stage.leaveTheme();
    stage.sizes.disconnect();
    stages.delete(parentElement);
  };
}

function build(parent) {
  const root = h("div", { class: "stage" });
  const stage = { root, shade: {}, data: null, isEditing: false };
  stage.sourceSide = h("div", { class: "side reading" });
  stage.sourceRow = h("div", { class: "row source-row reading", role: "list" });
  stage.targetSide = h("div", { class: "side reading" });
  stage.targetRow = h("div", { class: "row target-row reading", role: "list" });
  stage.tools = h("div", { class: "tools reading" });
  stage.edit = h("button", { class: "edit", type: "button" });
  stage.link = h("button", { class: "link", type: "button" });
  stage.tools.append(stage.edit, stage.link);
  stage.said = h("div", { class: "said", "aria-live": "polite" });
  stage.notice = h("p", { class: "notice", role: "status" });
  stage.editor = buildEditor(stage);
  root.append(
    stage.editor,
    stage.sourceSide,
    stage.tools,
    stage.sourceRow,
    stage.targetSide,
    stage.targetRow,
    stage.notice,
    stage.said,
  );
  parent.append(root);
  stage.edit.addEventListener("click", () => open(stage));
  stage.link.addEventListener("click", () => copyLink(stage));
  for (const [side, row] of [
    ["source", stage.sourceRow],
    ["target", stage.targetRow],
  ])
    listen(stage, side, row);
  stage.onShade = (event) => {
    stage.shade = event.detail ?? {};
    paint(stage);
  };
  window.addEventListener("regard:shade", stage.onShade);
  document.addEventListener("pointerover", explain);
  stage.leaveHistory = watchHistory((search, isOtherPage) => {
    if (isOtherPage) stage.returned = search;
    else stage.send("address", search);
  });
  stage.leaveTheme = followTheme();
  stage.sizes = new ResizeObserver(([entry]) => {
    const { width } = entry.contentRect;
    root.dataset.width = width < 640 ? "narrow" : width < 1000 ? "medium" : "wide";
  });
  stage.sizes.observe(root);
  return stage;
}

function buildEditor(stage) {
  const form = h("form", { class: "editor" });
  const line = h("div", { class: "line" });
  stage.input = h("textarea", { rows: "1", autocomplete: "off", spellcheck: "false", dir: "auto" });
  stage.submit = h("button", { type: "submit" });
  stage.examples = h("div", { class: "examples" });
  line.append(stage.input, stage.submit);
  form.append(line, stage.examples);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    commit(stage, stage.input.value);
  });
  stage.input.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      commit(stage, stage.input.value);
    }
    if (event.key === "Escape" && stage.data.source.length) close(stage);
  });
  return form;
}

function listen(stage, side, row) {
  const point = (index, pinned) =>
    window.dispatchEvent(new CustomEvent("regard:point", { detail: { side, index, pinned } }));
  const indexOf = (event) => {
    const token = event.target.closest?.(".token");
    return token ? Number(token.dataset.index) : null;
  };
  row.addEventListener("pointerover", (event) => {
    const index = indexOf(event);
    if (index !== null) point(index, false);
  });
  row.addEventListener("pointerleave", () => point(null, false));
  row.addEventListener("focusin", (event) => {
    const index = indexOf(event);
    if (index !== null) point(index, false);
  });
  row.addEventListener("focusout", () => point(null, false));
  row.addEventListener("click", (event) => {
    const index = indexOf(event);
    if (index !== null) point(index, true);
  });
  row.addEventListener("keydown", (event) => {
    if (event.key === "Escape") window.dispatchEvent(new CustomEvent("regard:release"));
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
  stage.data = data;
  const { root } = stage;
  delete root.dataset.waiting;
  const longest = Math.max(data.source.length, data.target.length);
  root.dataset.size = longest > 60 ? "small" : longest > 22 ? "medium" : "large";
  root.toggleAttribute("data-presenter", data.presenter);
  root.toggleAttribute("data-empty", !data.source.length);
  stage.sourceSide.textContent = data.source_label;
  stage.targetSide.textContent = data.target_label;
  stage.edit.textContent = data.words.another;
  stage.link.textContent = data.words.link;
  stage.link.title = data.words.link_help;
  stage.submit.textContent = data.words.translate;
  stage.input.placeholder = data.words.placeholder;
  stage.input.setAttribute("aria-label", data.words.box);
  stage.sourceRow.setAttribute("aria-label", data.words.source_row);
  stage.targetRow.setAttribute("aria-label", data.words.target_row);
  stage.notice.textContent = data.notice;
  fill(stage.sourceRow, data.source, data.source_language);
  fill(stage.targetRow, data.target, data.target_language);
  fillExamples(stage);
  stage.said.textContent = data.said;
  stage.shade = {};
  if (!isWriting(stage)) {
    if (data.source.length) close(stage);
    else open(stage, false);
  }
  paint(stage);
  window.dispatchEvent(new CustomEvent("regard:stage"));
}

function fill(row, tokens, language) {
  if (language) row.lang = language;
  row.dir = "auto";
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
}

function fillExamples(stage) {
  const label = h("span");
  label.textContent = stage.data.words.examples;
  stage.examples.replaceChildren(
    label,
    ...stage.data.examples.map((text) => {
      const chip = h("button", { class: "chip", type: "button" });
      chip.textContent = text;
      chip.addEventListener("click", () => commit(stage, text));
      return chip;
    }),
  );
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
    ["source", stage.sourceRow],
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
}

function open(stage, takeFocus = true) {
  stage.root.dataset.editing = "";
  stage.input.value = stage.began = stage.data.text;
  if (takeFocus) {
    stage.input.focus();
    stage.input.select();
  }
}

/* An answer may arrive while the reader writes the next sentence, or has just opened the box to write it. */
function isWriting({ root, input, began, data }) {
  const isOpen = "editing" in root.dataset;
  return isOpen && (input.value !== began || (input.matches(":focus") && data.text === began));
}

function close(stage) {
  delete stage.root.dataset.editing;
}

function commit(stage, text) {
  if (text === stage.data.text && stage.data.source.length) {
    close(stage);
    return;
  }
  stage.data = { ...stage.data, text };
  close(stage);
  stage.root.dataset.waiting = "";
  stage.sourceRow.replaceChildren(Object.assign(h("span"), { textContent: text }));
  stage.sourceRow.firstChild.style.fontSize = "var(--token)";
  if (!stage.targetRow.children.length) stage.targetRow.replaceChildren(h("div", { class: "skeleton" }));
  stage.send("text", text);
}

async function copyLink(stage) {
  const { words } = stage.data;
  let isCopied = true;
  try {
    await navigator.clipboard.writeText(window.location.href);
  } catch {
    isCopied = false;
  }
  stage.link.textContent = isCopied ? words.copied : words.copy_from_bar;
  stage.said.textContent = stage.link.textContent;
  setTimeout(() => {
    stage.link.textContent = words.link;
  }, 2000);
}
