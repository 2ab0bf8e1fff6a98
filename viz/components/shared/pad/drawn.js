// A picture's text as the picture, where a list shows texts.

import { h, penOf } from "../dom.js";
import { PICTURE_HEIGHT, STRIP, inkWidth, pictureOfText } from "./picture.js";
import { tinted } from "./pad.js";

/** @param {{text: string, says?: string}} source `says` is what is written in a picture
 * @returns {string | HTMLCanvasElement} */
export function drawnText({ text, says = "" }) {
  const picture = pictureOfText(text);
  return picture ? drawnPart(picture, 0, inkWidth(picture) + 4, says) : text;
}

/** One strip of a picture. @param {Uint8Array} picture @param {number} place @param {string} label */
export const drawnStrip = (picture, place, label) => drawnPart(picture, place * STRIP, STRIP, label);

/** @param {Uint8Array} picture @param {number} left @param {number} width @param {string} label */
function drawnPart(picture, left, width, label) {
  const canvas = h("canvas", { class: "pad-drawn", role: "img", "aria-label": label });
  Object.assign(canvas, { width, height: PICTURE_HEIGHT });
  const styles = getComputedStyle(document.documentElement);
  const colour = styles.getPropertyValue("--ink") || styles.getPropertyValue("--st-text-color") || "#777";
  const context = penOf(canvas);
  context.drawImage(tinted(picture, colour), -left, 0);
  return canvas;
}
