// One step of one attention head: its query, all keys and values, scores, weights and result.

import { translate } from "./translate.js";

/** @import { Interventions, Kind } from "./edits.js" */
/** @import { Source, Transformer } from "./transformer.js" */

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
 * What a head computes for one query while a given translation is written.
 * @param {Transformer} model
 * @param {{source: Source, target: number[], edits: Interventions,
 *   head: {kind: Kind, layer: number, head: number}, query: number}} place
 * @returns {OneHead}
 */
export function oneHead(model, { source, target, edits, head: { kind, layer, head }, query }) {
  const [stack, part] =
    kind === "encoder_self" ? ["encoder", "self"] : ["decoder", kind === "cross" ? "cross" : "self"];
  const at = `${stack}.${layer}.${part}.`;
  const nHeads = model.config[stack === "encoder" ? "n_encoder_heads" : "n_decoder_heads"];
  /** @type {Record<string, Float32Array>[]} one for the encoder, one for each step of the decoder */
  const steps = [];
  /** @type {Record<string, Float32Array>} */
  let step = {};
  const tap = (/** @type {string} */ name, /** @type {Float32Array} */ values) => {
    if (!name.startsWith(at)) return;
    step[name.slice(at.length)] = values.slice();
    if (!name.endsWith(".mixed")) return; // the last of them
    steps.push(step);
    step = {};
  };
  translate(model, source, { edits, prefix: target, nCandidates: 2, tap });
  const found = steps[stack === "encoder" ? 0 : query];
  const row = stack === "encoder" ? query : 0;
  const width = model.config.d_model;
  const size = width / nHeads;
  const nRows = found.query.length / width;
  const nKeys = found.scores.length / nHeads / nRows;
  const keyWidth = found.key.length / nKeys; // less than `width` where heads share keys and values
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
    query: ofHead(found.query, row),
    key: rows(found.key),
    value: rows(found.value),
    scores: line(found.scores),
    weights: line(found.weights),
    mixed: ofHead(found.mixed, row),
  };
}
