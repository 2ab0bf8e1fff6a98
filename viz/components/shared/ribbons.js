// Ribbons between two rows of words, as wide as the weights.

/** @typedef {{x: number, y: number}} Point */

const WIDEST = 22; // pixels, of weight 1
const LEAST_DRAWN = 0.03; // a smaller weight is not drawn

/**
 * Draw the ribbons of one word: from each word of the other row to it, where they end beside each other, so that the word
 * stands under all of its weight.
 * @param {CanvasRenderingContext2D} context
 * @param {{from: Point[], to: Point, weights: ArrayLike<number>, colour: string, share?: number, ink?: number,
 *   widest?: number}} ribbon `share` of the way that they have grown, and `ink` 0 to 1, how strongly they are drawn
 */
export function drawRibbons(context, { from, to, weights, colour, share = 1, ink = 1, widest = WIDEST }) {
  const drawn = from.map((_, i) => i).filter((i) => weights[i] >= LEAST_DRAWN);
  const together = drawn.reduce((sum, i) => sum + weights[i], 0);
  let side = to.x - (widest * together) / 2;
  context.strokeStyle = colour;
  context.lineCap = "butt";
  for (const i of drawn) {
    const weight = weights[i];
    const wide = widest * weight;
    const [start, one, two, end] = upTo(curve(from[i], { x: side + wide / 2, y: to.y }), share);
    side += wide;
    context.globalAlpha = ink * (0.22 + 0.5 * weight);
    context.lineWidth = Math.max(1, wide);
    context.beginPath();
    context.moveTo(start.x, start.y);
    context.bezierCurveTo(one.x, one.y, two.x, two.y, end.x, end.y);
    context.stroke();
  }
  context.globalAlpha = 1;
}

/**
 * Where ribbons meet the tokens of a row, by their order; a token that is scrolled out of its row has no joint.
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

/** A curve that leaves and arrives upright.
 * @param {Point} from @param {Point} to @returns {[Point, Point, Point, Point]} */
function curve(from, to) {
  const middle = (from.y + to.y) / 2;
  return [from, { x: from.x, y: middle }, { x: to.x, y: middle }, to];
}

/** The first part of a cubic curve (de Casteljau).
 * @param {[Point, Point, Point, Point]} points @param {number} share */
export function upTo([a, b, c, d], share) {
  if (share >= 1) return [a, b, c, d];
  const between = (/** @type {Point} */ p, /** @type {Point} */ q) => ({
    x: p.x + (q.x - p.x) * share,
    y: p.y + (q.y - p.y) * share,
  });
  const [ab, bc, cd] = [between(a, b), between(b, c), between(c, d)];
  const [abc, bcd] = [between(ab, bc), between(bc, cd)];
  return [a, ab, abc, between(abc, bcd)];
}
