// Draws the picture whose strips are tokens: along the axis of a map, or as a row of the lines view.

import { context2d } from "../../../shared/dom.js";
import { tinted } from "../../../shared/pad/pad.js";
import { PICTURE_HEIGHT } from "../../../shared/pad/picture.js";

/** @import { Box, Painter, Theme, Units } from "../types" */
/** @import { Layout } from "./map.js" */

const MAX_PICTURE_HEIGHT = 84; // pixels

/** @param {number} pitch width of a column @param {number} strip width of a strip in the picture, pixels */
export const pictureHeight = (pitch, strip) =>
  Math.ceil(Math.min(MAX_PICTURE_HEIGHT, (pitch * PICTURE_HEIGHT) / strip));

/** The picture above the columns of a map.
 * @type {(painter: Painter, layout: Layout, keys: Units, theme: Theme, from: number, to: number) => void} */
export function paintStrips(painter, layout, keys, theme, from, to) {
  const { pitchX, label, top } = layout;
  paintPart(painter, keys, theme, from, to, [layout.x(from), top - label - 3, pitchX * (to - from), label]);
}

/** Some of the strips, in a box.
 * @type {(painter: Painter, units: Units, theme: Theme, from: number, to: number, box: Box) => void} */
export function paintPart(painter, { picture, strips, strip }, theme, from, to, box) {
  if (!picture) return;
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: (to - from) * strip, height: PICTURE_HEIGHT });
  context2d(canvas).drawImage(tinted(picture, theme.ink), -strips[from] * strip, 0);
  painter.image(canvas, ...box);
}

/** @type {(painter: Painter, layout: Layout, column: number, hue: string) => void} */
export function outlineStrip(painter, layout, column, hue) {
  const { pitchX, label, top } = layout;
  painter.rect(layout.x(column), top - label - 3, pitchX, label, { stroke: hue, lineWidth: 1.5, radius: 2 });
}
