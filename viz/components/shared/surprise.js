// The head whose removal replaces the fewest words of the translation: without it, "te" becomes "vous".

import { diffWords } from "./diff.js";

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
