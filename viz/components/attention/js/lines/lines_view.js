// Lines on screen: all links at rest, one token's links while it is pointed at or pinned.
// Three layers: the links, which fade while a token is in focus; the tokens; and over both what is in focus.

import { childrenOf, h, pointIn } from "../../../shared/dom.js";
import { fill, fixed } from "../../../shared/text.js";
import { Surface } from "../controls/controls.js";
import {
  LINES,
  autoOrientation,
  groupLinks,
  lineColours,
  linesLayout,
  linksOf,
  paintLineTokens,
  paintLinks,
} from "./lines.js";
import { paintLineFocus } from "./lines_focus.js";
import { CanvasPainter } from "../picture/painter.js";
import { SHOWN_HEADS, matrixOf } from "../data/transform.js";

export class LinesView {
  /** @type {import("../explorer.js").Explorer} */ explorer;
  /** @type {import("../pane.js").Pane} */ pane;
  /** @type {any} */ layout;
  /** @type {[number, number, number, number]} */ region;

  constructor(explorer, pane) {
    Object.assign(this, { explorer, pane });
    this.base = new Surface("lines-base", { tabindex: "0", role: "img" });
    this.labels = new Surface("lines-labels", { "aria-hidden": "true" });
    this.over = new Surface("lines-over", { "aria-hidden": "true" });
    this.window = h("div", { class: "lines-window" }, this.base.canvas, this.labels.canvas, this.over.canvas);
    this.headings = h("div", { class: "line-headings", "aria-hidden": "true" }, h("span", {}), h("span", {}));
    this.space = h("div", { class: "lines-space" }, this.window, this.headings);
    this.scroller = h("div", { class: "lines-scroller" }, this.space);
    this.remark = h("p", { class: "hint" });
    this.root = h("div", { class: "lines" }, this.scroller, this.remark);
    this.scroller.addEventListener("scroll", () => this.#draw());
    this.window.addEventListener("pointermove", (event) => this.#hover(event));
    this.window.addEventListener("pointerleave", () => explorer.point(null));
    this.window.addEventListener("click", (event) => {
      const hit = this.#hit(event);
      if (hit) explorer.pin(pane, hit.side, hit.unit);
    });
  }

  show() {
    const { explorer, pane } = this;
    const { state, theme } = explorer;
    const { matrix } = pane;
    this.heads = explorer.headsIn(pane.view).slice(0, SHOWN_HEADS);
    this.matrices = matrix.isSigned
      ? this.#signed(matrix)
      : this.heads.map((head) => matrixOf(pane.view, state, [head]));
    this.colours = lineColours(matrix, this.heads, theme, state.kind);
    this.links = linksOf(this.matrices, state);
    this.byToken = { q: groupLinks(this.links, 0, matrix.rows), k: groupLinks(this.links, 1, matrix.columns) };
    this.#arrange();
    this.base.canvas.setAttribute("aria-label", explorer.describeMap(pane));
    this.#say();
    this.#draw();
  }

  #arrange() {
    const { explorer, pane } = this;
    const { state, theme } = explorer;
    const orientation = state.orientation === "auto" ? autoOrientation(pane.view, state) : state.orientation;
    const room = [this.root.clientWidth || 640, explorer.roomForView() - 40];
    this.layout = linesLayout(pane.matrix, theme, {
      kind: state.kind,
      orientation,
      width: room[0] - 12,
      height: room[1],
    });
    const height = Math.min(this.layout.height, room[1]);
    const width = Math.min(this.layout.width, room[0]);
    Object.assign(this.space.style, { width: `${this.layout.width}px`, height: `${this.layout.height}px` });
    Object.assign(this.window.style, { width: `${width}px`, height: `${height}px` });
    this.scroller.style.maxHeight = `${height + 2}px`;
    for (const surface of [this.base, this.labels, this.over]) surface.resize(width, height);
    this.#placeHeadings();
  }

  /** Headings are above their tokens, or in front of their row. */
  #placeHeadings() {
    const { strings, state } = this.explorer;
    const isSelf = state.kind !== "cross";
    const names = isSelf ? [strings.looks_from, strings.looks_at] : [strings.source, strings.target];
    childrenOf(this.headings).forEach((heading, at) => {
      heading.textContent = names[at];
      const [x, y, width, height] = this.layout.ends[at].boxes[0];
      const place = !this.layout.isVertical
        ? { left: "0px", top: `${y + height / 2 - 9}px`, right: "" }
        : at
          ? { left: `${x + 8}px`, top: "0px", right: "" }
          : { right: `${this.layout.width - x - width + 8}px`, top: "0px", left: "" };
      Object.assign(heading.style, place);
    });
  }

  /** Gains and losses as two sets of lines. */
  #signed(matrix) {
    return [1, -1].map((sign) => ({
      ...matrix,
      values: matrix.values.map((value) => Math.max(0, sign * value) || 0),
      isSigned: false,
    }));
  }

  #say() {
    const { strings, state } = this.explorer;
    const drawn = this.links.reduce((sum, list) => sum + list.length, 0);
    const cells = this.matrices.reduce((sum, matrix) => sum + matrix.rows * matrix.columns, 0);
    const parts = [];
    if (drawn >= LINES.most - this.links.length)
      parts.push(fill(strings.lines_capped, { drawn: fixed(drawn, 0), cells: fixed(cells, 0) }));
    if (state.heads.length > SHOWN_HEADS)
      parts.push(fill(strings.heads_capped, { shown: SHOWN_HEADS, count: state.heads.length }));
    this.remark.textContent = parts.join(" ");
  }

  /** Draw all links and tokens without focus, for the visible part. */
  #draw() {
    if (!this.layout) return;
    this.region = [this.scroller.scrollLeft, this.scroller.scrollTop, this.base.width, this.base.height];
    this.#start(this.base);
    paintLinks(this.base.context, this.layout, this.links, this.colours, this.region);
    paintLineTokens(this.#start(this.labels), this.layout, this.explorer.theme, { region: this.region });
    this.point();
  }

  /** A cleared layer whose origin is the drawing's, not the window's. */
  #start(surface) {
    surface.clear();
    surface.context.translate(-this.region[0], -this.region[1]);
    return new CanvasPainter(surface.context, this.explorer.theme);
  }

  /** One token's links with their weights, everything else faded. */
  point() {
    if (!this.layout || !this.region) return;
    const { explorer, pane, layout, region } = this;
    const { theme, state } = explorer;
    const focus = pane.focus();
    this.base.canvas.classList.toggle("faded", Boolean(focus));
    const painter = this.#start(this.over);
    if (!focus) return;
    const own = this.byToken[focus.side].map((lists) => focus.units.flatMap((unit) => lists[unit] ?? []));
    paintLinks(this.over.context, layout, own, this.colours, region);
    paintLineFocus(painter, layout, { matrices: this.matrices, colours: this.colours, theme, state, focus, region });
  }

  #hit(event) {
    const [px, py] = pointIn(event, this.window);
    const [x, y] = [px + this.region[0], py + this.region[1]];
    for (const { side, boxes } of this.layout.ends) {
      const unit = boxes.findIndex(
        ([left, top, width, height]) => x >= left && x <= left + width && y >= top && y <= top + height + 2,
      );
      if (unit >= 0) return { side, unit };
    }
    return null;
  }

  #hover(event) {
    const hit = this.#hit(event);
    this.window.style.cursor = hit ? "pointer" : "";
    if (!hit) return this.explorer.point(null);
    return this.explorer.point({
      pane: this.pane,
      row: hit.side === "q" ? hit.unit : null,
      column: hit.side === "k" ? hit.unit : null,
    });
  }
}
