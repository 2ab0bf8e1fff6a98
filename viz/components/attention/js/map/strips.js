// The picture along the axis of a map whose keys are its strips.

import { penOf } from "../../../shared/dom.js";
import { tinted } from "../../../shared/pad/pad.js";
import { PICTURE_HEIGHT, STRIP } from "../../../shared/pad/picture.js";

/** @import { Painter, Theme, Units } from "../types" */
/** @import { Layout } from "./map.js" */

const TALLEST = 84; // pixels

/** @param {number} pitch width of a column */
export const pictureHeight = (pitch) => Math.ceil(Math.min(TALLEST, (pitch * PICTURE_HEIGHT) / STRIP));

/** @type {(painter: Painter, layout: Layout, keys: Units, theme: Theme, from: number, to: number) => void} */
export function paintStrips(painter, layout, { picture, strips }, theme, from, to) {
  if (!picture) return;
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: (to - from) * STRIP, height: PICTURE_HEIGHT });
  penOf(canvas).drawImage(tinted(picture, theme.ink), -strips[from] * STRIP, 0);
  const { pitchX, label, top } = layout;
  painter.image(canvas, layout.x(from), top - label - 3, pitchX * (to - from), label);
}

/** @type {(painter: Painter, layout: Layout, column: number, hue: string) => void} */
export function outlineStrip(painter, layout, column, hue) {
  const { pitchX, label, top } = layout;
  painter.rect(layout.x(column), top - label - 3, pitchX, label, { stroke: hue, lineWidth: 1.5, radius: 2 });
}
