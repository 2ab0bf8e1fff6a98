// Layout and drawing of lines between two rows of tokens, on any painter.

import { css } from "../../../shared/colour.js";
import { clamp } from "../../../shared/text.js";
import { inkWidth } from "../../../shared/pad/picture.js";
import { paintPart, pictureHeight } from "../map/map.js";
import { fitText, textWidth } from "../picture/painter.js";
import { axesOf, inkOf, strongest } from "../data/transform.js";

/** @import { Box, Curve, Head, Link, Matrix, Painter, Side, State, Theme, Units, View } from "../types" */
/** @typedef {[x: number, y: number]} Point */
/** @typedef {{side: Side, units: Units}} Row tokens of one side */
/**
 * One of the two rows of tokens: their boxes, the joints of their lines, and the width of a label.
 * @typedef {Row & {room: number, boxes: Box[], joint: (unit: number) => Point}} End
 * @typedef {{isVertical: boolean, ends: [End, End], width: number, height: number}} Layout
 * @typedef {{width: number, height: number}} Room
 */

export const LINES = { max: 10000, levels: 16, gap: 26 };

/** Vertical for alphabets, horizontal for Chinese, Japanese and Korean, and for the strips of a picture.
 * @type {(view: View, state: State) => "horizontal" | "vertical"} */
export function autoOrientation(view, state) {
  const { queries, keys } = axesOf(view, state.kind, state.rows);
  const isPicture = queries.picture ?? keys.picture;
  return isPicture || (queries.ideographic && keys.ideographic) ? "horizontal" : "vertical";
}

/** The two rows in order: the source, or in self-attention the query, is on the left (or above).
 * @type {(matrix: Matrix, kind: State["kind"]) => [Row, Row]} */
function sidesOf(matrix, kind) {
  /** @type {Row} */
  const query = { side: "q", units: matrix.queries };
  /** @type {Row} */
  const key = { side: "k", units: matrix.keys };
  return kind === "cross" ? [key, query] : [query, key];
}

/** Positions of all tokens; a drawing that is larger than the room is scrolled.
 * @type {(matrix: Matrix, theme: Theme, how: Room & {kind: State["kind"], orientation: State["orientation"]}) => Layout} */
export function linesLayout(matrix, theme, { kind, orientation, width, height }) {
  const [first, second] = sidesOf(matrix, kind);
  return orientation === "horizontal"
    ? horizontalLayout(first, second, theme, { width, height })
    : verticalLayout(first, second, theme, { width, height });
}

/** @type {(first: Row, second: Row, theme: Theme, room: Room) => Layout} */
function verticalLayout(first, second, theme, { width, height }) {
  const count = Math.max(first.units.length, second.units.length);
  const pitch = clamp((height - LINES.gap * 1.6) / count, theme.size * 1.35, theme.size * 2.6);
  const columnWidth = (/** @type {Units} */ units) =>
    Math.min(
      width * 0.3,
      Math.max(40, ...units.texts.map((text) => textWidth(theme, text.slice(0, 40), theme.size, 600))),
    ) + 18;
  const columns = [columnWidth(first.units), columnWidth(second.units)];
  const spread = Math.min(
    width,
    columns[0] + columns[1] + Math.max(160, Math.min(460 * (theme.size / 13), width - columns[0] - columns[1] - 80)),
  );
  const start = Math.max(0, (width - spread) / 2);
  /** @type {(row: Row, at: 0 | 1) => End} */
  const endOfRow = ({ side, units }, at) => ({
    side,
    units,
    room: columns[at] - 10,
    boxes: Array.from({ length: units.length }, (_, i) => {
      const x = at ? start + spread - columns[1] : start;
      return [x, LINES.gap + i * pitch, columns[at], pitch - 2];
    }),
    joint: (i) => [at ? start + spread - columns[1] - 2 : start + columns[0] + 2, LINES.gap + (i + 0.5) * pitch - 1],
  });
  return {
    isVertical: true,
    ends: [endOfRow(first, 0), endOfRow(second, 1)],
    width,
    height: LINES.gap + pitch * count + 8,
  };
}

