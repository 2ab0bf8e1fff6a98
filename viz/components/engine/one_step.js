// One step of a pass that a page shows with its numbers: a token's way through a feed-forward network, and the logits
// from which the next token is chosen.

/** @import { Interventions } from "./edits.js" */
/** @import { Transformer } from "./transformer.js" */

/**
 * @typedef {object} FeedForward
 * @property {Float32Array} before the residual stream that it reads (D)
 * @property {Float32Array} hidden units after the ReLU (F)
 * @property {Float32Array} added its output (D)
 */

/** What the feed-forward network of an encoder's layer does to one source token.
 * @param {Transformer} model @param {{source: number[], edits: Interventions, layer: number, place: number}} asked
 * @returns {FeedForward} */
export function feedForwardOf(model, { source, edits, layer, place }) {
  /** @type {Record<string, Float32Array>} */
  const found = {};
  const tap = (/** @type {string} */ name, /** @type {Float32Array} */ values) => {
    const [stack, index, ...part] = name.split(".");
    if (stack !== "encoder" || Number(index) !== layer) return;
    const width = values.length / source.length;
    found[part.join(".")] = values.slice(place * width, (place + 1) * width);
  };
  model.encode(source, edits, tap);
  return {
    before: found["residual.middle"],
    hidden: found["feed_forward.hidden"],
    added: found["feed_forward.output"],
  };
}

/** The logits (V) of the step that follows so many tokens of a translation.
 * @param {Transformer} model @param {{source: number[], target: number[], edits: Interventions, step: number}} asked */
export function logitsAt(model, { source, target, edits, step }) {
  const encoded = model.encode(source, edits);
  const past = model.begin();
  let { logits } = model.step(model.config.bos_id, encoded, past, edits);
  for (const said of target.slice(0, step)) logits = model.step(said, encoded, past, edits).logits;
  return logits;
}
