// Geometry of the 3D view: each plane has the attention maps of a layer's heads; the encoder's planes form one stack, the
// decoder's another. Projection to the screen, and hit testing.

import { css, mix, parseColour } from "../../shared/colour.js";
import { h, context2d } from "../../shared/dom.js";

/** @import { Rgb } from "../../shared/colour.js" */
/** @import { Kind } from "../../engine/edits.js" */
/**
 * @typedef {{layers: number, heads: number, rows: number, columns: number, weights: Float32Array}} Maps weights (L, H,
 *   rows, columns)
 * @typedef {{source: string[], target: string[], step: number, seen: ArrayLike<number>[], maps: Record<Kind, Maps>}} Model
 *   a translation: its pieces, the step on which the animation ends, and the article head's weights of each step
 * @typedef {{kind: Kind, layer: number, stack: number, y: number, image: HTMLCanvasElement, maps: Maps}} Plane
 * @typedef {{kind: Kind, layer: number, head: number}} Head
 * @typedef {{yaw: number, pitch: number, flat: number}} View angles in radians, and flattening from 0 to 1
 * @typedef {{stack: number, at: number, step: number, written: number}} Light `at` is its height in the stack, from 0 to 1
 * @typedef {{page: Rgb, panel: Rgb, line: string, ink: Rgb, soft: Rgb, kinds: Record<Kind, Rgb>}} Colours
 * @typedef {(x: number, y: number, z: number) => [number, number]} Place projects a point to the screen
 */

/** Heads per row; gap between heads and margin of a plane, in widths of a head. */
export const [ACROSS, BETWEEN, AROUND] = [4, 0.12, 0.2];
export const TOWER = 6.1; // height of a stack, in widths of a head
const ASIDE = 2.95; // half the distance between the stacks
export const MAP = 64; // pixels of a head's map in the plane's image
const MAX_HEAD_WIDTH = 108; // pixels on the screen
export const FAN = 34; // pixels of a row of words and the lines to it

/** @type {Record<Kind, string>} */
const HUES = { encoder_self: "--encoder-self", decoder_self: "--decoder-self", cross: "--cross" };

/** @param {Element} root @returns {Colours} */
export function coloursOf(root) {
  const styles = getComputedStyle(root);
  const of = (/** @type {string} */ name) => parseColour(styles.getPropertyValue(name));
  const kinds = Object.fromEntries(Object.entries(HUES).map(([kind, name]) => [kind, of(name)]));
  return {
    page: of("--st-background-color"),
    panel: of("--panel"),
    line: css(mix(of("--line"), of("--soft-ink"), 0.35)),
    ink: of("--st-text-color"),
    soft: of("--soft-ink"),
    kinds: /** @type {Record<Kind, Rgb>} */ (kinds),
  };
}

/** Rows and columns of the heads of a plane. @param {number} heads */
export const gridOf = (heads) => [Math.ceil(heads / Math.min(ACROSS, heads)), Math.min(ACROSS, heads)];

/** Width and depth of a plane. @param {Maps} maps */
export const sizeOf = ({ heads }) => gridOf(heads).map((n) => n * (1 + BETWEEN) - BETWEEN + 2 * AROUND);

/** All planes from the lowest: the encoder's, then the decoder's.
 * @param {Model} model @param {Colours} colours @returns {Plane[]} */
export function planesOf({ maps }, { kinds }) {
  const stack = (/** @type {Kind[]} */ ...parts) => {
    const all = Array.from({ length: maps[parts[0]].layers }, (_, layer) => parts.map((kind) => ({ kind, layer })));
    return all.flat().map((plane, i, { length }) => ({ ...plane, y: (TOWER * (i + 0.5)) / length - TOWER / 2 }));
  };
  return [stack("encoder_self"), stack("decoder_self", "cross")].flatMap((planes, number) =>
    planes.map((plane) => {
      const ofKind = maps[plane.kind];
      return { ...plane, stack: number, maps: ofKind, image: imageOf(ofKind, plane.layer, kinds[plane.kind]) };
    }),
  );
}

/** An image of a layer's attention maps as they lie on its plane; opacity is the square root of the weight.
 * @param {Maps} maps @param {number} layer @param {Rgb} colour */
