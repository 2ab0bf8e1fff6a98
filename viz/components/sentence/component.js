/* The sentence and its translation as tokens. It tells the views which token is pointed at, asks them to pin one that is
   clicked, and paints the shade that they tell (signals.js). */

import { watchHistory } from "../shared/address.js";
import { css, followTheme, isBright, isDark, mix, pageColour, parseColour } from "../shared/colour.js";
import { closest, focusedIn, h } from "../shared/dom.js";
import { keepFocus } from "../shared/keep_focus.js";
import { pictureOfText } from "../shared/pad/picture.js";
import { pendingRun } from "../shared/pending.js";
import { keepOneStop, rove } from "../shared/roving.js";
import { ask, dropWaiting, follow, tell, withdraw } from "../shared/signals.js";
import { explain } from "./glossary.js";
import { playArrival } from "./arrival.js";
import { buildTools, closeDialog, nameTools } from "./menu.js";
import { drawOutcome, offerFound } from "./outcome.js";
import { Ribbons, indexesOf } from "./ribbons.js";
import { skipLink } from "./skip.js";
import { fillGrid } from "./grid.js";
import { fillPicture } from "./strips.js";
import { resumeTour } from "./tour.js";
import { reachWideBoxes } from "./wide_boxes.js";
import { buildEditor, close, dropOn, fillExamples, fitEditor, isWriting, open } from "./writing.js";

/** @import { Chip, Found, Given, Send, Shade, Side } from "./types" */

/** @type {WeakMap<Element, Stage>} */
const stages = new WeakMap();

/** @param {{data: Given, parentElement: HTMLElement, setTriggerValue: Send}} given */
export default function ({ data, parentElement, setTriggerValue }) {
  let stage = stages.get(parentElement);
  if (!stage) {
    stage = new Stage(data, setTriggerValue);
    parentElement.append(stage.root);
    stage.fit(stage.root.clientWidth); // before anything is drawn, so that nothing is drawn for another width first
    stages.set(parentElement, stage);
  }
  stage.send = pendingRun(setTriggerValue);
  document.documentElement.lang = data.language;
  update(stage, data);
  return () => {
    stage.end();
    stages.delete(parentElement);
  };
}

/** @type {Side[]} */
const SIDES = ["source", "target"];

export class Stage {
  root = h("div", { class: "stage" });
  sourceSide = h("div", { class: "side" });
  words = h("div", { class: "words", role: "list" });
  edit = h("button", { class: "edit", type: "button", onclick: () => open(this) });
  sourceRow = h("div", { class: "row source-row" }, this.words, this.edit);
  targetSide = h("div", { class: "side target-side" });
  targetRow = h("div", { class: "row target-row", role: "list" });
  outcome = h("div", { class: "outcome" });
  said = h("div", { class: "said", "aria-live": "polite" });
  notice = h("p", { class: "notice", role: "status" });
  /** Ends what listens to the document. */ life = new AbortController();
  editor = buildEditor(this);
  tools = buildTools(this);
  ribbons = new Ribbons(this);
  /** @type {Shade} */ shade = {};
  /** Whether the page is about to play its change. */ isArriving = false;
  /** @type {Found | null} */ found = null;
  /** @type {Given | null} what is on screen */ drawn = null;
  /** @type {string | undefined} the address of another page that was gone back to */ returned;

