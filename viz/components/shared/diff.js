// Word differences between two translations, by their longest common subsequence, and the head whose removal replaces the
// fewest words.

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

/** @typedef {[layer: number, head: number, translation: string]} Changing a head, and the translation without it */

/**
 * @param {string} text the translation with all heads
 * @param {Changing[]} changing
 * @returns {{layer: number, head: number, before: string, after: string} | null} null where no head replaces words by others
 */
export function surprise(text, changing) {
  const smallest = changing
    .map(([layer, head, ablated]) => {
      const [removed, added] = diffWords(...splitBoth(text, ablated)).map((words) => words.filter((w) => w.isChanged));
      return { layer, head, removed, added, size: removed.length + added.length };
    })
    .filter(({ removed, added }) => removed.length && added.length)
    .sort((a, b) => a.size - b.size)[0];
  if (!smallest) return null;
  const joiner = text.includes(" ") ? " " : "";
  const { layer, head, removed, added } = smallest;
  const [before, after] = [removed, added].map((words) => withoutEndMark(words.map(({ word }) => word).join(joiner)));
  return { layer, head, before, after };
}

/** @param {string} text */
const withoutEndMark = (text) => text.replace(/[.,!?;:。，！？]+$/u, "") || text;

/** Split two texts into words, or into characters where neither has spaces (Chinese).
 * @type {(a: string, b: string) => [string[], string[]]} */
export const splitBoth = (a, b) => {
  const split = (/** @type {string} */ text) => ((a + b).includes(" ") ? text.split(" ") : [...text]);
  return [split(a), split(b)];
};
