// Which heads matter: each is switched off in turn, and the translation scored without it.

import { fill } from "../shared/text.js";
import { headAt, nameOf } from "./heads.js";

/**
 * Try every head in turn; the squares fill as the answers come.
 * @param {any} page
 */
export async function tryHeads(page) {
  const { heads, desk, t } = page;
  if (!desk?.about || !page.isLive) return desk?.waitFor();
  const { trace } = desk;
  const { scene } = page.stage;
  const plain = trace.logProbs.reduce((/** @type {number} */ sum, /** @type {number} */ each) => sum + each, 0);
  heads.effects = new Map();
  const total = scene.layers * scene.heads;
  for (let i = 0; i < total; i++) {
    const place = [Math.floor(i / scene.heads), i % scene.heads];
    const edits = { ...trace.edits, heads_off: [...(trace.edits.heads_off ?? []), headAt(place)] };
    const { logProb } = await desk.runner.score(trace, edits);
    if (desk.trace !== trace) return undefined;
    heads.effects.set(nameOf(place), logProb - plain);
    heads.note.textContent = fill(t.matter_running, { done: i + 1, total });
    page.drawHeads();
  }
  heads.note.textContent = t.matter_done;
  return undefined;
}
