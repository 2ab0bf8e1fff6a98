// What the article says and shows of a sentence, asked of the worker.

import { sceneOfTrace, tellingStep } from "../stage/scene.js";

/** @import { Desk } from "../desk/desk.js" */
/** @import { Trace } from "../types.js" */
/** @import { Found } from "./types.js" */

/**
 * @param {Trace} trace of the translation without changes
 * @param {{head: [number, number], runner: Desk["runner"], units: Found["units"]}} how the head that is followed, who
 *   computes, and what excites the hidden units
 * @returns {Promise<Found>}
 */
export async function compute(trace, { head, runner, units }) {
  const scene = sceneOfTrace(trace);
  const step = tellingStep(scene, head);
  const n = scene.source.ids.length;
  const row = [...scene.weightsOf(head[0], head[1]).subarray(step * n, (step + 1) * n)];
  const [key, other] = [...row.keys()].sort((a, b) => row[b] - row[a]);
  const layer = trace.about.config.n_encoder_layers - 1;
  const [inside, embedding, feedForward, { logits, pieces }] = await Promise.all([
    runner.inside(trace, { kind: "cross", layer: head[0], head: head[1] }, step),
    runner.embedding(trace, key),
    runner.feedForward(trace, layer, key),
    runner.logits(trace, step),
  ]);
  const at = { head, step, key, other };
  return { trace, at, inside, embedding, feedForward, logits, pieces, units };
}
