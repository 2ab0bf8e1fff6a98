// Word differences between two translations, by their longest common subsequence.

import { isSpecial } from "./text.js";

/** @typedef {{ids: number[], pieces: string[], words: number[]}} Side the tokens of a sentence, and the word of each */

/** Mark the words that are not in the longest common subsequence of both translations.
 * @param {string | string[]} before a text, or its words
 * @param {string | string[]} after
 * @returns {[{word: string, isChanged: boolean}[], {word: string, isChanged: boolean}[]]} */
export function diffWords(before, after) {
  const [old, now] = [before, after].map((text) => (Array.isArray(text) ? text : text.split(/\s+/).filter(Boolean)));
  const common = longestCommon(old, now);
  const marked = (/** @type {string[]} */ words, /** @type {Set<number>} */ same) =>
    words.map((word, place) => ({ word, isChanged: !same.has(place) }));
  return [marked(old, new Set(common.map(([place]) => place))), marked(now, new Set(common.map(([, place]) => place)))];
}

/** Pairs of indexes of the longest common subsequence.
 * @template Item
 * @param {Item[]} a @param {Item[]} b */
export function longestCommon(a, b) {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i][j] = a[i] === b[j] ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
  /** @type {[number, number][]} */
  const pairs = [];
  for (let [i, j] = [0, 0]; i < a.length && j < b.length;) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (lengths[i + 1][j] >= lengths[i][j + 1]) i++;
    else j++;
  }
  return pairs;
}

/** The pieces of a changed translation, with the removed pieces as text where they stood.
 * @param {Pick<Side, "ids" | "pieces">} before @param {Pick<Side, "ids" | "pieces">} after
 * @returns {({place: number, isNew: boolean} | {old: string})[]} */
export function mergeRemoved(before, after) {
  const common = longestCommon(before.ids, after.ids);
  /** @type {({place: number, isNew: boolean} | {old: string})[]} */
  const items = [];
  let [i, j] = [0, 0];
  for (const [atBefore, atAfter] of [...common, [before.ids.length, after.ids.length]]) {
    const old = before.pieces.slice(i, atBefore).filter((piece) => !isSpecial(piece));
    const text = old.join("").replaceAll("▁", " ").trim();
    if (text) items.push({ old: text });
    for (; j < atAfter; j++) items.push({ place: j, isNew: true });
    if (j < after.ids.length) items.push({ place: j, isNew: false });
    [i, j] = [atBefore + 1, atAfter + 1];
  }
  return items;
}
