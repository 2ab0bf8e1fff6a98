// What a head was measured to do for the sentence on screen, in words: "picks “you” → “te”".

import { diffWords } from "../../shared/diff.js";
import { surprise, splitBoth } from "../../shared/surprise.js";
import { headsOfKind } from "./data/unpack.js";

/** @import { Head, Units, View } from "./types" */

/**
 * The word that a head looks at most where the first word depends on it.
 * @param {View} view of the translation with all heads
 * @param {Head} head of cross-attention
 * @param {string} text of that translation
 * @param {string} without the translation without the head
 * @returns {{seen: string, said: string} | null} null where it looks mostly at no word, and for the translation of a change
 */
export function pickOf(view, [layer, head], text, without) {
  const told = surprise(text, [[layer, head, without]]);
  const [queries, keys] = [view.predicted.in("words"), view.source.in("words")];
  const word = told && unitOf(queries, text, without);
  if (!told || word === null || keys.picture) return null;
  const weights = headsOfKind(view, "cross")
    .read(layer, head)
    .subarray(queries.members[word][0] * view.source.length);
  const seen = keys.members.map((pieces) => pieces.reduce((sum, piece) => sum + weights[piece], 0));
  const most = seen.indexOf(Math.max(...seen));
  return keys.special[most] ? null : { seen: keys.texts[most], said: told.before };
}

/** The unit in which the first word of a text begins that another text lacks; null where the units are not the text's.
 * @param {Units} units @param {string} text @param {string} other */
function unitOf({ texts, special }, text, other) {
  const bare = (/** @type {string} */ some) => some.replace(/\s/gu, "");
  const spoken = texts.map((each, at) => (special[at] ? "" : bare(each)));
  if (spoken.join("") !== bare(text)) return null;
  const [words] = diffWords(...splitBoth(text, other));
  const before = words
    .slice(
      0,
      words.findIndex(({ isChanged }) => isChanged),
    )
    .map(({ word }) => word);
  let left = before.join("").length;
  return spoken.findIndex((each) => (left -= each.length) < 0);
}
