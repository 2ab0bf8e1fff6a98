// Opens a model from its files: the weights as safetensors (a header of names, shapes and offsets, then the numbers) in
// float16 as the models are shipped, float32, or int8 with a scale for each row under the tensor's name and ".scale".

import { Kernel } from "./kernel.js";
import { Characters } from "./reading.js";
import { Tokenizer } from "./tokenizer.js";
import { Transformer } from "./transformer.js";

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

/** A truncated file, or one that is no safetensors file. */
export class WeightsError extends Error {}

/** @typedef {{dtype: string, shape: number[], data_offsets: [number, number]}} Entry */

/** The entries of a file, and where the numbers start.
 * @param {ArrayBuffer} buffer @returns {{entries: Map<string, Entry>, start: number}} */
function readHeader(buffer) {
  const size = buffer.byteLength < 8 ? 0 : Number(new DataView(buffer).getBigUint64(0, true));
  if (!size || 8 + size > buffer.byteLength) throw new WeightsError("damaged");
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, size)));
  const entries = Object.entries(header).filter(([name]) => name !== "__metadata__");
  return { entries: new Map(entries), start: 8 + size };
}

const countOf = (/** @type {Entry} */ { shape }) => shape.reduce((product, size) => product * size, 1);

/** The count of floats, with each array padded to a multiple of four. @param {ArrayBuffer} buffer */
const countFloats = (buffer) =>
  [...readHeader(buffer).entries.values()].reduce((sum, entry) => sum + Math.ceil(countOf(entry) / 4) * 4, 0);

/**
 * Float32 tensors by name.
 * @param {ArrayBuffer} buffer
 * @param {(count: number) => Float32Array} [place] allocates an array
 * @returns {Map<string, Float32Array>}
 */
export function readWeights(buffer, place = (count) => new Float32Array(count)) {
  const { entries, start } = readHeader(buffer);
  const bytesOf = (/** @type {Entry} */ { data_offsets: [begin, end] }) => {
    if (start + end > buffer.byteLength) throw new WeightsError("damaged");
    return buffer.slice(start + begin, start + end);
  };
  const tensors = new Map();
  for (const [name, entry] of entries) {
    if (name.endsWith(".scale")) continue;
    const values = place(countOf(entry));
    const bytes = bytesOf(entry);
    if (entry.dtype === "F32") values.set(new Float32Array(bytes));
    else if (entry.dtype === "F16") fillFromHalves(values, new Uint16Array(bytes));
    else if (entry.dtype === "I8") {
      const scales = bytesOf(/** @type {Entry} */ (entries.get(`${name}.scale`)));
      fillFromBytes(values, new Int8Array(bytes), new Float32Array(scales));
    } else throw new WeightsError(`${name} is ${entry.dtype}`);
    tensors.set(name, values);
  }
  return tensors;
}

/** @param {Float32Array} values @param {Int8Array} bytes
 * @param {Float32Array} scales one for each row */
function fillFromBytes(values, bytes, scales) {
  const width = bytes.length / scales.length;
  scales.forEach((scale, row) => {
    for (let i = row * width; i < (row + 1) * width; i++) values[i] = bytes[i] * scale;
  });
}

/** @type {Float32Array | undefined} */
let floatsByHalf;

/** @param {Float32Array} values @param {Uint16Array} bits */
function fillFromHalves(values, bits) {
  const table = (floatsByHalf ??= Float32Array.from({ length: 1 << 16 }, (_, half) => floatOfHalf(half)));
  for (let i = 0; i < bits.length; i++) values[i] = table[bits[i]]; // faster than a conversion of each
}

/** @param {number} bits of a float16 */
function floatOfHalf(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) return fraction ? NaN : sign * Infinity;
  if (exponent === 0) return sign * 2 ** -14 * (fraction / 1024);
  return sign * 2 ** (exponent - 15) * (1 + fraction / 1024);
}
