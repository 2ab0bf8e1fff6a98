// Tokens as buttons in the stage's rows; for a written word, the strips of its picture are the tokens.

import { h, context2d } from "../dom.js";
import { tinted } from "../pad/pad.js";
import { PICTURE_HEIGHT, PICTURE_WIDTH, inkWidth } from "../pad/picture.js";

/** @import { Chip, Side } from "./types" */

/** @param {string} name its class
 * @param {Side} side @param {Chip} chip
 * @param {number} place in its row */
export const tokenButton = (name, side, { text, title, label, continues, goes_on, special, unknown }, place) =>
  h(
    "button",
    {
      class: name,
      title,
      "aria-label": label,
      "data-place": place,
      "data-name": `${side} ${place}`,
      "data-start": !continues,
      "data-end": !goes_on,
      "data-special": special,
      "data-unknown": unknown,
    },
    text,
  );

const EMPTY = 0.12; // width of a strip after the ink, relative to one with ink
const SHARPNESS = 3;

/** @param {Uint8Array} picture (32 × 384)
 * @param {HTMLElement[]} strips from left to right
 * @param {number} strip width of a strip in pixels
 * @param {string} ink its colour */
export function pictureRow(picture, strips, strip, ink) {
  const inked = Math.min(strips.length, Math.ceil(inkWidth(picture) / strip) + 1);
  strips.forEach((each, place) => each.classList.toggle("stage-empty", place >= inked));
  const paper = h("canvas", { class: "stage-paper", "aria-hidden": "true" });
  Object.assign(paper, { width: inked * strip * SHARPNESS, height: PICTURE_HEIGHT * SHARPNESS });
  context2d(paper).drawImage(tinted(picture, ink), 0, 0, SHARPNESS * PICTURE_WIDTH, SHARPNESS * PICTURE_HEIGHT);
  const width = inked + EMPTY * (strips.length - inked);
  return h(
    "div",
    { class: "stage-picture", style: { "--strips": width, "--inked": inked / width, "--strip-pixels": strip } },
    paper,
    ...strips,
  );
}
