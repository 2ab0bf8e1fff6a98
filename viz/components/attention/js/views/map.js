// A head as a map: a row for each query, a column for each key. Pointing, pinning, zooming and panning.

import { css } from "../../../shared/colour.js";
import { h, pointIn } from "../../../shared/dom.js";
import { clamp } from "../../../shared/text.js";
import { cellSummary } from "../cards.js";
import { Surface } from "../controls/controls.js";
import { MapCells } from "../map/cells.js";
import { mapLayout, paintMap, paintMapFocus, windowOf } from "../map/map.js";
import { CanvasPainter } from "../picture/painter.js";

/** @import { Explorer } from "../explorer.js" */
/** @import { Pane } from "../pane.js" */
/** @import { Box, Theme, Zoom } from "../types" */
/** @import { HeadDrawing, Part, Room } from "./types" */
/** @import { Layout } from "../map/map.js" */

/** @typedef {[row: number, column: number]} Cell */
/**
 * A pressed pointer: its start and current position, the zoom at its start, and whether it has moved.
 * @typedef {{start: [number, number], current: [number, number], zoom: Zoom, moved: boolean}} Pressed
 */

/** @implements {HeadDrawing} */
export class MapView {
  /** @type {Layout | null} */ #layout = null;
  /** Width that was measured before drawing, in pixels. */ room = 0;
  /** @type {Box | null} the selection box of a zoom */ box = null;
  /** @type {Map<number, Pressed>} */ pointers = new Map();

