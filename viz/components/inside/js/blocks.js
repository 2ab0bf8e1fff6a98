/* Drawing one block of numbers on a canvas, and finding the cell under a pointer. */

import { css, mix } from "../../shared/colour.js";
import { h, sizedContext } from "../../shared/dom.js";
import { brief, lightness, paint } from "./numbers.js";
import { clamp } from "../../shared/text.js";

/** @import { Block, Cell, Placed, Theme } from "./numbers.js" */
/** @typedef {["row" | "column", index: number]} Line */
/**
 * What the pointer and the keyboard do with the cells.
 * @typedef {{point: (block: Block, cell: Cell) => void, leave: () => void, keep: (block: Block, cell: Cell) => void,
 *   release: () => void}} Acts
 */

/** @type {Record<string, Cell>} */
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** "W_Q" as W with an index. @param {string} text */
export function symbol(text) {
  const holder = h("span", { class: "symbol" });
  text.split(/(_\w+|\^\w+)/).forEach((part) => {
    if (part.startsWith("_")) holder.append(h("sub", {}, part.slice(1)));
    else if (part.startsWith("^")) holder.append(h("sup", {}, part.slice(1)));
    else if (part) holder.append(h("i", {}, part));
  });
  return holder;
}

/** Room for the names of the rows; blocks below each other share the widest.
 * @type {(block: Block, big: number) => number} */
export function labelWidth(block, big) {
  if (block.labelRoom !== undefined) return block.labelRoom;
  if (!block.rows.length || (block.fold && block.shape[0] === 1)) return 0;
  return Math.min(104, 14 + 8 * Math.max(...block.rows.map((text) => text.length))) * big;
}

/** Size of a cell and how the block is laid out, for a component this wide.
 * @param {Block} block
 * @param {number} width
 * @param {number} big
 */
function measure(block, width, big) {
  const [rows, columns] = block.shape;
  const lines = block.fold && rows === 1 ? Math.ceil(columns / block.fold) : rows;
  const across = block.fold && rows === 1 ? Math.min(block.fold, columns) : columns;
  const labels = labelWidth(block, big);
  const room = Math.max(60, width * block.share - labels - 12);
  const widest = (block.bars ? 260 : block.numbers ? 48 : 26) * big;
  let w = Math.min(widest, room / across);
  if (block.numbers && w < 34 * big) w = Math.min(34 * big, Math.max(w, room / across));
  const tall = block.numbers || (block.rows.length && !block.fold && w > 5);
  let h = tall ? 25 * big : Math.min(20 * big, Math.max(w, 5));
  h = Math.min(h, Math.max(lines > 60 ? 1 : 6, (280 * big) / lines));
  if (!block.numbers && block.fold) h = Math.min(w, 18 * big);
  return { lines, across, w, h, labels };
}

export class Drawing {
  /** The cell in focus. @type {Cell | null} */
  focused = null;
  /** @type {Line[]} */
  lit = [];
  asked = "";
  lines = 0;
  across = 0;
  w = 0;
  h = 0;
  labels = 0;
  /** The cells without what is lit: those change rarely. @type {HTMLCanvasElement | null} */
  base = null;

  /** @param {Placed} block @param {Theme} theme @param {number} width @param {Acts} on */
  constructor(block, theme, width, on) {
    this.block = block;
    this.theme = theme;
    const big = theme.presenter ? 1.35 : 1;
    Object.assign(this, measure(block, width, big));
    this.root = h("figure", { class: "block" });
    this.root.style.gridArea = `${block.place[0]} / ${block.place[1]}`;
    this.root.append(this.caption());
    const body = h("div", { class: "body" });
    if (this.labels) body.append(this.rowLabels());
    this.canvas = h("canvas");
    body.append(this.canvas);
    if (this.hasColumnNames()) this.root.append(this.columnNames());
    this.root.append(body);
    this.colour = paint(block, theme);
    this.hasNumbers = this.w >= 30 * big && this.h >= 14 * big && block.scale !== "mask";
    this.canvas.style.width = `${this.across * this.w}px`; // its room; sized for drawing in a frame of its own
    this.canvas.style.height = `${this.lines * this.h}px`;
    soon(this);
    this.listen(on);
  }

  caption() {
    const { block } = this;
    const caption = h("figcaption");
    if (block.symbol) caption.append(symbol(block.symbol));
    caption.append(h("span", { class: "title" }, block.title));
    caption.append(h("span", { class: "shape" }, `${block.shape[0]}\u202f×\u202f${block.shape[1]}`));
    return caption;
  }

  rowLabels() {
    const holder = h("div", { class: "rows" });
    holder.style.width = `${this.labels}px`;
    if (this.h < 11) return holder;
    this.block.rows.forEach((text) => {
      const row = h("div", {}, text);
      row.style.height = row.style.lineHeight = `${this.h}px`;
      row.dir = "auto";
      holder.append(row);
    });
    return holder;
  }

  hasColumnNames() {
    return this.block.columns.length === this.across && this.w >= 30;
  }

  columnNames() {
    const holder = h("div", { class: "columns" });
    holder.style.marginInlineStart = `${this.labels}px`;
    this.block.columns.forEach((text) => {
      const name = h("div", {}, text);
      name.style.width = `${this.w}px`;
      name.title = text;
      holder.append(name);
    });
    return holder;
  }

