// Weights as safetensors: a header of names, shapes and places, then the numbers. float16 as the models are shipped,
// float32, or int8 with a scale for each row, which is stored under the tensor's name and ".scale".

/** Weights that arrived cut, or are none. */
export class WeightsError extends Error {}

/** @typedef {{dtype: string, shape: number[], data_offsets: [number, number]}} Entry */

/** What a file holds. @param {ArrayBuffer} buffer @returns {{entries: Map<string, Entry>, start: number}} */
function opened(buffer) {
  const size = buffer.byteLength < 8 ? 0 : Number(new DataView(buffer).getBigUint64(0, true));
  if (!size || 8 + size > buffer.byteLength) throw new WeightsError("damaged");
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, size)));
  const entries = Object.entries(header).filter(([name]) => name !== "__metadata__");
  return { entries: new Map(entries), start: 8 + size };
}

const countOf = (/** @type {Entry} */ { shape }) => shape.reduce((product, size) => product * size, 1);

/** How many floats there are, each array taken as a multiple of four. @param {ArrayBuffer} buffer */
export function countFloats(buffer) {
  const counts = [...opened(buffer).entries.values()].map((entry) => Math.ceil(countOf(entry) / 4) * 4);
  return counts.reduce((sum, count) => sum + count, 0);
}

/**
 * Float32 tensors by name.
 * @param {ArrayBuffer} buffer
 * @param {(count: number) => Float32Array} [place] where an array shall lie
 * @returns {Map<string, Float32Array>}
 */
export function readWeights(buffer, place = (count) => new Float32Array(count)) {
  const { entries, start } = opened(buffer);
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
    else if (entry.dtype === "I8")
      fillFromBytes(
        values,
        new Int8Array(bytes),
        new Float32Array(bytesOf(/** @type {Entry} */ (entries.get(`${name}.scale`)))),
      );
    else throw new WeightsError(`${name} is ${entry.dtype}`);
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

/** @param {Float32Array} values @param {Uint16Array} bits */
function fillFromHalves(values, bits) {
  const table = tableOfHalves();
  for (let i = 0; i < bits.length; i++) values[i] = table[bits[i]];
}

/** @type {Float32Array | null} */
let known = null;

/** Every float16 as float32: looking one up is faster than computing it, and there are only 65,536. */
function tableOfHalves() {
  if (known) return known;
  known = new Float32Array(1 << 16);
  for (let bits = 0; bits < 1 << 16; bits++) {
    const sign = bits & 0x8000 ? -1 : 1;
    const exponent = (bits >> 10) & 0x1f;
    const fraction = bits & 0x3ff;
    if (exponent === 0x1f) known[bits] = fraction ? NaN : sign * Infinity;
    else if (exponent === 0) known[bits] = sign * 2 ** -14 * (fraction / 1024);
    else known[bits] = sign * 2 ** (exponent - 15) * (1 + fraction / 1024);
  }
  return known;
}
