// Builds the tokens of the sentence: words, strips of a written word, patches of a picture or frames of a sound.

import { h } from "../shared/dom.js";
import { pictureRow, tokenButton } from "../shared/stage/stage.js";

/** @import { Chip, Focus, Grid, Shade, Side } from "./types" */
/** @import { Ribbons } from "../shared/stage/types" */

const MAX_RIBBONS = 12; // to the patches of a picture, of which there may be hundreds
const RIBBON_WIDTH = 9; // pixels, of weight 1

/** @type {(side: Side, chips: Chip[]) => HTMLElement[]} */
export const wordItems = (side, chips) =>
  chips.map((chip, place) => h("div", { class: "item", role: "listitem" }, tokenButton("token", side, chip, place)));

/** A token that is a part of a picture.
 * @type {(name: string, text: string, title: string, place: number) => HTMLElement} */
const partOf = (name, text, title, place) =>
  tokenButton(`token ${name}`, "source", { text, title, label: title, continues: true, goes_on: true }, place);

/** @type {(chips: Chip[], picture: Uint8Array, strip: number, ink: string) => HTMLElement} */
export function stripsItem(chips, picture, strip, ink) {
  const strips = chips.map(({ title = "" }, place) => partOf("stage-strip", "", title, place));
  const row = pictureRow(picture, strips, strip, ink);
  row.setAttribute("role", "listitem");
  return row;
}

/** A picture or spectrogram with its tokens as cells on it.
 * @type {(chips: Chip[], grid: Grid, reads: string) => HTMLElement} */
export function gridItem(chips, { picture, height, width, rows, columns, before }, reads) {
  const cells = chips.map(({ text, title = "" }, place) =>
    place < before ? partOf("apart", text, title, place) : partOf("cell", "", title, place),
  );
  const gridTemplate = `repeat(${rows}, minmax(0, 1fr)) / repeat(${columns}, minmax(0, 1fr))`;
  const cut = h("div", { class: "cells", style: { gridTemplate } }, ...cells.slice(before));
  const attributes = { class: `patches ${reads}`, style: { "--ratio": width / height } };
  const holder = h("div", attributes, h("img", { src: picture, alt: "" }), cut);
  return h("div", { class: "grid-source", role: "listitem" }, ...cells.slice(0, before), holder);
}

/** @type {(focus: Focus) => number[]} */
export const indexesOf = (focus) => ("indexes" in focus ? focus.indexes : [focus.index]);

/** Set all but the largest MAX_RIBBONS weights to 0. @type {(weights: number[]) => number[]} */
function strongest(weights) {
  const threshold = [...weights].sort((a, b) => b - a)[Math.min(MAX_RIBBONS, weights.length) - 1];
  return weights.map((weight) => (weight >= threshold ? weight : 0));
}

/** Ribbons from the tokens in focus to the tokens of the other row, by the published weights.
 * @type {(shade: Shade, isGrid: boolean) => Ribbons[]} */
export function ribbonsOf({ focus, source, target }, isGrid) {
  const weightsOfRow = focus?.side === "target" ? source : target;
  if (!focus || !weightsOfRow?.length) return [];
  const weights = isGrid && focus.side === "target" ? strongest(weightsOfRow) : weightsOfRow;
  return indexesOf(focus).map((place) => ({ side: focus.side, place, weights, maxWidth: RIBBON_WIDTH }));
}
