// The source word that a head picks for a target word, by measurement: "picks “you” → “te”".

import { diffWords } from "../../shared/diff.js";
import { surprise, splitBoth } from "../../shared/surprise.js";
import { headsOfKind } from "./data/unpack.js";

/** @import { Head, Units, View } from "./types" */

/**
 * The source word with the largest weight at the first target word that changes without the head.
 * @param {View} view of the translation with all heads
 * @param {Head} head of cross-attention
 * @param {string} text of that translation
 * @param {string} ablated the translation without the head
 * @returns {{seen: string, said: string} | null} null if the weight is on a special token, or the units are not the text's
 */
export function pickOf(view, [layer, head], text, ablated) {
  const change = surprise(text, [[layer, head, ablated]]);
  const [queries, keys] = [view.predicted.in("words"), view.source.in("words")];
  const word = change && unitOf(queries, text, ablated);
  if (!change || word === null || keys.picture) return null;
  const weights = headsOfKind(view, "cross")
    .read(layer, head)
    .subarray(queries.members[word][0] * view.source.length);
  const seen = keys.members.map((pieces) => pieces.reduce((sum, piece) => sum + weights[piece], 0));
  const largest = seen.indexOf(Math.max(...seen));
  return keys.special[largest] ? null : { seen: keys.texts[largest], said: change.before };
}

/** The unit with the first changed word of a text; null if the units do not spell the text.
 * @param {Units} units @param {string} text @param {string} ablated */
function unitOf({ texts, special }, text, ablated) {
  const withoutSpaces = (/** @type {string} */ part) => part.replace(/\s/gu, "");
  const pieces = texts.map((piece, at) => (special[at] ? "" : withoutSpaces(piece)));
  if (pieces.join("") !== withoutSpaces(text)) return null;
  const [words] = diffWords(...splitBoth(text, ablated));
  const before = words
    .slice(
      0,
      words.findIndex(({ isChanged }) => isChanged),
    )
    .map(({ word }) => word);
  let remaining = before.join("").length;
  return pieces.findIndex((piece) => (remaining -= piece.length) < 0);
}
