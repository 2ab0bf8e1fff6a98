// A picture in place of the words of a sentence: its strips are tokens, as narrow as they are cut.

import { focusedIn, h } from "../shared/dom.js";
import { keepOneStop } from "../shared/roving.js";
import { tinted } from "../shared/pad/pad.js";
import { PICTURE_HEIGHT, PICTURE_WIDTH, STRIP, inkWidth } from "../shared/pad/picture.js";

/** @import { Chip } from "./types" */

const EMPTY = 0.12; // width of a strip after the ink, in those of the others
const SHARPNESS = 3;

/** @type {(row: HTMLElement, tokens: Chip[], picture: Uint8Array) => void} */
export function fillPicture(row, tokens, picture) {
  const focused = focusedIn(row);
  const at = focused && row.contains(focused) ? Number(focused.dataset.index) : null;
  const inked = Math.min(tokens.length, Math.ceil(inkWidth(picture) / STRIP) + 1);
  const paper = h("canvas", { class: "paper", "aria-hidden": "true" });
  Object.assign(paper, { width: inked * STRIP * SHARPNESS, height: PICTURE_HEIGHT * SHARPNESS });
  const context = /** @type {CanvasRenderingContext2D} */ (paper.getContext("2d"));
  const size = [SHARPNESS * PICTURE_WIDTH, SHARPNESS * PICTURE_HEIGHT];
  context.drawImage(tinted(picture, getComputedStyle(row).color), 0, 0, size[0], size[1]);
  const width = inked + EMPTY * (tokens.length - inked);
  const strips = tokens.map(({ title = "" }, index) =>
    h("button", {
      class: `token strip${index < inked ? "" : " empty"}`,
      type: "button",
      "data-index": index,
      "aria-label": title,
      title,
    }),
  );
  const holder = h("div", { class: "picture", role: "listitem" }, paper, ...strips);
  holder.style.setProperty("--strips", String(width));
  holder.style.setProperty("--inked", String(inked / width));
  row.dir = "ltr";
  row.replaceChildren(holder);
  keepOneStop(row, ".token");
  if (at !== null) strips[at]?.focus();
}
