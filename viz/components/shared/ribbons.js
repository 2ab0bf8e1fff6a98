// Ribbons between two rows of words, as wide as the weights.

/** @typedef {{x: number, y: number}} Point */

const WIDEST = 15; // pixels, of weight 1
const LEAST_DRAWN = 0.03; // a smaller weight is not drawn

/**
 * Draw the ribbons of one word: from each word of the other row to it.
 * @param {CanvasRenderingContext2D} context
 * @param {{from: Point[], to: Point, weights: ArrayLike<number>, colour: string, share?: number, ink?: number,
 *   widest?: number}} ribbon `share` of the way that they have grown, and `ink` 0 to 1, how strongly they are drawn
 */
export function drawRibbons(context, { from, to, weights, colour, share = 1, ink = 1, widest = WIDEST }) {
  context.strokeStyle = colour;
  context.lineCap = "round";
  for (let i = 0; i < from.length; i++) {
    const weight = weights[i];
    if (!(weight >= LEAST_DRAWN) || !from[i]) continue;
    const [start, one, two, end] = upTo(curve(from[i], to), share);
    context.globalAlpha = ink * (0.16 + 0.56 * weight);
    context.lineWidth = 1 + (widest - 1) * weight;
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

/**
 * A curve that leaves and arrives upright.
 * @param {Point} from
 * @param {Point} to
 * @returns {[Point, Point, Point, Point]}
 */
function curve(from, to) {
  const middle = (from.y + to.y) / 2;
  return [from, { x: from.x, y: middle }, { x: to.x, y: middle }, to];
}

/**
 * The first part of a cubic curve (de Casteljau).
 * @param {[Point, Point, Point, Point]} points
 * @param {number} share
 */
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
