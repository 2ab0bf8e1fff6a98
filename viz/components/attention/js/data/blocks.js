// A long text's weights: block means for every head, and a window of exact tokens. For a text that is shown completely,
// the window is the whole text.

import { clamp } from "../../../shared/text.js";

/** @import { BlocksEntry, Sketch } from "../types" */

export class Blocks {
  /** @type {[number, number]} first row and column of the window */ window = [0, 0];
  /** Count of query blocks. */
  rows = 0;
  /** Count of key blocks. */
  columns = 0;

  /** @param {BlocksEntry} entry
   * @param {Float32Array} maxima of each head
   * @param {Uint8Array} roots square roots scaled to 255, head after head */
  constructor(entry, maxima, roots) {
    this.maxima = maxima;
    this.roots = roots;
    this.block = entry.block;
    /** @type {[rows: number, columns: number]} */
    this.total = [entry.rows, entry.columns];
    [this.rows, this.columns] = entry.blocks;
    this.missing = new Set(entry.missing);
    this.size = this.total.map((n) => Math.min(n, entry.window));
  }

  /** The mean over a block's queries of the sum over its keys; rows of blocks sum to 1.
   * @type {(index: number, row: number, column: number) => number} */
  mean(index, row, column) {
    const root = this.roots[(index * this.rows + row) * this.columns + column];
    return (root * root * this.maxima[index]) / (255 * 255);
  }

  /** Approximate the window's weights: each block's weight is spread evenly over its keys.
   * @type {(index: number, out: Float32Array) => Float32Array} */
  spread(index, out) {
    const [height, width] = this.size;
    for (let i = 0; i < height; i++) {
      const row = Math.floor((this.window[0] + i) / this.block);
      for (let j = 0; j < width; j++) {
        const column = Math.floor((this.window[1] + j) / this.block);
        const keys = Math.min(this.block, this.total[1] - column * this.block);
        out[i * width + j] = this.mean(index, row, column) / keys;
      }
    }
    return out;
  }

  /** A head's blocks as a matrix for its thumbnail. @type {(index: number) => Sketch} */
  matrix(index) {
    const { rows, columns } = this;
    const values = new Float32Array(rows * columns);
    const byRow = new Float32Array(rows);
    for (let row = 0, i = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++, i++) {
        values[i] = this.mean(index, row, column);
        byRow[row] = Math.max(byRow[row], values[i]);
      }
    }
    return { rows, columns, values, peaks: { byRow, all: Math.max(...byRow) }, isSink: Array(columns).fill(false) };
  }

  /** The nearest window inside the text, in integers.
   * @type {(window: [number, number] | null) => [number, number]} */
  nearest(window) {
    const [row, column] = window ?? [0, 0];
    const inside = (/** @type {number} */ at, /** @type {0 | 1} */ side) =>
      clamp(Math.round(at), 0, this.total[side] - this.size[side]);
    return [inside(row, 0), inside(column, 1)];
  }
}
