/* One row of attention over its tokens, as bars that can be dragged to force it. */

import { childrenOf, closest, h } from "../../shared/dom.js";
import { stripCanvas } from "../../shared/pad/pad.js";
import { pictureOfText } from "../../shared/pad/picture.js";
import { clamp, fill, fixed, isSpecial, percent, spoken } from "../../shared/text.js";
import { HeadPicker } from "./looks.js";

/** @import { Heads, OnPick } from "./looks.js" */
/** @import { Kind, Words } from "./unpack.js" */

/** What only a bar that can be dragged says of itself. */
const RANGE = Object.entries({ "aria-valuemin": "0", "aria-valuemax": "100", "aria-valuenow": "0" });

/**
 * @typedef {object} Row one row of weights
 * @property {string} id
 * @property {string[]} tokens
 * @property {Float64Array} weights
 * @property {Heads} picker
 * @property {boolean} canForce
 * @property {number | null} focus
 * @property {number} promptEnd
 * @property {string} picture the text form of the picture whose strips the tokens are, or ""
 * @property {number} strip width of a strip in pixels
 */

export class Strip {
  /** What the reader has dragged and not applied. @type {Float64Array | null} */
  draft = null;
  id = "";
  /** @type {string[]} */
  tokens = [];
  /** What each token is called. @type {string[]} */
  names = [];
  /** @type {Float64Array} */
  weights = new Float64Array();
  canForce = false;

  /** @param {Words} words @param {Kind} kind @param {{onPick: OnPick, onForce: (weights: number[]) => void}} on */
  constructor(words, kind, { onPick, onForce }) {
    this.words = words;
    this.kind = kind;
    this.onForce = onForce;
    this.root = h("section", { class: "card strip", "data-kind": kind });
    this.picker = new HeadPicker(words, kind, onPick);
    this.aside = h("span", { class: "aside" });
    this.columns = h("div", { class: "columns" });
    this.hint = h("p", { class: "remark" });
    this.apply = h("button", { class: "primary" }, words.force);
    this.drop = h("button", { class: "plain" }, words.leave);
    this.actions = h("div", { class: "actions", hidden: "" }, this.apply, this.drop);
    this.root.append(
      h("header", {}, h("h3", {}, words[`strip_${kind}`]), this.aside, this.picker.root),
      this.columns,
      h("footer", {}, this.hint, this.actions),
    );
    this.apply.addEventListener("click", () => {
      if (this.draft) this.onForce([...this.draft]);
    });
    this.drop.addEventListener("click", () => this.#abandon());
    this.#listen();
  }

  /** @param {Row} row */
  draw({ id, tokens, weights, picker, canForce, focus, promptEnd, picture, strip }) {
    /* What is being dragged stays while the same row is drawn again. */
    if (this.draft && id === this.id) return;
    const isSame = this.tokens === tokens;
    this.id = id;
    this.tokens = tokens;
    this.weights = weights;
    this.canForce = canForce;
    this.draft = null;
    this.picker.draw(picker);
    this.hint.textContent = canForce
      ? this.words.drag_hint
      : picker.isAveraged
        ? this.words.averaged_hint
        : this.words.pick_hint;
    if (!isSame) {
      this.names = picture
        ? tokens.map((text) => fill(this.words.strip, { text }))
        : tokens.map((piece) => spoken(piece, this.words));
      const strips = pictureOfText(picture);
      this.columns.toggleAttribute("data-picture", Boolean(strips));
      this.columns.replaceChildren(...tokens.map((piece, index) => this.#column(piece, index, strips, strip)));
    }
    childrenOf(this.columns).forEach((column, index) => {
      column.toggleAttribute("data-focus", index === focus);
      column.toggleAttribute("data-prompt-end", index === promptEnd);
      column.setAttribute("tabindex", canForce ? "0" : "-1");
      column.setAttribute("role", canForce ? "slider" : "img");
      for (const [name, value] of RANGE) {
        if (canForce) column.setAttribute(name, value);
        else column.removeAttribute(name);
      }
    });
    this.#paint(weights);
    this.#reveal(weights.indexOf(Math.max(...weights)));
  }

  /** The token most looked at, where the row is wider than its card. @param {number} index */
  #reveal(index) {
    const column = childrenOf(this.columns)[index];
    if (!column || this.columns.scrollWidth <= this.columns.clientWidth) return;
    const left = column.offsetLeft - this.columns.offsetLeft,
      right = left + column.offsetWidth;
    if (left < this.columns.scrollLeft) this.columns.scrollLeft = left - 8;
    else if (right > this.columns.scrollLeft + this.columns.clientWidth)
      this.columns.scrollLeft = right - this.columns.clientWidth + 8;
  }

  /** @type {(piece: string, index: number, picture: Uint8Array | null, strip: number) => HTMLElement} */
  #column(piece, index, picture, strip) {
    const label = picture ? stripCanvas(picture, index, strip, this.names[index]) : spoken(piece, this.words);
    return h(
      "div",
      { class: "column", "data-index": index, "data-special": isSpecial(piece) },
      h("span", { class: "number" }),
      h("span", { class: "well" }, h("span", { class: "ink" })),
      h("span", { class: "piece" }, label),
    );
  }

  /** @param {Float64Array} weights */
  #paint(weights) {
    let total = 0;
    for (const weight of weights) total += weight;
    // A strip is narrower than two digits: only a peak has its number.
    const isPeak = (/** @type {number} */ at) => !(weights[at - 1] > weights[at]) && !(weights[at + 1] >= weights[at]);
    const isPicture = this.columns.hasAttribute("data-picture");
    childrenOf(this.columns).forEach((column, index) => {
      const isNumbered = !isPicture || isPeak(index);
      const share = total > 0 ? weights[index] / total : 0;
      const shown = this.draft ? share : weights[index];
      column.style.setProperty("--share", shown.toFixed(4));
      column.firstElementChild?.replaceChildren(isNumbered && shown >= 0.005 ? String(Math.round(shown * 100)) : "");
      if (column.getAttribute("role") === "slider")
        column.setAttribute("aria-valuenow", String(Math.round(shown * 100)));
      column.setAttribute("aria-label", `${this.names[index]}: ${percent(shown)}`);
      const end = column.hasAttribute("data-prompt-end") ? `\n${this.words.prompt_end}` : "";
      column.title = `${this.names[index]}\n${fixed(shown, 3)}${end}`;
    });
    this.root.toggleAttribute("data-draft", Boolean(this.draft));
    this.actions.hidden = !this.draft;
    this.apply.disabled = !(total > 0);
    if (this.draft && !(total > 0)) this.hint.textContent = this.words.force_nothing;
    else if (this.draft) this.hint.textContent = this.words.force_ready;
  }

