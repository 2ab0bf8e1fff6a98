// A vector as a strip: one cell a number, blue above zero and red below it.

import { paint, readTheme } from "../../inside/js/numbers.js";
import { h } from "../../shared/dom.js";

/**
 * @param {ArrayLike<number>} values
 * @param {{palettes: any, label?: string, scale?: "signed" | "weight"}} how
 * @returns {HTMLCanvasElement}
 */
export function strip(values, { palettes, label = "", scale = "signed" }) {
  const canvas = h("canvas", { class: "strip", width: values.length, height: 1, role: "img", "aria-label": label });
  const theme = readTheme(document.documentElement, /** @type {any} */ ({ palettes, kind: "cross", presenter: false }));
  const colour = paint(/** @type {any} */ ({ values: Float32Array.from(values), scale }), theme);
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const image = pen.createImageData(values.length, 1);
  Array.from(values).forEach((value, i) => image.data.set([...colour(value), 255], 4 * i));
  pen.putImageData(image, 0, 0);
  return canvas;
}

/**
 * A strip under its name.
 * @param {string} part of the picture, by which paragraphs point at it
 * @param {string} name
 * @param {ArrayLike<number>} values
 * @param {any} palettes
 */
export const named = (part, name, values, palettes) =>
  h(
    "figure",
    { class: "story-vector", "data-of": part },
    h("figcaption", {}, name),
    strip(values, { palettes, label: name }),
  );
