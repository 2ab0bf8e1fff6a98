// The ribbons of the stage.

import { css, parseColour } from "../../shared/colour.js";
import { sizedContext } from "../../shared/dom.js";
import { drawRibbons, jointsOf } from "../../shared/ribbons.js";
import { isSpecial } from "../../shared/text.js";

/**
 * Draw the ribbons for this moment.
 * @param {import("./stage.js").Stage} stage
 * @param {number} share of their way that the step's ribbons have grown
 */
export function drawStage(stage, share) {
  const { scene } = stage;
  if (!scene || !stage.sentence.clientWidth) return;
  stage.joints ??= measured(stage);
  const { above, below, width, height, colour } = stage.joints;
  const { source } = stage;
  const context = sizedContext(stage.canvas, width, height);
  const weights = scene.weightsOf(...stage.head);
  const n = scene.source.ids.length;
  const rowOf = (/** @type {number} */ place) => weights.subarray(place * n, (place + 1) * n);
  if (source !== null) {
    below.forEach((to, place) => {
      const row = new Float32Array(n);
      row[source] = weights[place * n + source];
      if (to) drawRibbons(context, { from: above, to, weights: row, colour });
    });
    return;
  }
  below.forEach((to, place) => {
    if (to && place !== stage.step && place < stage.written && !isSpecial(scene.target.pieces[place]))
      drawRibbons(context, { from: above, to, weights: rowOf(place), colour, ink: 0.3, widest: 12 });
  });
  if (!below[stage.step]) return;
  drawRibbons(context, { from: above, to: below[stage.step], weights: rowOf(stage.step), colour, share: eased(share) });
}

/**
 * What drawing needs to know of the page; reading it at every frame would lay the page out each time.
 * @param {import("./stage.js").Stage} stage
 */
export function measured(stage) {
  const { width, height } = stage.sentence.getBoundingClientRect();
  const colour = css(parseColour(getComputedStyle(stage.root).getPropertyValue(stage.isOff ? "--line" : "--cross")));
  return {
    width,
    height,
    colour,
    above: jointsOf(stage.sentence, stage.sourceRow, "[data-place]", "bottom"),
    below: jointsOf(stage.sentence, stage.targetRow, "[data-place]", "top"),
  };
}

/** @param {number} share */
const eased = (share) => 1 - (1 - share) ** 3;
