// The map on screen: pointing, pinning, zooming and panning.

import { css } from "../../../shared/colour.js";
import { h, pointIn } from "../../../shared/dom.js";
import { cellSummary } from "../cards.js";
import { Surface } from "../controls/controls.js";
import { mapLayout, paintMap, paintMapFocus, windowOf } from "./map.js";
import { CanvasPainter } from "../picture/painter.js";

export class MapView {
  /** @type {import("../explorer.js").Explorer} */ explorer;
  /** @type {import("../pane.js").Pane} */ pane;
  /** @type {any} */ layout;
  /** @type {number} */ room;
  /** @type {[number, number, number, number] | null} what is being drawn to zoom into */ box;

  constructor(explorer, pane) {
    Object.assign(this, { explorer, pane });
    this.base = new Surface("map-base", { tabindex: "0", role: "img" });
    this.over = new Surface("map-over", { "aria-hidden": "true" });
    this.stage = h("div", { class: "stage map-stage" }, this.base.canvas, this.over.canvas);
    this.root = h("div", { class: "map" }, this.stage);
    this.pointers = new Map();
    const listen = (name, handle) => this.stage.addEventListener(name, handle);
    listen("pointermove", (event) => this.#move(event));
    listen("pointerleave", () => explorer.point(null));
    listen("pointerdown", (event) => this.#down(event));
    listen("pointerup", (event) => this.#up(event));
    listen("pointercancel", (event) => this.pointers.delete(event.pointerId));
    listen("dblclick", (event) => this.zoomBy(2, this.#cell(event)));
    this.stage.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
  }

  measure() {
    this.room = this.root.clientWidth;
  }

  show() {
    const { explorer, pane } = this;
    const { theme, state } = explorer;
    const width = this.room || this.root.clientWidth || 640; // the element was hidden when measured
    this.layout = mapLayout(pane.matrix, theme, { width, height: explorer.roomForView(), zoom: state.zoom });
    const height = this.layout.top + this.layout.height + 4;
    this.base.resize(width, height);
    this.over.resize(width, height);
    this.base.clear();
    paintMap(new CanvasPainter(this.base.context, theme), this.layout, pane.matrix, state, theme);
    this.base.canvas.setAttribute("aria-label", explorer.describeMap(pane));
    this.stage.classList.toggle("zoomed", Boolean(state.zoom));
    this.point();
  }

  /** Redraw the crosshair and the pinned bands only. */
  point() {
    if (!this.layout) return;
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
    if (cell) this.#tell(cell);
    else explorer.tooltip.hide();
  }

  #tell([row, column]) {
    const box = this.base.canvas.getBoundingClientRect();
    const { x, y, pitchX, pitchY } = this.layout;
    this.explorer.tooltip.show(
      cellSummary(this.explorer, this.pane, row, column),
      box.left + x(column) + pitchX / 2,
      box.top + y(row) + pitchY + 6,
    );
  }

  /** Fractional [row, column] under the pointer; -1 means the labels. */
  #place(event) {
    const [x, y] = pointIn(event, this.base.canvas);
    const { left, top, pitchX, pitchY, firstRow, firstColumn } = this.layout;
    return [y < top ? -1 : firstRow + (y - top) / pitchY, x < left ? -1 : firstColumn + (x - left) / pitchX];
  }

  #cell(event) {
    const { matrix } = this.pane;
    const [row, column] = this.#place(event).map(Math.floor);
    return [row < matrix.rows ? row : -1, column < matrix.columns ? column : -1];
  }

  #move(event) {
    const known = this.pointers.get(event.pointerId);
    if (known) {
      if (this.pointers.size === 2) return this.#pinch(event);
      return this.#drag(event, known);
    }
    const [row, column] = this.#cell(event);
    this.explorer.point(
      row < 0 && column < 0
        ? null
        : { pane: this.pane, row: row < 0 ? null : row, column: column < 0 ? null : column, fromMap: this },
    );
  }

  #down(event) {
    if (event.button !== 0) return;
    this.pointers.set(event.pointerId, {
      from: pointIn(event, this.base.canvas),
      now: pointIn(event, this.base.canvas),
      zoom: windowOf(this.pane.matrix, this.explorer.state.zoom),
      moved: false,
    });
    if (event.pointerType === "mouse") this.stage.setPointerCapture(event.pointerId);
  }

  /** Dragging pans a zoomed map, and draws a box to zoom into on a whole one. */
  #drag(event, known) {
    const [x, y] = pointIn(event, this.base.canvas);
    const [dx, dy] = [x - known.from[0], y - known.from[1]];
    if (!known.moved && Math.hypot(dx, dy) < 5) return;
    known.moved = true;
    const { layout } = this;
    if (this.explorer.state.zoom) {
      const [row, column, rows, columns] = known.zoom;
      this.#zoomTo([row - dy / layout.pitchY, column - dx / layout.pitchX, rows, columns]);
    } else if (event.pointerType === "mouse") {
      this.box = [Math.min(x, known.from[0]), Math.min(y, known.from[1]), Math.abs(dx), Math.abs(dy)];
      this.point();
    }
  }

  #pinch(event) {
    const known = this.pointers.get(event.pointerId);
    const [other] = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, pointer]) => pointer);
    const now = pointIn(event, this.base.canvas);
    const before = Math.hypot(known.now[0] - other.now[0], known.now[1] - other.now[1]);
    const after = Math.hypot(now[0] - other.now[0], now[1] - other.now[1]);
    known.now = now;
    known.moved = other.moved = true;
    if (before > 0) this.zoomBy(after / before, this.#cell(event));
  }

  #up(event) {
    const known = this.pointers.get(event.pointerId);
    this.pointers.delete(event.pointerId);
    if (!known) return;
    if (this.box) return this.#zoomToBox();
    if (known.moved) return;
    const [row, column] = this.#cell(event);
    if (row >= 0) this.explorer.pin(this.pane, "q", row);
    else if (column >= 0) this.explorer.pin(this.pane, "k", column);
  }

  #zoomToBox() {
    const [x, y, width, height] = this.box;
    this.box = null;
    const { left, top, pitchX, pitchY, firstRow, firstColumn } = this.layout;
    const row = firstRow + Math.max(0, y - top) / pitchY;
    const column = firstColumn + Math.max(0, x - left) / pitchX;
    this.#zoomTo([row, column, Math.max(2, height / pitchY), Math.max(2, width / pitchX)]);
  }

  #wheel(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.zoomBy(Math.exp(-event.deltaY / 240), this.#cell(event));
  }

  /** Enlarge by a factor around a cell; 0 shows the whole map again. */
  zoomBy(factor, around) {
    const { matrix } = this.pane;
    if (factor === 0) return this.explorer.update({ zoom: null });
    const [row, column, rows, columns] = windowOf(matrix, this.explorer.state.zoom);
    const centre = [0, 1].map((at) =>
      around && around[at] >= 0 ? around[at] + 0.5 : [row + rows / 2, column + columns / 2][at],
    );
    const [newRows, newColumns] = [rows / factor, columns / factor];
    const shareRow = (centre[0] - row) / rows;
    const shareColumn = (centre[1] - column) / columns;
    this.#zoomTo([centre[0] - shareRow * newRows, centre[1] - shareColumn * newColumns, newRows, newColumns]);
  }

  #zoomTo(zoom) {
    const { matrix } = this.pane;
    const fitted = windowOf(matrix, zoom).map((number) => Math.round(number * 1000) / 1000);
    const isWhole = fitted[2] >= matrix.rows && fitted[3] >= matrix.columns;
    this.explorer.update({ zoom: isWhole ? null : fitted });
  }
}
