// A model as the page runs it, from the files that were fetched.

import { Characters } from "./characters.js";
import { Kernel } from "./kernel.js";
import { Tokenizer } from "./tokenizer.js";
import { Transformer } from "./transformer.js";
import { countFloats, readWeights } from "./weights.js";

/** @param {import("./transformer.js").Config} config
 * @param {ArrayBuffer} weights a safetensors file
 * @param {Uint8Array} vocabulary a SentencePiece model file, or the pieces as JSON of a model that reads pictures */
export function openModel(config, weights, vocabulary) {
  const widest = Math.max(config.d_model, config.d_feed_forward, config.target_vocab_size);
  const kernel = Kernel.make(countFloats(weights), widest);
  const tensors = readWeights(weights, kernel ? (count) => kernel.place(count) : undefined);
  const multiply = kernel ? kernel.linear.bind(kernel) : undefined;
  return {
    model: new Transformer(config, tensors, multiply),
    tokenizer: config.picture ? new Characters(vocabulary) : new Tokenizer(vocabulary, config.normalisation !== null),
    isVectored: Boolean(kernel),
  };
}
