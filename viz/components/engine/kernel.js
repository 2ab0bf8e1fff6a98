// x W^T + b in WebAssembly SIMD, four products at a time, and with fused multiply-add if the browser supports it (relaxed
// SIMD). `Assembler` converts the instructions to the module's bytes when the page loads. Without SIMD, `linear` of
// maths.js computes the same.

import { Assembler, bytesOfModule } from "./assembler.js";
import { linear } from "./maths.js";

const ROWS = 64; // rows of x that are multiplied in a call
const PAGE = 1 << 16;

/** A memory with the weights and buffers for x and the result. */
export class Kernel {
  /** A kernel with room for the weights, or null without SIMD.
   * @param {number} nWeights floats
   * @param {number} widest maximum columns of x and of the result */
  static make(nWeights, widest) {
    try {
      return new Kernel(nWeights, widest);
    } catch (error) {
      if (error instanceof RangeError) throw error; // not enough memory, which the plain loop would need too
      return null;
    }
  }

  /** @param {number} nWeights @param {number} widest */
  constructor(nWeights, widest) {
    const fused = bytesOf(true);
    const module = new WebAssembly.Module(WebAssembly.validate(fused) ? fused : bytesOf(false));
    const nBuffered = 2 * ROWS * widest + widest;
    const pages = Math.ceil(((nWeights + nBuffered) * 4) / PAGE) + 1;
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

  /** Allocate an array, aligned to four floats. @param {number} count */
  place(count) {
    const start = this.used;
    this.used += Math.ceil(count / 4) * 4;
    return this.floats.subarray(start, start + count);
  }

  /** As `linear` of maths.js.
   * @param {Float32Array} x
   * @param {{weight: Float32Array, bias: Float32Array | null, outer: number, inner: number}} layer @param {number} n */
  linear(x, layer, n) {
    const { weight, outer, inner } = layer;
    if (outer % 4 || inner % 8) return linear(x, layer, n);
    const bias = layer.bias ?? this.zeros;
    const y = new Float32Array(n * outer);
    for (let row = 0; row < n; row += ROWS) {
      const rows = Math.min(ROWS, n - row);
      this.x.set(x.subarray(row * inner, (row + rows) * inner));
      const addresses = [this.x, weight, bias, this.y].map(({ byteOffset }) => byteOffset);
      this.multiply(...addresses, rows, 4 * inner, 4 * outer);
      y.set(this.y.subarray(0, rows * outer), row * outer);
    }
    return y;
  }
}

// Parameters and locals of `multiply`. Lengths and addresses are in bytes.
const [X, W0, B, Y, N, INNER, OUTER, O, ROW, I, LAST, X_ROW, X_NEXT, Y_ROW, W1, W2, W3] = Array(17).keys();
const WEIGHTS = [W0, W1, W2, W3];
const N_PARAMETERS = 7;
const FIRST_SUM = W3 + 1;
const SUMS = Array.from({ length: 8 }, (_, place) => FIRST_SUM + place);
const [V, V_NEXT, V_WEIGHT] = [0, 1, 2].map((place) => FIRST_SUM + SUMS.length + place);

/** The module of `multiply`. For every four rows of W, for every two rows of x and then the last one: sums of products,
 * then the bias.
 * @param {boolean} isFused */
function bytesOf(isFused) {
  const a = new Assembler(isFused);
  a.constant(0).set(O);
  a.whileLess(O, OUTER, () => {
    for (const [place, w] of WEIGHTS.slice(1).entries()) a.sum(WEIGHTS[place], INNER).set(w);
    a.constant(0).set(ROW).get(X).set(X_ROW).sum(Y, O).set(Y_ROW);
    a.get(N).constant(1).put(0x6b).set(LAST); // i32.sub
    a.whileLess(ROW, LAST, () => {
      twoRows(a);
      nextRow(a);
      nextRow(a);
    });
    a.whileLess(ROW, N, () => {
      singleRow(a);
      nextRow(a);
    });
    a.sum(W3, INNER).set(W0);
    a.advance(O, () => a.constant(16));
  });
  const locals = /** @type {[number, number]} */ ([FIRST_SUM - N_PARAMETERS, V_WEIGHT - FIRST_SUM + 1]);
  return bytesOfModule(N_PARAMETERS, locals, a.put(0x0b).bytes); // end
}

/** @param {Assembler} a */
function nextRow(a) {
  a.advance(X_ROW, () => a.get(INNER)).advance(Y_ROW, () => a.get(OUTER));
  a.advance(ROW, () => a.constant(1));
}

/** Two rows of x, for which W is read once. @param {Assembler} a */
function twoRows(a) {
  a.sum(X_ROW, INNER).set(X_NEXT);
  alongRow(a, 16, () => {
    a.loadAt(X_ROW, I).set(V);
    a.loadAt(X_NEXT, I).set(V_NEXT);
    WEIGHTS.forEach((w, place) => {
      a.loadAt(w, I).set(V_WEIGHT);
      a.addProducts(SUMS[place], V, V_WEIGHT).addProducts(SUMS[4 + place], V_NEXT, V_WEIGHT);
    });
  });
  store(a, SUMS.slice(0, 4), () => a.get(Y_ROW));
  store(a, SUMS.slice(4), () => a.sum(Y_ROW, OUTER));
}

/** A single row, as in a decoding step: eight sums, so that no addition waits for the one before it.
 * @param {Assembler} a */
function singleRow(a) {
  alongRow(a, 32, () => {
    for (const half of [0, 1]) {
      a.loadAt(X_ROW, I, 16 * half).set(V);
      WEIGHTS.forEach((w, place) => {
        a.loadAt(w, I, 16 * half).set(V_WEIGHT);
        a.addProducts(SUMS[4 * half + place], V, V_WEIGHT);
      });
    }
  });
  const [low, high] = [SUMS.slice(0, 4), SUMS.slice(4)];
  low.forEach((sum, place) => a.get(sum).get(high[place]).addFloats().set(sum));
  store(a, low, () => a.get(Y_ROW));
}

/** @param {Assembler} a @param {number} bytes in an iteration @param {() => void} body */
function alongRow(a, bytes, body) {
  for (const sum of SUMS) a.put(0xfd, 0x0c, ...new Array(16).fill(0)).set(sum);
  a.constant(0).set(I);
  a.whileLess(I, INNER, () => {
    body();
    a.advance(I, () => a.constant(bytes));
  });
}

/** Store the horizontal sums of four vectors, plus the bias, as four adjacent numbers of the result.
 * @param {Assembler} a @param {number[]} sums @param {() => void} address */
function store(a, [s0, s1, s2, s3], address) {
  const halves = (/** @type {number} */ s, /** @type {number} */ t) =>
    a.get(s).get(t).shuffle(0, 4, 1, 5).get(s).get(t).shuffle(2, 6, 3, 7).addFloats();
  halves(s0, s1).set(s0);
  halves(s2, s3).set(s2);
  address();
  a.get(s0).get(s2).shuffle(0, 1, 4, 5).get(s0).get(s2).shuffle(2, 3, 6, 7).addFloats();
  a.loadAt(B, O).addFloats().store();
}
