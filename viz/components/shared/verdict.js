// The effect of an intervention on a translation, in one line: removed words struck out beside the new ones, or, if no
// word changes, the word whose probability moved most.

import { diffWords } from "./diff.js";
import { h } from "./dom.js";
import { fill, percent } from "./text.js";

/** A smaller change of a probability is not reported. */
const MIN_CHANGE = 0.005;

/** @typedef {{words: string[], shares: (number | null)[], joiner: string}} Spoken the words of a translation, the
 * probability of each, and the separator between two words */

/**
 * Describe the effect.
 * @param {Spoken} before
 * @param {Spoken} after
 * @param {Record<string, string>} words verdict_same, verdict_probability, verdict_said and verdict_nothing
 * @returns {{nodes: Node[], announcement: string}} `announcement` is for a screen reader
 */
export function verdict(before, after, words) {
  const text = (/** @type {Spoken} */ spoken) => spoken.words.join(spoken.joiner);
  if (text(before) !== text(after))
    return {
      nodes: marked(before, after),
      announcement: fill(words.verdict_said, { before: text(before), after: text(after) }),
    };
  const announcement = describeProbability(before, after, words);
  return { nodes: [document.createTextNode(announcement)], announcement };
}

/** The largest change of a word's probability, where the words are the same.
 * @param {Spoken} before @param {Spoken} after @param {Record<string, string>} words @returns {string} */
function describeProbability(before, after, words) {
  const changes = after.words.map((_, place) => Math.abs((after.shares[place] ?? 0) - (before.shares[place] ?? 0)));
  const largest = changes.indexOf(Math.max(...changes));
  if (!(changes[largest] >= MIN_CHANGE)) return words.verdict_same;
  const [was, now] = [before.shares[largest] ?? 0, after.shares[largest] ?? 0];
  const digits = Math.round(was * 100) === Math.round(now * 100) ? 1 : 0;
  return fill(words.verdict_probability, {
    word: after.words[largest],
    before: percent(was, digits),
    after: percent(now, digits),
  });
}

/** The new translation with the removed words struck out in their places. @param {Spoken} before @param {Spoken} after */
function marked(before, after) {
  const [old, now] = diffWords(before.words, after.words);
  /** @type {Node[]} */
  const nodes = [];
  const put = (/** @type {Node} */ node) =>
    nodes.push(...(nodes.length && after.joiner ? [document.createTextNode(after.joiner)] : []), node);
  let place = 0;
  const strike = () => {
    while (place < old.length && old[place].isChanged) put(h("del", {}, old[place++].word));
  };
  for (const { word, isChanged } of now) {
    if (!isChanged) {
      strike();
      place += 1;
    } else strike();
    put(isChanged ? h("ins", {}, word) : document.createTextNode(word));
  }
  strike();
  return nodes;
}
