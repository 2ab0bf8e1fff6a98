// Greedy decoding, or sampling: a translation, every head's attention, and the candidates of each step.

import { endsInLoop, repeatsItself } from "./loops.js";
import { logSumExp } from "./maths.js";
import { draws } from "./random.js";
import { sampled } from "./sampling.js";

/** @import { Interventions } from "./edits.js" */
/** @import { Source, Tap, Transformer } from "./transformer.js" */

/**
 * @typedef {{source: Source, target: number[], nRead: number, logProbs: number[], isCut: boolean,
 *   candidates: {id: number, logProb: number}[][], encoderSelf: Float32Array, decoderSelf: Float32Array,
 *   cross: Float32Array}} Trace `nRead` tokens of the target are a decoder-only model's prompt
 */

/**
 * As `model.translate` does it: `source` ends with the end token, and the translation has at most 2 S + 16 tokens. One
 * that only repeats itself is ended, unless the source does so too. A decoder-only model goes on from a `source` that begins
 * with the start token; what it has read is then part of `target`.
 * @param {Transformer} model
 * @param {Source} source
 * @param {{edits?: Interventions, prefix?: number[], nCandidates?: number, temperature?: number, topK?: number, topP?: number, seed?: number,
 *   onStep?: (step: number, most: number) => void, tap?: Tap}} [options] a `temperature`
 *   above 0 draws each token by its probability at that temperature, among the `topK` best and those that reach `topP`,
 *   instead of taking the most probable one; the same seed draws the same tokens
 * @returns {Trace}
 */
export function translate(model, source, options = {}) {
  const {
    edits = {},
    prefix = [],
    nCandidates = 10,
    temperature = 0,
    topK = 0,
    topP = 1,
    seed = 1,
    onStep,
    tap,
  } = options;
  const { bos_id: bos, eos_id: eos, target_pad_id: pad, alone } = model.config;
  const ids = /** @type {number[]} */ (source);
  const prompt = alone ? ids.slice(1) : [];
  const given = [...prompt, ...prefix];
  const encoded = model.encode(source, edits, tap);
  const drawn = draws(seed);
  const past = model.begin();
  const limit = 2 * source.length + 16 + given.length;
  const mayLoop = repeatsItself(alone ? given : ids); // no strip of a picture is taken for another
  /** @type {number[]} */
  const target = [];
  /** @type {{said: number, own: Float32Array, cross: Float32Array, logProb: number, candidates: {id: number, logProb: number}[]}[]} */
  const steps = [];
  let isLooping = false;
  for (let fed = bos; steps.length < limit && !(fed === eos && steps.length >= prompt.length) && !isLooping;) {
    const { logits, own, cross } = model.step(fed, encoded, past, edits, tap);
    const total = logSumExp(logits);
    const best = topOf(logits, Math.max(2, nCandidates));
    const greedy = best[0] === pad ? best[1] : best[0];
    const free = temperature > 0 ? sampled(logits, { temperature, topK, topP }, drawn(), pad) : greedy;
    const isGiven = steps.length < given.length;
    const said = isGiven ? given[steps.length] : free;
    target.push(said);
    isLooping = !isGiven && !mayLoop && said !== eos && endsInLoop(target);
    const candidates = best.map((id) => ({ id, logProb: logits[id] - total }));
    steps.push({ said, own, cross, logProb: logits[said] - total, candidates });
    onStep?.(steps.length, limit);
    fed = said;
  }
  return {
    source: alone ? [] : source,
    target,
    nRead: prompt.length,
    logProbs: steps.map((step) => step.logProb),
    isCut: steps[steps.length - 1].said !== eos,
    candidates: steps.map((step) => step.candidates),
    encoderSelf: encoded.attention,
    decoderSelf: stacked(model, steps, "own", steps.length),
    cross: stacked(model, steps, "cross", encoded.length),
  };
}

/** Rows of single steps as maps (L, H, T, keys); keys that a step could not see yet get 0.
 * @param {Transformer} model @param {{own: Float32Array, cross: Float32Array}[]} steps @param {"own" | "cross"} part
 * @param {number} nKeys */
function stacked(model, steps, part, nKeys) {
  const heads = model.decoder.length * model.config.n_decoder_heads;
  const maps = new Float32Array(heads * steps.length * nKeys);
  steps.forEach((step, t) => {
    const width = step[part].length / heads;
    for (let head = 0; head < heads; head++)
      maps.set(step[part].subarray(head * width, (head + 1) * width), (head * steps.length + t) * nKeys);
  });
  return maps;
}

/** Ids of the n largest values, the largest first; of equal ones the lower id.
 * @param {Float32Array} values @param {number} n */
function topOf(values, n) {
  /** @type {number[]} */
  const best = [];
  for (let id = 0; id < values.length; id++) {
    if (best.length === n && values[id] <= values[best[n - 1]]) continue;
    let at = best.length;
    while (at > 0 && values[best[at - 1]] < values[id]) at--;
    best.splice(at, 0, id);
    if (best.length > n) best.pop();
  }
  return best;
}
