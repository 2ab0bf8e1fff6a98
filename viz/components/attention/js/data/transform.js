// The reading aids: combine heads, merge pieces into words, remove sinks, scale colours; and the difference of two sentences
// or models, whose tokens are aligned on one axis.

import { longestCommon } from "../../../shared/diff.js";
import { headsOfKind } from "./unpack.js";

/** @import { Head, Kind, Matrix, Side, State, Units, View } from "../types" */
/** @import { Axis, Heads } from "./unpack.js" */

const BINS = 1024;

/** @typedef {(row: number, column: number) => boolean} IsCell */

export const SHOWN_HEADS = 8; // limit of heads in lines and cards: the count of distinguishable colours

/** Query and key axes of a kind; rows are named by the predicted or by the fed tokens.
 * @type {(view: View, kind: Kind, rows: State["rows"]) => {queries: Axis, keys: Axis}} */
export function axesOf(view, kind, rows) {
  const decoder = rows === "fed" ? view.fed : view.predicted;
  const queries = kind === "encoder_self" ? view.source : decoder;
  const keys = kind === "decoder_self" ? view.fed : view.source;
  const long = view.kinds.get(kind)?.long;
  if (!long) return { queries, keys };
  return { queries: queries.part(long.window[0], long.size[0]), keys: keys.part(long.window[1], long.size[1]) };
}

/** Element-wise mean or maximum over heads, Float32Array(rows * columns).
 * @type {(heads: Heads, chosen: Head[], how: State["combine"], buffer?: Float32Array) => Float32Array} */
function combineHeads(heads, chosen, how, buffer) {
  if (chosen.length === 1) return heads.read(...chosen[0], buffer);
  const out = new Float32Array(heads.size);
  const scratch = new Float32Array(heads.size);
  for (const [layer, head] of chosen) {
    const weights = heads.read(layer, head, scratch);
    if (how === "max") for (let i = 0; i < out.length; i++) out[i] = Math.max(out[i], weights[i]);
    else for (let i = 0; i < out.length; i++) out[i] += weights[i] / chosen.length;
  }
  return out;
}

/** Merge pieces into units: sum over a word's keys, mean over its queries, so that rows still sum to 1.
 * @type {(weights: Float32Array, columns: number, queries: Units, keys: Units) => Float32Array} */
function mergeUnits(weights, columns, queries, keys) {
  if (queries.of.length === queries.length && keys.of.length === keys.length) return weights;
  const out = new Float32Array(queries.length * keys.length);
  for (let piece = 0; piece < queries.of.length; piece++) {
    const unit = queries.of[piece];
    const share = 1 / queries.members[unit].length;
    const row = piece * columns;
    for (let key = 0; key < columns; key++) out[unit * keys.length + keys.of[key]] += weights[row + key] * share;
  }
  return out;
}

/** Set the sinks' columns to 0 and renormalize each row; `removed` is each row's share on sinks.
 * @type {(weights: Float32Array, rows: number, isSink: boolean[]) => {values: Float32Array, removed: Float32Array}} */
function withoutSinks(weights, rows, isSink) {
  const columns = isSink.length;
  const values = new Float32Array(weights.length);
  const removed = new Float32Array(rows);
  for (let row = 0; row < rows; row++) {
    let total = 0;
    let remaining = 0;
    for (let key = 0; key < columns; key++) {
      const weight = weights[row * columns + key];
      total += weight;
      if (!isSink[key]) remaining += weight;
    }
    removed[row] = total > 0 ? (total - remaining) / total : 0;
    const factor = remaining > 0 ? total / remaining : 0;
    for (let key = 0; key < columns; key++) {
      if (!isSink[key]) values[row * columns + key] = weights[row * columns + key] * factor;
    }
  }
  return { values, removed };
}

/** Apply all aids to some heads of a view: the matrix that all views draw. `buffer` is reused for decoding.
 * @type {(view: View, state: State, chosen?: Head[], buffer?: Float32Array) => Matrix} */
export function matrixOf(view, state, chosen = state.heads, buffer = undefined) {
  const heads = headsOfKind(view, state.kind);
  const axes = axesOf(view, state.kind, state.rows);
  const queries = axes.queries.in(state.unit);
  const keys = axes.keys.in(state.unit);
  const present = chosen.filter(([layer, head]) => heads.has(layer, head));
  const broken = present.filter(([layer, head]) => heads.isBroken(layer, head));
  const ahead = heads.long ? heads.long.window[0] - heads.long.window[1] : 0; // offset of the first row from the first column
  const isSink = keys.sinks.map((sink) => sink !== "" && state.sink_kinds.includes(sink));
  const merged = mergeUnits(combineHeads(heads, present, state.combine, buffer), heads.columns, queries, keys);
  const reduced = state.sinks === "removed" ? withoutSinks(merged, queries.length, isSink) : null;
  const values = reduced?.values ?? merged;
  return {
    rows: queries.length,
    columns: keys.length,
    values,
    queries,
    keys,
    isSink,
    greyed: state.sinks === "greyed",
    removed: reduced?.removed ?? null,
    isExact: present.every(([layer, head]) => heads.isExact(layer, head)),
    broken,
    ...absent(heads, present, queries, keys, ahead),
    peaks: peaksOf(values, queries.length, keys.length, isSink, state.sinks === "greyed"),
  };
}

