// Reads an image file as ink on an empty background; the writing may be dark on light or light on dark.

import { INK_THRESHOLD } from "./picture.js";

/** @import { Grey } from "./picture.js" */

const MAX_SIDE = 1200; // pixels; larger images are scaled down
const MIN_CONTRAST = 40; // of 255, between background and writing

/** @param {Blob} file
 * @returns {Promise<Grey | null>} null if it is no image or has no writing */
export async function greyOfFile(file) {
  const picture = await createImageBitmap(file).catch(() => null);
  if (!picture) return null;
  const scale = Math.min(1, MAX_SIDE / Math.max(picture.width, picture.height));
  const [width, height] = [picture.width, picture.height].map((size) => Math.max(1, Math.round(size * scale)));
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));
  context.fillStyle = "#fff"; // transparent pixels are background
  context.fillRect(0, 0, width, height);
  context.drawImage(picture, 0, 0, width, height);
  return greyOfPixels(context.getImageData(0, 0, width, height).data, width, height);
}

/** The background is the median of the border pixels; ink is the difference from it, as in Python's `Picture.prepared`.
 * @param {Uint8ClampedArray} data red, green, blue and opacity
 * @param {number} width @param {number} height @returns {Grey | null} */
export function greyOfPixels(data, width, height) {
  const light = Uint8Array.from({ length: width * height }, (_, i) =>
    Math.round((299 * data[4 * i] + 587 * data[4 * i + 1] + 114 * data[4 * i + 2]) / 1000),
  );
  const isAtEdge = (/** @type {number} */ i) =>
    i < width || i >= width * (height - 1) || i % width === 0 || i % width === width - 1;
  const edge = light.filter((_, i) => isAtEdge(i)).sort();
  const background = edge[Math.floor(edge.length / 2)];
  const ink = light.map((value) => Math.max(0, background > 127 ? background - value : value - background));
  const maximum = ink.reduce((largest, value) => Math.max(largest, value), 0);
  if (maximum < MIN_CONTRAST) return null;
  const pixels = ink
    .map((value) => Math.round((value * 255) / maximum))
    .map((value) => (value > INK_THRESHOLD ? value : 0));
  return { pixels, width, height };
}
