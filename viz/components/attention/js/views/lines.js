// A head as lines from each query to its keys; several heads have different colours. All links are drawn, or those of the
// token that is pointed at or pinned, with their weights. Three layers: the links, which fade while a token is in focus; the
// tokens; and the links and weights of the token in focus.

import { css } from "../../../shared/colour.js";
import { childrenOf, h, pointIn } from "../../../shared/dom.js";
import { clamp, fill, formatFixed } from "../../../shared/text.js";
import { Surface } from "../controls/controls.js";
import { cellNumber } from "../data/state.js";
import { profileOf, profilePeak, SHOWN_HEADS, matrixOf } from "../data/transform.js";
import {
  endOf,
  isOutside,
  paintLineTokens,
  LINES,
  autoOrientation,
  groupLinks,
  lineColours,
  linesLayout,
  linkCurve,
  linksOf,
  paintLinks,
} from "../lines/lines.js";
import { textWidth, CanvasPainter } from "../picture/painter.js";

/** @import { Box, Matrix, Painter, Side, State, Theme, Link } from "../types" */
/** @import { Layout } from "../lines/lines.js" */
/** @import { Explorer } from "../explorer.js" */
/** @import { Pane } from "../pane.js" */
/** @import { HeadDrawing, Part, Room } from "./types" */

/**
 * @typedef {object} How
 * @property {Matrix[]} matrices one for each head
 * @property {string[]} colours one for each head
 * @property {Theme} theme
 * @property {State} state
 * @property {{side: Side, units: number[]}} focus
 * @property {Box} [region] the visible part of a scrolled drawing
 */

/** Shade the tokens opposite to those in focus, and write their weights beside them; weights below the threshold count as
 * 0.
 * @param {Painter} painter @param {Layout} layout @param {How} how */
export function paintLineFocus(painter, layout, { matrices, colours, theme, state, focus, region }) {
  const across = focus.side === "q" ? "k" : "q";
  const profiles = matrices.map((matrix) =>
    profileOf(matrix, focus.side, focus.units, state.together).map((weight) => (weight < state.threshold ? 0 : weight)),
  );
  const peak = Math.max(...profiles.map((profile, at) => profilePeak(matrices[at], profile, across, state)));
  const units = new Set(focus.units);
  /** @type {(ink: number, at: number, unit: number) => [colour: string, alpha: number]} */
  const stripe = (ink, at, unit) => {
    const isGreyed = across === "k" && matrices[at].greyed && matrices[at].isSink[unit];
    return [
      isGreyed ? css(theme.grey) : colours[at],
      clamp(ink, 0, 1) * (matrices.length > 1 || isGreyed ? 0.42 : 0.85),
    ];
  };
  paintLineTokens(painter, layout, theme, {
    region,
    only: (side, unit) =>
      side === focus.side ? units.has(unit) : profiles.some((profile) => profile[unit] > peak * 0.03),
    shade: (side, unit) =>
      side !== across ? [] : profiles.map((profile, at) => stripe(profile[unit] / peak, at, unit)),
    marks: (side, unit) => side === focus.side && units.has(unit) && css(theme.hue(state.kind)),
  });
  paintNumbers(painter, layout, { theme, across, profiles, peak, region });
}

/** The weights beside the tokens that receive them.
 * @param {Painter} painter @param {Layout} layout
 * @param {{theme: Theme, across: Side, profiles: Float32Array[], peak: number, region?: Box}} how */
function paintNumbers(painter, layout, { theme, across, profiles, peak, region }) {
  const end = endOf(layout, across);
  const isLeft = end === layout.ends[0];
  end.boxes.forEach((box, unit) => {
    const values = profiles.map((profile) => profile[unit]);
    if (Math.max(...values) < Math.max(0.005, peak * 0.02) || (region && isOutside(box, region))) return;
    const [x, y, width, height] = box;
    const all = values.map((value) => cellNumber(value) || "·").join("  ");
    const isRoomy = layout.isVertical || textWidth(theme, all, theme.small) <= width + 4;
    const text = isRoomy ? all : cellNumber(Math.max(...values));
    const options = { size: theme.small, fill: theme.soft };
    if (!layout.isVertical)
      return painter.text(text, x + width / 2, isLeft ? y - 8 : y + height + 7, { ...options, align: "center" });
    const room = textWidth(theme, text, theme.small) + 8;
    /** @type {Box} */
    const plate = [isLeft ? x + width + 2 : x - room - 2, y + height / 2 - theme.small * 0.7, room, theme.small * 1.4];
    painter.rect(...plate, { fill: theme.panel, alpha: 0.85, radius: 3 });
    return painter.text(text, isLeft ? x + width + 6 : x - 6, y + height / 2, {
      ...options,
      align: isLeft ? "left" : "right",
    });
  });
}

