// What each head does, in numbers, as model/analysis/metrics.py defines them.

const NAMES = ["entropy", "normalised_entropy", "offset", "previous", "same", "next", "sinks", "confidence", "maximum"];

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
  const found = Object.fromEntries(names.map((name) => [name, []]));
  for (let layer = 0; layer < layers; layer++) {
    for (const name of names) found[name].push([]);
    for (let head = 0; head < heads; head++) {
      const at = (layer * heads + head) * rows * columns;
      const one = metricsOf(weights.subarray(at, at + rows * columns), rows, columns, causal, isSink);
      for (const name of names) found[name][layer].push(Number.isFinite(one[name]) ? one[name] : null);
    }
  }
  return found;
}

/**
 * @param {Float32Array} map (Q, K)
 * @param {number} rows
 * @param {number} columns
 * @param {boolean} causal
 * @param {boolean[]} isSink
 * @returns {Record<string, number>}
 */
function metricsOf(map, rows, columns, causal, isSink) {
  const visible = (/** @type {number} */ query) => (causal ? Math.min(query + 1, columns) : columns);
  const hasChoice = Array.from({ length: rows }, (_, query) => visible(query) > 1);
  const isCounted = hasChoice.some(Boolean) ? hasChoice : hasChoice.map(() => true);
  /** @type {Record<string, number[]>} */
  const values = Object.fromEntries([...NAMES, "diagonality"].map((name) => [name, []]));
  for (let query = 0; query < rows; query++) {
    const row = map.subarray(query * columns, (query + 1) * columns);
    const total = row.reduce((sum, weight) => sum + weight, 0);
    if (!isCounted[query] || total <= 0) continue;
    let [bits, offset, sinks, peak] = [0, -query * total, 0, 0];
    row.forEach((weight, key) => {
      if (weight > 0) bits -= weight * Math.log2(weight);
      offset += weight * key;
      if (isSink[key]) sinks += weight;
      peak = Math.max(peak, weight);
    });
    values.entropy.push(bits);
    if (visible(query) > 1) values.normalised_entropy.push(Math.min(1, Math.max(0, bits / Math.log2(visible(query)))));
    values.offset.push(offset);
    if (query > 0 && query - 1 < columns) values.previous.push(row[query - 1]);
    if (query < columns) values.same.push(row[query]);
    if (query + 1 < columns) values.next.push(row[query + 1]);
    values.sinks.push(sinks);
    values.confidence.push(peak);
    if (rows > 1 && columns > 1) values.diagonality.push(centrality(row, query, rows, columns));
  }
  const means = Object.fromEntries(Object.entries(values).map(([name, all]) => [name, mean(all)]));
  means.maximum = Math.max(...values.confidence);
  if (values.diagonality.length < 2) means.diagonality = NaN;
  return means;
}

/**
 * 1 minus the mean distance to the diagonal, relative to the row's largest (Zhang et al. 2021).
 * @param {Float32Array} row
 * @param {number} query
 * @param {number} rows
 * @param {number} columns
 */
function centrality(row, query, rows, columns) {
  const place = query / (rows - 1);
  const distance = (/** @type {number} */ key) => Math.abs(key / (columns - 1) - place);
  const furthest = Math.max(distance(0), distance(columns - 1));
  return 1 - row.reduce((sum, weight, key) => sum + weight * distance(key), 0) / furthest;
}

/** @param {number[]} values */
const mean = (values) => (values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : NaN);
