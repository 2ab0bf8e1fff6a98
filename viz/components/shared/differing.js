// Two translations word by word: which words of each the other does not have at that place.

import { isSpecial } from "./text.js";

/** @typedef {{ids: number[], pieces: string[], words: number[]}} Side the tokens of a sentence, and the word of each */

/** @param {string | string[]} before a text, or its words
 * @param {string | string[]} after
 * @returns {[{word: string, isChanged: boolean}[], {word: string, isChanged: boolean}[]]} */
export function differing(before, after) {
  const [one, other] = [before, after].map((text) => (Array.isArray(text) ? text : text.split(/\s+/).filter(Boolean)));
  const kept = longestCommon(one, other);
  const marked = (/** @type {string[]} */ words, /** @type {Set<number>} */ same) =>
    words.map((word, place) => ({ word, isChanged: !same.has(place) }));
  return [marked(one, new Set(kept.map(([place]) => place))), marked(other, new Set(kept.map(([, place]) => place)))];
}

/** Pairs of places of the longest common subsequence.
 * @template Item
 * @param {Item[]} one @param {Item[]} other */
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

/** The pieces of a changed translation, and between them what stood there before.
 * @param {Pick<Side, "ids" | "pieces">} before @param {Pick<Side, "ids" | "pieces">} after
 * @returns {({place: number, isNew: boolean} | {old: string})[]} */
export function withOld(before, after) {
  const kept = longestCommon(before.ids, after.ids);
  /** @type {({place: number, isNew: boolean} | {old: string})[]} */
  const items = [];
  let [i, j] = [0, 0];
  for (const [atBefore, atAfter] of [...kept, [before.ids.length, after.ids.length]]) {
    const old = before.pieces.slice(i, atBefore).filter((piece) => !isSpecial(piece));
    const text = old.join("").replaceAll("▁", " ").trim();
    if (text) items.push({ old: text });
    for (; j < atAfter; j++) items.push({ place: j, isNew: true });
    if (j < after.ids.length) items.push({ place: j, isNew: false });
    [i, j] = [atBefore + 1, atAfter + 1];
  }
  return items;
}