  /** @param {Explorer} explorer @param {Pane} pane */
  constructor(explorer, pane) {
    this.explorer = explorer;
    this.pane = pane;
    this.base = new Surface("map-base", { "aria-hidden": "true" });
    this.over = new Surface("map-over", { "aria-hidden": "true" });
    this.cells = new MapCells(this);
    this.stage = h("div", { class: "stage map-stage" }, this.base.canvas, this.over.canvas, this.cells.root);
    this.root = h("div", { class: "map" }, this.stage);
    const { stage } = this;
    stage.addEventListener("pointermove", (event) => this.#move(event));
    stage.addEventListener("pointerleave", () => explorer.point(null));
    stage.addEventListener("pointerdown", (event) => this.#down(event));
    stage.addEventListener("pointerup", (event) => this.#up(event));
    stage.addEventListener("pointercancel", (event) => this.#cancel(event));
    stage.addEventListener("dblclick", (event) => this.zoomBy(2, this.#cell(event)));
    stage.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
  }

  get layout() {
    return (this.#layout ??= this.#arrange());
  }

  #arrange() {
    const { explorer, pane, width } = this;
    return mapLayout(pane.matrix, explorer.theme, { width, height: explorer.roomForView(), zoom: explorer.state.zoom });
  }

  get width() {
    return this.room || this.root.clientWidth || 640; // 0 if the element was hidden when it was measured
  }

  measure() {
    this.room = this.root.clientWidth;
  }

  show() {
    const { explorer, pane } = this;
    const { theme, state } = explorer;
    const layout = (this.#layout = this.#arrange());
    const height = layout.top + layout.height + 4;
    this.base.resize(this.width, height);
    this.over.resize(this.width, height);
    paintMap(new CanvasPainter(this.base.context, theme), layout, pane.matrix, state, theme);
    this.cells.show();
    this.stage.classList.toggle("zoomed", Boolean(state.zoom));
    this.point();
  }

  /** The part of the map on screen, with its pinned bands. @type {(theme: Theme, room: Room) => Part} */
  picture(theme, room) {
    const { pane } = this;
    const { matrix } = pane;
    const { state } = this.explorer;
    const layout = mapLayout(matrix, theme, { ...room, zoom: state.zoom });
    const focus = { rows: pane.pinned("q"), columns: pane.pinned("k"), cell: null };
    return {
      width: layout.left + layout.width + 8,
      height: layout.top + layout.height + 8,
      draw(painter) {
        paintMap(painter, layout, matrix, state, theme);
        if (!matrix.isSigned) paintMapFocus(painter, layout, matrix, theme, css(theme.hue(state.kind)), focus);
      },
    };
  }

  /** Redraw the crosshair and the pinned bands only. */
  point() {
    const { explorer, pane } = this;
    const { theme, state } = explorer;
    const hover = pane.hover();
    const rows = pane.pinned("q");
    const columns = pane.pinned("k");
    if (hover && hover.row !== null) rows.push(hover.row);
    if (hover && hover.column !== null) columns.push(hover.column);
    /** @type {[number, number] | null} */
    const cell = hover && hover.row !== null && hover.column !== null ? [hover.row, hover.column] : null;
    this.over.clear();
    paintMapFocus(
      new CanvasPainter(this.over.context, theme),
      this.layout,
      pane.matrix,
      theme,
      css(theme.hue(state.kind)),
      { rows, columns, cell },
    );
    if (this.box) new CanvasPainter(this.over.context, theme).rect(...this.box, { stroke: theme.ink, dash: [4, 3] });
    if (explorer.hovering?.fromMap !== this) return;
    if (cell) this.#showTooltip(cell);
    else explorer.parts.tooltip.hide();
  }

  /** @param {Cell} cell */
  #showTooltip([row, column]) {
    const box = this.base.canvas.getBoundingClientRect();
    const { x, y, pitchX, pitchY } = this.layout;
    this.explorer.parts.tooltip.show(
      cellSummary(this.explorer, this.pane, row, column),
      box.left + x(column) + pitchX / 2,
      box.top + y(row) + pitchY + 6,
    );
  }

  /** Fractional [row, column] under the pointer; -1 means the labels. @type {(event: MouseEvent) => Cell} */
  #place(event) {
    const [x, y] = pointIn(event, this.base.canvas);
    const { left, top, pitchX, pitchY, firstRow, firstColumn } = this.layout;
    return [y < top ? -1 : firstRow + (y - top) / pitchY, x < left ? -1 : firstColumn + (x - left) / pitchX];
  }

  /** The cell under the pointer; -1 means the labels, or outside. @type {(event: MouseEvent) => Cell} */
  #cell(event) {
    const { matrix } = this.pane;
    const [row, column] = this.#place(event).map(Math.floor);
    return [row < matrix.rows ? row : -1, column < matrix.columns ? column : -1];
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const pressed = this.pointers.get(event.pointerId);
    if (pressed) {
      const other = [...this.pointers.values()].find((pointer) => pointer !== pressed);
      return other ? this.#pinch(event, pressed, other) : this.#drag(event, pressed);
    }
    const [row, column] = this.#cell(event);
    return this.explorer.point(
      row < 0 && column < 0
        ? null
        : { pane: this.pane, row: row < 0 ? null : row, column: column < 0 ? null : column, fromMap: this },
    );
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.button !== 0) return;
    this.pointers.set(event.pointerId, {
      start: pointIn(event, this.base.canvas),
      current: pointIn(event, this.base.canvas),
      zoom: windowOf(this.pane.matrix, this.explorer.state.zoom),
      moved: false,
    });
    if (event.pointerType === "mouse") this.stage.setPointerCapture(event.pointerId);
  }

  /** Dragging pans a zoomed map, and selects a box to zoom into otherwise.
   * @type {(event: PointerEvent, pressed: Pressed) => void} */
  #drag(event, pressed) {
    const [x, y] = pointIn(event, this.base.canvas);
    const [dx, dy] = [x - pressed.start[0], y - pressed.start[1]];
    if (!pressed.moved && Math.hypot(dx, dy) < 5) return;
    pressed.moved = true;
    const { layout } = this;
    if (this.explorer.state.zoom) {
      const [row, column, rows, columns] = pressed.zoom;
      this.#zoomTo([row - dy / layout.pitchY, column - dx / layout.pitchX, rows, columns]);
    } else if (event.pointerType === "mouse") {
      this.box = [Math.min(x, pressed.start[0]), Math.min(y, pressed.start[1]), Math.abs(dx), Math.abs(dy)];
      this.point();
    }
  }

  /** Zoom by a pinch of two fingers.
   * @type {(event: PointerEvent, pressed: Pressed, other: Pressed) => void} */
  #pinch(event, pressed, other) {
    const now = pointIn(event, this.base.canvas);
    const before = Math.hypot(pressed.current[0] - other.current[0], pressed.current[1] - other.current[1]);
    const after = Math.hypot(now[0] - other.current[0], now[1] - other.current[1]);
    pressed.current = now;
    pressed.moved = other.moved = true;
    if (before > 0) this.zoomBy(after / before, this.#cell(event));
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const pressed = this.pointers.get(event.pointerId);
    this.pointers.delete(event.pointerId);
    if (!pressed) return;
    const { box } = this;
    this.box = null;
    if (box) return this.#zoomToBox(box);
    if (pressed.moved) return;
    const [row, column] = this.#cell(event);
    if (row >= 0) this.explorer.pin(this.pane, "q", row, event.shiftKey);
    else if (column >= 0) this.explorer.pin(this.pane, "k", column, event.shiftKey);
  }

  /** @param {PointerEvent} event */
  #cancel(event) {
    this.pointers.delete(event.pointerId);
    this.box = null;
    this.point();
  }

  /** @param {Box} box */
  #zoomToBox([x, y, width, height]) {
    const { left, top, pitchX, pitchY, firstRow, firstColumn } = this.layout;
    const row = firstRow + Math.max(0, y - top) / pitchY;
    const column = firstColumn + Math.max(0, x - left) / pitchX;
    this.#zoomTo([row, column, Math.max(2, height / pitchY), Math.max(2, width / pitchX)]);
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.zoomBy(Math.exp(-event.deltaY / 240), this.#cell(event));
  }

  /** Zoom by a factor around a cell; 0 shows the whole map.
   * @type {(factor: number, around?: Cell) => void} */
  zoomBy(factor, around) {
    const { matrix } = this.pane;
    if (factor === 0) {
      this.explorer.update({ zoom: null });
      return;
    }
    const [row, column, rows, columns] = windowOf(matrix, this.explorer.state.zoom);
    const [middleRow, middleColumn] = (around ?? [-1, -1]).map((at) => (at >= 0 ? at + 0.5 : null));
    const [newRows, newColumns] = [rows / factor, columns / factor];
    const y = middleRow ?? row + rows / 2;
    const x = middleColumn ?? column + columns / 2;
    const shareRow = (y - row) / rows;
    const shareColumn = (x - column) / columns;
    return this.#zoomTo([y - shareRow * newRows, x - shareColumn * newColumns, newRows, newColumns]);
  }

  /** Scroll a zoomed map to a cell. @param {Cell} cell */
  scrollTo([row, column]) {
    if (!this.explorer.state.zoom) return;
    const [top, left, rows, columns] = windowOf(this.pane.matrix, this.explorer.state.zoom);
    const first = clamp(top, row + 1 - rows, row);
    const start = clamp(left, column + 1 - columns, column);
    if (first !== top || start !== left) this.#zoomTo([first, start, rows, columns]);
  }

  /** @param {Zoom} zoom */
  #zoomTo(zoom) {
    const { matrix } = this.pane;
    const round = (/** @type {number} */ number) => Math.round(number * 1000) / 1000;
    const [row, column, rows, columns] = windowOf(matrix, zoom);
    const isWhole = round(rows) >= matrix.rows && round(columns) >= matrix.columns;
    this.explorer.update({ zoom: isWhole ? null : [round(row), round(column), round(rows), round(columns)] });
  }
}

/** @type {import("./types").HeadView<"map">} */
export const MAP_VIEW = {
  name: "map",
  key: "m",
  make: (explorer, pane) => new MapView(explorer, pane),
  how: (kind, rows) => `how_${kind}_${rows}`,
  showsLong: true,
  showsSentences: false,
  namesRows: true,
  combinesHeads: true,
  combinesPins: false,
  turns: false,
  zooms: true,
};
