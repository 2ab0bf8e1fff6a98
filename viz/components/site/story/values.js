// The words and numbers of the article for one sentence, by the names of viz/export/story_values.py.

import { formatFixed, language, percent, spoken } from "../../shared/text.js";
import { clearestStep, sceneOfTrace, weightsAt } from "../stage/scene.js";

/** @import { Desk } from "../desk/desk.js" */
/** @import { Trace } from "../types.js" */
/** @import { Computed } from "./types.js" */

/**
 * @typedef {object} Units statistics of the hidden units of the last encoder layer
 * @property {number} n_sentences
 * @property {number} n_tokens
 * @property {number[]} shares of the tokens at which each unit was above zero
 * @property {string[]} words at which each unit was largest, separated by spaces
 */

/**
 * @typedef {object} Results the results for a sentence
 * @property {import("../types.js").Trace} trace of the translation without changes
 * @property {{head: [number, number], step: number, key: number, other: number}} at the article's head and step, and its two
 *   largest keys
 * @property {import("../../engine/inspect.js").OneHead} inside
 * @property {import("../../engine/inspect.js").Embedding & {neighbours: {piece: string, cosine: number}[]}} embedding
 * @property {import("../../engine/inspect.js").FeedForward} feedForward
 * @property {Units | null} units
 */

const TOP = 5;
const NEAR = 3;

/** @param {Computed} computed
 * @param {Record<string, string>} t names of special tokens
 * @returns {Record<string, string>} */
export function valuesOf(computed, t) {
  return {
    ...ofSentence(computed),
    ...ofEmbedding(computed, t),
    ...ofHead(computed, t),
    ...ofUnits(computed),
    ...ofNext(computed, t),
  };
}

/** @param {number} value */
const whole = (value) => formatFixed(value, 0);

/** @param {number} value */
const two = (value) => {
  const text = formatFixed(value, 2);
  return /[1-9]/.test(text) ? text : text.replace("−", "");
};

/** @param {Computed} computed */
function ofSentence({ trace }) {
  const { config, nParameters } = trace.about;
  const { n_encoder_layers: encoder, n_decoder_layers: decoder } = config;
  return {
    sentence: trace.text,
    translation: trace.translation,
    parameters: language() === "zh" ? formatFixed(nParameters / 1e4, 0) : formatFixed(nParameters / 1e6, 1), // in Chinese in units of 万 (10,000)
    probability: percent(
      Math.exp(trace.logProbs.reduce((/** @type {number} */ sum, /** @type {number} */ x) => sum + x)),
    ),
    n_target: whole(trace.target.ids.length),
    n_source: whole(trace.read.length),
    vocabulary: whole(config.target_vocab_size),
    width: whole(config.d_model),
    n_encoder: whole(encoder),
    n_decoder: whole(decoder),
    n_heads: whole(config.n_decoder_heads),
    n_all: whole(encoder * config.n_encoder_heads + 2 * decoder * config.n_decoder_heads),
    handed: whole(trace.read.length * config.d_model),
  };
}

/** @param {Computed} computed @param {Record<string, string>} t */
function ofEmbedding({ trace, at, embedding }, t) {
  const { row, scale, position, sum, neighbours } = embedding;
  /** @type {Record<string, string>} */
  const near = {};
  neighbours.slice(0, NEAR).forEach(({ piece, cosine }, rank) => {
    near[`near_${rank + 1}`] = spoken(piece, t);
    near[`cos_${rank + 1}`] = two(cosine);
  });
  return {
    word: spoken(trace.source.pieces[at.key], t),
    word_id: String(trace.read[at.key]),
    place: whole(at.key),
    scale: whole(scale),
    row_0: two(row[0] * scale),
    position_0: two(position[0]),
    sum_0: two(sum[0]),
    ...near,
  };
}

/** @param {Computed} computed @param {Record<string, string>} t */
function ofHead({ trace, at, inside }, t) {
  const k = inside.query.length;
  const [score, other] = [at.key, at.other].map((key) => inside.scores[key]);
  return {
    layer: whole(at.head[0]),
    head: whole(at.head[1]),
    said: spoken(trace.target.pieces[at.step], t),
    other: spoken(trace.source.pieces[at.other], t),
    k: whole(k),
    root: two(Math.sqrt(k)),
    raw: two(score * Math.sqrt(k)),
    score: two(score),
    other_score: two(other),
    weight: percent(inside.weights[at.key]),
    other_weight: percent(inside.weights[at.other]),
    gap: two(score - other),
    ratio: formatFixed(Math.exp(score - other), 1),
    value_0: two(inside.value[at.key * k]),
    mixed_0: two(inside.mixed[0]),
  };
}

/** @param {Float32Array} vector */
const normOf = (vector) => Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0));

/** @param {Computed} computed */
function ofUnits({ trace, feedForward: { before, hidden, added }, units }) {
  const unit = strongestOf(hidden, 1)[0];
  const { d_model: width, d_feed_forward: inner } = trace.about.config;
  const network = 2 * width * inner + inner + width;
  const layer = network + 4 * (width * width + width) + 2 * 2 * width; // with attention and two layer norms
  return {
    hidden: whole(hidden.length),
    active: whole(hidden.filter((x) => x > 0).length),
    unit: String(unit),
    unit_value: two(hidden[unit]),
    length_before: two(normOf(before)),
    length_added: two(normOf(added)),
    ff_share: percent(network / layer),
    ...(units && {
      n_sentences: whole(units.n_sentences),
      unit_share: percent(units.shares[unit]),
      unit_words: units.words[unit].replaceAll(" ", ", "),
    }),
  };
}

/** The indexes of the n largest values. @param {Float32Array} values @param {number} n */
export const strongestOf = (values, n) =>
  Array.from(values.keys())
    .sort((a, b) => values[b] - values[a])
    .slice(0, n);

/** @param {Computed} computed @param {Record<string, string>} t */
function ofNext({ trace, at: { step } }, t) {
  const chosen = trace.target.ids[step];
  const candidates = trace.candidates[step];
  const second = candidates.find(({ id }) => id !== chosen);
  const best = candidates.slice(0, TOP).reduce((sum, { logProb }) => sum + Math.exp(logProb), 0);
  return {
    p_said: percent(Math.exp(trace.logProbs[step])),
    second: spoken(second?.piece ?? "", t),
    p_second: percent(Math.exp(second?.logProb ?? -Infinity)),
    p_five: percent(best),
    p_end: percent(Math.exp(trace.logProbs.at(-1) ?? -Infinity)),
  };
}

/**
 * @param {Trace} trace of the translation without changes
 * @param {{head: [number, number], runner: Desk["runner"], units: Computed["units"]}} how `head` is the article's
 * @returns {Promise<Computed>}
 */
export async function compute(trace, { head, runner, units }) {
  const scene = sceneOfTrace(trace);
  const step = clearestStep(scene, head);
  const row = [...weightsAt(scene, head, step)];
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