  /** @param {Given} data @param {Send} send */
  constructor(data, send) {
    this.data = data;
    this.send = send;
    this.root.append(
      this.ribbons.canvas,
      this.sourceSide,
      this.sourceRow,
      this.editor.root,
      this.tools.root,
      this.targetSide,
      this.targetRow,
      this.outcome,
      this.notice,
      this.said,
    );
    this.skip = skipLink(() => this.home);
    this.leaveFocus = keepFocus(() => this.home);
    this.leaveWide = reachWideBoxes(() => this.data.words.scrolls);
    for (const side of SIDES) {
      listen(this, side);
      rove(this.rows[side], ".token");
    }
    // The box is the sentence itself: a click beside its words writes another.
    this.sourceRow.addEventListener("click", ({ target }) => {
      if (target === this.sourceRow || target === this.words) open(this);
    });
    for (const name of /** @type {const} */ (["dragover", "drop"]))
      this.root.addEventListener(name, (event) => dropOn(this.editor, event));
    document.addEventListener("pointerover", explain);
    document.addEventListener("keydown", closeDialog);
    this.leaveShade = follow("shade", (shade) => {
      this.shade = shade ?? {};
      if (this.drawn) paint(this);
    });
    this.leaveFound = follow("changing", (found) => offerFound(this, found));
    this.leaveHistory = watchHistory((search, isOtherPage) => {
      // Gone back before an answer came, the page may send what is on screen already, which Streamlit does not pass on.
      if (this.drawn && "waiting" in this.root.dataset) update(this, this.drawn);
      if (isOtherPage) this.returned = search;
      else this.send("address", search);
    });
    this.leaveTheme = followTheme();
    this.sizes = new ResizeObserver(([{ contentRect }]) => {
      this.fit(contentRect.width);
      this.ribbons.paint();
    });
    this.sizes.observe(this.root);
  }

  /** What gets the focus from elsewhere: a word of the sentence, or the box in which it is written; a tool without them.
   * @returns {HTMLElement} */
  get home() {
    if (this.data.is_hidden) return this.tools.root.querySelector("button") ?? this.root;
    return this.root.querySelector(".token[tabindex='0']") ?? this.editor.input;
  }

  /** Stand as there is room for. @param {number} width in pixels */
  fit(width) {
    this.root.dataset.width = width < 640 ? "narrow" : width < 1000 ? "medium" : "wide";
  }

  /** The row of each side. @returns {Record<Side, HTMLElement>} */
  get rows() {
    return { source: this.words, target: this.targetRow };
  }

  end() {
    this.life.abort();
    this.leaveShade();
    this.leaveFound();
    withdraw("point", this);
    document.removeEventListener("pointerover", explain);
    document.removeEventListener("keydown", closeDialog);
    this.leaveHistory();
    this.leaveFocus();
    this.leaveWide();
    this.leaveTheme();
    this.sizes.disconnect();
    this.ribbons.end();
    this.skip.remove();
    this.root.remove();
  }
}

/** @type {(stage: Stage, value: {side: Side, index: number} | null) => void} */
const point = (stage, value) => tell("point", value, stage);

/** @type {(stage: Stage, side: Side) => void} */
function listen(stage, side) {
  const row = stage.rows[side];
  const indexOf = (/** @type {Event} */ event) => {
    const token = closest(event, ".token");
    return token ? Number(token.dataset.index) : null;
  };
  const pointAt = (/** @type {Event} */ event) => {
    const index = indexOf(event);
    if (index !== null) point(stage, { side, index });
  };
  row.addEventListener("pointerover", pointAt);
  row.addEventListener("pointerleave", () => point(stage, null));
  row.addEventListener("focusin", pointAt);
  row.addEventListener("focusout", () => point(stage, null));
  row.addEventListener("click", (event) => {
    const index = indexOf(event);
    if (index !== null) ask({ do: "pin", side, index, isAdded: event.shiftKey });
  });
  row.addEventListener("keydown", (event) => {
    if (event.key === "Escape") ask({ do: "release" });
  });
  row.addEventListener("dblclick", () => {
    if (side === "source") open(stage);
  });
}