/**
 * The drawing's data: the layout; matrix, colour and links of each head; and the links of each token.
 * @typedef {{layout: Layout, matrices: Matrix[], colours: string[], links: Link[][],
 *   byToken: Record<Side, Link[][][]>}} Drawing
 */

/** @implements {HeadDrawing} */
class LinesView {
  /** @type {Drawing | null} null before the first drawing */ drawing = null;
  /** @type {Box} the visible part of the drawing */ region = [0, 0, 0, 0];

  /** @param {Explorer} explorer @param {Pane} pane */
  constructor(explorer, pane) {
    this.explorer = explorer;
    this.pane = pane;
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
      if (hit) explorer.pin(pane, hit.side, hit.unit, event.shiftKey);
    });
  }

  /** Matrix, colour and links of each drawn head; gains and losses of a difference are two sets.
   * @param {Theme} theme */
  content(theme) {
    const { explorer, pane } = this;
    const { state } = explorer;
    const { matrix } = pane;
    const heads = explorer.headsIn(pane.view).slice(0, SHOWN_HEADS);
    const matrices = matrix.isSigned ? gainsAndLosses(matrix) : heads.map((head) => matrixOf(pane.view, state, [head]));
    return { matrices, colours: lineColours(matrix, heads, theme, state.kind), links: linksOf(matrices, state) };
  }

  show() {
    const { matrix, label } = this.pane;
    const content = this.content(this.explorer.theme);
    const { links } = content;
    const byToken = { q: groupLinks(links, 0, matrix.rows), k: groupLinks(links, 1, matrix.columns) };
    const drawing = { ...content, byToken, layout: this.#arrange() };
    this.drawing = drawing;
    this.#placeHeadings(drawing);
    this.base.canvas.setAttribute("aria-label", label);
    this.#drawRemark(drawing);
    this.#draw();
  }

  /** @type {(theme: Theme, room: Room) => Layout} */
  #layout(theme, room) {
    const { pane } = this;
    const { state } = this.explorer;
    const orientation = state.orientation === "auto" ? autoOrientation(pane.view, state) : state.orientation;
    return linesLayout(pane.matrix, theme, { kind: state.kind, orientation, ...room });
  }

  /** All lines, or those of the pinned tokens with their weights. @type {(theme: Theme, room: Room) => Part} */
  picture(theme, room) {
    const { state } = this.explorer;
    const { matrices, colours, links } = this.content(theme);
    const layout = this.#layout(theme, room);
    const focus = this.pane.focus();
    const drawn = links.map((list) =>
      focus ? list.filter(([row, column]) => focus.units.includes(focus.side === "q" ? row : column)) : list,
    );
    return {
      width: layout.width,
      height: layout.height,
      draw(painter) {
        drawn.forEach((list, at) => {
          for (const [row, column, , ink] of [...list].reverse()) {
            if (ink > 0.02)
              painter.curve(linkCurve(layout, row, column), {
                stroke: colours[at],
                alpha: 0.06 + 0.84 * ink,
                lineWidth: 0.6 + 2.2 * ink,
              });
          }
        });
        paintLineTokens(painter, layout, theme, {});
        if (focus) paintLineFocus(painter, layout, { matrices, colours, theme, state, focus });
      },
    };
  }

  /** Lay out the drawing, and size its window. */
  #arrange() {
    const { explorer } = this;
    const room = [this.root.clientWidth || 640, explorer.roomForView() - 40];
    const layout = this.#layout(explorer.theme, { width: room[0] - 12, height: room[1] });
    const height = Math.min(layout.height, room[1]);
    const width = Math.min(layout.width, room[0]);
    Object.assign(this.space.style, { width: `${layout.width}px`, height: `${layout.height}px` });
    Object.assign(this.window.style, { width: `${width}px`, height: `${height}px` });
    this.scroller.style.maxHeight = `${height + 2}px`;
    for (const surface of [this.base, this.labels, this.over]) surface.resize(width, height);
    return layout;
  }

  /** @param {Drawing} drawing */
  #placeHeadings({ layout }) {
    const { strings, state } = this.explorer;
    const isSelf = state.kind !== "cross";
    const names = isSelf ? [strings.looks_from, strings.looks_at] : [strings.source, strings.target];
    childrenOf(this.headings).forEach((heading, at) => {
      heading.textContent = names[at];
      Object.assign(heading.style, headingPlace(layout, at));
    });
  }

  /** @param {Drawing} drawing */
  #drawRemark({ links, matrices }) {
    const { strings, state } = this.explorer;
    const drawn = links.reduce((sum, list) => sum + list.length, 0);
    const cells = matrices.reduce((sum, matrix) => sum + matrix.rows * matrix.columns, 0);
    const parts = [];
    if (drawn >= LINES.max - links.length)
      parts.push(fill(strings.lines_capped, { drawn: formatFixed(drawn, 0), cells: formatFixed(cells, 0) }));
    if (state.heads.length > SHOWN_HEADS)
      parts.push(fill(strings.heads_capped, { shown: SHOWN_HEADS, count: state.heads.length }));
    this.remark.textContent = parts.join(" ");
  }

  /** Draw all links and tokens without focus, for the visible part. */
  #draw() {
    if (!this.drawing) return;
    const { layout, links, colours } = this.drawing;
    this.region = [this.scroller.scrollLeft, this.scroller.scrollTop, this.base.width, this.base.height];
    this.#start(this.base);
    paintLinks(this.base.context, layout, links, colours, this.region);
    paintLineTokens(this.#start(this.labels), layout, this.explorer.theme, { region: this.region });
    this.point();
  }

  /** A cleared layer whose origin is the drawing's, not the window's. @param {Surface} surface */
  #start(surface) {
    surface.clear();
    surface.context.translate(-this.region[0], -this.region[1]);
    return new CanvasPainter(surface.context, this.explorer.theme);
  }

  /** Draw the focused tokens' links with their weights, and fade everything else. */
  point() {
    if (!this.drawing) return;
    const { explorer, pane, region } = this;
    const { layout, matrices, colours, byToken } = this.drawing;
    const { theme, state } = explorer;
    const focus = pane.focus();
    this.base.canvas.classList.toggle("faded", Boolean(focus));
    const painter = this.#start(this.over);
    if (!focus) return;
    const focusLinks = byToken[focus.side].map((lists) => focus.units.flatMap((unit) => lists[unit] ?? []));
    paintLinks(this.over.context, layout, focusLinks, colours, region);
    paintLineFocus(painter, layout, { matrices, colours, theme, state, focus, region });
  }

  /** The token under the pointer. @type {(event: MouseEvent) => {side: Side, unit: number} | null} */
  #hit(event) {
    const [px, py] = pointIn(event, this.window);
    const [x, y] = [px + this.region[0], py + this.region[1]];
    for (const { side, boxes } of this.drawing?.layout.ends ?? []) {
      const unit = boxes.findIndex(
        ([left, top, width, height]) => x >= left && x <= left + width && y >= top && y <= top + height + 2,
      );
      if (unit >= 0) return { side, unit };
    }
    return null;
  }

  /** @param {PointerEvent} event */
  #hover(event) {
    const hit = this.#hit(event);
    this.window.style.cursor = hit ? "pointer" : "";
    this.explorer.point(hit && this.pane.target(hit.side, hit.unit));
  }
}

