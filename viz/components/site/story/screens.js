// The picture of each screen of the article, but for the first.

import { h } from "../../shared/dom.js";
import { NARROW } from "./follow.js";

/** @import { ModelPlan } from "../levels/model_plan.js" */
/** @import { Story } from "./story.js" */
/** @import { Found, Rest } from "./types.js" */

/** Its parts, for the screen that is read.
 * @param {Story} story @param {Rest} rest @param {Found} found @returns {Iterable<Element | null>} */
export function partsOfScreen({ screen, t, written, pieces, bars, choices }, rest, found) {
  const { trace, at } = found;
  if (screen === "pieces" && pieces) {
    pieces.draw(trace, at.key);
    return [pieces.root];
  }
  if (screen === "next" && bars) {
    bars.draw({ ...found, step: at.step }, choices);
    return [bars.root];
  }
  const around = { t, theme: rest.themeOf(written.setup.palettes) };
  if (screen === "embedding") return rest.drawEmbedding(found, around);
  if (screen === "query") return rest.drawHead(found, around);
  if (screen === "softmax") return rest.drawSoftmax(found, around);
  if (screen === "units") return rest.drawUnits(found, around);
  return [];
}

/** The whole model, as the page with the model shows it. @param {Story} story */
export function planIn({ view, stage, written, language, t, desk, choices, Plan }) {
  const root = h("div", { class: "story-plan" });
  view.append(root);
  const site = { strings: { [language]: { overview: written.plan } } };
  const isBeside = window.matchMedia(NARROW).matches; // the text, on a phone
  const page = { stage, site, language, t, desk, level: { places: [] }, isBeside, choices };
  const plan = new /** @type {typeof ModelPlan} */ (Plan)(root, page);
  plan.draw();
  return plan;
}
