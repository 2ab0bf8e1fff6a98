/* The causal mask: the decoded rows, and no cells above the diagonal. */

import { h, pointIn, sizedContext } from "../../shared/dom.js";
import { fill, formatFixed, spoken } from "../../shared/text.js";

const WIDEST = 196;

/** Pixels from one row to the next; an integer unless there are too many rows. @param {number} rows */
export function pitchOf(rows) {
  const fitting = WIDEST / rows;
  return fitting < 2 ? fitting : Math.min(Math.floor(fitting), 22);
}

export class Mask {
  /** @type {string[]} */
  tokens = [];
  /** @type {Float64Array[]} */
  rows = [];
  step = 0;
  pitch = 0;

  /** @param {import("./unpack.js").Words} words @param {(step: number) => void} onStep */
  constructor(words, onStep) {
    this.words = words;
    this.canvas = h("canvas", {
      role: "img",
      onpointermove: (/** @type {PointerEvent} */ event) => (this.canvas.title = this.#describe(this.#cell(event))),
      onclick: (/** @type {MouseEvent} */ event) => {
        const cell = this.#cell(event);
        if (cell) onStep(cell.row);
      },
    });
    this.root = h("figure", { class: "mask" }, this.canvas, h("figcaption", { class: "remark" }, words.mask));
  }

  /** @param {{row: number, key: number} | null} cell */
  #describe(cell) {
    const { words } = this;
    if (!cell) return "";
    const names = { row: spoken(this.tokens[cell.row], words), key: spoken(this.tokens[cell.key], words) };
    if (cell.key > cell.row) return fill(words.mask_absent, names);
    if (cell.row > this.step) return words.mask_later;
    return fill(words.mask_cell, { ...names, weight: formatFixed(this.rows[cell.row][cell.key], 3) });
  }

  /** @param {{tokens: string[], rows: Float64Array[], step: number, hue: string, ink: string}} state */
  draw({ tokens, rows, step, hue, ink }) {
    Object.assign(this, { tokens, rows, step });
    const n = rows.length;
    this.pitch = pitchOf(n);
    this.canvas.setAttribute("aria-label", fill(this.words.mask_label, { n, step: step + 1 }));
    const context = sizedContext(this.canvas, this.pitch * n, this.pitch * n);
    const gap = this.pitch > 6 ? 1.5 : 0;
    const size = this.pitch - gap;
    Object.assign(context, { strokeStyle: ink, fillStyle: hue, lineWidth: 0.5 });
    for (let row = 0; row < n; row += 1) {
      for (let key = 0; key <= row; key += 1) {
        const [x, y] = [key * this.pitch, row * this.pitch];
        if (row <= step) {
          context.globalAlpha = 0.06;
          context.fillRect(x, y, size, size);
          context.globalAlpha = Math.min(1, rows[row][key]);
          context.fillRect(x, y, size, size);
        } else if (this.pitch > 6) {
          context.globalAlpha = 0.22;
          context.strokeRect(x + 0.5, y + 0.5, size - 1, size - 1);
        } else {
          context.globalAlpha = 0.05;
          context.fillRect(x, y, size, size);
        }
      }
    }
    context.globalAlpha = 1;
    context.strokeStyle = hue;
    context.lineWidth = 1.5;
    if (step < n)
      context.strokeRect(0.75, step * this.pitch + 0.25, (step + 1) * this.pitch - gap - 0.5, this.pitch - gap);
  }

  /** @param {MouseEvent} event */
  #cell(event) {
    const [key, row] = pointIn(event, this.canvas).map((pixel) => Math.floor(pixel / this.pitch));
    return row >= 0 && key >= 0 && row < this.rows.length && key < this.rows.length ? { row, key } : null;
  }
}
