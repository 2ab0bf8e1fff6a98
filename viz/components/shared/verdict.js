// What a change did to a translation, in one line: the words that are lost struck out beside the new ones, or the word
// whose probability moved most where all words stay.

import { differing } from "./differing.js";
import { h } from "./dom.js";
import { fill, percent } from "./text.js";

/** A share of the probability that is too small to speak of. */
const LEAST = 0.005;

/** @typedef {{words: string[], shares: (number | null)[], joiner: string}} Spoken the words of a translation, the
 * probability of each, and what stands between two words */

/**
 * The line, as nodes.
 * @param {Spoken} before
 * @param {Spoken} after
 * @param {Record<string, string>} words verdict_same, verdict_probability, verdict_said and verdict_nothing
 * @returns {{nodes: Node[], said: string}} `said` is the same for a screen reader
 */
export function verdict(before, after, words) {
  const text = (/** @type {Spoken} */ { words: given, joiner }) => given.join(joiner);
  if (text(before) !== text(after))
    return {
      nodes: marked(before, after),
      said: fill(words.verdict_said, { before: text(before), after: text(after) }),
    };
  const said = unchangedWords(before, after, words);
  return { nodes: [document.createTextNode(said)], said };
}

/** @param {Spoken} before @param {Spoken} after @param {Record<string, string>} words @returns {string} */
function unchangedWords(before, after, words) {
  const moves = after.words.map((_, place) => Math.abs((after.shares[place] ?? 0) - (before.shares[place] ?? 0)));
  const most = moves.indexOf(Math.max(...moves));
  if (!(moves[most] >= LEAST)) return words.verdict_same;
  const [was, now] = [before.shares[most] ?? 0, after.shares[most] ?? 0];
  const digits = Math.round(was * 100) === Math.round(now * 100) ? 1 : 0;
  return fill(words.verdict_probability, {
    word: after.words[most],
    before: percent(was, digits),
    after: percent(now, digits),
  });
}

/** The new translation with the lost words struck out where they stood. @param {Spoken} before @param {Spoken} after */
function marked(before, after) {
  const [old, now] = differing(before.words, after.words);
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
