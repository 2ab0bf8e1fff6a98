// Layout and drawing of the map, on any painter; and of the picture whose strips are tokens, along the axis of a map or as a
// row of the lines view.

import { context2d } from "../../../shared/dom.js";
import { cropPicture } from "../../../shared/pad/pad.js";
import { PICTURE_HEIGHT } from "../../../shared/pad/picture.js";
import { clamp } from "../../../shared/text.js";
import { cellNumber } from "../data/state.js";
import { inkOf } from "../data/transform.js";
import { fitText, textWidth } from "../picture/painter.js";

/** @import { Ramp } from "../picture/colour.js" */
/** @import { Lettering, Matrix, Painter, State, Theme, Units, Zoom, Box } from "../types" */

const MAX_PICTURE_HEIGHT = 84; // pixels

/** @typedef {ReturnType<typeof mapLayout>} Layout */
/**
 * The colour, text colour and number of each cell.
 * @typedef {{ramp: (column: number) => Ramp, ink: (value: number, row: number) => number,
 *   digits: (value: number) => string}} Scheme
 */

const CELL = { maxWidth: 78, maxHeight: 42, gapFrom: 9, numberFrom: 27, rowFrom: 15 };

/** The part of the map on screen: [first row, first column, rows, columns].
 * @type {(matrix: Pick<Matrix, "rows" | "columns">, zoom?: Zoom | null) => Zoom} */
export function windowOf(matrix, zoom) {
  if (!zoom) return [0, 0, matrix.rows, matrix.columns];
  const rows = clamp(zoom[2], Math.min(2, matrix.rows), matrix.rows);
  const columns = clamp(zoom[3], Math.min(2, matrix.columns), matrix.columns);
  return [clamp(zoom[0], 0, matrix.rows - rows), clamp(zoom[1], 0, matrix.columns - columns), rows, columns];
}

/** Sizes and positions of a map that fits into a room.
 * @param {Matrix} matrix @param {Theme} theme @param {{width: number, height: number, zoom?: Zoom | null}} room */
export function mapLayout(matrix, theme, { width, height, zoom }) {
  const [firstRow, firstColumn, rows, columns] = windowOf(matrix, zoom);
  /** Width of the labelWidth label in bold, which it has under the pointer.
   * @type {(units: Units, limit: number) => number} */
  const labelWidth = (units, limit) =>
    Math.min(limit, Math.max(16, ...units.texts.map((text) => textWidth(theme, text.slice(0, 40), theme.size, 600))));
  const scale = theme.size / 13;
  // Labels also take the room that cells of maximum size leave free.
  const free = { x: width - 20 - columns * CELL.maxWidth * scale, y: height - 18 - rows * CELL.maxHeight * scale };
  const left = Math.ceil(labelWidth(matrix.queries, Math.max(Math.min(150, width * 0.24), free.x)) + 14);
  const pitchX = Math.min(CELL.maxWidth * scale, (width - left - 6) / columns);
  const picture = matrix.keys.picture ? pictureHeight(pitchX, matrix.keys.strip) : 0;
  const beside = (width - left - pitchX * (columns - 0.5)) * Math.SQRT2; // a slanted label extends over the columns to its right
  const label = picture || labelWidth(matrix.keys, Math.max(130, Math.min(free.y, beside)));
  const isFlat = !picture && label + 8 <= pitchX;
  const isSteep = !isFlat && pitchX < theme.size * 1.45;
  const top = picture
    ? picture + 8
    : Math.ceil(isFlat ? theme.size * 2 : isSteep ? label + 14 : label * 0.72 + theme.size * 1.4);
  const pitchY = Math.min(CELL.maxHeight * scale, Math.max(1, (height - top - 4) / rows));
  return {
    left,
    top,
    label,
    pitchX,
    pitchY,
    isFlat,
    isSteep,
    firstRow,
    firstColumn,
    rows,
    columns,
    width: pitchX * columns,
    height: pitchY * rows,
    x: (/** @type {number} */ column) => left + (column - firstColumn) * pitchX,
    y: (/** @type {number} */ row) => top + (row - firstRow) * pitchY,
  };
}

