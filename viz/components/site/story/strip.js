// A vector as one row of cells, blue above zero and red below it. Pointing at a cell tells its number.

import { paint } from "../../inside/js/numbers.js";
import { h, context2d } from "../../shared/dom.js";
import { clamp, fixed } from "../../shared/text.js";

/** @import { Theme } from "../../inside/js/numbers.js" */

/** What is said of the cell that is pointed at; one for the page. */
const said = h("output", { class: "story-said", hidden: true });

/**
 * @param {ArrayLike<number>} values
 * @param {{theme: Theme, label?: string, scale?: "signed" | "weight", most?: ArrayLike<number>}} how `most` are the values
 *   by which the colours are measured, its own where there are none
 * @returns {HTMLCanvasElement}
 */
export function strip(values, { theme, label = "", scale = "signed", most = values }) {
  const canvas = h("canvas", { class: "strip", width: values.length, height: 1, role: "img", "aria-label": label });
  const colour = paint({ values: Float32Array.from(most), scale }, theme);
  const pen = context2d(canvas);
  const image = pen.createImageData(values.length, 1);
  Array.from(values).forEach((value, i) => image.data.set([...colour(value), 255], 4 * i));
  pen.putImageData(image, 0, 0);
  tellCells(canvas, (share) => {
    const place = clamp(Math.floor(share * values.length), 0, values.length - 1);
    return `${place}: ${fixed(values[place])}`;
  });
  return canvas;
}

/** Tell something of the place in an element that is pointed at, with a mouse or with a finger.
 * @param {Element} node
 * @param {(share: number) => string} tell given how far along the place is, from 0 to 1 */
export function tellCells(node, tell) {
  const hide = () => (said.hidden = true);
  const show = (/** @type {Event} */ event) => {
    const { clientX } = /** @type {PointerEvent} */ (event);
    const { left, top, width } = node.getBoundingClientRect();
    if (!said.isConnected) document.body.append(said);
    said.textContent = tell((clientX - left) / width);
    said.hidden = false;
    Object.assign(said.style, { left: `${clamp(clientX, 60, innerWidth - 60)}px`, top: `${top - 6}px` });
  };
  for (const name of /** @type {const} */ (["pointermove", "pointerdown"])) node.addEventListener(name, show);
  for (const name of /** @type {const} */ (["pointerleave", "pointercancel"])) node.addEventListener(name, hide);
}

/** A strip under its name.
 * @param {string} part of the picture, by which paragraphs point at it
 * @param {string} name @param {ArrayLike<number>} values @param {Theme} theme */
export const named = (part, name, values, theme) =>
  h(
    "figure",
    { class: "story-vector", "data-of": part },
    h("figcaption", {}, name),
    strip(values, { theme, label: name }),
  );
