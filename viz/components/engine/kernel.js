// x W^T + b with the processor's own vectors (WebAssembly SIMD), four products at a time. Plain JavaScript does one and a
// half billion operations a second and this does ten. The forty instructions are written here, not compiled from
// anything: `Assembler` turns them into the module's bytes when the page loads. Where a browser knows no SIMD, `linear`
// of maths.js does the same.

import { linear } from "./maths.js";

const ROWS = 64; // rows of x that are multiplied at a time
const I32 = 0x7f;
const V128 = 0x7b;
const PAGE = 1 << 16;
const VOID = 0x40;

/** Floats that can be multiplied: weights, and a desk where x and the result lie. */
export class Kernel {
  /**
   * A kernel with room for so many weights, or null where this browser has none.
   * @param {number} nWeights floats
   * @param {number} widest columns of x and of the result at most
   */
  static make(nWeights, widest) {
    try {
      return new Kernel(nWeights, widest);
    } catch (error) {
      if (error instanceof RangeError) throw error; // no memory: without vectors there is no more of it
      return null;
    }
  }

  /**
   * @param {number} nWeights
   * @param {number} widest
   */
  constructor(nWeights, widest) {
    const module = new WebAssembly.Module(bytesOfModule());
    const desk = 2 * ROWS * widest + widest;
    const pages = Math.ceil(((nWeights + desk) * 4) / PAGE) + 1;
    this.memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    this.multiply = /** @type {Function} */ (
      new WebAssembly.Instance(module, { page: { memory: this.memory } }).exports.multiply
    );
    this.floats = new Float32Array(this.memory.buffer);
    this.used = 0;
    this.x = this.place(ROWS * widest);
    this.y = this.place(ROWS * widest);
    this.zeros = this.place(widest);
  }

  /**
   * Room for an array that stays.
   * @param {number} count a multiple of 4 keeps the next one aligned
   */
  place(count) {
    const start = this.used;
    this.used += Math.ceil(count / 4) * 4;
    return this.floats.subarray(start, start + count);
  }

  /**
   * As `linear` of maths.js.
   * @param {Float32Array} x
   * @param {{weight: Float32Array, bias: Float32Array | null, outer: number, inner: number}} layer
   * @param {number} n
   */
  linear(x, layer, n) {
    const { weight, outer, inner } = layer;
    if (outer % 4 || inner % 4) return linear(x, layer, n);
    const bias = layer.bias ?? this.zeros;
    const y = new Float32Array(n * outer);
    for (let row = 0; row < n; row += ROWS) {
      const rows = Math.min(ROWS, n - row);
      this.x.set(x.subarray(row * inner, (row + rows) * inner));
      this.multiply(
        this.x.byteOffset,
        weight.byteOffset,
        bias.byteOffset,
        this.y.byteOffset,
        rows,
        4 * inner,
        4 * outer,
      );
      y.set(this.y.subarray(0, rows * outer), row * outer);
    }
    return y;
  }
}

// Parameters and locals of `multiply`. Lengths and places are in bytes.
const [X, W, B, Y, N, INNER, OUTER, O, ROW, I, X_ROW, Y_ROW] = Array.from({ length: 12 }, (_, place) => place);
const SUMS = [12, 13, 14, 15];
const V = 16;

/** Writes the few instructions that `multiply` needs. */
class Assembler {
  constructor() {
    /** @type {number[]} */
    this.bytes = [];
  }

  /** @param {number[]} bytes */
  put(...bytes) {
    this.bytes.push(...bytes);
    return this;
  }

  /** @param {number} local */
  get(local) {
    return this.put(0x20, local);
  }

  /** @param {number} local */
  set(local) {
    return this.put(0x21, local);
  }

  /** @param {number} value */
  constant(value) {
    return this.put(0x41, ...signed(value));
  }

  add() {
    return this.put(0x6a);
  }

  /** The four floats at the address on the stack. */
  load() {
    return this.put(0xfd, 0x00, 4 - 2, 0);
  }

  store() {
    return this.put(0xfd, 0x0b, 4 - 2, 0);
  }

  addFloats() {
    return this.put(0xfd, 0xe4, 0x01);
  }