/** @type {(first: Row, second: Row, theme: Theme, room: Room) => Layout} */
function horizontalLayout(first, second, theme, { width, height }) {
  const size = theme.size * 1.15;
  const along = (/** @type {Row} */ { units }) => {
    if (units.picture) {
      const pitch = clamp(width / units.length, units.strip, 3 * units.strip);
      const widths = Array.from({ length: units.length }, () => pitch);
      return { widths, gap: 0, total: pitch * units.length, room: pitch, height: pictureHeight(pitch, units.strip) };
    }
    const whole = units.texts.map((text) => textWidth(theme, text.slice(0, 40), size, 600) + 16);
    const totalOf = (/** @type {number[]} */ widths) => widths.reduce((sum, width) => sum + width + 4, 0);
    const widths = totalOf(whole) <= width ? whole : whole.map((width) => Math.min(150 + 16, width));
    const room = Math.max(150, ...widths.map((width) => width - 16));
    return { widths, gap: 4, total: totalOf(widths), room, height: size * 2 };
  };
  const runs = [along(first), along(second)];
  const whole = Math.max(width, runs[0].total, runs[1].total);
  // The other row is centred below the picture's ink: most of the picture is empty.
  const inked = [first, second].flatMap(({ units }, at) =>
    units.picture ? [(inkWidth(units.picture) / units.strip) * runs[at].widths[0]] : [],
  );
  const heights = runs.map((run) => run.height);
  const y = [
    LINES.gap,
    LINES.gap + heights[0] + clamp(height - heights[0] - heights[1] - 30, 160, 310 * (theme.size / 13)),
  ];
  /** @type {(row: Row, at: 0 | 1) => End} */
  const endOfRow = ({ side, units }, at) => {
    const isRight = units.direction === "rtl";
    let x = isRight ? (whole + runs[at].total) / 2 : (whole - runs[at].total) / 2;
    if (inked.length) x = units.picture ? 0 : Math.max(0, (inked[0] - runs[at].total) / 2);
    const { gap } = runs[at];
    const boxes = runs[at].widths.map((boxWidth) => {
      if (isRight) x -= boxWidth + gap;
      /** @type {Box} */
      const box = [x, y[at], boxWidth, heights[at]];
      if (!isRight) x += boxWidth + gap;
      return box;
    });
    return {
      side,
      units,
      boxes,
      room: runs[at].room,
      joint: (i) => [boxes[i][0] + boxes[i][2] / 2, at ? y[1] - 2 : y[0] + heights[0] + 2],
    };
  };
  return {
    isVertical: false,
    ends: [endOfRow(first, 0), endOfRow(second, 1)],
    width: whole,
    height: y[1] + heights[1] + 10,
  };
}

/** The colours of the sets of links: gains and losses of a difference, the kind's hue for one head, categories for several.
 * @type {(matrix: Matrix, heads: Head[], theme: Theme, kind: State["kind"]) => string[]} */
export function lineColours(matrix, heads, theme, kind) {
  if (matrix.isSigned) return [theme.colours.more, theme.colours.less];
  return heads.length === 1 ? [css(theme.hue(kind))] : theme.categories;
}

/** The links to draw: the strongest cells of each head above the threshold, at most LINES.max in total.
 * @type {(matrices: Matrix[], state: Pick<State, "threshold" | "curve" | "scale">) => Link[][]} */
export function linksOf(matrices, state) {
  const share = Math.floor(LINES.max / Math.max(1, matrices.length));
  return matrices.map((matrix) => {
    const floor = Math.max(state.threshold, 0.004);
    const ink = inkOf(matrix, state);
    return strongest(matrix, share, floor).map(([row, column, weight]) => {
      const grey = matrix.greyed && matrix.isSink[column];
      return [row, column, weight, ink(weight, row) * (grey ? 0.25 : 1)];
    });
  });
}

/** Group each head's links by the token at one end: [head][token] -> links.
 * @type {(links: Link[][], end: 0 | 1, count: number) => Link[][][]} */
export function groupLinks(links, end, count) {
  return links.map((list) => {
    /** @type {Link[][]} */
    const groups = Array.from({ length: count }, () => []);
    for (const link of list) groups[link[end]].push(link);
    return groups;
  });
}

/** @type {(layout: Layout, side: Side) => End} */
export function endOf({ ends }, side) {
  return ends[0].side === side ? ends[0] : ends[1];
}

/** A link's curve, perpendicular to the rows of tokens at both ends.
 * @type {(layout: Layout, row: number, column: number) => Curve} */
export function linkCurve(layout, row, column) {
  const { ends, isVertical } = layout;
  const [from, to] = ends.map((end) => end.joint(end.side === "q" ? row : column));
  const [dx, dy] = [(to[0] - from[0]) / 2, (to[1] - from[1]) / 2];
  return isVertical
    ? [...from, from[0] + dx, from[1], to[0] - dx, to[1], ...to]
    : [...from, from[0], from[1] + dy, to[0], to[1] - dy, ...to];
}

