// Which heads matter: each is switched off in turn. On the stage the translation is scored without it; in the explorer the
// sentence is translated without it, as in the application.

import { fill } from "../../shared/text.js";
import { headAt, nameOf, prefixOf } from "../links/choices.js";
import { worthOf } from "../stage/worth.js";

/** @import { Trace } from "../types.js" */
/** @import { Page } from "../page.js" */
/** @import { Desk } from "./desk.js" */

const TRIED = 6; // heads without which the sentence is translated again

/** Try every head in turn; the squares fill as the answers come. Asked again before the last answer, it stops.
 * @param {Page} page */
export async function tryHeads(page) {
  const { heads, desk } = page;
  const trace = page.isLive ? desk?.trace : null;
  if (!desk || !trace) return desk?.waitFor();
  if (heads.trying?.trace === trace) return stop(page);
  const run = { trace };
  heads.tries(run);
  const isWanted = () => heads.trying === run && desk.trace === trace;
  try {
    await tryEach(page, desk, trace, isWanted);
    if (isWanted()) heads.note.textContent = page.t.matter_done;
    if (isWanted()) await findWorth(page, desk, trace, isWanted);
  } catch {
    if (isWanted()) heads.note.textContent = page.t.failed_again;
  }
  if (heads.trying === run) heads.tries(null);
  return undefined;
}

/** A part of the heads says nothing about which of them matter. @param {Page} page */
function stop(page) {
  page.heads.tries(null);
  page.heads.forget();
  page.drawHeads();
}

/** @param {Page} page @param {Desk} desk @param {Trace} trace
 * @param {() => boolean} isWanted whether the translation is still on screen and the reader has not stopped it */
async function tryEach(page, desk, trace, isWanted) {
  const { heads } = page;
  const scene = /** @type {import("../stage/scene.js").Scene} */ (page.stage.scene); // it is live
  const plain = trace.logProbs.reduce((/** @type {number} */ sum, /** @type {number} */ each) => sum + each, 0);
  heads.effects = new Map();
  const total = scene.layers * scene.heads;
  for (let i = 0; i < total; i++) {
    const place = [Math.floor(i / scene.heads), i % scene.heads];
    const edits = { ...trace.edits, heads_off: [...(trace.edits.heads_off ?? []), headAt(place, trace.main)] };
    const { logProb } = await desk.runner.score(trace, edits);
    if (!isWanted()) return;
    heads.effects.set(nameOf(place), logProb - plain);
    heads.note.textContent = fill(page.t.matter_running, { done: i + 1, total });
    page.drawHeads();
  }
}

/** Translate without the heads that matter most, until one of them changes words: that change is offered.
 * @param {Page} page @param {Desk} desk @param {Trace} trace @param {() => boolean} isWanted */
async function findWorth(page, desk, trace, isWanted) {
  const { heads } = page;
  if (desk.plain !== trace) return; // something else is changed
  const { text, about } = trace;
  const best = [...heads.effects].sort((a, b) => a[1] - b[1]).slice(0, TRIED);
  for (const [name] of best) {
    const [layer, head] = name.split(".").map(Number);
    const without = await desk.runner.translate(text, { heads_off: [headAt([layer, head], trace.main)] }, [], {
      isQuiet: true,
    });
    if (!isWanted()) return;
    const worth = worthOf(trace, [layer, head], without);
    if (!worth) continue;
    page.found = { text, model: about.name, worth };
    page.drawWays();
    page.drawHeads();
    return;
  }
}

/** What the explorer is told of the heads of the kind that it shows. @param {Desk} desk */
export function showMatters({ explorer, trace }) {
  if (!explorer || !trace) return undefined; // it is being made anew, in another language
  const { kind } = explorer.state;
  trace.matters ??= {};
  trace.matters[kind] ??= {
    kind,
    isAsked: false,
    isQuiet: false,
    isSlow: true, // nothing is measured unasked
    done: 0,
    layers: explorer.view.kinds.get(kind)?.layers ?? 0,
    text: trace.translation,
    changing: [],
  };
  explorer.matters = trace.matters[kind];
  if (explorer.isBegun) explorer.parts.grid.matters.show(); // its first drawing ends with it
  return explorer.matters;
}

/** Translate the sentence without each head of the kind that is shown; the heads that change it get a ring as they are
 * found.
 * @param {Desk} desk */
export async function findChanging(desk) {
  const { trace } = desk;
  const found = showMatters(desk);
  if (!trace || !found || found.isAsked) return;
  try {
    await findEach(desk, trace, found);
  } catch {
    if (desk.trace !== trace) return;
    desk.say(desk.t.failed_again);
    found.isAsked = false;
    if (desk.explorer?.state.kind === found.kind) showMatters(desk);
  }
}

/** @param {Desk} desk @param {Trace} trace
 * @param {import("../../attention/js/matters.js").Measured} found what is known of the heads of one kind */
async function findEach(desk, trace, found) {
  const { explorer, runner, choices } = desk;
  const { kind } = found;
  const heads = explorer?.view.kinds.get(kind)?.heads ?? 0;
  const given = prefixOf(choices, trace.about.config);
  found.isAsked = true;
  for (let i = 0; i < found.layers * heads; i++) {
    const place = { kind, layer: Math.floor(i / heads), head: i % heads };
    const edits = { ...trace.edits, heads_off: [...(trace.edits.heads_off ?? []), place] };
    const { translation } = await runner.translate(trace.text, edits, given, { ...choices, isQuiet: true });
    if (desk.trace !== trace) return;
    if (translation !== trace.translation) found.changing.push([place.layer, place.head, translation]);
    found.done = Math.floor((i + 1) / heads);
    if (found.done === found.layers) found.isAsked = false;
    if (desk.explorer?.state.kind === kind) showMatters(desk);
  }
}
