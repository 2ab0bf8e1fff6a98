// Greedy decoding or sampling, with every head's attention and the candidates of each step; and repetition loops, as
// model/decoding/loops.py finds them.

import { logSumExp } from "./maths.js";
import { draws } from "./random.js";
import { sampleToken } from "./sampling.js";

/** @import { Interventions } from "./edits.js" */
/** @import { Source, Tap, Transformer } from "./transformer.js" */

/** How often a unit of n tokens is repeated in a loop at least, from n = 1. */
const MIN_REPETITIONS = [6, 5, 4, 4, 4, 4, 3, 3, 3, 3];

/**
 * @typedef {{source: Source, target: number[], nRead: number, logProbs: number[], isCut: boolean,
 *   candidates: {id: number, logProb: number}[][], encoderSelf: Float32Array, decoderSelf: Float32Array,
 *   cross: Float32Array}} Trace the first `nRead` tokens of the target are a decoder-only model's prompt
 */

/**
 * As `model.translate`: `source` ends with the end token, and the translation has at most 2 S + 16 tokens. A repetition loop
 * ends it, unless the source has one. A decoder-only model continues a `source` that begins with the start token; the rest of
 * the source is then part of `target`.
 * @param {Transformer} model
 * @param {Source} source
 * @param {{edits?: Interventions, prefix?: number[], nCandidates?: number, temperature?: number, topK?: number,
 *   topP?: number, seed?: number, onStep?: (step: number, limit: number) => void, tap?: Tap}} [options] with a
 *   `temperature` above 0 tokens are sampled, after top-k and top-p; the same seed draws the same tokens
 * @returns {Trace}
 */
export function translate(model, source, options = {}) {
  const { edits = {}, prefix = [], nCandidates = 10, seed = 1, onStep, tap, ...sampling } = options;
  const { bos_id: bos, eos_id: eos, target_pad_id: pad, alone } = model.config;
  const ids = /** @type {number[]} */ (source);
  const prompt = alone ? ids.slice(1) : [];
  const forced = [...prompt, ...prefix];
  const encoded = model.encode(source, edits, tap);
  const random = draws(seed);
  const cache = model.newCache();
  const limit = 2 * source.length + 16 + forced.length;
  const mayLoop = hasRepetition(alone ? forced : ids); // strips of a picture are compared by identity, so never equal
  /** @type {number[]} */
  const target = [];
  /** @type {{self: Float32Array, cross: Float32Array, logProb: number, candidates: {id: number, logProb: number}[]}[]} */
  const steps = [];
  let isLooping = false;
  for (let input = bos; steps.length < limit && !(input === eos && steps.length >= prompt.length) && !isLooping;) {
    const { logits, self, cross } = model.step(input, encoded, cache, edits, tap);
    const total = logSumExp(logits);
    const best = topOf(logits, Math.max(2, nCandidates));
    const greedy = best[0] === pad ? best[1] : best[0];
    const predicted = (sampling.temperature ?? 0) > 0 ? sampleToken(logits, sampling, random(), pad) : greedy;
    const isForced = steps.length < forced.length;
    const id = isForced ? forced[steps.length] : predicted;
    target.push(id);
    isLooping = !isForced && !mayLoop && id !== eos && finalLoop(target) !== null;
    const candidates = best.map((id) => ({ id, logProb: logits[id] - total }));
    steps.push({ self, cross, logProb: logits[id] - total, candidates });
    onStep?.(steps.length, limit);
    input = id;
  }
  return {
    source: alone ? [] : source,
    target,
    nRead: prompt.length,
    logProbs: steps.map((step) => step.logProb),
    isCut: target[target.length - 1] !== eos,
    candidates: steps.map((step) => step.candidates),
    encoderSelf: encoded.attention,
    decoderSelf: stackSteps(model, steps, "self", steps.length),
    cross: stackSteps(model, steps, "cross", encoded.length),
  };
}

/** The rows of all steps as maps (L, H, T, keys); keys after a step get 0.
 * @param {Transformer} model @param {{self: Float32Array, cross: Float32Array}[]} steps @param {"self" | "cross"} part
 * @param {number} nKeys */
function stackSteps(model, steps, part, nKeys) {
  const heads = model.decoder.length * model.config.n_decoder_heads;
  const maps = new Float32Array(heads * steps.length * nKeys);
  steps.forEach((step, t) => {
    const width = step[part].length / heads;
    for (let head = 0; head < heads; head++)
      maps.set(step[part].subarray(head * width, (head + 1) * width), (head * steps.length + t) * nKeys);
  });
  return maps;
}

/** Ids of the n largest values in descending order; the lower id first among equal values.
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

/** The loop at the end of a sequence, with its shortest unit; null without one.
 * @param {number[]} ids @returns {{start: number, period: number} | null} */
export function finalLoop(ids) {
  for (const [index, minimum] of MIN_REPETITIONS.entries()) {
    const period = index + 1;
    let run = 0;
    for (let i = ids.length - 1; i >= period && ids[i] === ids[i - period]; i--) run += 1;
    const times = Math.floor(run / period) + 1;
    if (ids.length > period && times >= minimum) return { start: ids.length - times * period, period };
  }
  return null;
}

/** Whether a unit is repeated three times in a row, anywhere; then a translation may repeat one too. @param {number[]} ids */
function hasRepetition(ids) {
  return MIN_REPETITIONS.some((_, index) => {
    const period = index + 1;
    let run = 0;
    for (let i = period; i < ids.length; i++) {
      run = ids[i] === ids[i - period] ? run + 1 : 0;
      if (run >= 2 * period) return true;
    }
    return false;
  });
}