/** Paint all links of all heads in few strokes: links of similar ink share one path.
 * @type {(context: CanvasRenderingContext2D, layout: Layout, links: Link[][], colours: string[], region?: Box) => void} */
export function paintLinks(context, layout, links, colours, region) {
  links.forEach((list, at) => {
    /** @type {(Path2D | null)[]} */
    const levels = Array.from({ length: LINES.levels + 1 }, () => null);
    for (const [row, column, , ink] of list) {
      const curve = linkCurve(layout, row, column);
      if (region && !curveTouches(curve, region)) continue;
      const level = Math.round(clamp(ink, 0, 1) * LINES.levels);
      const path = (levels[level] ??= new Path2D());
      const [x, y, ...rest] = curve;
      path.moveTo(x, y);
      path.bezierCurveTo(...rest);
    }
    context.strokeStyle = colours[at];
    levels.forEach((path, level) => {
      if (!path || level === 0) return;
      context.globalAlpha = 0.06 + 0.84 * (level / LINES.levels);
      context.lineWidth = 0.6 + 2.2 * (level / LINES.levels);
      context.stroke(path);
    });
  });
  context.globalAlpha = 1;
}

/** @type {(curve: Curve, region: Box) => boolean} */
function curveTouches(curve, [x, y, width, height]) {
  const [top, bottom] = [Math.min(curve[1], curve[7]), Math.max(curve[1], curve[7])];
  const [left, right] = [Math.min(curve[0], curve[6]), Math.max(curve[0], curve[6])];
  return bottom >= y && top <= y + height && right >= x && left <= x + width;
}

/** @type {(box: Box, region: Box) => boolean} */
export function isOutside([x, y, width, height], [left, top, across, down]) {
  return y > top + down || y + height < top || x > left + across || x + width < left;
}

/**
 * Paint the token labels.
 * @param {Painter} painter
 * @param {Layout} layout
 * @param {Theme} theme
 * @param {{
 *   shade?: (side: Side, unit: number) => [colour: string, alpha: number][],
 *   marks?: (side: Side, unit: number) => string | false,
 *   region?: Box,
 *   only?: (side: Side, unit: number) => boolean,
 * }} how `shade` gives stripes of colour behind a label, one per head; `only` picks labels
 */
export function paintLineTokens(painter, layout, theme, { shade, marks, region, only }) {
  for (const end of layout.ends) {
    const size = layout.isVertical ? theme.size : theme.size * 1.15;
    const isLeft = end === layout.ends[0];
    const isPicture = Boolean(end.units.picture) && !layout.isVertical;
    if (isPicture && !only) paintWhole(painter, end, theme);
    end.boxes.forEach((box, unit) => {
      if ((region && isOutside(box, region)) || (only && !only(end.side, unit))) return;
      const [x, y, width, height] = box;
      if (only) painter.rect(x, y, width, height, { fill: theme.panel });
      const stripes = shade?.(end.side, unit) ?? [];
      stripes.forEach(([colour, alpha], at) => {
        const part = width / stripes.length;
        painter.rect(x + part * at, y, part, height, { fill: colour, alpha, radius: stripes.length === 1 ? 4 : 0 });
      });
      const isMarked = marks?.(end.side, unit);
      if (isMarked)
        painter.rect(x + 0.5, y + 0.5, width - 1, height - 1, { stroke: isMarked, lineWidth: 1.75, radius: 4 });
      if (isPicture) {
        if (only) paintPart(painter, end.units, theme, unit, unit + 1, box);
        return;
      }
      const text = fitText(theme, end.units.texts[unit], size, end.room, isMarked ? 600 : 400);
      const strong = stripes.length === 1 && stripes[0][1] > 0.6;
      const ink = strong ? theme.onHue : end.units.special[unit] ? theme.soft : theme.ink;
      const align = !layout.isVertical ? "center" : isLeft ? "right" : "left";
      const at = { center: x + width / 2, right: x + width - 8, left: x + 8 }[align];
      painter.text(text, at, y + height / 2, { size, fill: ink, align, weight: isMarked ? 600 : 400 });
    });
  }
}

/** Paint a whole picture behind its strips. @type {(painter: Painter, end: End, theme: Theme) => void} */
function paintWhole(painter, { units, boxes }, theme) {
  const [x, y, width, height] = boxes[0];
  paintPart(painter, units, theme, 0, units.length, [x, y, width * units.length, height]);
}
