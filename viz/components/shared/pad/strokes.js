// Rasterizes strokes. Points are scaled to the picture before drawing, so that the pen has the same width for small and
// large writing.

import { INK_HEIGHT, INK_WIDTH, LEFT_MARGIN, MAX_SCALE, PICTURE_HEIGHT, PICTURE_WIDTH, inkWidth } from "./picture.js";

/** Widths in pixels of the picture. */
export const PEN = 3;
export const RUBBER = 11;
/** Width of the pen on the screen, divided by the pad's height. */
export const PEN_ON_SCREEN = 0.034;
/** Nominal height of a pad in pixels, for MAX_SCALE. */
const PAD_HEIGHT = 120;
/** The largest shares of the pad's height and width that a picture on it takes. */
const SHARE_OF_HEIGHT = 0.7;
const SHARE_OF_WIDTH = 0.94;
const CURVE_PARTS = 6; // line segments of a curve between two points

/**
 * @typedef {{x: number, y: number}} Point
 * @typedef {{points: Point[], isRubber?: boolean}} Stroke points in heights of the pad
 * @typedef {{scale: number, x: number, y: number}} Frame maps a point of the pad into the picture: multiply by `scale`,
 *   add `x` and `y`
 */

/** Smooth a stroke: quadratic curves between the midpoints of its segments, as line segments.
 * @param {Point[]} points @returns {Point[]} */
export function smoothStroke(points) {
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

/** Fit strokes into the picture: 28 pixels high together, or less if they would be wider than 372, as `Picture.drawn`
 * does in Python. Erased ink counts, so that erasing moves nothing.
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
    MAX_SCALE * PAD_HEIGHT,
  );
  return { scale, x: LEFT_MARGIN + PEN / 2 - left * scale, y: (PICTURE_HEIGHT - (top + bottom) * scale) / 2 };
}

/**
 * The frame of a picture in the middle of a pad.
 * @param {Uint8Array} picture
 * @param {number} across width of the pad divided by its height
 * @returns {Frame}
 */
export function frameOfPicture(picture, across) {
  const width = inkWidth(picture);
  const scale = Math.max(PICTURE_HEIGHT / SHARE_OF_HEIGHT, width / (SHARE_OF_WIDTH * across));
  return { scale, x: (width - scale * across) / 2, y: (PICTURE_HEIGHT - scale) / 2 };
}

/**
 * Draw smoothed strokes into a picture; null if it is empty.
 * @param {Stroke[]} strokes
 * @param {Frame} frame
 * @param {Uint8Array | null} [under] a picture below the strokes
 * @returns {Uint8Array | null} (32 × 384)
 */
export function rasterize(strokes, frame, under = null) {
  const lines = strokes.map((stroke) => ({ ...stroke, points: smoothStroke(stroke.points) }));
  const picture = rasterizeLines(lines, frame, under);
  return picture.some((value) => value > 0) ? picture : null;
}

/** Draw strokes without smoothing.
 * @param {Stroke[]} lines @param {Frame} frame @param {Uint8Array | null} [under] */
export function rasterizeLines(lines, frame, under = null) {
  const picture = under ? under.slice() : new Uint8Array(PICTURE_WIDTH * PICTURE_HEIGHT);
  for (const { points, isRubber = false } of lines) {
    const line = points.map(({ x, y }) => ({ x: x * frame.scale + frame.x, y: y * frame.scale + frame.y }));
    line.slice(0, Math.max(1, line.length - 1)).forEach((from, place) => {
      inkLine(picture, from, line[place + 1] ?? from, isRubber);
    });
  }
  return picture;
}

/** Draw or erase a line with round caps, antialiased: a pixel at its edge gets the covered share of ink.
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
