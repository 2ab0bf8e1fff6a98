// Weights as the site carries them: one file of float16 or row-wise int8, and a table of names, shapes and places.

/**
 * @typedef {{shape: number[], offset: number, type: "f16" | "i8" | "f32", scales?: number}} Entry
 * @typedef {Record<string, Entry>} Table
 */

/** Weights that arrived cut, or do not fit the table. */
export class WeightsError extends Error {}

/**
 * Float32 tensors by name.
 * @param {ArrayBuffer} buffer
 * @param {Table} table
 * @param {number} length bytes that there should be
 * @returns {Map<string, Float32Array>}
 */
export function readWeights(buffer, table, length) {
  if (buffer.byteLength !== length) throw new WeightsError(`${buffer.byteLength} of ${length} bytes arrived`);
  return new Map(Object.entries(table).map(([name, entry]) => [name, readTensor(buffer, entry)]));
}

/**
 * @param {ArrayBuffer} buffer
 * @param {Entry} entry
 */
function readTensor(buffer, { shape, offset, type, scales }) {
  const count = shape.reduce((product, size) => product * size, 1);
  if (type === "f32") return new Float32Array(buffer.slice(offset, offset + 4 * count));
  if (type === "f16") return halves(new Uint16Array(buffer, offset, count));
  const [rows] = shape;
  const width = count / rows;
  const bytes = new Int8Array(buffer, offset, count);
  const scale = new Float32Array(buffer.slice(scales, scales + 4 * rows));
  return Float32Array.from(bytes, (value, i) => value * scale[Math.floor(i / width)]);
}

/** @param {Uint16Array} bits */
function halves(bits) {
  const table = tableOfHalves();
  const values = new Float32Array(bits.length);
  for (let i = 0; i < bits.length; i++) values[i] = table[bits[i]];
  return values;
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