/** Predicates of cells that do not exist: later tokens, and pairs beyond the attention window of every chosen layer.
 * @type {(heads: Heads, present: Head[], queries: Units, keys: Units, ahead: number) =>
 *   {isBeyond: IsCell, isHidden: IsCell}} */
function absent(heads, present, queries, keys, ahead) {
  const reaches = present.map(([layer]) => heads.reach?.[layer] ?? Infinity);
  const reach = reaches.length ? Math.max(...reaches) : Infinity;
  const lastOf = (/** @type {number[]} */ pieces) => pieces[pieces.length - 1];
  /** @type {(row: number, column: number) => number} */
  const later = (row, column) => keys.members[column][0] - lastOf(queries.members[row]) - ahead;
  /** @type {(row: number, column: number) => number} */
  const earlier = (row, column) => queries.members[row][0] + ahead - lastOf(keys.members[column]);
  /** @type {IsCell} */
  const isLater = (row, column) => heads.causal && later(row, column) > 0;
  /** @type {IsCell} */
  const isFar = (row, column) => Math.max(later(row, column), earlier(row, column)) >= reach;
  return {
    isBeyond: (row, column) => isFar(row, column) && !isLater(row, column),
    isHidden: (row, column) => isLater(row, column) || isFar(row, column),
  };
}

/** The largest weight of each row and of the map; greyed sinks do not set the scale.
 * @type {(values: Float32Array, rows: number, columns: number, isSink: boolean[], greyed: boolean) => Matrix["peaks"]} */
function peaksOf(values, rows, columns, isSink, greyed) {
  const byRow = new Float32Array(rows);
  const counts = Uint8Array.from(isSink, (sink) => Number(!(greyed && sink)));
  let all = 0;
  for (let row = 0, i = 0; row < rows; row++) {
    let peak = 0;
    for (let key = 0; key < columns; key++, i++) if (values[i] > peak && counts[key]) peak = values[i];
    byRow[row] = peak;
    all = Math.max(all, peak);
  }
  return { byRow, all };
}

/** A function from a weight to its ink (0 to 1), by the chosen scale and curve.
 * @type {(matrix: Pick<Matrix, "peaks">, state: Pick<State, "curve" | "threshold" | "scale">) =>
 *   (weight: number, row: number) => number} */
export function inkOf(matrix, state) {
  const { byRow, all } = matrix.peaks;
  const transfer = state.curve === "sqrt" ? Math.sqrt : (/** @type {number} */ x) => x;
  return (weight, row) => {
    if (!(weight >= state.threshold)) return 0;
    const full = state.scale === "row" ? byRow[row] : state.scale === "head" ? all : 1;
    return full > 0 ? transfer(Math.min(1, weight / full)) : 0;
  };
}

/** The weights that tokens give or receive: sum or mean over them, one value for each token of the other side.
 * @type {(matrix: Matrix, side: Side, units: number[], together: State["together"]) => Float32Array} */
export function profileOf(matrix, side, units, together) {
  const across = side === "q" ? matrix.columns : matrix.rows;
  const out = new Float32Array(across);
  const share = together === "mean" && units.length ? 1 / units.length : 1;
  for (const unit of units) {
    for (let i = 0; i < across; i++) {
      const at = side === "q" ? unit * matrix.columns + i : i * matrix.columns + unit;
      out[i] += matrix.values[at] * share;
    }
  }
  return out;
}

/** The weight that gets the full colour when a profile is shaded; greyed sinks and missing weights do not set the scale.
 * @type {(matrix: Matrix, profile: Float32Array, across: Side, state: State) => number} */
export function profilePeak(matrix, profile, across, state) {
  if (state.scale === "common") return 1;
  let peak = 1e-9;
  profile.forEach((weight, unit) => {
    if (weight > peak && !(across === "k" && matrix.greyed && matrix.isSink[unit])) peak = weight;
  });
  return peak;
}

/** The strongest cells, largest first: [row, column, weight]. A histogram avoids sorting all cells.
 * @type {(matrix: Pick<Matrix, "values" | "columns">, count: number, threshold?: number) =>
 *   [row: number, column: number, weight: number][]} */
