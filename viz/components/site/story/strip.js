// A vector as one row of cells, blue above zero and red below it, with the value under the pointer as a tooltip.

import { paint } from "../../inside/js/numbers.js";
import { h, context2d } from "../../shared/dom.js";
import { clamp, fixed } from "../../shared/text.js";

/** @import { Theme } from "../../inside/js/numbers.js" */

/** The tooltip, shared by all strips of the page. */
const tooltip = h("output", { class: "story-said", hidden: true });

/**
 * @param {ArrayLike<number>} values
 * @param {{theme: Theme, label?: string, scale?: "signed" | "weight", reference?: ArrayLike<number>}} how `reference` are
 *   the values that scale the colours, by default `values`
 * @returns {HTMLCanvasElement}
 */
export function strip(values, { theme, label = "", scale = "signed", reference = values }) {
  const canvas = h("canvas", { class: "strip", width: values.length, height: 1, role: "img", "aria-label": label });
  const colour = paint({ values: Float32Array.from(reference), scale }, theme);
  const pen = context2d(canvas);
  const image = pen.createImageData(values.length, 1);
  Array.from(values).forEach((value, i) => image.data.set([...colour(value), 255], 4 * i));
  pen.putImageData(image, 0, 0);
  addTooltip(canvas, (share) => {
    const place = clamp(Math.floor(share * values.length), 0, values.length - 1);
    return `${place}: ${fixed(values[place])}`;
  });
  return canvas;
}

/** Show a tooltip for the position of the mouse or finger in an element.
 * @param {Element} node
 * @param {(share: number) => string} textOf called with the horizontal position, from 0 to 1 */
export function addTooltip(node, textOf) {
  const hide = () => (tooltip.hidden = true);
  const show = (/** @type {Event} */ event) => {
    const { clientX } = /** @type {PointerEvent} */ (event);
    const { left, top, width } = node.getBoundingClientRect();
    if (!tooltip.isConnected) document.body.append(tooltip);
    tooltip.textContent = textOf((clientX - left) / width);
    tooltip.hidden = false;
    Object.assign(tooltip.style, { left: `${clamp(clientX, 60, innerWidth - 60)}px`, top: `${top - 6}px` });
  };
  for (const name of /** @type {const} */ (["pointermove", "pointerdown"])) node.addEventListener(name, show);
  for (const name of /** @type {const} */ (["pointerleave", "pointercancel"])) node.addEventListener(name, hide);
}

/** A strip with a caption.
 * @param {string} part name by which paragraphs highlight it
 * @param {string} name @param {ArrayLike<number>} values @param {Theme} theme */
export const named = (part, name, values, theme) =>
  h(
    "figure",
    { class: "story-vector", "data-of": part },
    h("figcaption", {}, name),
    strip(values, { theme, label: name }),
  );
