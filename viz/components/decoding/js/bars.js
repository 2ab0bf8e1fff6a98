/* One row of attention over its tokens, as bars that the reader can drag to force it, and the choice of its head. */

import { childrenOf, closest, h } from "../../shared/dom.js";
import { stripCanvas } from "../../shared/pad/pad.js";
import { pictureOfText } from "../../shared/pad/picture.js";
import { clamp, fill, formatFixed, isSpecial, percent, spoken } from "../../shared/text.js";

/** @import { HeadSelection, Kind, Words } from "./unpack.js" */

/** Attributes of a bar that can be dragged. */
const RANGE = Object.entries({ "aria-valuemin": "0", "aria-valuemax": "100", "aria-valuenow": "0" });

/** @typedef {(layer: number, head: number) => void} OnPick */
/**
 * @typedef {object} Heads
 * @property {number} layers
 * @property {number} heads
 * @property {number} first the number of the first layer and head
 * @property {HeadSelection} selection
 * @property {number[]} sharpness the largest weight of each head
 * @property {boolean} isAveraged
 *
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

export class AttentionBars {
  /** Weights that the reader has dragged and not applied. @type {Float64Array | null} */
  draft = null;
  id = "";
  /** @type {string[]} */
  tokens = [];
  /** Name of each token. @type {string[]} */
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
    const onclick = () => this.draft && this.onForce([...this.draft]);
    this.apply = h("button", { class: "primary", onclick }, words.force);
    this.drop = h("button", { class: "plain", onclick: () => this.#discard() }, words.leave);
    this.actions = h("div", { class: "actions", hidden: "" }, this.apply, this.drop);
    this.root.append(
      h("header", {}, h("h3", {}, words[`strip_${kind}`]), this.aside, this.picker.root),
      this.columns,
      h("footer", {}, this.hint, this.actions),
    );
    this.#listen();
  }

  /** @param {Row} row */
  draw({ id, tokens, weights, picker, canForce, focus, promptEnd, picture, strip }) {
    if (this.draft && id === this.id) return; // a draft stays when the same row is drawn again
    const isSame = this.tokens === tokens;
    Object.assign(this, { id, tokens, weights, canForce, draft: null });
    this.picker.draw(picker);
    const hint = canForce ? "drag_hint" : picker.isAveraged ? "averaged_hint" : "pick_hint";
    this.hint.textContent = this.words[hint];
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

  /** Scroll to a token if the row is wider than its card. @param {number} index */
  #reveal(index) {
    const { columns } = this;
    const column = childrenOf(columns)[index];
    if (!column || columns.scrollWidth <= columns.clientWidth) return;
    const left = column.offsetLeft - columns.offsetLeft;
    const right = left + column.offsetWidth;
    if (left < columns.scrollLeft) columns.scrollLeft = left - 8;
    else if (right > columns.scrollLeft + columns.clientWidth) columns.scrollLeft = right - columns.clientWidth + 8;
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
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    // A strip is narrower than two digits, so only peaks are numbered.
    const isPeak = (/** @type {number} */ at) => !(weights[at - 1] > weights[at]) && !(weights[at + 1] >= weights[at]);
    const isPicture = this.columns.hasAttribute("data-picture");
    childrenOf(this.columns).forEach((column, index) => {
      const isNumbered = !isPicture || isPeak(index);
      const share = total > 0 ? weights[index] / total : 0;
      const weight = this.draft ? share : weights[index];
      const rounded = String(Math.round(weight * 100));
      column.style.setProperty("--share", weight.toFixed(4));
      column.firstElementChild?.replaceChildren(isNumbered && weight >= 0.005 ? rounded : "");
      if (column.getAttribute("role") === "slider") column.setAttribute("aria-valuenow", rounded);
      column.setAttribute("aria-label", `${this.names[index]}: ${percent(weight)}`);
      const end = column.hasAttribute("data-prompt-end") ? `\n${this.words.prompt_end}` : "";
      column.title = `${this.names[index]}\n${formatFixed(weight, 3)}${end}`;
    });
    this.root.toggleAttribute("data-draft", Boolean(this.draft));
    this.actions.hidden = !this.draft;
    this.apply.disabled = !(total > 0);
    if (this.draft) this.hint.textContent = this.words[total > 0 ? "force_ready" : "force_nothing"];
  }

  /** @type {(index: number, value: number) => void} */
  #set(index, value) {
    this.draft ??= Float64Array.from(this.weights);
    this.draft[index] = clamp(value, 0, 1);
    this.#paint(this.draft);
  }

  #discard() {
    this.draft = null;
    this.hint.textContent = this.words.drag_hint;
    this.#paint(this.weights);
  }

  #listen() {
    /** The dragged column, and where the drag began.
     * @type {{column: HTMLElement, y: number, isMoving: boolean} | null} */
    let drag = null;
    const columnOf = (/** @type {Event} */ event) => closest(event, ".column");
    this.columns.addEventListener("pointerdown", (event) => {
      const column = columnOf(event);
      if (!this.canForce || !column || event.button) return;
      drag = { column, y: event.clientY, isMoving: false };
      column.setPointerCapture(event.pointerId);
      column.focus({ preventScroll: true });
      event.preventDefault();
    });
    this.columns.addEventListener("pointermove", (event) => {
      if (!drag || (!drag.isMoving && Math.abs(event.clientY - drag.y) < 3)) return;
      drag.isMoving = true;
      const { bottom, height } = drag.column.children[1].getBoundingClientRect(); // its well
      this.#set(Number(drag.column.dataset.index), (bottom - event.clientY) / height);
    });
    for (const name of ["pointerup", "pointercancel"]) this.columns.addEventListener(name, () => (drag = null));
    this.columns.addEventListener("dblclick", (event) => {
      const column = columnOf(event);
      if (!this.canForce || !column) return;
      this.draft = new Float64Array(this.weights.length);
      this.draft[Number(column.dataset.index)] = 1;
      this.#paint(this.draft);
    });
    this.columns.addEventListener("keydown", (event) => {
      const column = columnOf(event);
      if (!this.canForce || !column) return;
      const index = Number(column.dataset.index);
      const weight = (this.draft ?? this.weights)[index];
      /** @type {Record<string, number>} */
      const values = { ArrowUp: weight + 0.05, ArrowDown: weight - 0.05, PageUp: 1, PageDown: 0 };
      const next = values[event.key];
      if (next !== undefined) this.#set(index, next);
      else if (event.key === "Enter" && this.draft) this.apply.click();
      else if (event.key === "Escape" && this.draft) this.#discard();
      else if (event.key === "ArrowRight" || event.key === "ArrowLeft")
        childrenOf(this.columns)[index + (event.key === "ArrowRight" ? 1 : -1)]?.focus();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }
}

