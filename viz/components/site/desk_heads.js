// The heads of the desk: the explorer with all of them and its options in links (viz/state/view_state.py), the open head, and
// the heads that are switched off.

import { afterPaint } from "../shared/dom.js";
import { findChanging, showMatters } from "./desk/matter.js";
import { clearestOf, sceneOfTrace } from "./stage/scene.js";
import { throwWithReload } from "./version.js";

/** @import { Action, Report, State } from "../attention/js/types" */
/** @import { Desk } from "./desk/desk.js" */
/** @import { Head, Off } from "./links/choices.js" */

/** Draw all heads.
 * @param {Desk} desk
 * @param {{isRestored?: boolean}} [how] whether the explorer takes its heads from the choices */
export async function exploreHeads(desk, { isRestored = false } = {}) {
  if (!desk.allHeads) {
    const { default: code } = await import("./all_heads.js").catch((failure) =>
      throwWithReload(desk.setup.words, failure),
    );
    if (!desk.allHeads) code.followDevice(() => desk.explorer);
    desk.allHeads = code;
    await afterPaint(); // parsing the code and drawing the heads in one task would delay the panel's animation
  }
  const { trace, setup, choices, allHeads } = desk;
  if (!trace || !setup.state) return; // the model has changed meanwhile
  const options = {
    strings: setup.explorer,
    palettes: setup.palettes,
    metrics: setup.metrics,
    state: { ...setup.state, ...lookOn(choices), kind: choices.kind, heads: headsOf(desk), pins: choices.pins },
    actions: ["switch_off", "matters"],
    showSentence: false, // it is on the stage
  };
  const packet = allHeads.packetOf(trace, trace.about, options, setup.words);
  if (!desk.explorer) await afterPaint(); // the packet and the explorer are built in two tasks
  if (desk.explorer) desk.explorer.load(packet, { state: isRestored ? packet.state : null });
  else {
    const send = {
      action: (/** @type {Action} */ { name }) =>
        name === "matters" ? findChanging(desk) : switchHead(desk, openHead(desk), desk.explorer?.state.heads),
      report: (/** @type {Report} */ { state }) => follow(desk, state),
    };
    desk.explorer = new allHeads.Explorer(desk.stage, send, packet, { state: packet.state, isGradual: true });
  }
  showMatters(desk);
}

/** Open a head in the explorer and in the link. @param {Desk} desk @param {string} kind @param {[number, number]} head */
export function chooseHead(desk, kind, head) {
  Object.assign(desk.choices, { kind, heads: [head] });
  desk.remember(desk.choices, false);
  const explored = /** @type {import("../engine/edits.js").Kind} */ (kind);
  desk.explorer?.update({ kind: explored, heads: [head] }, { isReported: false });
  if (desk.trace) desk.drawControls();
}

/** Take over the explorer's choices: the link names its heads, and the desk forces a row in the open one. */
function follow(/** @type {Desk} */ desk, /** @type {State} */ state) {
  const { kind, heads, pins } = state;
  const { link } = desk.setup;
  Object.assign(desk.choices, { kind, heads: heads.slice(0, 8), pins, look: link ? lookFrom(state, link) : {} });
  desk.remember(desk.choices, false);
  desk.drawControls();
  desk.page.drawn(desk);
  showMatters(desk);
}

/** The heads of the link; without any, the page's head, or the one with the most concentrated attention. */
function headsOf(/** @type {Desk} */ { choices, page, trace }) {
  if (choices.heads.length || !trace) return /** @type {import("./types.js").Place[]} */ (choices.heads);
  const chosen = page.head?.();
  if (chosen && choices.kind === trace.main) return [chosen];
  trace.clearest ??= clearestOf(sceneOfTrace(trace));
  return [trace.clearest];
}

/** The head that is open. @param {Desk} desk */
export function openHead(desk) {
  const { kind, heads } = desk.explorer?.state ?? { kind: desk.choices.kind, heads: headsOf(desk) };
  const [[layer, head]] = heads;
  return { kind, layer, head };
}

/** Switch a head off or on.
 * @param {Desk} desk @param {Head} place
 * @param {number[][]} [heads] the open heads */
export function switchHead(desk, { kind, layer, head }, heads = [[layer, head]]) {
  const isSame = (/** @type {Off} */ off) => off.kind === kind && off.layer === layer && off.head === head;
  const { off } = desk.choices;
  const others = off.filter((ablation) => !isSame(ablation));
  return desk.change({ kind, heads, off: others.length < off.length ? others : [...off, { kind, layer, head }] });
}

/** Drop the results and drawings of the previous model. @param {Desk} desk */
export function dropModel(desk) {
  Object.assign(desk, { about: null, plain: null, trace: null });
  desk.explorer?.reporter.cancel(); // its state names heads of the previous model
  desk.explorer?.destroy();
  desk.explorer = null;
  desk.controls.hidden = true;
  desk.chips.replaceChildren();
  desk.page.stage.view.same.textContent = "";
}

/** Fields of the explorer's state; their values were validated when the link was read.
 * @param {import("./links/choices.js").Choices} choices
 * @returns {Partial<State>} */
export const lookOn = ({ look }) =>
  /** @type {Partial<State>} */ (look.zoom ? { ...look, zoom: look.zoom.map(Number) } : look);

/** The options of the explorer's state that differ from their defaults. @param {State} state @param {import("./types.js").Schema} schema */
export function lookFrom(state, { look, fields }) {
  const values = look.map((name) => ({
    name,
    value: name === "zoom" ? (state.zoom ?? []).map(sixDigits) : state[name],
  }));
  const unusual = values.filter(
    ({ name, value }) => value !== undefined && JSON.stringify(value) !== JSON.stringify(fields[name].default),
  );
  return Object.fromEntries(unusual.map(({ name, value }) => [name, value]));
}

/** Six digits. @param {number} value */
const sixDigits = (value) => String(Number(value.toPrecision(6)));
