// Aligns two token sequences on one axis, so that two sentences or two models can be subtracted.

import { longestCommon } from "../../../shared/diff.js";

/** @import { Matrix, Units } from "../types" */
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

/** Merge the units of two axes: "sat" if both have it, "sat → slept" for a replacement.
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
  const places = pairs.map((_, at) => [at]);
  return {
    pairs,
    texts,
    members: places,
    of: Int32Array.from(places, ([at]) => at),
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
