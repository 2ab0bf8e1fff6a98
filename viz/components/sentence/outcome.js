// What stands under the translation: a change that is worth trying, and once something is changed what it did, with the
// ways on from there.

import { focusedIn, h } from "../shared/dom.js";
import { surprise } from "../shared/surprise.js";
import { fill } from "../shared/text.js";
import { verdict } from "../shared/verdict.js";
import { shareChange } from "./sharing.js";
import { open } from "./writing.js";

/** @import { Stage } from "./component.js" */
/** @import { Found } from "./types" */

/**
 * Draw it; what a screen reader is told of the change, or undefined where nothing is changed.
 * @param {Stage} stage
 * @returns {string | undefined}
 */
export function drawOutcome(stage) {
  const { outcome, data } = stage;
  const hadFocus = outcome.contains(focusedIn(outcome));
  const found = data.verdict && verdict(data.verdict.before, data.verdict.after, data.words);
  outcome.hidden = !found && !data.has_outcome;
  outcome.replaceChildren(...(found ? changed(stage, found.nodes) : [h("p", { class: "verdict" }), ...offered(stage)]));
  outcome.toggleAttribute("data-has-place", data.has_outcome);
  if (hadFocus) (outcome.querySelector("button") ?? stage.edit).focus({ preventScroll: true });
  return found?.said;
}

/**
 * The translation before and after in one line, and what can be done with it.
 * @param {Stage} stage
 * @param {Node[]} nodes
 */
function changed(stage, nodes) {
  const { data } = stage;
  const { words } = data;
  const line = h("p", { class: "verdict", lang: nodes.length > 1 ? data.target_language : data.language });
  line.append(...nodes);
  if (!data.has_outcome) return [line];
  const share = button("share", words.share_change, () => shareChange(stage, share));
  return [
    line,
    h(
      "div",
      { class: "ways" },
      button("undo", words.undo_change, () => stage.send("act", { name: "undo" })),
      share,
      button("own", words.try_own, () => open(stage)),
    ),
  ];
}

/**
 * "Switch off 2·1: te becomes vous", where that was measured for this sentence.
 * @param {Stage} stage
 */
function offered(stage) {
  const { data, send } = stage;
  if (!data.surprise) return [];
  const { text, changing } = stage.found?.of === data.surprise.of ? stage.found : data.surprise;
  const told = surprise(text, changing);
  if (!told) return [];
  const { layer, head, before, after } = told;
  const name = `${layer + data.surprise.first}·${head + data.surprise.first}`;
  const said = fill(data.words.surprise, { head: name, before, after });
  return [button("surprise", said, () => send("act", { name: "switch_off", layer, head }))];
}

/**
 * Offer what was measured while the page stands there; the offer has its place, so that nothing moves.
 * @param {Stage} stage
 * @param {Found | null} found
 */
export function offerFound(stage, found) {
  stage.found = found;
  const isAwaited = Boolean(stage.drawn && found && stage.data.surprise?.of === found.of);
  if (isAwaited && !stage.outcome.querySelector(".surprise")) drawOutcome(stage);
}

/** @type {(name: string, said: string, act: () => void) => HTMLElement} */
const button = (name, said, act) => h("button", { type: "button", class: `way ${name}`, onclick: act }, said);
