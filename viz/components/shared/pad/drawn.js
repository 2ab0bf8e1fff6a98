// Canvases of written words, for lists that otherwise show texts.

import { h, context2d } from "../dom.js";
import { PICTURE_HEIGHT, inkWidth, pictureOfText } from "./picture.js";
import { tinted } from "./pad.js";

/** The text, or a canvas if it encodes a picture.
 * @param {{text: string, says?: string}} source `says` is the written word, the canvas's accessible name
 * @returns {string | HTMLCanvasElement} */
export function textOrPicture({ text, says = "" }) {
  const picture = pictureOfText(text);
  return picture ? croppedCanvas(picture, 0, inkWidth(picture) + 4, says) : text;
}

/** One strip of a picture.
 * @type {(picture: Uint8Array, place: number, strip: number, label: string) => HTMLCanvasElement} */
export const stripCanvas = (picture, place, strip, label) => croppedCanvas(picture, place * strip, strip, label);

/** @param {Uint8Array} picture @param {number} left @param {number} width @param {string} label */
function croppedCanvas(picture, left, width, label) {
  const canvas = h("canvas", { class: "pad-drawn", role: "img", "aria-label": label });
  Object.assign(canvas, { width, height: PICTURE_HEIGHT });
  const styles = getComputedStyle(document.documentElement);
  const colour = styles.getPropertyValue("--ink") || styles.getPropertyValue("--st-text-color") || "#777";
  const context = context2d(canvas);
  context.drawImage(tinted(picture, colour), -left, 0);
  return canvas;
}
