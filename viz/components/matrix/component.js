/* Grids of numbers on a diverging colour scale whose middle is 0. */

import { applyPalette, isDark, luminance, mix, parseColour } from "../shared/colour.js";
import { ARROWS, focusedIn, h } from "../shared/dom.js";
import { stripCanvas } from "../shared/pad/pad.js";
import { pictureOfText } from "../shared/pad/picture.js";
import { streamlitComponent } from "../shared/streamlit.js";
import { fill, formatFixed } from "../shared/text.js";

/**
 * @typedef {[block: number, row: number, column: number]} Place
 * @typedef {object} Block
 * @property {string} title
 * @property {string[]} rows
 * @property {string[]} columns
 * @property {string} rows_name
 * @property {string} columns_name
 * @property {string} picture the text form of the picture whose strips the columns are, or ""
 * @property {number} strip width of a strip in pixels
 * @property {string | null} [kind]
 * @property {(number | null)[][]} values
 * @property {number} limit the value of the strongest colour
 * @property {[layer: number, head: number][]} off
 *
 * @typedef {{language: string, colours: {light: Record<string, string>, dark: Record<string, string>}, blocks:
 *   Block[], help: string, unknown: string, digits: number, isSigned: boolean, isStacked: boolean, canClick: boolean}}
 *   Data
 *
 * @typedef {{root: HTMLElement, data: Data}} Grid
 * @typedef {(value: number, share: number) => boolean} IsStrong
 */

/** The luminance on which black and white text have the same contrast, 4.6. */
const EQUAL_CONTRAST = 0.179;

export default streamlitComponent((parent, /** @type {Data} */ first, send) => {
  const root = h("div", { class: "grids" });
  const grid = {
    root,
    data: first,
    send,
    update(/** @type {Data} */ data) {
      grid.data = data;
      draw(grid);
    },
    destroy: () => root.remove(),
  };
  root.addEventListener("click", ({ target }) => {
    const place = placeOf(target);
    if (place && grid.data.canClick) grid.send("cell", place);
  });
  root.addEventListener("keydown", (event) => moveFocus(grid, event));
  parent.append(root);
  grid.update(first);
  return grid;
});

/** The text of a number; shares of a whole have no plus sign.
 * @type {(data: Data, value: number, digits: number) => string} */
function figureOf(data, value, digits) {
  if (Math.abs(value) < 0.5 * 10 ** -digits) return "0";
  const sign = value < 0 ? "−" : data.isSigned ? "+" : "";
  return `${sign}${formatFixed(Math.abs(value), digits)}`;
}

/** @param {Grid} grid */
function draw(grid) {
  const { data, root } = grid;
  const active = focusedIn(root);
  const focused = root.contains(active) ? placeOf(active) : null;
  const { panel, more, less } = applyPalette(root, data.colours);
  const dark = isDark(root);
  /** @type {IsStrong} */
  const isStrong = (value, share) =>
    luminance(mix(parseColour(panel), parseColour(value < 0 ? less : more), share)) > EQUAL_CONTRAST === dark;
  root.toggleAttribute("data-stacked", data.isStacked);
  root.replaceChildren(...data.blocks.map((block, index) => drawBlock(data, block, index, isStrong)));
  data.blocks.forEach((_, index) => cellAt(grid, index, 0, 0)?.setAttribute("tabindex", "0"));
  if (focused) focusOn(cellAt(grid, ...focused));
}

/** @type {(data: Data, block: Block, index: number, isStrong: IsStrong) => HTMLElement} */
function drawBlock(data, block, index, isStrong) {
  const wide = block.columns.length;
  const picture = pictureOfText(block.picture);
  /** @type {(name: string, at: number) => HTMLElement} */
  const top = (name, at) =>
    h("span", { class: "top", role: "columnheader" }, picture ? stripCanvas(picture, at, block.strip, name) : name);
  const table = h(
    "div",
    {
      class: "grid",
      role: "grid",
      "aria-label": block.title,
      "aria-rowcount": block.rows.length + 1,
      "aria-colcount": wide + 1,
      "data-dense": wide > 20,
      "data-picture": Boolean(picture),
      style: { "--columns": wide },
    },
    rowOf(0, h("span", { class: "corner", role: "gridcell" }), ...block.columns.map(top)),
    ...block.rows.map((name, row) =>
      rowOf(
        row + 1,
        h("span", { class: "side", role: "rowheader" }, name),
        ...block.columns.map((_, column) => drawCell(data, block, index, row, column, isStrong)),
      ),
    ),
  );
  const names = h("span", { class: "names" }, [block.rows_name, block.columns_name].filter(Boolean).join(" × "));
  const title = h("h3", { "data-kind": block.kind || null }, block.title);
  return h("section", { class: "block" }, h("header", {}, title, names), h("div", { class: "scroll" }, table));
}