/** A small grid of heads, a row for each layer, shaded by the sharpness of their attention at this step. */
class HeadPicker {
  /** @type {HTMLButtonElement[]} */
  cells = [];
  nColumns = 0;
  name = h("span", { class: "head-name" });

  /** @param {Words} words @param {Kind} kind @param {OnPick} onPick */
  constructor(words, kind, onPick) {
    this.words = words;
    this.pick = (/** @type {HTMLElement} */ { dataset }) => onPick(Number(dataset.layer), Number(dataset.head));
    this.mean = h("button", { class: "mean", onclick: () => onPick(-1, -1) }, words.mean_heads);
    this.grid = h("div", {
      class: "head-grid",
      role: "grid",
      "aria-label": words[`heads_${kind}`],
      onclick: (/** @type {MouseEvent} */ event) => {
        const cell = closest(event, "button");
        if (cell) this.pick(cell);
      },
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.#moveSelection(event),
    });
    this.root = h("div", { class: "picker" }, this.grid, h("div", { class: "picker-words" }, this.name, this.mean));
  }

  /** @param {Heads} heads */
  draw({ layers, heads, first, selection, sharpness, isAveraged }) {
    this.grid.style.setProperty("--heads", String(heads));
    this.grid.toggleAttribute("data-small", layers * heads > 48);
    if (this.cells.length !== layers * heads || this.nColumns !== heads) this.#build(layers, heads);
    const nameOf = (/** @type {number} */ layer, /** @type {number} */ head) =>
      head < 0
        ? fill(this.words.mean_layer, { layer: layer + first })
        : fill(this.words.one_head, { layer: layer + first, head: head + first });
    this.cells.forEach((cell, at) => {
      const layer = Math.floor(at / heads);
      const head = isAveraged ? -1 : at % heads;
      cell.dataset.head = String(head);
      const isChosen = layer === selection.layer && head === selection.head;
      cell.style.setProperty("--weight", sharpness[at].toFixed(3));
      cell.setAttribute("aria-pressed", String(isChosen));
      cell.setAttribute("tabindex", isChosen || (selection.layer < 0 && at === 0) ? "0" : "-1");
      cell.title = fill(this.words.head_help, { head: nameOf(layer, head), most: percent(sharpness[at]) });
      cell.setAttribute("aria-label", nameOf(layer, head));
    });
    this.name.textContent = selection.layer < 0 ? this.words.all_heads : nameOf(selection.layer, selection.head);
    this.mean.hidden = selection.layer < 0;
  }

  /** @type {(layers: number, heads: number) => void} */
  #build(layers, heads) {
    this.nColumns = heads;
    this.cells = Array.from({ length: layers * heads }, (_, at) =>
      h("button", { "data-layer": Math.floor(at / heads) }),
    );
    const gridCells = this.cells.map((cell) => h("div", { class: "heads-row", role: "gridcell" }, cell));
    const rows = Array.from({ length: layers }, (_, layer) => {
      const row = gridCells.slice(layer * heads, (layer + 1) * heads);
      return h("div", { class: "heads-row", role: "row", "aria-rowindex": layer + 1 }, row);
    });
    this.grid.setAttribute("aria-rowcount", String(layers));
    this.grid.setAttribute("aria-colcount", String(heads));
    this.grid.replaceChildren(...rows);
  }

  /** @param {KeyboardEvent} event */
  #moveSelection(event) {
    const at = this.cells.findIndex((cell) => cell === event.target);
    /** @type {Record<string, number>} */
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.nColumns, ArrowDown: this.nColumns };
    const step = steps[event.key];
    if (at < 0 || !step) return;
    event.preventDefault();
    event.stopPropagation();
    const next = this.cells[at + step];
    if (!next) return;
    this.pick(next);
    next.focus();
  }
}