/** The position of a heading: above a column of tokens or a picture, before a row of tokens, or after a row below a
 * picture. @type {(layout: Layout, at: number) => Record<"left" | "right" | "top", string>} */
function headingPlace({ ends, isVertical, width: whole }, at) {
  const { boxes, units } = ends[at];
  const [x, y, width, height] = boxes[0];
  if (isVertical && !at) return { right: `${whole - x - width + 8}px`, top: "0px", left: "" };
  if (isVertical) return { left: `${x + 8}px`, top: "0px", right: "" };
  if (units.picture) return { left: `${x}px`, top: `${y - 24}px`, right: "" };
  const [last, , wide] = boxes[boxes.length - 1];
  const left = ends.some((end) => end.units.picture) ? last + wide + 12 : 0;
  return { left: `${left}px`, top: `${y + height / 2 - 9}px`, right: "" };
}

/** Split a difference into gains and losses, as two sets of lines. @type {(matrix: Matrix) => Matrix[]} */
function gainsAndLosses(matrix) {
  return [1, -1].map((sign) => ({
    ...matrix,
    values: matrix.values.map((value) => Math.max(0, sign * value) || 0),
    isSigned: false,
  }));
}

/** @type {import("./types").HeadView<"lines">} */
export const LINES_VIEW = {
  name: "lines",
  key: "l",
  make: (explorer, pane) => new LinesView(explorer, pane),
  how: () => "how_lines",
  showsLong: true,
  showsSentences: false,
  namesRows: false,
  combinesHeads: false,
  combinesPins: true,
  turns: true,
  zooms: false,
};
