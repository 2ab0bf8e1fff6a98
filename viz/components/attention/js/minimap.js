// The minimap of a long text: the chosen head over the whole text, with a movable frame around the window of the map.

import { ARROWS, h, pointIn } from "../../shared/dom.js";
import { fill, formatFixed } from "../../shared/text.js";
import { Surface } from "./controls/controls.js";
import { headsOfKind } from "./data/unpack.js";
import { CanvasPainter } from "./picture/painter.js";
import { thumbnail } from "./picture/thumbnail.js";

/** @import { Blocks } from "./data/unpack.js" */
/** @typedef {[row: number, column: number]} Window first row and column of the window, in tokens */

const SIDE = 184;
const MARGIN = 3; // pixels of the frame outside of the window, so that a small one is visible

export class Minimap {
  /** @type {Window | null} offset of the pointer in the dragged window, in tokens */ grab = null;

  /** @param {import("./explorer.js").Explorer} explorer */
  constructor(explorer) {
    this.explorer = explorer;
    this.surface = new Surface("whereabouts-map", { tabindex: "0", role: "img" });
    this.place = h("p", { class: "hint", "aria-live": "polite" });
    this.how = h("p", { class: "hint" });
    this.root = h(
      "div",
      { class: "whereabouts", hidden: true },
      this.surface.canvas,
      h("div", {}, this.place, this.how),
    );
    const { canvas } = this.surface;
    canvas.addEventListener("pointerdown", (event) => this.#startDrag(event));
    canvas.addEventListener("pointermove", (event) => this.#drag(event));
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, () => (this.grab = null));
    canvas.addEventListener("keydown", (event) => this.#key(event));
  }

  get long() {
    return this.explorer.view.kinds.get(this.explorer.state.kind)?.long;
  }

  show() {
    const { explorer, long } = this;
    this.root.hidden = !long || explorer.views.length > 1;
    if (!long || this.root.hidden) return;
    const { theme, state, strings } = explorer;
    const [[layer, head]] = state.heads;
    const scale = scaleOf(long);
    const [height, width] = long.total.map((n) => Math.max(12, n * scale));
    this.surface.resize(width, height);
    this.surface.clear();
    const painter = new CanvasPainter(this.surface.context, theme);
    if (!long.missing.has(layer)) {
      const matrix = long.matrix(headsOfKind(explorer.view, state.kind).index(layer, head));
      painter.image(thumbnail(matrix, state, theme, state.kind, 256), 0, 0, width, height);
    }
    painter.rect(0.5, 0.5, width - 1, height - 1, { stroke: theme.line });
    const [row, column] = long.window;
    const [tall, wide] = long.size.map((n) => n * scale);
    const [x, y] = [column * scale - MARGIN, row * scale - MARGIN];
    for (const ink of [
      { stroke: theme.panel, lineWidth: 4 },
      { stroke: theme.ink, lineWidth: 2 },
    ]) {
      painter.rect(x, y, wide + 2 * MARGIN, tall + 2 * MARGIN, { ...ink, radius: 3 });
    }
    const values = {
      first_row: formatFixed(row + 1, 0),
      last_row: formatFixed(row + long.size[0], 0),
      rows: formatFixed(long.total[0], 0),
      first_column: formatFixed(column + 1, 0),
      last_column: formatFixed(column + long.size[1], 0),
      columns: formatFixed(long.total[1], 0),
    };
    this.place.textContent = fill(strings.long_place, values);
    this.how.textContent = fill(strings.long_how, { block: long.block });
    this.surface.canvas.setAttribute("aria-label", fill(strings.long_label, values));
  }

  /** The token under the pointer. @type {(event: PointerEvent, long: Blocks) => Window} */
  #token(event, long) {
    const [x, y] = pointIn(event, this.surface.canvas);
    return [y / scaleOf(long), x / scaleOf(long)];
  }

  /** @param {PointerEvent} event */
  #startDrag(event) {
    const { long } = this;
    if (!long) return;
    const [row, column] = this.#token(event, long);
    const { window: at, size } = long;
    const isInside = row >= at[0] && row < at[0] + size[0] && column >= at[1] && column < at[1] + size[1];
    this.grab = isInside ? [row - at[0], column - at[1]] : [size[0] / 2, size[1] / 2];
    this.surface.canvas.setPointerCapture(event.pointerId);
    this.#drag(event);
  }

  /** @param {PointerEvent} event */
  #drag(event) {
    const { grab, long } = this;
    if (!grab || !long) return; // another text may have arrived during the drag
    const [row, column] = this.#token(event, long);
    this.#move([row - grab[0], column - grab[1]], long);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const step = ARROWS[event.key];
    const { long } = this;
    if (!step || !long || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const share = event.shiftKey ? 1 : 0.25;
    const [down, across] = long.size.map((size, side) => step[side] * Math.round(size * share));
    this.#move([long.window[0] + down, long.window[1] + across], long);
  }

  /** @type {(to: Window, long: Blocks) => void} */
  #move(to, long) {
    const near = long.nearest(to);
    if (near.every((at, side) => at === long.window[side])) return;
    this.explorer.update({ window: near });
  }
}

/** Pixels per token. @param {Blocks} long */
function scaleOf({ total }) {
  return SIDE / Math.max(...total);
}
