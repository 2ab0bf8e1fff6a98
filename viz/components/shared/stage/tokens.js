// A token of a sentence or its translation: a button in one of the stage's rows.

import { h } from "../dom.js";

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