/** The step between labels, in tokens, so that they never overlap. @type {(pitch: number, room: number) => number} */
function labelStep(pitch, room) {
  return Math.max(1, Math.ceil(room / pitch));
}

/** @type {(matrix: Matrix, state: State, theme: Theme) => Scheme} */
function inkScheme(matrix, state, theme) {
  const digits = (/** @type {number} */ value) => cellNumber(value, matrix.isSigned);
  if (matrix.isSigned) {
    const half = 0.5 / (matrix.peaks.all || 1);
    return { ramp: () => theme.differences, ink: (value) => 0.5 + value * half, digits };
  }
  const ramp = theme.ramp(state.palette, state.kind);
  return {
    ramp: (column) => (matrix.greyed && matrix.isSink[column] ? theme.greys : ramp),
    ink: inkOf(matrix, state),
    digits,
  };
}

/** @type {(painter: Painter, layout: Layout, matrix: Matrix, state: State, theme: Theme) => void} */
export function paintMap(painter, layout, matrix, state, theme) {
  const scheme = inkScheme(matrix, state, theme);
  painter.clip(layout.left - 1, layout.top - 1, layout.width + 2, layout.height + 2, () => {
    if (Math.min(layout.pitchX, layout.pitchY) >= 6) paintCells(painter, layout, matrix, scheme, theme);
    else paintDense(painter, layout, matrix, scheme);
  });
  painter.rect(layout.left - 0.5, layout.top - 0.5, layout.width + 1, layout.height + 1, { stroke: theme.line });
  paintColumnLabels(painter, layout, matrix, theme);
  paintRowLabels(painter, layout, matrix, theme);
}

/** Visible rows and columns as index ranges. @param {Layout} layout */
function visible(layout) {
  return [
    Math.floor(layout.firstRow),
    Math.ceil(layout.firstRow + layout.rows),
    Math.floor(layout.firstColumn),
    Math.ceil(layout.firstColumn + layout.columns),
  ];
}

/** @type {(painter: Painter, layout: Layout, matrix: Matrix, scheme: Scheme, theme: Theme) => void} */
function paintCells(painter, layout, matrix, scheme, theme) {
  const { pitchX, pitchY } = layout;
  const small = Math.min(pitchX, pitchY);
  const gap = small >= 14 ? 2 : small >= CELL.gapFrom ? 1 : 0;
  const radius = small >= 14 ? 3 : 0;
  const hasNumbers = pitchX >= CELL.numberFrom * (theme.small / 11) && pitchY >= CELL.rowFrom * (theme.small / 11);
  const [fromRow, toRow, fromColumn, toColumn] = visible(layout);
  for (let row = fromRow; row < toRow; row++) {
    for (let column = fromColumn; column < toColumn; column++) {
      const [x, y] = [layout.x(column), layout.y(row)];
      if (matrix.isHidden(row, column)) {
        paintAbsent(painter, x, y, pitchX - gap, pitchY - gap, theme);
        continue;
      }
      const value = matrix.values[row * matrix.columns + column];
      const ink = scheme.ink(value, row);
      const ramp = scheme.ramp(column);
      if (matrix.isSigned || ink > 0) painter.rect(x, y, pitchX - gap, pitchY - gap, { fill: ramp.at(ink), radius });
      const number = hasNumbers && (matrix.isSigned || ink > 0) ? scheme.digits(value) : "";
      if (number) {
        painter.text(number, x + (pitchX - gap) / 2, y + (pitchY - gap) / 2, {
          size: theme.small * 0.95,
          align: "center",
          fill: ramp.textAt(ink, theme),
          alpha: Math.abs(value) < 0.05 ? 0.6 : 1,
        });
      }
    }
  }
}

/** A cell that does not exist: a later token, or no counterpart.
 * @type {(painter: Painter, x: number, y: number, width: number, height: number, theme: Theme) => void} */
function paintAbsent(painter, x, y, width, height, theme) {
  if (width < 9 || height < 9) return;
  const [a, b, c, d] = [x + width * 0.35, y + height * 0.65, x + width * 0.65, y + height * 0.35];
  painter.curve([a, b, a, b, c, d, c, d], { stroke: theme.line });
}

