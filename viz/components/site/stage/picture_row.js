// A picture where the words of a sentence stand: its strips are buttons, coloured by the weights of the step.

import { h } from "../../shared/dom.js";
import { fill } from "../../shared/text.js";
import { tinted } from "../../shared/pad/pad.js";
import { PICTURE_HEIGHT, PICTURE_WIDTH, STRIP, inkWidth } from "../../shared/pad/picture.js";

/** @import { Scene } from "./scene.js" */
/** @import { Stage } from "./stage.js" */

const EMPTY = 0.12; // width of a strip after the ink, in those of the others

/**
 * @param {Stage} stage
 * @param {Scene} scene of a picture
 */
export function pictureRow(stage, scene) {
  const picture = /** @type {Uint8Array} */ (scene.picture);
  const n = scene.source.ids.length;
  const inked = Math.min(n, Math.ceil(inkWidth(picture) / STRIP) + 1);
  const paper = h("canvas", { class: "stage-paper", "aria-hidden": "true" });
  const strips = scene.source.pieces.map((piece, place) =>
    h("button", {
      type: "button",
      class: `stage-strip${place < inked ? "" : " stage-empty"}`,
      "data-place": place,
      "data-name": `source ${place}`,
      "aria-label": fill(stage.t.strip, { text: piece }),
      tabindex: place ? -1 : 0,
      onclick: () => stage.pick("source", place),
    }),
  );
  const width = inked + EMPTY * (n - inked);
  const row = h("div", { class: "stage-picture" }, paper, ...strips);
  row.style.setProperty("--strips", String(width));
  row.style.setProperty("--inked", String(inked / width));
  Object.assign(paper, { width: inked * STRIP * 2, height: PICTURE_HEIGHT * 2 });
  const context = /** @type {CanvasRenderingContext2D} */ (paper.getContext("2d"));
  context.drawImage(tinted(picture, getComputedStyle(stage.root).color), 0, 0, 2 * PICTURE_WIDTH, 2 * PICTURE_HEIGHT);
  return row;
}

/**
 * The weights of the step, or of a chosen strip alone, as colour.
 * @param {Stage} stage
 * @param {Scene} scene
 */
export function colourStrips({ sourceRow, step, source, head, isOff }, scene) {
  const n = scene.source.ids.length;
  const weights = scene.weightsOf(...head).subarray(step * n, (step + 1) * n);
  for (const strip of /** @type {NodeListOf<HTMLElement>} */ (sourceRow.querySelectorAll("[data-place]"))) {
    const place = Number(strip.dataset.place);
    const weight = source === null ? weights[place] : Number(place === source);
    strip.style.setProperty("--weight", isOff ? "0" : String(Math.sqrt(weight)));
    strip.setAttribute("aria-pressed", String(place === source));
  }
}
