// Aligns two token sequences on one axis, so that two sentences or two models can be subtracted.

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
  let [leftRun, rightRun] = [[], []];
  const endRun = () => {
    pairs.push(...pairRuns(leftRun, rightRun));
    [leftRun, rightRun] = [[], []];
  };
  while (i < left.length || j < right.length) {
    if (i < left.length && j < right.length && left[i] === right[j]) {
      endRun();
      pairs.push([i++, j++]);
    } else if (j >= right.length || (i < left.length && common[(i + 1) * width + j] >= common[i * width + j + 1])) {
      leftRun.push(i++);
    } else {
      rightRun.push(j++);
    }
  }
  endRun();
  return pairs;
}

/** Pair two runs of unequal tokens from the front; the rest of the longer run stays unpaired.
 * @type {(left: number[], right: number[]) => Pair[]} */
function pairRuns(left, right) {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, at) => [left[at] ?? -1, right[at] ?? -1]);
}

/** The partner of each unit of one side, or -1.
 * @type {(pairs: Pair[], side: 0 | 1, length: number) => Int32Array} */
export function partnersOf(pairs, side, length) {
  const partners = new Int32Array(length).fill(-1);
  for (const pair of pairs) if (pair[side] >= 0) partners[pair[side]] = pair[1 - side];
  return partners;
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
