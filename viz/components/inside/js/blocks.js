/* One block of numbers on a canvas, with the cell under the pointer. */

import { css, mix } from "../../shared/colour.js";
import { ARROWS, h, oncePerFrame, pointIn, sizedContext } from "../../shared/dom.js";
import { clamp } from "../../shared/text.js";
import { brief, lightness, paint } from "./numbers.js";

/** @import { Block, Cell, Placed, Theme } from "./numbers.js" */
/** @typedef {["row" | "column", index: number]} Line */
/**
 * Listeners for the pointer and the keyboard.
 * @typedef {{point: (block: Block, cell: Cell) => void, leave: () => void, pin: (block: Block, cell: Cell) => void,
 *   unpin: () => void}} CellListeners
 */

/** "W_Q" as W with an index. @param {string} text */
export function symbolNode(text) {
  const parts = text.split(/(_\w+|\^\w+)/).filter(Boolean);
  const nodes = parts.map((part) => {
    const tag = part.startsWith("_") ? "sub" : part.startsWith("^") ? "sup" : "i";
    return h(tag, {}, tag === "i" ? part : part.slice(1));
  });
  return h("span", { class: "symbol" }, nodes);
}

/** Whether a vector is drawn over several lines. @param {Block} block */
const isFolded = ({ fold, shape }) => fold > 0 && shape[0] === 1;

/** Width of the row labels; blocks below each other share the widest.
 * @type {(block: Block, zoom: number) => number} */
export function labelWidth(block, zoom) {
  if (block.labelRoom !== undefined) return block.labelRoom;
  if (!block.rows.length || isFolded(block)) return 0;
  return Math.min(104, 14 + 8 * Math.max(...block.rows.map((text) => text.length))) * zoom;
}

/** Size of the cells, and their lines, for a component of this width.
 * @param {Block} block
 * @param {number} width
 * @param {number} zoom
 */
function measure(block, width, zoom) {
  const [rows, columns] = block.shape;
  const [lines, across] = isFolded(block)
    ? [Math.ceil(columns / block.fold), Math.min(block.fold, columns)]
    : [rows, columns];
  const labels = labelWidth(block, zoom);
  const room = Math.max(60, width * block.share - labels - 12);
  const w = Math.min((block.bars ? 260 : block.numbers ? 48 : 26) * zoom, room / across);
  const isTall = block.numbers || (block.rows.length && !block.fold && w > 5);
  let h = isTall ? 25 * zoom : clamp(w, 5, 20 * zoom);
  h = Math.min(h, Math.max(lines > 60 ? 1 : 6, (280 * zoom) / lines));
  if (!block.numbers && block.fold) h = Math.min(w, 18 * zoom);
  return { lines, across, w, h, labels };
}

export class Drawing {
  /** The cell in focus. @type {Cell | null} */
  focused = null;
  /** @type {Line[]} */
  lit = [];
  litKey = "";
  lines = 0;
  across = 0;
  w = 0;
  h = 0;
  labels = 0;
  /** The cells without highlights, which change more often. @type {HTMLCanvasElement | null} */
  base = null;

  /** @param {Placed} block @param {Theme} theme @param {number} width @param {CellListeners} listeners */
  constructor(block, theme, width, listeners) {
    this.block = block;
    this.theme = theme;
    const zoom = theme.presenter ? 1.35 : 1;
    Object.assign(this, measure(block, width, zoom));
    // The canvas has its room now; its pixels are sized in the frame that draws it.
    this.canvas = this.createCanvas(listeners, {
      width: `${this.across * this.w}px`,
      height: `${this.lines * this.h}px`,
    });
    this.root = h(
      "figure",
      { class: "block", style: { gridArea: block.place.join(" / ") } },
      this.#caption(),
      block.columns.length === this.across && this.w >= 30 && this.#columnLabels(),
      h("div", { class: "body" }, this.labels > 0 && this.#rowLabels(), this.canvas),
    );
    this.colour = paint(block, theme);
    this.hasNumbers = this.w >= 30 * zoom && this.h >= 14 * zoom && block.scale !== "mask";
    drawSoon(this);
  }

  #caption() {
    const { symbol, title, shape } = this.block;
    return h(
      "figcaption",
      {},
      symbol && symbolNode(symbol),
      h("span", { class: "title" }, title),
      h("span", { class: "shape" }, shape.join("\u202f×\u202f")),
    );
  }

