// The change that is told most shortly among translations without one head each: "te" becomes "vous".

import { differing } from "./differing.js";

/** @typedef {[layer: number, head: number, translation: string]} Changing a head, and the translation without it */

/**
 * @param {string} text the translation with all heads
 * @param {Changing[]} changing
 * @returns {{layer: number, head: number, before: string, after: string} | null} null where no words take the place of others
 */
export function surprise(text, changing) {
  const told = changing
    .map(([layer, head, now]) => {
      const [gone, came] = differing(...wordsOf(text, now)).map((words) => words.filter((word) => word.isChanged));
      return { layer, head, gone, came, size: gone.length + came.length };
    })
    .filter(({ gone, came }) => gone.length && came.length)
    .sort((a, b) => a.size - b.size)[0];
  if (!told) return null;
  const joiner = text.includes(" ") ? " " : "";
  const [before, after] = [told.gone, told.came].map((words) => bareEnd(words.map(({ word }) => word).join(joiner)));
  return { layer: told.layer, head: told.head, before, after };
}

/** Without the mark that ends a sentence. @param {string} text */
const bareEnd = (text) => text.replace(/[.,!?;:。，！？]+$/u, "") || text;

/** Words, or characters where the language puts no spaces between words.
 * @type {(one: string, other: string) => [string[], string[]]} */
export const wordsOf = (one, other) => {
  const split = (/** @type {string} */ text) => ((one + other).includes(" ") ? text.split(" ") : [...text]);
  return [split(one), split(other)];
};
