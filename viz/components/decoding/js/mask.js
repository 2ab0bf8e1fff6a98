/* The causal mask: rows that have been decoded, and cells beyond the diagonal that do not exist. */

import { h, sizedContext } from "../../shared/dom.js";
import { fill, fixed, spoken } from "../../shared/text.js";

const WIDEST = 196;

/** Pixels from one row to the next; whole ones where so many rows have the room. @param {number} rows */
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
    this.root = h("figure", { class: "mask" });
    this.canvas = h("canvas", { role: "img" });
    this.caption = h("figcaption", { class: "remark" }, words.mask);
    this.root.append(this.canvas, this.caption);
    this.canvas.addEventListener("pointermove", (event) => {
      const cell = this.#cell(event);
      if (!cell) {
        this.canvas.title = "";
        return;
      }
      const { row, key } = cell;
      if (key > row)
        this.canvas.title = fill(words.mask_absent, {
          row: spoken(this.tokens[row], words),
          key: spoken(this.tokens[key], words),
        });
      else if (row > this.step) this.canvas.title = words.mask_later;
      else
        this.canvas.title = fill(words.mask_cell, {
          row: spoken(this.tokens[row], words),
          key: spoken(this.tokens[key], words),
          weight: fixed(this.rows[row][key], 3),
        });
    });
    this.canvas.addEventListener("click", (event) => {
      const cell = this.#cell(event);
      if (cell) onStep(cell.row);
    });
  }

  /** @param {{tokens: string[], rows: Float64Array[], step: number, hue: string, ink: string}} shown */
  draw({ tokens, rows, step, hue, ink }) {
    Object.assign(this, { tokens, rows, step });
    const n = rows.length;
    this.pitch = pitchOf(n);
    this.canvas.setAttribute("aria-label", fill(this.words.mask_label, { n, step: step + 1 }));
    const context = sizedContext(this.canvas, this.pitch * n, this.pitch * n);
    const gap = this.pitch > 6 ? 1.5 : 0;
    for (let row = 0; row < n; row += 1) {
      for (let key = 0; key <= row; key += 1) {
        const x = key * this.pitch,
          y = row * this.pitch,
          size = this.pitch - gap;
        context.globalAlpha = 1;
        context.strokeStyle = ink;
        context.fillStyle = hue;
        context.lineWidth = 0.5;
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
    const box = this.canvas.getBoundingClientRect();
    const key = Math.floor((event.clientX - box.left) / this.pitch),
      row = Math.floor((event.clientY - box.top) / this.pitch);
    return row >= 0 && key >= 0 && row < this.rows.length && key < this.rows.length ? { row, key } : null;
  }
}
