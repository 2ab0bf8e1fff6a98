// Two translations word by word: which words of each the other does not have at that place.

/**
 * @param {string | string[]} before a text, or its words
 * @param {string | string[]} after
 * @returns {[{word: string, isChanged: boolean}[], {word: string, isChanged: boolean}[]]}
 */
export function differing(before, after) {
  const [one, other] = [before, after].map((text) => (Array.isArray(text) ? text : text.split(/\s+/).filter(Boolean)));
  const kept = longestCommon(one, other);
  const marked = (/** @type {string[]} */ words, /** @type {Set<number>} */ same) =>
    words.map((word, place) => ({ word, isChanged: !same.has(place) }));
  return [marked(one, new Set(kept.map(([place]) => place))), marked(other, new Set(kept.map(([, place]) => place)))];
}

/**
 * Pairs of places of the longest common subsequence.
 * @template Item
 * @param {Item[]} one
 * @param {Item[]} other
 */
export function longestCommon(one, other) {
  const lengths = Array.from({ length: one.length + 1 }, () => new Uint16Array(other.length + 1));
  for (let i = one.length - 1; i >= 0; i--)
    for (let j = other.length - 1; j >= 0; j--)
      lengths[i][j] = one[i] === other[j] ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
  /** @type {[number, number][]} */
  const pairs = [];
  for (let [i, j] = [0, 0]; i < one.length && j < other.length;) {
    if (one[i] === other[j]) pairs.push([i++, j++]);
    else if (lengths[i + 1][j] >= lengths[i][j + 1]) i++;
    else j++;
  }
  return pairs;
}
