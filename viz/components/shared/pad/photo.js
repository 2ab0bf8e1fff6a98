// A picture that was dropped or chosen, as ink on an empty ground: writing may be dark on light or light on dark.

import { FAINTEST } from "./picture.js";

/** @import { Grey } from "./picture.js" */

/** Pixels of its longer side that a picture is reduced to. */
const LARGEST = 1200;
/** Steps of 255 between ground and writing at least: with less there is nothing to read. */
const LEAST_CONTRAST = 40;

/** @param {Blob} file
 * @returns {Promise<Grey | null>} null where it is no picture, or has no writing in it */
export async function greyOfFile(file) {
  const picture = await createImageBitmap(file).catch(() => null);
  if (!picture) return null;
  const scale = Math.min(1, LARGEST / Math.max(picture.width, picture.height));
  const [width, height] = [picture.width, picture.height].map((size) => Math.max(1, Math.round(size * scale)));
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));
  context.fillStyle = "#fff"; // what is transparent is ground
  context.fillRect(0, 0, width, height);
  context.drawImage(picture, 0, 0, width, height);
  return greyOfPixels(context.getImageData(0, 0, width, height).data, width, height);
}

/** The ground is the median of the outermost pixels; ink is what differs from it most, as `Picture.prepared` has it.
 * @param {Uint8ClampedArray} data red, green, blue and opacity
 * @param {number} width @param {number} height @returns {Grey | null} */
export function greyOfPixels(data, width, height) {
  const light = Uint8Array.from({ length: width * height }, (_, i) =>
    Math.round((299 * data[4 * i] + 587 * data[4 * i + 1] + 114 * data[4 * i + 2]) / 1000),
  );
  const isAtEdge = (/** @type {number} */ i) =>
    i < width || i >= width * (height - 1) || i % width === 0 || i % width === width - 1;
  const edge = light.filter((_, i) => isAtEdge(i)).sort();
  const ground = edge[Math.floor(edge.length / 2)];
  const ink = light.map((value) => Math.max(0, ground > 127 ? ground - value : value - ground));
  const most = ink.reduce((largest, value) => Math.max(largest, value), 0);
  if (most < LEAST_CONTRAST) return null;
  const pixels = ink.map((value) => Math.round((value * 255) / most)).map((value) => (value > FAINTEST ? value : 0));
  return { pixels, width, height };
}