  multiplyFloats() {
    return this.put(0xfd, 0xe6, 0x01);
  }

  /**
   * Four floats out of the eight of two vectors.
   * @param {number[]} lanes
   */
  shuffle(...lanes) {
    return this.put(0xfd, 0x0d, ...lanes.flatMap((lane) => [0, 1, 2, 3].map((byte) => 4 * lane + byte)));
  }

  /**
   * Add so many bytes to a local.
   * @param {number} local
   * @param {() => void} amount
   */
  advance(local, amount) {
    this.get(local);
    amount();
    return this.add().set(local);
  }

  /**
   * Repeat while the first local is below the second.
   * @param {number} local
   * @param {number} end
   * @param {() => void} body
   */
  loop(local, end, body) {
    this.put(0x03, VOID);
    body();
    return this.get(local).get(end).put(0x48, 0x0d, 0, 0x0b); // i32.lt_s, br_if 0, end
  }
}

/** For each four rows of W, for each row of x: four sums of products, then the bias. */
function instructions() {
  const a = new Assembler();
  const step = () => void a.constant(16);
  a.constant(0).set(O);
  a.loop(O, OUTER, () => {
    a.constant(0).set(ROW).get(X).set(X_ROW).get(Y).get(O).add().set(Y_ROW);
    a.loop(ROW, N, () => {
      a.constant(0).set(I);
      for (const sum of SUMS) a.put(0xfd, 0x0c, ...new Array(16).fill(0)).set(sum);
      a.loop(I, INNER, () => {
        a.get(X_ROW).get(I).add().load().set(V);
        SUMS.forEach((sum, place) => {
          a.get(sum).get(V).get(W).get(I).add();
          for (let row = 0; row < place; row++) a.get(INNER).add();
          a.load().multiplyFloats().addFloats().set(sum);
        });
        a.advance(I, step);
      });
      const [s0, s1, s2, s3] = SUMS;
      const halves = (/** @type {number} */ one, /** @type {number} */ other) =>
        a.get(one).get(other).shuffle(0, 4, 1, 5).get(one).get(other).shuffle(2, 6, 3, 7).addFloats();
      halves(s0, s1).set(s0);
      halves(s2, s3).set(s2);
      a.get(Y_ROW).get(s0).get(s2).shuffle(0, 1, 4, 5).get(s0).get(s2).shuffle(2, 3, 6, 7).addFloats();
      a.get(B).get(O).add().load().addFloats().store();
      a.advance(X_ROW, () => a.get(INNER)).advance(Y_ROW, () => a.get(OUTER));
      a.advance(ROW, () => a.constant(1));
    });
    a.get(W).get(INNER).constant(2).put(0x74).add().set(W); // i32.shl: four rows further
    a.advance(O, step);
  });
  return a.put(0x0b).bytes;
}

/** The module: one imported memory, one function. */
function bytesOfModule() {
  const named = (/** @type {string} */ name) => [name.length, ...new TextEncoder().encode(name)];
  const section = (/** @type {number} */ id, /** @type {number[]} */ content) => [
    id,
    ...unsigned(content.length),
    ...content,
  ];
  const locals = [2, O_COUNT, I32, V_COUNT, V128];
  const body = [...locals, ...instructions()];
  return new Uint8Array([
    0x00,
    0x61,
    0x73,
    0x6d,
    1,
    0,
    0,
    0, // "\0asm", version 1
    ...section(1, [1, 0x60, 7, ...new Array(7).fill(I32), 0]), // one type: seven numbers to nothing
    ...section(2, [1, ...named("page"), ...named("memory"), 0x02, 0x00, 1]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...named("multiply"), 0x00, 0]),
    ...section(10, [1, ...unsigned(body.length), ...body]),
  ]);
}

const O_COUNT = Y_ROW - O + 1;
const V_COUNT = SUMS.length + 1;

/** @param {number} value LEB128 */
function unsigned(value) {
  const bytes = [];
  for (; value > 127; value >>>= 7) bytes.push((value & 127) | 128);
  return [...bytes, value];
}

/** @param {number} value LEB128, for small numbers that are not negative */
const signed = (value) => (value < 64 ? [value] : [(value & 127) | 128, value >> 7]);