/** Paint many small cells as one image; each pixel has the largest weight of its cells.
 * @type {(painter: Painter, layout: Layout, matrix: Matrix, scheme: Scheme) => void} */
function paintDense(painter, layout, matrix, scheme) {
  const [fromRow, toRow, fromColumn, toColumn] = visible(layout);
  const [rows, columns] = [toRow - fromRow, toColumn - fromColumn];
  const height = Math.min(rows, Math.max(1, Math.round(layout.pitchY * rows * 2)));
  const width = Math.min(columns, Math.max(1, Math.round(layout.pitchX * columns * 2)));
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  const context = context2d(canvas);
  const image = context.createImageData(width, height);
  const words = new Uint32Array(image.data.buffer);
  const best = new Float32Array(width * height).fill(-1);
  for (let row = fromRow; row < toRow; row++) {
    const y = Math.floor(((row - fromRow) * height) / rows);
    for (let column = fromColumn; column < toColumn; column++) {
      if (matrix.isHidden(row, column)) continue;
      const value = matrix.values[row * matrix.columns + column];
      const at = y * width + Math.floor(((column - fromColumn) * width) / columns);
      if (Math.abs(value) <= best[at]) continue;
      best[at] = Math.abs(value);
      words[at] = scheme.ramp(column).words[Math.round(clamp(scheme.ink(value, row), 0, 1) * 255)];
    }
  }
  context.putImageData(image, 0, 0);
  painter.image(canvas, layout.x(fromColumn), layout.y(fromRow), layout.pitchX * columns, layout.pitchY * rows);
}

/** @type {(painter: Painter, layout: Layout, matrix: Matrix, theme: Theme) => void} */
function paintColumnLabels(painter, layout, matrix, theme) {
  const [, , from, to] = visible(layout);
  if (matrix.keys.picture) return paintStrips(painter, layout, matrix.keys, theme, from, to);
  const step = labelStep(layout.pitchX, theme.size * (layout.isFlat ? 1 : 1.3));
  for (let column = from; column < to; column += step) {
    const middle = layout.x(column) + layout.pitchX / 2;
    if (middle < layout.left - 1 || middle > layout.left + layout.width + 1) continue;
    paintColumnLabel(painter, layout, matrix, theme, column);
  }
}

/** @type {(painter: Painter, layout: Layout, matrix: Matrix, theme: Theme, column: number, how?: Lettering) => void} */
function paintColumnLabel(painter, layout, matrix, theme, column, { fill, weight, halo } = {}) {
  const { keys } = matrix;
  if (keys.picture) return outlineStrip(painter, layout, column, fill ?? theme.line);
  const x = layout.x(column) + layout.pitchX / 2;
  const text = fitText(theme, keys.texts[column], theme.size, layout.label + 2, weight);
  const ink = fill ?? (keys.special[column] || (matrix.isSink[column] && matrix.greyed) ? theme.soft : theme.ink);
  const options = { fill: ink, weight, halo };
  if (layout.isFlat) painter.text(text, x, layout.top - theme.size, { ...options, align: "center" });
  else if (layout.isSteep) painter.text(text, x, layout.top - 7, { ...options, rotate: -90 });
  else painter.text(text, x + 2, layout.top - 9, { ...options, rotate: -45 });
}

/** @type {(painter: Painter, layout: Layout, matrix: Matrix, theme: Theme) => void} */
function paintRowLabels(painter, layout, matrix, theme) {
  const [from, to] = visible(layout);
  const step = labelStep(layout.pitchY, theme.size * 1.25);
  for (let row = from; row < to; row += step) {
    const middle = layout.y(row) + layout.pitchY / 2;
    if (middle < layout.top - 1 || middle > layout.top + layout.height + 1) continue;
    paintRowLabel(painter, layout, matrix, theme, row);
  }
}

