// A picture in patches, or a sound in frames, in place of the words of a sentence: its tokens lie on it as a grid.

import { focusedIn, h } from "../shared/dom.js";
import { keepOneStop } from "../shared/roving.js";

/** @import { Chip, Grid } from "./types" */

/** @type {(row: HTMLElement, tokens: Chip[], grid: Grid, reads: string) => void} */
export function fillGrid(row, tokens, { picture, height, width, rows, columns, before }, reads) {
  const focused = focusedIn(row);
  const at = focused && row.contains(focused) ? Number(focused.dataset.index) : null;
  const cells = tokens.map(({ text, title = "" }, index) => {
    const kind = index < before ? "apart" : "cell";
    const given = { class: `token ${kind}`, type: "button", "data-index": index, "aria-label": title, title };
    return h("button", given, index < before ? text : "");
  });
  const image = h("img", { src: picture, alt: "" });
  const cut = h("div", { class: "cells" }, ...cells.slice(before));
  cut.style.gridTemplate = `repeat(${rows}, minmax(0, 1fr)) / repeat(${columns}, minmax(0, 1fr))`;
  const holder = h("div", { class: `patches ${reads}` }, image, cut);
  holder.style.setProperty("--ratio", String(width / height));
  row.dir = "ltr";
  row.replaceChildren(h("div", { class: "grid-source", role: "listitem" }, ...cells.slice(0, before), holder));
  keepOneStop(row, ".token");
  if (at !== null) cells[at]?.focus();
}
