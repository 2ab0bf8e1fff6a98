// Ribbons between two rows of words; their widths are the attention weights.

/** @typedef {{x: number, y: number}} Point */

const MAX_WIDTH = 22; // pixels, of weight 1
const MIN_WEIGHT = 0.03; // a smaller weight is not drawn

/**
 * Draw the ribbons of one word: from each word of the other row to this one, where they end side by side.
 * @param {CanvasRenderingContext2D} context
 * @param {{from: Point[], to: Point, weights: ArrayLike<number>, colour: string, share?: number, ink?: number,
 *   maxWidth?: number}} ribbon `share` of their length that is drawn, `ink` their opacity from 0 to 1, and `maxWidth` the
 *   width of weight 1 in pixels
 */
export function drawRibbons(context, { from, to, weights, colour, share = 1, ink = 1, maxWidth = MAX_WIDTH }) {
  const visible = from.map((_, i) => i).filter((i) => weights[i] >= MIN_WEIGHT);
  const total = visible.reduce((sum, i) => sum + weights[i], 0);
  let side = to.x - (maxWidth * total) / 2;
  context.strokeStyle = colour;
  context.lineCap = "butt";
  for (const i of visible) {
    const weight = weights[i];
    const width = maxWidth * weight;
    const [start, control1, control2, end] = curvePrefix(curve(from[i], { x: side + width / 2, y: to.y }), share);
    side += width;
    context.globalAlpha = ink * (0.22 + 0.5 * weight);
    context.lineWidth = Math.max(1, width);
    context.beginPath();
    context.moveTo(start.x, start.y);
    context.bezierCurveTo(control1.x, control1.y, control2.x, control2.y, end.x, end.y);
    context.stroke();
  }
  context.globalAlpha = 1;
}

/**
 * The points where ribbons meet the tokens of a row, by token; a token that is scrolled out of its row has none.
 * @param {Element} origin of the coordinates
 * @param {Element} row
 * @param {string} selector of its tokens
 * @param {"top" | "bottom"} edge
 * @returns {Point[]}
 */
export function jointsOf(origin, row, selector, edge) {
  const { left, top } = origin.getBoundingClientRect();
  const room = row.getBoundingClientRect();
  /** @type {Point[]} */
  const joints = [];
  [...row.querySelectorAll(selector)].forEach((token, place) => {
    const box = token.getBoundingClientRect();
    if (box.bottom < room.top || box.top > room.bottom) return;
    joints[place] = { x: box.left + box.width / 2 - left, y: box[edge] - top + (edge === "top" ? -2 : 2) };
  });
  return joints;
}

/** A cubic curve with vertical tangents at both ends.
 * @param {Point} from @param {Point} to @returns {[Point, Point, Point, Point]} */
function curve(from, to) {
  const middle = (from.y + to.y) / 2;
  return [from, { x: from.x, y: middle }, { x: to.x, y: middle }, to];
}

/** The first part of a cubic curve (de Casteljau).
 * @param {[Point, Point, Point, Point]} points @param {number} share */
export function curvePrefix([a, b, c, d], share) {
  if (share >= 1) return [a, b, c, d];
  const between = (/** @type {Point} */ p, /** @type {Point} */ q) => ({
    x: p.x + (q.x - p.x) * share,
    y: p.y + (q.y - p.y) * share,
  });
  const [ab, bc, cd] = [between(a, b), between(b, c), between(c, d)];
  const [abc, bcd] = [between(ab, bc), between(bc, cd)];
  return [a, ab, abc, between(abc, bcd)];
}
