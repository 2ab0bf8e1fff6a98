// The pictures of the article's screens after the first.

import { h } from "../../shared/dom.js";
import { NARROW } from "./follow.js";

/** @import { ModelPlan } from "../levels/model_plan.js" */
/** @import { Story } from "./story.js" */
/** @import { Computed, Deferred } from "./types.js" */

/** The parts of the current screen's picture.
 * @param {Story} story @param {Deferred} deferred @param {Computed} computed @returns {Iterable<Element | null>} */
export function partsOfScreen({ screen, t, written, pieces, bars, choices }, deferred, computed) {
  const { trace, at } = computed;
  if (screen === "pieces" && pieces) {
    pieces.draw(trace, at.key);
    return [pieces.root];
  }
  if (screen === "next" && bars) {
    bars.draw({ ...computed, step: at.step }, choices);
    return [bars.root];
  }
  const around = { t, theme: deferred.themeOf(written.setup.palettes) };
  if (screen === "embedding") return deferred.drawEmbedding(computed, around);
  if (screen === "query") return deferred.drawHead(computed, around);
  if (screen === "softmax") return deferred.drawSoftmax(computed, around);
  if (screen === "units") return deferred.drawUnits(computed, around);
  return [];
}

/** The plan of the whole model, as on the page with the model. @param {Story} story */
export function planIn({ view, stage, written, language, t, desk, choices, Plan }) {
  const root = h("div", { class: "story-plan" });
  view.append(root);
  const site = { strings: { [language]: { overview: written.plan } } };
  const isBeside = window.matchMedia(NARROW).matches; // on a phone, with the text
  const page = { stage, site, language, t, desk, level: { places: [] }, isBeside, choices };
  const plan = new /** @type {typeof ModelPlan} */ (Plan)(root, page);
  plan.draw();
  return plan;
}