/** @type {(painter: Painter, layout: Layout, matrix: Matrix, theme: Theme, row: number, how?: Lettering) => void} */
function paintRowLabel(painter, layout, matrix, theme, row, { fill, weight } = {}) {
  const { queries } = matrix;
  const y = layout.y(row) + layout.pitchY / 2;
  const text = fitText(theme, queries.texts[row], theme.size, layout.left - 12, weight);
  painter.text(text, layout.left - 8, y, {
    align: "right",
    weight,
    fill: fill ?? (queries.special[row] ? theme.soft : theme.ink),
  });
}

/** Outline pinned and pointed rows and columns, and highlight their labels.
 * @type {(painter: Painter, layout: Layout, matrix: Matrix, theme: Theme, hue: string,
 *   lit: {rows: number[], columns: number[], cell: [row: number, column: number] | null}) => void} */
export function paintMapFocus(painter, layout, matrix, theme, hue, { rows, columns, cell }) {
  /** @type {(x: number, y: number, width: number, height: number, alpha: number) => void} */
  const band = (x, y, width, height, alpha) =>
    painter.rect(x, y, width, height, { stroke: hue, lineWidth: 1.75, radius: 4, alpha });
  const edge = layout.pitchY >= CELL.gapFrom ? 2 : 1;
  painter.clip(layout.left - 3, layout.top - 3, layout.width + 6, layout.height + 6, () => {
    for (const row of rows) band(layout.left - 1.5, layout.y(row) - edge, layout.width + 2, layout.pitchY + edge, 1);
    for (const column of columns)
      band(layout.x(column) - edge, layout.top - 1.5, layout.pitchX + edge, layout.height + 2, cell ? 0.45 : 1);
    if (cell)
      painter.rect(layout.x(cell[1]) - 1, layout.y(cell[0]) - 1, layout.pitchX, layout.pitchY, {
        stroke: theme.ink,
        lineWidth: 1.5,
        radius: 3,
      });
  });
  /** @type {(x: number, y: number, width: number, height: number) => void} */
  const plate = (x, y, width, height) => painter.rect(x, y, width, height, { fill: theme.panel });
  for (const row of rows) {
    plate(0, layout.y(row) + layout.pitchY / 2 - theme.size * 0.75, layout.left - 4, theme.size * 1.5);
    paintRowLabel(painter, layout, matrix, theme, row, { fill: hue, weight: 600 });
  }
  for (const column of columns) {
    const x = layout.x(column) + layout.pitchX / 2;
    if (layout.isFlat) plate(x - layout.pitchX / 2, layout.top - theme.size * 1.7, layout.pitchX, theme.size * 1.5);
    else if (layout.isSteep && !matrix.keys.picture) plate(x - theme.size * 0.7, 0, theme.size * 1.4, layout.top - 4);
    paintColumnLabel(painter, layout, matrix, theme, column, {
      fill: hue,
      weight: 600,
      halo: layout.isFlat || layout.isSteep ? undefined : theme.panel,
    });
  }
}

/** @param {number} pitch width of a column @param {number} strip width of a strip in the picture, pixels */
export const pictureHeight = (pitch, strip) =>
  Math.ceil(Math.min(MAX_PICTURE_HEIGHT, (pitch * PICTURE_HEIGHT) / strip));

/** The picture above the columns of a map.
 * @type {(painter: Painter, layout: Layout, keys: Units, theme: Theme, from: number, to: number) => void} */
function paintStrips(painter, layout, keys, theme, from, to) {
  const { pitchX, label, top } = layout;
  paintPart(painter, keys, theme, from, to, [layout.x(from), top - label - 3, pitchX * (to - from), label]);
}

/** Some of the strips, in a box.
 * @type {(painter: Painter, units: Units, theme: Theme, from: number, to: number, box: Box) => void} */
export function paintPart(painter, { picture, strips, strip }, theme, from, to, box) {
  if (picture) painter.image(cropPicture(picture, theme.ink, strips[from] * strip, (to - from) * strip), ...box);
}

/** @type {(painter: Painter, layout: Layout, column: number, hue: string) => void} */
function outlineStrip(painter, layout, column, hue) {
  const { pitchX, label, top } = layout;
  painter.rect(layout.x(column), top - label - 3, pitchX, label, { stroke: hue, lineWidth: 1.5, radius: 2 });
}