/** @type {(index: number, ...cells: HTMLElement[]) => HTMLElement} */
function rowOf(index, ...cells) {
  return h("div", { class: "row", role: "row", "aria-rowindex": index + 1 }, ...cells);
}

/** One number: a button if a click does something, otherwise text that the arrow keys reach.
 * @type {(data: Data, block: Block, index: number, row: number, column: number, isStrong: IsStrong) => HTMLElement} */
function drawCell(data, block, index, row, column, isStrong) {
  const value = block.values[row][column];
  const wide = block.columns.length;
  const names = { row: block.rows[row], column: block.columns[column] };
  const label =
    value === null ? data.unknown : fill(data.help, { ...names, value: figureOf(data, value, data.digits) });
  const share = value === null || !block.limit ? 0 : Math.abs(value) / block.limit;
  const isOff = block.off.some(([layer, head]) => layer === row && head === column);
  const cell = h(
    data.canClick ? "button" : "span",
    {
      class: "cell",
      tabindex: "-1",
      title: label,
      "aria-label": label,
      "aria-pressed": data.canClick && String(isOff),
      role: data.canClick ? null : "gridcell",
      "data-cell": [index, row, column].join(),
      "data-sign": value === null ? "unknown" : value < 0 ? "less" : "more",
      "data-strong": value !== null && isStrong(value, share),
      "data-faint": share < 0.12,
      "data-off": isOff,
      "data-still": !data.canClick,
      style: { "--share": share.toFixed(3) },
    },
    value === null ? "" : figureOf(data, value, Math.min(data.digits, wide > 12 ? 1 : 2)),
  );
  return data.canClick ? h("div", { class: "holder", role: "gridcell" }, cell) : cell;
}

/** The arrow keys move from cell to cell, and from the last row of a grid into the first of the next.
 * @type {(grid: Grid, event: KeyboardEvent) => void} */
function moveFocus(grid, event) {
  const place = placeOf(event.target);
  const step = ARROWS[event.key];
  if (!place || !step) return;
  event.preventDefault();
  focusOn(neighbour(grid, place, step));
}

/** @type {(grid: Grid, place: Place, step: [down: number, along: number]) => HTMLElement | null} */
function neighbour(grid, [block, row, column], [down, along]) {
  const { blocks } = grid.data;
  const next = cellAt(grid, block, row + down, column + along);
  const beyond = blocks[block + down];
  if (next || !down || !beyond) return next;
  return cellAt(grid, block + down, down > 0 ? 0 : beyond.rows.length - 1, Math.min(column, beyond.columns.length - 1));
}

/** @type {(node: EventTarget | null) => Place | null} */
function placeOf(node) {
  const cell = node instanceof Element ? /** @type {HTMLElement | null} */ (node.closest(".cell")) : null;
  return /** @type {Place | null} */ (cell?.dataset.cell?.split(",").map(Number) ?? null);
}

/** @type {(grid: Grid, block: number, row: number, column: number) => HTMLElement | null} */
function cellAt(grid, block, row, column) {
  return grid.root.querySelector(`[data-cell="${[block, row, column].join()}"]`);
}

/** Focus a cell, which becomes its grid's only Tab stop. @param {HTMLElement | null} cell */
function focusOn(cell) {
  cell?.closest(".grid")?.querySelector('[tabindex="0"]')?.setAttribute("tabindex", "-1");
  cell?.setAttribute("tabindex", "0");
  cell?.focus();
}
