// The arithmetic of a forward pass on Float32Array; matrices lie row after row.

/** @typedef {{weight: Float32Array, bias: Float32Array | null, outer: number, inner: number}} Linear W (outer, inner) and b */
/** @typedef {{weight: Float32Array, bias: Float32Array | null, epsilon: number}} Norm */

/** x W^T + b for rows of x: (n, inner) and W (outer, inner) give (n, outer).
 * @param {Float32Array} x @param {Linear} layer @param {number} n */
export function linear(x, { weight, bias, outer, inner }, n) {
  const y = new Float32Array(n * outer);
  for (let o = 0; o < outer; o++) {
    const w = o * inner;
    const b = bias ? bias[o] : 0;
    for (let row = 0; row < n; row++) {
      const start = row * inner;
      let [s0, s1, s2, s3] = [0, 0, 0, 0];
      for (let i = 0; i < inner; i += 4) {
        s0 += x[start + i] * weight[w + i];
        s1 += x[start + i + 1] * weight[w + i + 1];
        s2 += x[start + i + 2] * weight[w + i + 2];
        s3 += x[start + i + 3] * weight[w + i + 3];
      }
      y[row * outer + o] = s0 + s1 + (s2 + s3) + b;
    }
  }
  return y;
}

/** LayerNorm of each row of (n, width). @param {Float32Array} x @param {Norm} norm */
export function layerNorm(x, { weight, bias, epsilon }) {
  const width = weight.length;
  const y = new Float32Array(x.length);
  for (let at = 0; at < x.length; at += width) {
    let mean = 0;
    for (let i = 0; i < width; i++) mean += x[at + i];
    mean /= width;
    let variance = 0;
    for (let i = 0; i < width; i++) variance += (x[at + i] - mean) ** 2;
    const scale = 1 / Math.sqrt(variance / width + epsilon);
    for (let i = 0; i < width; i++) y[at + i] = (x[at + i] - mean) * scale * weight[i] + (bias ? bias[i] : 0);
  }
  return y;
}

/** RMSNorm (Zhang and Sennrich 2019) of each row of (n, width).
 * @param {Float32Array} x @param {{weight: Float32Array, epsilon: number}} norm */
export function rmsNorm(x, { weight, epsilon }) {
  const width = weight.length;
  const y = new Float32Array(x.length);
  for (let at = 0; at < x.length; at += width) {
    let square = 0;
    for (let i = 0; i < width; i++) square += x[at + i] ** 2;
    const scale = 1 / Math.sqrt(square / width + epsilon);
    for (let i = 0; i < width; i++) y[at + i] = x[at + i] * scale * weight[i];
  }
  return y;
}

/** Softmax in place over `values[at … at + n)`; a key whose `allowed` is 0 gets 0, as do all keys if none is allowed.
 * @param {Float32Array} values @param {number} at @param {number} n @param {Uint8Array | null} allowed */
export function softmax(values, at, n, allowed) {
  let top = -Infinity;
  for (let i = 0; i < n; i++) if (!allowed || allowed[i]) top = Math.max(top, values[at + i]);
  let sum = 0;
  for (let i = 0; i < n; i++) {
    values[at + i] = allowed && !allowed[i] ? 0 : Math.exp(values[at + i] - top);
    sum += values[at + i];
  }
  if (sum > 0) for (let i = 0; i < n; i++) values[at + i] /= sum;
}

/** log Σ exp: a logit minus it is a log-probability. @param {Float32Array} logits */
export function logSumExp(logits) {
  let top = -Infinity;
  for (let i = 0; i < logits.length; i++) if (logits[i] > top) top = logits[i];
  let sum = 0;
  for (let i = 0; i < logits.length; i++) sum += Math.exp(logits[i] - top);
  return top + Math.log(sum);
}

/** x + y in place of x. @param {Float32Array} x @param {Float32Array} y */
export function add(x, y) {
  for (let i = 0; i < x.length; i++) x[i] += y[i];
}

/** @param {Float32Array} x */
export function relu(x) {
  for (let i = 0; i < x.length; i++) if (x[i] < 0) x[i] = 0;
}

/** x times the probability that a normal variable is below it (Hendrycks and Gimpel 2016), in place of x.
 * @param {Float32Array} x */
export function gelu(x) {
  for (let i = 0; i < x.length; i++) x[i] = 0.5 * x[i] * (1 + errorFunction(x[i] * Math.SQRT1_2));
}

/** To 1.5e-7 (Abramowitz and Stegun 1964, 7.1.26). @param {number} x */
function errorFunction(x) {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const series = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
  return Math.sign(x) * (1 - series * Math.exp(-x * x));
}

/** SiLU of x times y (SwiGLU, Shazeer 2020) in place of x. @param {Float32Array} x @param {Float32Array} y */
export function gate(x, y) {
  for (let i = 0; i < x.length; i++) x[i] = (x[i] / (1 + Math.exp(-x[i]))) * y[i];
}

/**
 * Rotary positions (Su et al. 2021) as in Llama: in each head, numbers i and i + size / 2 are rotated by
 * position × base^(-2 i / size).
 * @param {Float32Array} rows of heads one after another, changed in place
 * @param {number} position
 * @param {number} size numbers of a head
 * @param {number} base
 */
export function rotate(rows, position, size, base) {
  const half = size / 2;
  for (let i = 0; i < half; i++) {
    const angle = Math.fround(position * Math.fround(1 / Math.fround(base ** Math.fround((2 * i) / size))));
    const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
    for (let at = i; at < rows.length; at += size) {
      const [first, second] = [rows[at], rows[at + half]];
      rows[at] = first * cosine - second * sine;
      rows[at + half] = second * cosine + first * sine;
    }
  }
}

/** The sinusoidal encoding of one position (Vaswani et al. 2017, section 3.5), sines and cosines alternating, in float32
 * as PyTorch computes it.
 * @param {number} position @param {number} width */
export function sinusoid(position, width) {
  const row = new Float32Array(width);
  const log = Math.fround(Math.log(10000));
  for (let i = 0; i < width; i += 2) {
    const frequency = Math.fround(Math.exp(Math.fround(i * -Math.fround(log / width))));
    const angle = Math.fround(position * frequency);
    row[i] = Math.sin(angle);
    row[i + 1] = Math.cos(angle);
  }
  return row;
}

/** Append a row to `count` rows; the capacity doubles when it is used up.
 * @param {Float32Array} rows @param {Float32Array} row @param {number} count */
export function appendRow(rows, row, count) {
  let buffer = rows;
  if (rows.length < (count + 1) * row.length) {
    buffer = new Float32Array(Math.max(16 * row.length, 2 * rows.length));
    buffer.set(rows);
  }
  buffer.set(row, count * row.length);
  return buffer;
}
