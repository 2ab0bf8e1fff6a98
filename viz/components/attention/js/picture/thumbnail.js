// Thumbnails of heads. The loops are written for speed, because a large model has millions of cells.

import { subtract, matrixOf } from "../data/transform.js";
import { headsOfKind } from "../data/unpack.js";
import { inkWidth } from "../../../shared/pad/picture.js";

/** @import { Head, Kind, Matrix, Sketch, State, Theme, View } from "../types" */

const thumbCanvas = new OffscreenCanvas(1, 1);
const thumbContext = thumbCanvas.getContext("2d", { willReadFrequently: true });

/** One head on a shared thumbCanvas: the strongest ink of each block if there are more cells than pixels.
 * @type {(matrix: Sketch, state: State, theme: Theme, kind: Kind, maxPixels: number) =>
 *   OffscreenCanvas} */
export function thumbnail(matrix, state, theme, kind, maxPixels) {
  const columns = Math.min(matrix.columns, maxPixels);
  const rows = Math.min(matrix.rows, maxPixels);
  const inks = matrix.isSigned ? poolSigned(matrix, rows, columns) : poolInk(matrix, state, rows, columns);
  const ramp = matrix.isSigned ? theme.differences : theme.ramp(state.palette, kind);
  if (thumbCanvas.width !== columns || thumbCanvas.height !== rows)
    Object.assign(thumbCanvas, { width: columns, height: rows });
  if (!thumbContext) return thumbCanvas;
  const image = thumbContext.createImageData(columns, rows);
  const words = new Uint32Array(image.data.buffer);
  for (let i = 0; i < inks.length; i++) words[i] = ramp.words[Math.min(255, Math.round(inks[i] * 255))];
  thumbContext.putImageData(image, 0, 0);
  return thumbCanvas;
}

/** Ink of each block, 0 to 1.
 * @type {(matrix: Sketch, state: State, rows: number, columns: number) => Float32Array} */
function poolInk(matrix, state, rows, columns) {
  const { values, peaks } = matrix;
  const inks = new Float32Array(rows * columns);
  const dim = Float32Array.from(matrix.isSink, (isSink) => (isSink && matrix.greyed ? 0.35 : 1));
  const place = Int32Array.from(dim, (_, column) => Math.floor((column * columns) / matrix.columns));
  for (let row = 0, i = 0; row < matrix.rows; row++) {
    const start = Math.floor((row * rows) / matrix.rows) * columns;
    const full = state.scale === "row" ? peaks.byRow[row] : state.scale === "head" ? peaks.all : 1;
    const factor = full > 0 ? 1 / full : 0;
    for (let column = 0; column < matrix.columns; column++, i++) {
      const value = values[i];
      if (value < state.threshold) continue;
      const ink = value * factor * dim[column];
      const at = start + place[column];
      if (ink > inks[at]) inks[at] = ink;
    }
  }
  return state.curve === "sqrt" ? inks.map(Math.sqrt) : inks;
}

/** Position of each block's largest difference on the diverging scale; 0.5 for no difference.
 * @type {(matrix: Sketch, rows: number, columns: number) => Float32Array} */
function poolSigned(matrix, rows, columns) {
  const largest = new Float32Array(rows * columns);
  matrix.values.forEach((value, i) => {
    const row = Math.floor((Math.floor(i / matrix.columns) * rows) / matrix.rows);
    const at = row * columns + Math.floor(((i % matrix.columns) * columns) / matrix.columns);
    if (Math.abs(value) > Math.abs(largest[at])) largest[at] = value;
  });
  const half = 0.5 / (matrix.peaks.all || 1);
  return largest.map((value) => 0.5 + value * half);
}

/** The matrix of a head's thumbnail, after the reading aids; null if its weights are not numbers. `buffer` is reused.
 * @type {(shown: {state: State, view: View, views: View[], isSubtracting: boolean}, head: Head,
 *   buffer: Float32Array) => Sketch | null} */
export function thumbMatrix({ state, view, views, isSubtracting }, [layer, head], buffer) {
  const heads = headsOfKind(view, state.kind);
  if (heads.isBroken(layer, head) || heads.long?.missing.has(layer)) return null;
  const blocks = heads.long ?? (isSubtracting ? undefined : heads.sketch);
  if (blocks) return blocks.matrix(heads.index(layer, head));
  if (!isSubtracting) return inkedPart(matrixOf(view, state, [[layer, head]], buffer));
  const isMissing = views.slice(1).some(({ kinds }) => {
    const other = kinds.get(state.kind);
    return !other?.has(layer, head) || other.isBroken(layer, head);
  });
  const [left, right] = views.map((shown) => (isMissing ? null : matrixOf(shown, state, [[layer, head]])));
  return left && right ? subtract(left, right) : null;
}

/** A map of a picture's strips without the empty strips after the ink; they are merged into one row or column.
 * @type {(matrix: Matrix) => Sketch} */
export function inkedPart(matrix) {
  const rows = lengthOf(matrix.queries, matrix.rows);
  const columns = lengthOf(matrix.keys, matrix.columns);
  if (rows === matrix.rows && columns === matrix.columns) return matrix;
  const values = new Float32Array(rows * columns);
  const byRow = new Float32Array(rows);
  for (let row = 0; row < matrix.rows; row++) {
    const to = Math.min(row, rows - 1);
    byRow[to] = Math.max(byRow[to], matrix.peaks.byRow[row]);
    for (let column = 0; column < matrix.columns; column++) {
      const at = to * columns + Math.min(column, columns - 1);
      values[at] = Math.max(values[at], matrix.values[row * matrix.columns + column]);
    }
  }
  return {
    ...matrix,
    rows,
    columns,
    values,
    peaks: { ...matrix.peaks, byRow },
    isSink: matrix.isSink.slice(0, columns),
  };
}

/** @type {(units: {picture?: Uint8Array | null, strip?: number}, length: number) => number} */
const lengthOf = ({ picture, strip }, length) =>
  picture && strip ? Math.min(length, Math.ceil(inkWidth(picture) / strip) + 1) : length;
