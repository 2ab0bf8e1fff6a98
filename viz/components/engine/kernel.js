// x W^T + b with the processor's own vectors (WebAssembly SIMD), four products at a time, and with a product and a sum
// in one instruction if the browser supports it (relaxed SIMD). The instructions are written here, not compiled:
// `Assembler` converts them to the module's bytes when the page loads. If a browser does not support SIMD, `linear` of
// maths.js does the same.

import { Assembler, bytesOfModule } from "./assembler.js";
import { linear } from "./maths.js";

const ROWS = 64; // rows of x that are multiplied at a time
const PAGE = 1 << 16;

/** Floats that can be multiplied: weights, and a desk where x and the result lie. */
export class Kernel {
  /** A kernel with room for so many weights, or null where this browser has none.
   * @param {number} nWeights floats
   * @param {number} widest columns of x and of the result at most */
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

  /** Room for an array that stays.
   * @param {number} count a multiple of 4 keeps the next one aligned */
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
const [X, W0, B, Y, N, INNER, OUTER, O, ROW, I, LAST, X_ROW, X_NEXT, Y_ROW, W1, W2, W3] = Array.from(
  { length: 17 },
  (_, place) => place,
);
const WEIGHTS = [W0, W1, W2, W3];
const N_PARAMETERS = 7;
const FIRST_SUM = W3 + 1;
const SUMS = Array.from({ length: 8 }, (_, place) => FIRST_SUM + place);
const [V, V_NEXT, V_WEIGHT] = [0, 1, 2].map((place) => FIRST_SUM + SUMS.length + place);

/** The module of `multiply`. For each four rows of W, for each two rows of x and then for the last one: sums of
 * products, then the bias.
 * @param {boolean} isFused */
function bytesOf(isFused) {
  const a = new Assembler(isFused);
  a.constant(0).set(O);
  a.whileLess(O, OUTER, () => {
    for (const [place, w] of WEIGHTS.slice(1).entries()) a.get(WEIGHTS[place]).get(INNER).add().set(w);
    a.constant(0).set(ROW).get(X).set(X_ROW).get(Y).get(O).add().set(Y_ROW);
    a.get(N).constant(1).put(0x6b).set(LAST); // i32.sub
    a.whileLess(ROW, LAST, () => {
      twoRows(a);
      followingRow(a);
      followingRow(a);
    });
    a.whileLess(ROW, N, () => {
      oneRow(a);
      followingRow(a);
    });
    a.get(W3).get(INNER).add().set(W0);
    a.advance(O, () => a.constant(16));
  });
  const locals = /** @type {[number, number]} */ ([FIRST_SUM - N_PARAMETERS, V_WEIGHT - FIRST_SUM + 1]);
  return bytesOfModule(N_PARAMETERS, locals, a.put(0x0b).bytes); // end
}

/** @param {Assembler} a */
function followingRow(a) {
  a.advance(X_ROW, () => a.get(INNER)).advance(Y_ROW, () => a.get(OUTER));
  a.advance(ROW, () => a.constant(1));
}

/** Two rows of x share what is read of W. @param {Assembler} a */
function twoRows(a) {
  a.get(X_ROW).get(INNER).add().set(X_NEXT);
  alongRow(a, 16, () => {
    a.get(X_ROW).get(I).add().load().set(V);
    a.get(X_NEXT).get(I).add().load().set(V_NEXT);
    WEIGHTS.forEach((w, place) => {
      a.get(w).get(I).add().load().set(V_WEIGHT);
      a.addProducts(SUMS[place], V, V_WEIGHT).addProducts(SUMS[4 + place], V_NEXT, V_WEIGHT);
    });
  });
  written(a, SUMS.slice(0, 4), () => a.get(Y_ROW));
  written(a, SUMS.slice(4), () => a.get(Y_ROW).get(OUTER).add());
}

/** One row by itself, as a step of decoding has: eight sums, so that none waits for the one before it.
 * @param {Assembler} a */
function oneRow(a) {
  alongRow(a, 32, () => {
    for (const half of [0, 1]) {
      a.get(X_ROW)
        .get(I)
        .add()
        .load(16 * half)
        .set(V);
      WEIGHTS.forEach((w, place) => {
        a.get(w)
          .get(I)
          .add()
          .load(16 * half)
          .set(V_WEIGHT);
        a.addProducts(SUMS[4 * half + place], V, V_WEIGHT);
      });
    }
  });
  for (let place = 0; place < 4; place++)
    a.get(SUMS[place])
      .get(SUMS[4 + place])
      .addFloats()
      .set(SUMS[place]);
  written(a, SUMS.slice(0, 4), () => a.get(Y_ROW));
}

/** @param {Assembler} a
 * @param {number} bytes at a time
 * @param {() => void} body */
function alongRow(a, bytes, body) {
  for (const sum of SUMS) a.put(0xfd, 0x0c, ...new Array(16).fill(0)).set(sum);
  a.constant(0).set(I);
  a.whileLess(I, INNER, () => {
    body();
    a.advance(I, () => a.constant(bytes));
  });
}

/** The sums within four vectors and the bias, as four neighbours of the result.
 * @param {Assembler} a @param {number[]} sums @param {() => void} place */
function written(a, [s0, s1, s2, s3], place) {
  const halves = (/** @type {number} */ one, /** @type {number} */ other) =>
    a.get(one).get(other).shuffle(0, 4, 1, 5).get(one).get(other).shuffle(2, 6, 3, 7).addFloats();
  halves(s0, s1).set(s0);
  halves(s2, s3).set(s2);
  place();
  a.get(s0).get(s2).shuffle(0, 1, 4, 5).get(s0).get(s2).shuffle(2, 3, 6, 7).addFloats();
  a.get(B).get(O).add().load().addFloats().store();
}
