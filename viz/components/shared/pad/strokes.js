// Strokes as a picture: each point is moved to its place there, so that the pen is as thick however large one writes.

import {
  INK_HEIGHT,
  INK_WIDTH,
  LEFT_OF_INK,
  MOST_ENLARGED,
  PICTURE_HEIGHT,
  PICTURE_WIDTH,
  inkWidth,
} from "./picture.js";

/** Pixels of a picture. */
export const PEN = 3;
export const RUBBER = 11;
/** Of the pad's height, the width of the pen on the screen. */
export const PEN_ON_SCREEN = 0.034;
/** Pixels that the height of a pad counts as. */
const PAD_HEIGHT = 120;
/** Of the pad's height and width, what a picture on it takes at most. */
const SHARE_OF_HEIGHT = 0.7;
const SHARE_OF_WIDTH = 0.94;
const CURVE_PARTS = 6; // straight parts of a curve between two points

/**
 * @typedef {{x: number, y: number}} Point
 * @typedef {{points: Point[], isRubber?: boolean}} Stroke points in heights of the pad
 * @typedef {{scale: number, x: number, y: number}} Frame where a point (x, y) of the pad is in the picture: it is multiplied
 *   by `scale`, and `x` and `y` are added
 */

/** A stroke without corners: curves through the middles of its parts, as short straight ones.
 * @param {Point[]} points @returns {Point[]} */
export function smoothed(points) {
  if (points.length < 3) return points;
  const middle = (/** @type {Point} */ a, /** @type {Point} */ b) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
  const smooth = [points[0]];
  for (let i = 1; i < points.length - 1; i++) {
    const from = i === 1 ? points[0] : middle(points[i - 1], points[i]);
    const to = i === points.length - 2 ? points[i + 1] : middle(points[i], points[i + 1]);
    for (let part = 1; part <= CURVE_PARTS; part++) {
      const t = part / CURVE_PARTS;
      const [a, b, c] = [(1 - t) ** 2, 2 * t * (1 - t), t ** 2];
      smooth.push({ x: a * from.x + b * points[i].x + c * to.x, y: a * from.y + b * points[i].y + c * to.y });
    }
  }
  return smooth;
}

/** Where the strokes of the pen are in the picture: 28 pixels high together, or less where they would be wider than
 * 372, as `Picture.drawn` does it in Python. What was rubbed out counts, so that nothing else moves.
 * @param {Stroke[]} strokes @returns {Frame} */
export function frameOf(strokes) {
  const points = strokes.filter(({ isRubber }) => !isRubber).flatMap((stroke) => stroke.points);
  const ends = (/** @type {"x" | "y"} */ axis) => {
    const places = points.map((point) => point[axis]);
    return [Math.min(...places), Math.max(...places)];
  };
  const [[left, right], [top, bottom]] = [ends("x"), ends("y")];
  const scale = Math.min(
    (INK_HEIGHT - PEN) / Math.max(bottom - top, 1e-6),
    (INK_WIDTH - PEN) / Math.max(right - left, 1e-6),
    MOST_ENLARGED * PAD_HEIGHT,
  );
  return { scale, x: LEFT_OF_INK + PEN / 2 - left * scale, y: (PICTURE_HEIGHT - (top + bottom) * scale) / 2 };
}

/**
 * Where a picture is on a pad, which it is in the middle of.
 * @param {Uint8Array} picture
 * @param {number} across width of the pad, in its heights
 * @returns {Frame}
 */
export function frameOfPicture(picture, across) {
  const width = inkWidth(picture);
  const scale = Math.max(PICTURE_HEIGHT / SHARE_OF_HEIGHT, width / (SHARE_OF_WIDTH * across));
  return { scale, x: (width - scale * across) / 2, y: (PICTURE_HEIGHT - scale) / 2 };
}

/**
 * The picture that strokes make; null where it is empty.
 * @param {Stroke[]} strokes
 * @param {Frame} frame
 * @param {Uint8Array | null} [under] a picture that they are written on
 * @returns {Uint8Array | null} (32 × 384)
 */
export function drawn(strokes, frame, under = null) {
  const lines = strokes.map((stroke) => ({ ...stroke, points: smoothed(stroke.points) }));
  const picture = drawnLines(lines, frame, under);
  return picture.some((value) => value > 0) ? picture : null;
}

/** The same of straight lines from point to point.
 * @param {Stroke[]} lines @param {Frame} frame @param {Uint8Array | null} [under] */
export function drawnLines(lines, frame, under = null) {
  const picture = under ? under.slice() : new Uint8Array(PICTURE_WIDTH * PICTURE_HEIGHT);
  for (const { points, isRubber = false } of lines) {
    const line = points.map(({ x, y }) => ({ x: x * frame.scale + frame.x, y: y * frame.scale + frame.y }));
    line.slice(0, Math.max(1, line.length - 1)).forEach((from, place) => {
      inkLine(picture, from, line[place + 1] ?? from, isRubber);
    });
  }
  return picture;
}

/** Draw or rub out along a straight line with round ends; at its edge a pixel has the share of ink that is covered.
 * @param {Uint8Array} picture changed in place
 * @param {Point} from @param {Point} to @param {boolean} isRubber */
function inkLine(picture, from, to, isRubber) {
  const half = (isRubber ? RUBBER : PEN) / 2;
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = dx * dx + dy * dy;
  const bounds = (/** @type {number} */ a, /** @type {number} */ b, /** @type {number} */ end) => [
    Math.max(0, Math.floor(Math.min(a, b) - half - 1)),
    Math.min(end - 1, Math.ceil(Math.max(a, b) + half + 1)),
  ];
  const [left, right] = bounds(from.x, to.x, PICTURE_WIDTH);
  const [top, bottom] = bounds(from.y, to.y, PICTURE_HEIGHT);
  for (let y = top; y <= bottom; y++)
    for (let x = left; x <= right; x++) {
      const [px, py] = [x + 0.5 - from.x, y + 0.5 - from.y];
      const t = length ? Math.min(1, Math.max(0, (px * dx + py * dy) / length)) : 0;
      const covered = Math.min(1, Math.max(0, half + 0.5 - Math.hypot(px - t * dx, py - t * dy)));
      const at = y * PICTURE_WIDTH + x;
      const ink = Math.round(255 * covered);
      picture[at] = isRubber ? Math.min(picture[at], 255 - ink) : Math.max(picture[at], ink);
    }
}