export function strongest(matrix, count, threshold = 0) {
  const { values, columns } = matrix;
  let peak = 0;
  for (const value of values) if (value > peak) peak = value;
  if (!(peak > threshold)) return [];
  const binOf = (/** @type {number} */ value) => Math.min(BINS - 1, Math.floor(Math.sqrt(value / peak) * BINS));
  const histogram = new Uint32Array(BINS);
  for (const value of values) if (value > threshold) histogram[binOf(value)]++;
  let lowest = BINS;
  for (let n = 0; lowest > 0 && n < count;) n += histogram[--lowest];
  const cells = [];
  for (let i = 0; i < values.length; i++) if (values[i] > threshold && binOf(values[i]) >= lowest) cells.push(i);
  cells.sort((a, b) => values[b] - values[a]);
  return cells.slice(0, count).map((i) => [Math.floor(i / columns), i % columns, values[i]]);
}

/** @typedef {[left: number, right: number]} Pair indexes of units, -1 where a side has no token */

/** Pairs of unit indexes in order: equal tokens by the longest common subsequence; the tokens between two of them from the
 * front, and the rest of the longer run alone.
 * @type {(left: string[], right: string[]) => Pair[]} */
export function alignTexts(left, right) {
  /** @type {Pair[]} */
  const pairs = [];
  let [i, j] = [0, 0];
  for (const [a, b] of [...longestCommon(left, right), [left.length, right.length]]) {
    while (i < a || j < b) pairs.push([i < a ? i++ : -1, j < b ? j++ : -1]);
    if (a < left.length) pairs.push([i++, j++]);
  }
  return pairs;
}

/** The unit of another axis that corresponds to a unit, or -1: the same text, or in a picture the strip at its middle.
 * @type {(from: Units, to: Units, unit: number) => number} */
export function counterpartOf(from, to, unit) {
  if (from.picture && to.picture)
    return to.strips.indexOf(Math.floor(((from.strips[unit] + 0.5) * from.strip) / to.strip));
  return alignTexts(from.texts, to.texts).find(([left]) => left === unit)?.[1] ?? -1;
}

/** Merge the units of two axes: "sat" if both have it, "sat → slept" for a replacement. Pieces are those of the left axis.
 * @type {(left: Units, right: Units) => Units & {pairs: Pair[]}} */
function mergeAxes(left, right) {
  const pairs = alignTexts(left.texts, right.texts);
  /** @type {<T>(lefts: T[], rights: T[]) => T[]} */
  const pick = (lefts, rights) => pairs.map(([i, j]) => (i >= 0 ? lefts[i] : rights[j]));
  const texts = pairs.map(([i, j]) => {
    if (i < 0) return `+ ${right.texts[j]}`;
    if (j < 0) return `− ${left.texts[i]}`;
    return left.texts[i] === right.texts[j] ? left.texts[i] : `${left.texts[i]} → ${right.texts[j]}`;
  });
  const pairOf = new Int32Array(left.length);
  pairs.forEach(([i], at) => {
    if (i >= 0) pairOf[i] = at;
  });
  return {
    pairs,
    texts,
    members: pairs.map(([i]) => (i >= 0 ? left.members[i] : [])),
    of: left.of.map((unit) => pairOf[unit]),
    length: pairs.length,
    sinks: pick(left.sinks, right.sinks),
    special: pick(left.special, right.special),
    continues: pick(left.continues, right.continues),
    direction: left.direction,
    ideographic: left.ideographic,
    picture: String(left.picture) === String(right.picture) ? left.picture : null,
    strip: left.strip,
    strips: pick(left.strips, right.strips),
  };
}

/** Right minus left on merged axes; NaN where a side lacks the token. @type {(left: Matrix, right: Matrix) => Matrix} */
export function subtract(left, right) {
  const queries = mergeAxes(left.queries, right.queries);
  const keys = mergeAxes(left.keys, right.keys);
  const values = new Float32Array(queries.length * keys.length);
  let largest = 0;
  queries.pairs.forEach(([a, b], row) => {
    keys.pairs.forEach(([c, d], column) => {
      const both = a >= 0 && b >= 0 && c >= 0 && d >= 0;
      const value = both ? right.values[b * right.columns + d] - left.values[a * left.columns + c] : NaN;
      values[row * keys.length + column] = value;
      if (both) largest = Math.max(largest, Math.abs(value));
    });
  });
  return {
    rows: queries.length,
    columns: keys.length,
    values,
    queries,
    keys,
    isSigned: true,
    isSink: keys.texts.map(() => false),
    greyed: false,
    removed: null,
    isExact: left.isExact && right.isExact,
    broken: [...left.broken, ...right.broken],
    isHidden: (row, column) => Number.isNaN(values[row * keys.length + column]),
    peaks: { byRow: new Float32Array(queries.length).fill(largest), all: largest },
  };
}