  /** @type {(index: number, value: number) => void} */
  #set(index, value) {
    this.draft ??= Float64Array.from(this.weights);
    this.draft[index] = clamp(value, 0, 1);
    this.#paint(this.draft);
  }

  #abandon() {
    this.draft = null;
    this.hint.textContent = this.words.drag_hint;
    this.#paint(this.weights);
  }

  #listen() {
    /** The column under the hand, and where it was taken.
     * @type {{column: HTMLElement, y: number, isMoving: boolean} | null} */
    let held = null;
    const at = (/** @type {Event} */ event) => closest(event, ".column");
    this.columns.addEventListener("pointerdown", (event) => {
      const column = at(event);
      if (!this.canForce || !column || event.button) return;
      held = { column, y: event.clientY, isMoving: false };
      column.setPointerCapture(event.pointerId);
      column.focus({ preventScroll: true });
      event.preventDefault();
    });
    this.columns.addEventListener("pointermove", (event) => {
      if (!held) return;
      if (!held.isMoving && Math.abs(event.clientY - held.y) < 3) return;
      held.isMoving = true;
      const { bottom, height } = held.column.children[1].getBoundingClientRect(); // its well
      this.#set(Number(held.column.dataset.index), (bottom - event.clientY) / height);
    });
    for (const name of ["pointerup", "pointercancel"])
      this.columns.addEventListener(name, () => {
        held = null;
      });
    this.columns.addEventListener("dblclick", (event) => {
      const column = at(event);
      if (!this.canForce || !column) return;
      const alone = new Float64Array(this.weights.length);
      alone[Number(column.dataset.index)] = 1;
      this.draft = alone;
      this.#paint(alone);
    });
    this.columns.addEventListener("keydown", (event) => {
      const column = at(event);
      if (!this.canForce || !column) return;
      const index = Number(column.dataset.index);
      const now = (this.draft ?? this.weights)[index];
      /** @type {Record<string, number>} */
      const values = { ArrowUp: now + 0.05, ArrowDown: now - 0.05, PageUp: 1, PageDown: 0 };
      const next = values[event.key];
      if (next !== undefined) this.#set(index, next);
      else if (event.key === "Enter" && this.draft) this.apply.click();
      else if (event.key === "Escape" && this.draft) this.#abandon();
      else if (event.key === "ArrowRight" || event.key === "ArrowLeft")
        childrenOf(this.columns)[index + (event.key === "ArrowRight" ? 1 : -1)]?.focus();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }
}
