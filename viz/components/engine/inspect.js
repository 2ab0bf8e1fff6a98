// Parts of a pass that a page shows with their numbers: a token's embedding, one head at one step, a feed-forward network,
// and the logits of a step.

import { sinusoid } from "./maths.js";
import { activationsOf } from "./transformer.js";
import { translate } from "./translate.js";

/** @import { Interventions, Kind } from "./edits.js" */
/** @import { Source, Transformer } from "./transformer.js" */

/**
 * @typedef {object} Embedding
 * @property {Float32Array} row of the table (D)
 * @property {number} scale the row's factor
 * @property {Float32Array} position (D)
 * @property {Float32Array} sum the first layer's input (D)
 */

/**
 * @param {Transformer} model an encoder-decoder
 * @param {number} id
 * @param {number} place of the token in its text, from 0
 * @returns {Embedding}
 */
export function embeddingOf(model, id, place) {
  const { d_model: width, embedding_scale: scale, position_offset: offset } = model.config;
  const row = model.embedding.slice(id * width, (id + 1) * width);
  const position = sinusoid(place + offset, width);
  return { row, scale, position, sum: row.map((value, i) => value * scale + position[i]) };
}

/**
 * The tokens with the largest cosine similarity to a token in the embedding table, the largest first.
 * @param {Transformer} model
 * @param {number} id
 * @param {(id: number) => boolean} isShown excludes tokens
 * @param {number} n
 * @returns {{id: number, cosine: number}[]}
 */
export function neighboursOf({ embedding, config: { d_model: width } }, id, isShown, n) {
  const rowOf = (/** @type {number} */ token) => embedding.subarray(token * width, (token + 1) * width);
  const row = rowOf(id);
  const ids = Array.from({ length: embedding.length / width }, (_, token) => token);
  return ids
    .filter((token) => token !== id && isShown(token))
    .map((token) => {
      const other = rowOf(token);
      return { id: token, cosine: dot(row, other) / Math.sqrt(dot(row, row) * dot(other, other)) };
    })
    .sort((a, b) => b.cosine - a.cosine)
    .slice(0, n);
}

/** @param {Float32Array} a @param {Float32Array} b */
function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/**
 * @typedef {object} OneHead
 * @property {Float32Array} query (K)
 * @property {Float32Array} key (keys, K)
 * @property {Float32Array} value (keys, K)
 * @property {Float32Array} scores (keys), scaled
 * @property {Float32Array} weights (keys)
 * @property {Float32Array} mixed (K)
 */

/**
 * The computation of a head for one query, with a forced target.
 * @param {Transformer} model
 * @param {{source: Source, target: number[], edits: Interventions,
 *   head: {kind: Kind, layer: number, head: number}, query: number}} place
 * @returns {OneHead}
 */
export function oneHead(model, { source, target, edits, head: { kind, layer, head }, query }) {
  const isEncoder = kind === "encoder_self";
  const at = `${activationsOf(kind, layer)}.`;
  const nHeads = model.config[isEncoder ? "n_encoder_heads" : "n_decoder_heads"];
  /** Activations of the encoder's pass, or of each step of the decoder. @type {Record<string, Float32Array>[]} */
  const passes = [];
  const tap = (/** @type {string} */ name, /** @type {Float32Array} */ values) => {
    if (!name.startsWith(at)) return;
    const part = name.slice(at.length);
    if (part === "query") passes.push({}); // the first part
    passes[passes.length - 1][part] = values.slice();
  };
  translate(model, source, { edits, prefix: target, nCandidates: 2, tap });
  const pass = passes[isEncoder ? 0 : query];
  const row = isEncoder ? query : 0;
  const width = model.config.d_model;
  const size = width / nHeads;
  const nRows = pass.query.length / width;
  const nKeys = pass.scores.length / nHeads / nRows;
  const keyWidth = pass.key.length / nKeys; // less than `width` where heads share keys and values
  const keyHead = Math.floor((head * keyWidth) / width);
  const ofHead = (/** @type {Float32Array} */ all, /** @type {number} */ place) =>
    all.slice(place * width + head * size, place * width + (head + 1) * size);
  const rows = (/** @type {Float32Array} */ all) => {
    const joined = new Float32Array(nKeys * size);
    for (let key = 0; key < nKeys; key++) {
      const at = key * keyWidth + keyHead * size;
      joined.set(all.subarray(at, at + size), key * size);
    }
    return joined;
  };
  const line = (/** @type {Float32Array} */ all) =>
    all.slice((head * nRows + row) * nKeys, (head * nRows + row + 1) * nKeys);
  return {
    query: ofHead(pass.query, row),
    key: rows(pass.key),
    value: rows(pass.value),
    scores: line(pass.scores),
    weights: line(pass.weights),
    mixed: ofHead(pass.mixed, row),
  };
}

/**
 * @typedef {object} FeedForward
 * @property {Float32Array} before the residual stream, its input (D)
 * @property {Float32Array} hidden units after the ReLU (F)
 * @property {Float32Array} added its output (D)
 */

/** The feed-forward network of an encoder layer for one source token.
 * @param {Transformer} model @param {{source: number[], edits: Interventions, layer: number, place: number}} position
 * @returns {FeedForward} */
export function feedForwardOf(model, { source, edits, layer, place }) {
  /** @type {Record<string, Float32Array>} */
  const activations = {};
  const tap = (/** @type {string} */ name, /** @type {Float32Array} */ values) => {
    const [stack, index, ...part] = name.split(".");
    if (stack !== "encoder" || Number(index) !== layer) return;
    const width = values.length / source.length;
    activations[part.join(".")] = values.slice(place * width, (place + 1) * width);
  };
  model.encode(source, edits, tap);
  return {
    before: activations["residual.middle"],
    hidden: activations["feed_forward.hidden"],
    added: activations["feed_forward.output"],
  };
}

/** The logits (V) of the step after the first `step` tokens of a translation.
 * @param {Transformer} model @param {{source: number[], target: number[], edits: Interventions, step: number}} position */
export function logitsAt(model, { source, target, edits, step }) {
  const encoded = model.encode(source, edits);
  const cache = model.newCache();
  let { logits } = model.step(model.config.bos_id, encoded, cache, edits);
  for (const id of target.slice(0, step)) logits = model.step(id, encoded, cache, edits).logits;
  return logits;
}
