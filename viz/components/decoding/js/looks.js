/* Chooses the head: a small grid, a row for each layer, inked by how sharp each head's attention is at this step. */

import { closest, h } from "../../shared/dom.js";
import { fill, percent } from "../../shared/text.js";

/** @import { Kind, Look, Words } from "./unpack.js" */
/** @typedef {(layer: number, head: number) => void} OnPick */
/**
 * @typedef {object} Heads
 * @property {number} layers
 * @property {number} heads
 * @property {number} first what the first of them is called
 * @property {Look} look
 * @property {number[]} sharpness the largest weight of each head
 * @property {boolean} isAveraged
 */

export class HeadPicker {
  /** @param {Words} words @param {Kind} kind @param {OnPick} onPick */
  constructor(words, kind, onPick) {
    this.words = words;
    /** @type {HTMLButtonElement[]} */
    this.cells = [];
    this.wide = 0;
    this.onPick = onPick;
    this.root = h("div", { class: "picker" });
    this.mean = h("button", { class: "mean" }, words.mean_heads);
    this.mean.addEventListener("click", () => onPick(-1, -1));
    this.name = h("span", { class: "head-name" });
    this.grid = h("div", { class: "head-grid", role: "grid", "aria-label": words[`heads_${kind}`] });
    this.grid.addEventListener("click", (event) => {
      const cell = closest(event, "button");
      if (cell) onPick(Number(cell.dataset.layer), Number(cell.dataset.head));
    });
    this.grid.addEventListener("keydown", (event) => this.#walk(event));
    this.root.append(this.grid, h("div", { class: "picker-words" }, this.name, this.mean));
  }

  /** @param {Heads} heads */
  draw({ layers, heads, first, look, sharpness, isAveraged }) {
    this.grid.style.setProperty("--heads", String(heads));
    this.grid.toggleAttribute("data-small", layers * heads > 48);
    if (this.cells.length !== layers * heads || this.wide !== heads) this.#build(layers, heads);
    const nameOf = (/** @type {number} */ layer, /** @type {number} */ head) =>
      head < 0
        ? fill(this.words.mean_layer, { layer: layer + first })
        : fill(this.words.one_head, { layer: layer + first, head: head + first });
    this.cells.forEach((cell, at) => {
      const layer = Math.floor(at / heads),
        head = isAveraged ? -1 : at % heads;
      cell.dataset.head = String(head);
      const isChosen = layer === look.layer && head === look.head;
      cell.style.setProperty("--weight", sharpness[at].toFixed(3));
      cell.setAttribute("aria-pressed", String(isChosen));
      cell.setAttribute("tabindex", isChosen || (look.layer < 0 && at === 0) ? "0" : "-1");
      cell.title = fill(this.words.head_help, { head: nameOf(layer, head), most: percent(sharpness[at]) });
      cell.setAttribute("aria-label", nameOf(layer, head));
    });
    this.name.textContent = look.layer < 0 ? this.words.all_heads : nameOf(look.layer, look.head);
    this.mean.hidden = look.layer < 0;
  }

  /** @type {(layers: number, heads: number) => void} */
  #build(layers, heads) {
    this.wide = heads;
    this.cells = Array.from({ length: layers * heads }, (_, at) =>
      h("button", { "data-layer": Math.floor(at / heads) }),
    );
    const rows = Array.from({ length: layers }, (_, layer) => this.cells.slice(layer * heads, (layer + 1) * heads));
    this.grid.setAttribute("aria-rowcount", String(layers));
    this.grid.setAttribute("aria-colcount", String(heads));
    this.grid.replaceChildren(
      ...rows.map((row, layer) =>
        h(
          "div",
          { class: "heads-row", role: "row", "aria-rowindex": layer + 1 },
          ...row.map((cell) => h("div", { class: "heads-row", role: "gridcell" }, cell)),
        ),
      ),
    );
  }

  /** @param {KeyboardEvent} event */
  #walk(event) {
    const at = this.cells.findIndex((cell) => cell === event.target);
    /** @type {Record<string, number>} */
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.wide, ArrowDown: this.wide };
    const step = steps[event.key];
    if (at < 0 || !step) return;
    event.preventDefault();
    event.stopPropagation();
    const next = this.cells[at + step];
    if (next) {
      this.onPick(Number(next.dataset.layer), Number(next.dataset.head));
      next.focus();
    }
  }
}
