// Two token sequences on one axis, so that two sentences or two models can be subtracted.

/** Pairs [left, right] of unit indexes in order; -1 where a side has no token. Equal tokens match, longest first. */
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
  const pairs = [];
  let [i, j] = [0, 0];
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

/** A stretch of unequal tokens: they are paired from the front, and the rest stays unpaired. */
function replaceEvenly(lone, other) {
  return Array.from({ length: Math.max(lone.length, other.length) }, (_, at) => [lone[at] ?? -1, other[at] ?? -1]);
}

/** For each unit of one side its partner on the other, or -1. */
export function partnersOf(pairs, side, length) {
  const partners = new Int32Array(length).fill(-1);
  for (const pair of pairs) if (pair[side] >= 0) partners[pair[side]] = pair[1 - side];
  return partners;
}

/** The units of two axes as one: "sat" where both have it, "sat → slept" where one replaced the other. */
function mergeAxes(left, right) {
  const pairs = alignTexts(left.texts, right.texts);
  const pick = (name, empty) => pairs.map(([i, j]) => (i >= 0 ? left[name][i] : right[name][j]) ?? empty);
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
    sinks: pick("sinks", ""),
    special: pick("special", false),
    continues: pick("continues", false),
    direction: left.direction,
    ideographic: left.ideographic,
  };
}

/** Right minus left on common axes; NaN where a side has no such token. */
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