/** @type {(stage: Stage, data: Given) => void} */
function update(stage, data) {
  // Sent earlier, it would count as a request of the page before, and lead back to that page.
  if (stage.returned !== undefined && data.page !== stage.drawn?.page) {
    stage.send("address", stage.returned);
    stage.returned = undefined;
  }
  const textsOf = (/** @type {Given | null} */ given) =>
    JSON.stringify([given?.source, given?.target].map((side) => side?.map(({ text }) => text)));
  if (textsOf(data) !== textsOf(stage.drawn)) dropWaiting();
  stage.data = stage.drawn = data;
  const { root } = stage;
  delete root.dataset.waiting;
  const longest = Math.max(data.reads_pictures || data.grid ? 0 : data.source.length, data.target.length);
  root.dataset.size = longest > 60 ? "small" : longest > 22 ? "medium" : "large";
  root.toggleAttribute("data-presenter", data.presenter);
  root.toggleAttribute("data-empty", !data.source.length);
  root.toggleAttribute("data-hidden", data.is_hidden);
  stage.sourceSide.textContent = data.source_label;
  stage.targetSide.textContent = data.target_label;
  for (const part of [stage.targetSide, stage.targetRow]) part.hidden = !data.target_label; // an encoder-only model writes nothing
  stage.edit.textContent = data.words.another;
  stage.skip.textContent = data.words[data.is_hidden ? "skip_page" : "skip"];
  nameTools(stage);
  stage.editor.submit.textContent = data.words.translate;
  stage.editor.input.placeholder = data.invitation;
  stage.editor.input.setAttribute("aria-label", data.words.box);
  stage.words.setAttribute("aria-label", data.words.source_row);
  stage.targetRow.setAttribute("aria-label", data.words.target_row);
  stage.notice.textContent = data.notice;
  const picture = pictureOfText(data.text);
  stage.words.toggleAttribute("data-picture", Boolean(picture));
  stage.words.toggleAttribute("data-grid", Boolean(data.grid));
  if (data.grid) fillGrid(stage.words, data.source, data.grid, data.reads_files);
  else if (picture) fillPicture(stage.words, data.source, picture);
  else fillRow(stage.words, data.source, data.source_language);
  fitEditor(stage);
  fillRow(stage.targetRow, data.target, data.target_language);
  fillExamples(stage);
  stage.said.textContent = drawOutcome(stage) ?? data.said;
  if (!data.is_hidden && !isWriting(stage)) {
    if (data.source.length) close(stage);
    else open(stage, false);
  }
  paint(stage);
  resumeTour(root);
  void playArrival(stage);
}

/** @type {(row: HTMLElement, tokens: Chip[], language: string) => void} */
function fillRow(row, tokens, language) {
  if (language) row.lang = language;
  row.dir = "auto";
  const focused = focusedIn(row);
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
  if (at !== null) tokensOf(row)[at]?.focus();
}

/** @type {(row: HTMLElement) => NodeListOf<HTMLElement>} */
const tokensOf = (row) => row.querySelectorAll(".token");

/** @param {Stage} stage */
function paint(stage) {
  const { shade, data, root } = stage;
  const dark = isDark(root);
  const colours = data.colours[dark ? "dark" : "light"];
  const page = pageColour(getComputedStyle(root));
  const hue = parseColour(colours[shade.kind ?? data.kind]);
  root.style.setProperty("--hue", css(hue));
  root.style.setProperty("--warm", colours.warm);
  const focused = shade.focus && indexesOf(shade.focus);
  for (const side of SIDES) {
    const weights = shade[side] ?? [];
    // Among hundreds of patches each weight is small: the colour compares them with the largest.
    const most = side === "source" && data.grid ? Math.max(1e-9, ...weights) : 1;
    if (side === "source") stage.words.toggleAttribute("data-looked", Boolean(data.grid && most > 1e-9));
    tokensOf(stage.rows[side]).forEach((chip, index) => {
      const weight = Math.max(0, Math.min(1, (weights[index] ?? 0) / most));
      chip.style.setProperty("--weight", weight.toFixed(3));
      chip.toggleAttribute("data-strong", isBright(mix(page, hue, weight)) === dark);
      chip.toggleAttribute("data-focus", shade.focus?.side === side && Boolean(focused?.includes(index)));
      chip.setAttribute("aria-pressed", String(Boolean(shade.pinned?.[side].includes(index))));
      chip.toggleAttribute("data-later", side === "target" && shade.from != null && index >= shade.from);
    });
  }
  stage.ribbons.follow(shade, css(hue));
}
