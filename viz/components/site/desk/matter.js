// Measures which heads matter by switching off each in turn. For the stage's squares the translation is scored without the
// head; for the explorer the sentence is translated without it, as in the application.

import { fill } from "../../shared/text.js";
import { headAt, nameOf, prefixOf } from "../links/choices.js";
import { offerOf } from "../stage/shown.js";

/** @import { Trace } from "../types.js" */
/** @import { Page } from "../page.js" */
/** @import { Desk } from "./desk.js" */

const MAX_TRANSLATED = 6; // heads without which the sentence is translated, to find an offer

/** Measure every head and fill its square; a second call stops the measurement.
 * @param {Page} page */
export async function toggleMeasurement(page) {
  const { heads, desk } = page;
  const trace = page.isLive ? desk?.trace : null;
  if (!desk || !trace) return desk?.sayNoModel();
  if (heads.run?.trace === trace) return stop(page);
  const run = { trace };
  heads.setRun(run);
  const isWanted = () => heads.run === run && desk.trace === trace;
  try {
    await scoreHeads(page, desk, trace, isWanted);
    if (isWanted()) heads.note.textContent = page.t.matter_done;
    if (isWanted()) await findOffer(page, desk, trace, isWanted);
  } catch {
    if (isWanted()) heads.note.textContent = page.t.failed_again;
  }
  if (heads.run === run) heads.setRun(null);
  return undefined;
}

/** Stop, and drop the incomplete effects. @param {Page} page */
function stop(page) {
  page.heads.setRun(null);
  page.heads.clearEffects();
  page.drawHeads();
}

/** @param {Page} page @param {Desk} desk @param {Trace} trace
 * @param {() => boolean} isWanted false after another translation or a stop */
async function scoreHeads(page, desk, trace, isWanted) {
  const { heads } = page;
  const scene = /** @type {import("../stage/scene.js").Scene} */ (page.stage.scene); // it is live
  const plain = trace.logProbs.reduce((/** @type {number} */ sum, /** @type {number} */ logProb) => sum + logProb, 0);
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

/** Translate without the heads that matter most, until one of them changes words, and offer it.
 * @param {Page} page @param {Desk} desk @param {Trace} trace @param {() => boolean} isWanted */
async function findOffer(page, desk, trace, isWanted) {
  const { heads } = page;
  if (desk.plain !== trace) return; // other changes are active
  const { text, about } = trace;
  const best = [...heads.effects].sort((a, b) => a[1] - b[1]).slice(0, MAX_TRANSLATED);
  for (const [name] of best) {
    const [layer, head] = name.split(".").map(Number);
    const ablated = await desk.runner.translate(text, { heads_off: [headAt([layer, head], trace.main)] }, [], {
      isQuiet: true,
    });
    if (!isWanted()) return;
    const offer = offerOf(trace, [layer, head], ablated);
    if (!offer) continue;
    page.measuredOffer = { text, model: about.name, offer };
    page.drawActions();
    page.drawHeads();
    return;
  }
}

/** Hand the explorer the measurement of the kind of attention that it shows. @param {Desk} desk */
export function showMatters({ explorer, trace }) {
  if (!explorer || !trace) return undefined; // it is being rebuilt in another language
  const { kind } = explorer.state;
  trace.matters ??= {};
  trace.matters[kind] ??= {
    kind,
    isAsked: false,
    isQuiet: false,
    isSlow: true, // measured only on request
    done: 0,
    layers: explorer.view.kinds.get(kind)?.layers ?? 0,
    text: trace.translation,
    changing: [],
  };
  explorer.matters = trace.matters[kind];
  if (explorer.isBegun) explorer.parts.grid.matters.show(); // its first drawing calls show() itself
  return explorer.matters;
}

/** Translate the sentence without each head of the explorer's kind of attention; heads that change it get a ring.
 * @param {Desk} desk */
export async function findChanging(desk) {
  const { trace } = desk;
  const measured = showMatters(desk);
  if (!trace || !measured || measured.isAsked) return;
  try {
    await translateWithoutEach(desk, trace, measured);
  } catch {
    if (desk.trace !== trace) return;
    desk.say(desk.t.failed_again);
    measured.isAsked = false;
    if (desk.explorer?.state.kind === measured.kind) showMatters(desk);
  }
}

/** @param {Desk} desk @param {Trace} trace
 * @param {import("../../attention/js/matters.js").Measured} measured updated in place */
async function translateWithoutEach(desk, trace, measured) {
  const { explorer, runner, choices } = desk;
  const { kind } = measured;
  const heads = explorer?.view.kinds.get(kind)?.heads ?? 0;
  const prefix = prefixOf(choices, trace.about.config);
  measured.isAsked = true;
  for (let i = 0; i < measured.layers * heads; i++) {
    const place = { kind, layer: Math.floor(i / heads), head: i % heads };
    const edits = { ...trace.edits, heads_off: [...(trace.edits.heads_off ?? []), place] };
    const { translation } = await runner.translate(trace.text, edits, prefix, { ...choices, isQuiet: true });
    if (desk.trace !== trace) return;
    if (translation !== trace.translation) measured.changing.push([place.layer, place.head, translation]);
    measured.done = Math.floor((i + 1) / heads);
    if (measured.done === measured.layers) measured.isAsked = false;
    if (desk.explorer?.state.kind === kind) showMatters(desk);
  }
}
