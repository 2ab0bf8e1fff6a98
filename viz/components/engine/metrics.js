// Metrics of attention heads, as model/analysis/metrics.py defines them.

const MEANS = ["entropy", "normalised_entropy", "offset", "previous", "same", "next", "sink_share", "confidence"];
const NAMES = [...MEANS, "maximum"];

/**
 * Metrics of every head of (L, H, Q, K): {name: [[number | null, …], …]}.
 * @param {Float32Array} weights
 * @param {{layers: number, heads: number, rows: number, columns: number, causal: boolean}} shape
 * @param {boolean[]} isSink for each key
 * @param {boolean} isCross
 */
export function headMetrics(weights, { layers, heads, rows, columns, causal }, isSink, isCross) {
  const names = isCross ? [...NAMES, "diagonality"] : NAMES;
  /** @type {Record<string, (number | null)[][]>} */
  const table = Object.fromEntries(names.map((name) => [name, []]));
  for (let layer = 0; layer < layers; layer++) {
    for (const name of names) table[name].push([]);
    for (let head = 0; head < heads; head++) {
      const at = (layer * heads + head) * rows * columns;
      const values = metricsOf(weights.subarray(at, at + rows * columns), rows, columns, causal, isSink);
      for (const name of names) table[name][layer].push(Number.isFinite(values[name]) ? values[name] : null);
    }
  }
  return table;
}

/** @param {Float32Array} map (Q, K)
 * @param {number} rows @param {number} columns @param {boolean} causal @param {boolean[]} isSink
 * @returns {Record<string, number>} */
function metricsOf(map, rows, columns, causal, isSink) {
  const visible = (/** @type {number} */ query) => (causal ? Math.min(query + 1, columns) : columns);
  const isSingle = visible(rows - 1) < 2; // no query has a choice, so all of them count
  const means = new Means([...MEANS, "diagonality"]);
  let maximum = -Infinity;
  for (let query = 0; query < rows; query++) {
    const { total, place, bits, sinks, peak } = rowOf(map, query * columns, columns, isSink);
    if ((visible(query) < 2 && !isSingle) || total <= 0) continue;
    const at = query * columns;
    maximum = Math.max(maximum, peak);
    means.add("entropy", bits);
    if (!isSingle) means.add("normalised_entropy", Math.min(1, Math.max(0, bits / Math.log2(visible(query)))));
    means.add("offset", place - query * total);
    if (query > 0 && query - 1 < columns) means.add("previous", map[at + query - 1]);
    if (query < columns) means.add("same", map[at + query]);
    if (query + 1 < columns) means.add("next", map[at + query + 1]);
    means.add("sink_share", sinks);
    means.add("confidence", peak);
    if (rows > 1 && columns > 1) means.add("diagonality", centrality(map, query, rows, columns));
  }
  const values = { ...means.all(), maximum };
  return means.counts.diagonality < 2 ? { ...values, diagonality: NaN } : values;
}

class Means {
  /** @param {string[]} names */
  constructor(names) {
    const zeros = names.map((name) => [name, 0]);
    /** @type {Record<string, number>} */
    this.sums = Object.fromEntries(zeros);
    /** @type {Record<string, number>} */
    this.counts = Object.fromEntries(zeros);
  }

  /** @param {string} name @param {number} value */
  add(name, value) {
    this.sums[name] += value;
    this.counts[name] += 1;
  }

  /** Each mean; NaN where nothing was added. */
  all() {
    return Object.fromEntries(Object.entries(this.sums).map(([name, sum]) => [name, sum / this.counts[name]]));
  }
}

/**
 * Sums along a row.
 * @param {Float32Array} map @param {number} at the row's start @param {number} columns @param {boolean[]} isSink */
function rowOf(map, at, columns, isSink) {
  let [total, place, bits, sinks, peak] = [0, 0, 0, 0, 0];
  for (let key = 0; key < columns; key++) {
    const weight = map[at + key];
    if (weight > 0) bits -= weight * Math.log2(weight);
    total += weight;
    place += weight * key;
    if (isSink[key]) sinks += weight;
    if (weight > peak) peak = weight;
  }
  return { total, place, bits, sinks, peak };
}

/** 1 minus the mean distance to the diagonal, relative to the row's largest (Zhang et al. 2021).
 * @param {Float32Array} map @param {number} query @param {number} rows @param {number} columns */
function centrality(map, query, rows, columns) {
  const place = query / (rows - 1);
  const furthest = Math.max(place, 1 - place);
  let distance = 0;
  for (let key = 0; key < columns; key++)
    distance += map[query * columns + key] * Math.abs(key / (columns - 1) - place);
  return 1 - distance / furthest;
}