  /** Screen line and place on it, of a cell. @type {(row: number, column: number) => [line: number, place: number]} */
  where(row, column) {
    const { fold } = this.block;
    if (fold && this.block.shape[0] === 1) return [Math.floor(column / fold), column % fold];
    return [row, column];
  }

  draw() {
    const pen = sizedContext(this.canvas, this.across * this.w, this.lines * this.h);
    const { a: ratio } = pen.getTransform();
    this.base ??= this.cells();
    pen.scale(1 / ratio, 1 / ratio); // pixel by pixel
    pen.drawImage(this.base, 0, 0);
    pen.scale(ratio, ratio);
    this.outline(pen);
  }

  /** The numbers have changed. */
  redraw() {
    this.base = null;
    this.draw();
  }

  /** Every cell with its number, as a picture of its own. */
  cells() {
    const { block, w, h, theme } = this;
    const [rows, columns] = block.shape;
    const picture = document.createElement("canvas");
    const pen = sizedContext(picture, this.across * w, this.lines * h);
    const gap = w > 7 && h > 7 ? 1 : 0;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.font = `${Math.min(13, h * 0.55) * (theme.presenter ? 1.15 : 1)}px ${theme.font}`;
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        const x = block.at(row, column);
        const [line, place] = this.where(row, column);
        const colour = this.colour(x);
        if (block.bars) {
          this.drawBar(pen, line, x);
          continue;
        }
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

  /** A share of 1 as a bar from the left, its number behind it.
   * @type {(pen: CanvasRenderingContext2D, line: number, x: number) => void} */
  drawBar(pen, line, x) {
    const { w, h, theme } = this;
    const room = w - 52;
    pen.fillStyle = theme.hueText;
    pen.fillRect(0, line * h + 2, Math.max(1, x * room), h - 5);
    pen.fillStyle = css(theme.ink);
    pen.textAlign = "left";
    pen.fillText(brief(x), Math.max(1, x * room) + 7, (line + 0.5) * h);
  }

  /** @param {CanvasRenderingContext2D} pen */
  outline(pen) {
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
    const { w, h, block } = this;
    pen.lineWidth = 1.5;
    if (line === "row" && block.fold && block.shape[0] === 1)
      pen.strokeRect(0.75, 0.75, this.across * w - 1.5, this.lines * h - 1.5);
    else if (line === "row") pen.strokeRect(0.75, index * h + 0.75, this.across * w - 1.5, Math.max(2, h - 1.5));
    else if (line === "column" && !(block.fold && block.shape[0] === 1))
      pen.strokeRect(index * w + 0.75, 0.75, Math.max(2, w - 1.5), this.lines * h - 1.5);
  }

  /** @type {(focused: Cell | null, lit: Line[]) => void} */
  light(focused, lit) {
    const asked = JSON.stringify([focused, lit]);
    if (asked === this.asked) return;
    this.asked = asked;
    this.focused = focused;
    this.lit = lit;
    soon(this);
  }

  /** @type {(event: MouseEvent) => Cell | null} */
  cellAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const place = Math.floor(((event.clientX - box.left) / box.width) * this.across);
    const line = Math.floor(((event.clientY - box.top) / box.height) * this.lines);
    if (place < 0 || line < 0 || place >= this.across || line >= this.lines) return null;
    if (!(this.block.fold && this.block.shape[0] === 1)) return [line, place];
    const column = line * this.block.fold + place;
    return column < this.block.shape[1] ? [0, column] : null;
  }

  /** @param {Acts} on */
  listen(on) {
    const { canvas, block } = this;
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", `${block.symbol} ${block.title}, ${block.shape.join(" × ")}`);
    canvas.addEventListener("pointermove", (event) => {
      const cell = this.cellAt(event);
      if (cell) on.point(block, cell);
    });
    canvas.addEventListener("pointerleave", () => on.leave());
    canvas.addEventListener("click", (event) => {
      const cell = this.cellAt(event);
      if (cell) on.keep(block, cell);
    });
    canvas.addEventListener("keydown", (event) => {
      const step = STEPS[event.key];
      if (event.key === "Escape") on.release();
      if (!step) return;
      event.preventDefault();
      const [row, column] = this.focused ?? [0, 0];
      const [rows, columns] = block.shape;
      on.keep(block, [clamp(row + step[0], 0, rows - 1), clamp(column + step[1], 0, columns - 1)]);
    });
  }
}

const BUDGET = 2; // milliseconds of a frame in which pictures are drawn, so that none is late on a slow device

/** @type {Set<{draw: () => void}>} */
const due = new Set();
let isFrameAsked = false;

/** Draw something in one of the next frames, once however often it is asked for. @param {{draw: () => void}} picture */
function soon(picture) {
  due.add(picture);
  askFrame();
}

function askFrame() {
  if (isFrameAsked) return;
  isFrameAsked = true;
  requestAnimationFrame(drawDue);
}

function drawDue() {
  isFrameAsked = false;
  const end = performance.now() + BUDGET;
  for (const picture of due) {
    due.delete(picture);
    picture.draw();
    if (performance.now() > end) break;
  }
  if (due.size) askFrame();
}