function imageOf({ heads, rows, columns, weights }, layer, colour) {
  const [down, across] = gridOf(heads);
  const small = h("canvas", { width: across * columns, height: down * rows });
  const pixels = context2d(small).createImageData(small.width, small.height);
  const ofLayer = weights.subarray(layer * heads * rows * columns, (layer + 1) * heads * rows * columns);
  for (const [i, weight] of ofLayer.entries()) {
    const [head, row, column] = [Math.floor(i / (rows * columns)), Math.floor(i / columns) % rows, i % columns];
    const at = (Math.floor(head / across) * rows + row) * small.width + (head % across) * columns + column;
    pixels.data.set(colour, 4 * at);
    pixels.data[4 * at + 3] = 255 * Math.sqrt(weight); // makes small weights visible
  }
  context2d(small).putImageData(pixels, 0, 0);
  const image = h("canvas", { width: across * MAP, height: down * MAP });
  const pen = context2d(image);
  pen.imageSmoothingEnabled = columns > MAP;
  pen.drawImage(small, 0, 0, image.width, image.height);
  return image;
}

/**
 * The orthographic projection that fits all planes into the canvas.
 * @param {Plane[]} planes
 * @param {View} view
 * @param {number} width
 * @param {number} height
 * @returns {{place: Place, scale: number}}
 */
export function projection(planes, { yaw, pitch, flat }, width, height) {
  const [cos, sin, vertical, depth] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch) * (1 - flat), Math.sin(pitch)];
  const raw = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z) =>
    /** @type {[number, number]} */ ([x * cos + z * sin, (z * cos - x * sin) * depth - y * vertical]);
  const corners = planes.flatMap((plane) => cornersOf(plane).map(([x, z]) => raw(x, plane.y, z)));
  const [left, right] = [0, 0].map((_, i) => Math[i ? "max" : "min"](...corners.map(([x]) => x)));
  const [top, bottom] = [0, 0].map((_, i) => Math[i ? "max" : "min"](...corners.map(([, y]) => y)));
  const scale = Math.min(MAX_HEAD_WIDTH, (width - 12) / (right - left), (height - 2 * FAN - 18) / (bottom - top));
  const middle = [width / 2 - (scale * (left + right)) / 2, height / 2 - (scale * (top + bottom)) / 2];
  const place = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z) => {
    const [across, down] = raw(x, y, z);
    return /** @type {[number, number]} */ ([middle[0] + scale * across, middle[1] + scale * down]);
  };
  return { place, scale };
}

/** The x of a stack's centre. @param {number} stack */
export const middleOf = (stack) => (stack ? ASIDE : -ASIDE);

/** @param {Plane} plane @returns {[number, number][]} */
export function cornersOf({ stack, maps }) {
  const [deep, wide] = sizeOf(maps);
  const x = middleOf(stack);
  return [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([i, j]) => [x + (i * wide) / 2, (j * deep) / 2]); // prettier-ignore
}

/** The head under a point of the screen, or null.
 * @param {Plane[]} planes @param {Place} place @param {[number, number]} point @returns {Head | null} */
export function headUnder(planes, place, [left, top]) {
  for (const plane of backToFront(planes, place).reverse()) {
    const [origin, along, away] = axesOf(plane, place);
    const [x, y] = [left - origin[0], top - origin[1]];
    const area = along[0] * away[1] - along[1] * away[0];
    const column = (x * away[1] - y * away[0]) / area / (1 + BETWEEN);
    const row = (along[0] * y - along[1] * x) / area / (1 + BETWEEN);
    const [down, across] = gridOf(plane.maps.heads);
    const head = Math.floor(row) * across + Math.floor(column);
    const isInside = column >= 0 && row >= 0 && column < across && row < down && head < plane.maps.heads;
    if (isInside) return { kind: plane.kind, layer: plane.layer, head };
  }
  return null;
}

/** Screen coordinates of a plane's first head: its corner, and the vectors of one head's width to the right and to the front.
 * @param {Plane} plane @param {Place} place */
export function axesOf(plane, place) {
  const [[x, z]] = cornersOf(plane);
  const origin = place(x + AROUND, plane.y, z + AROUND);
  const [along, away] = [place(x + AROUND + 1, plane.y, z + AROUND), place(x + AROUND, plane.y, z + AROUND + 1)];
  return [origin, ...[along, away].map((to) => [to[0] - origin[0], to[1] - origin[1]])];
}

/** The planes in painting order. @param {Plane[]} planes @param {Place} place */
export function backToFront(planes, place) {
  const isEncoderFirst = place(1, 0, 0)[1] >= place(0, 0, 0)[1]; // the right stack is nearer
  return [...planes].sort((a, b) => (isEncoderFirst ? a.stack - b.stack : b.stack - a.stack) || a.y - b.y);
}