  #rowLabels() {
    const style = { height: `${this.h}px`, lineHeight: `${this.h}px` };
    const rows = this.h < 11 ? [] : this.block.rows.map((text) => h("div", { style, dir: "auto" }, text));
    return h("div", { class: "rows", style: { width: `${this.labels}px` } }, rows);
  }

  #columnLabels() {
    const style = { width: `${this.w}px` };
    const labels = this.block.columns.map((text) => h("div", { style, title: text }, text));
    return h("div", { class: "columns", style: { marginInlineStart: `${this.labels}px` } }, labels);
  }

  /** The line of a cell and its place on the line.
   * @type {(row: number, column: number) => [line: number, place: number]} */
  where(row, column) {
    const { fold } = this.block;
    return isFolded(this.block) ? [Math.floor(column / fold), column % fold] : [row, column];
  }

  draw() {
    const pen = sizedContext(this.canvas, this.across * this.w, this.lines * this.h);
    const { a: ratio } = pen.getTransform();
    this.base ??= this.cells();
    pen.scale(1 / ratio, 1 / ratio); // pixel by pixel
    pen.drawImage(this.base, 0, 0);
    pen.scale(ratio, ratio);
    this.#outline(pen);
  }

  /** Draw changed numbers. */
  redraw() {
    this.base = null;
    this.draw();
  }

  /** All cells with their numbers, on a canvas of their own. */
  cells() {
    const { block, w, h, theme } = this;
    const [rows, columns] = block.shape;
    const picture = document.createElement("canvas");
    const pen = sizedContext(picture, this.across * w, this.lines * h);
    const gap = w > 7 && h > 7 ? 1 : 0;
    Object.assign(pen, { textAlign: "center", textBaseline: "middle" });
    pen.font = `${Math.min(13, h * 0.55) * (theme.presenter ? 1.15 : 1)}px ${theme.font}`;
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        const x = block.at(row, column);
        const [line, place] = this.where(row, column);
        if (block.bars) {
          this.#drawBar(pen, line, x);
          continue;
        }
        const colour = this.colour(x);
        pen.fillStyle = css(colour);
        pen.fillRect(place * w, line * h, w - gap, h - gap);
        if (this.hasNumbers) {
          pen.fillStyle = css(Math.abs(lightness(colour) - lightness(theme.ink)) > 0.42 ? theme.ink : theme.panel);
          pen.fillText(brief(x), (place + 0.5) * w - gap / 2, (line + 0.5) * h);
        } else if (block.scale === "mask" && w > 12 && x < 0.5) {
          pen.fillStyle = css(mix(theme.panel, theme.ink, 0.5));
          pen.fillText("×", (place + 0.5) * w, (line + 0.5) * h);
        }
      }
    }
    return picture;
  }

  /** A share of 1 as a bar with its number after it.
   * @type {(pen: CanvasRenderingContext2D, line: number, x: number) => void} */
  #drawBar(pen, line, x) {
    const { w, h, theme } = this;
    const length = Math.max(1, x * (w - 52));
    pen.fillStyle = theme.hueText;
    pen.fillRect(0, line * h + 2, length, h - 5);
    pen.fillStyle = css(theme.ink);
    pen.textAlign = "left";
    pen.fillText(brief(x), length + 7, (line + 0.5) * h);
  }

  /** @param {CanvasRenderingContext2D} pen */
  #outline(pen) {
    const { w, h, theme, block } = this;
    pen.strokeStyle = theme.hueText;
    if (block.marked) {
      const [a, b] = block.marked.map((column) => this.where(0, column));
      pen.lineWidth = 2;
      if (a[0] === b[0]) pen.strokeRect(a[1] * w + 1, a[0] * h + 1, (b[1] - a[1] + 1) * w - 2, h - 2);
      else pen.strokeRect(1, a[0] * h + 1, this.across * w - 2, (b[0] - a[0] + 1) * h - 2);
    }
    for (const [line, index] of this.lit) this.outlineLine(pen, line, index);
    if (!this.focused) return;
    const [line, place] = this.where(...this.focused);
    pen.lineWidth = 2;
    pen.strokeStyle = css(theme.ink);
    pen.strokeRect(place * w + 0.5, line * h + 0.5, Math.max(3, w - 1), Math.max(3, h - 1));
  }

  /** @type {(pen: CanvasRenderingContext2D, line: "row" | "column", index: number) => void} */
  outlineLine(pen, line, index) {
    const { w, h, across, lines } = this;
    const isWhole = isFolded(this.block);
    pen.lineWidth = 1.5;
    if (line === "row" && isWhole) pen.strokeRect(0.75, 0.75, across * w - 1.5, lines * h - 1.5);
    else if (line === "row") pen.strokeRect(0.75, index * h + 0.75, across * w - 1.5, Math.max(2, h - 1.5));
    else if (!isWhole) pen.strokeRect(index * w + 0.75, 0.75, Math.max(2, w - 1.5), lines * h - 1.5);
  }

  /** Highlight a cell and lines. @type {(focused: Cell | null, lit: Line[]) => void} */
  light(focused, lit) {
    const litKey = JSON.stringify([focused, lit]);
    if (litKey === this.litKey) return;
    Object.assign(this, { litKey, focused, lit });
    drawSoon(this);
  }

  /** @type {(event: MouseEvent) => Cell | null} */
  #cellAt(event) {
    const { width, height } = this.canvas.getBoundingClientRect();
    const [x, y] = pointIn(event, this.canvas);
    const place = Math.floor((x / width) * this.across);
    const line = Math.floor((y / height) * this.lines);
    if (place < 0 || line < 0 || place >= this.across || line >= this.lines) return null;
    if (!isFolded(this.block)) return [line, place];
    const column = line * this.block.fold + place;
    return column < this.block.shape[1] ? [0, column] : null;
  }

  /** @param {CellListeners} listeners @param {{width: string, height: string}} style */
  createCanvas({ point, leave, pin, unpin }, style) {
    const { block } = this;
    const onCell = (/** @type {CellListeners["point"]} */ act) => (/** @type {MouseEvent} */ event) => {
      const cell = this.#cellAt(event);
      if (cell) act(block, cell);
    };
    return h("canvas", {
      style,
      tabindex: 0,
      role: "img",
      "aria-label": `${block.symbol} ${block.title}, ${block.shape.join(" × ")}`,
      onpointermove: onCell(point),
      onpointerleave: leave,
      onclick: onCell(pin),
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        const step = ARROWS[event.key];
        if (event.key === "Escape") unpin();
        if (!step) return;
        event.preventDefault();
        const [row, column] = this.focused ?? [0, 0];
        const [rows, columns] = block.shape;
        pin(block, [clamp(row + step[0], 0, rows - 1), clamp(column + step[1], 0, columns - 1)]);
      },
    });
  }
}

const BUDGET = 2; // milliseconds of drawing per frame, so that no frame is late on a slow device

/** @type {Set<Drawing>} */
const due = new Set();

const scheduleDrawing = oncePerFrame(() => {
  const end = performance.now() + BUDGET;
  for (const drawing of due) {
    due.delete(drawing);
    drawing.draw();
    if (performance.now() > end) break;
  }
  if (due.size) scheduleDrawing();
});

/** Draw in one of the next frames, once however often it is requested. @param {Drawing} drawing */
function drawSoon(drawing) {
  due.add(drawing);
  scheduleDrawing();
}
