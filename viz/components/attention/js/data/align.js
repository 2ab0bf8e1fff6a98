// Two token sequences on one axis, so that two sentences or two models can be subtracted.

/** @import { Matrix, Units } from "../types" */
/** @typedef {[left: number, right: number]} Pair indexes of units, -1 where a side has no token */

/** Pairs [left, right] of unit indexes in order; -1 where a side has no token. Equal tokens match, longest first.
 * @type {(left: string[], right: string[]) => Pair[]} */
export function alignTexts(left, right) {
  const width = right.length + 1;
  const common = new Uint16Array((left.length + 1) * width); // longest common subsequence of the suffixes
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      common[i * width + j] =
        left[i] === right[j]
          ? common[(i + 1) * width + j + 1] + 1
          : Math.max(common[(i + 1) * width + j], common[i * width + j + 1]);
    }
  }
  /** @type {Pair[]} */
  const pairs = [];
  let [i, j] = [0, 0];
  /** @type {[number[], number[]]} */
  let [lone, other] = [[], []];
  const settle = () => {
    pairs.push(...replaceEvenly(lone, other));
    [lone, other] = [[], []];
  };
  while (i < left.length || j < right.length) {
    if (i < left.length && j < right.length && left[i] === right[j]) {
      settle();
      pairs.push([i++, j++]);
    } else if (j >= right.length || (i < left.length && common[(i + 1) * width + j] >= common[i * width + j + 1])) {
      lone.push(i++);
    } else {
      other.push(j++);
    }
  }
  settle();
  return pairs;
}

/** A stretch of unequal tokens: they are paired from the front, and the rest stays unpaired.
 * @type {(lone: number[], other: number[]) => Pair[]} */
function replaceEvenly(lone, other) {
  return Array.from({ length: Math.max(lone.length, other.length) }, (_, at) => [lone[at] ?? -1, other[at] ?? -1]);
}

/** For each unit of one side its partner on the other, or -1.
 * @type {(pairs: Pair[], side: 0 | 1, length: number) => Int32Array} */
export function partnersOf(pairs, side, length) {
  const partners = new Int32Array(length).fill(-1);
  for (const pair of pairs) if (pair[side] >= 0) partners[pair[side]] = pair[1 - side];
  return partners;
}

/** The units of two axes as one: "sat" where both have it, "sat → slept" where one replaced the other.
 * @type {(left: Units, right: Units) => Units & {pairs: Pair[]}} */
function mergeAxes(left, right) {
  const pairs = alignTexts(left.texts, right.texts);
  /** @type {<T>(own: T[], others: T[]) => T[]} */
  const pick = (own, others) => pairs.map(([i, j]) => (i >= 0 ? own[i] : others[j]));
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
    strips: pick(left.strips, right.strips),
  };
}

/** Right minus left on common axes; NaN where a side has no such token. @type {(left: Matrix, right: Matrix) => Matrix} */
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
