// What a model reads: a text's tokens, or the strips of a picture, which stands where a text stands; and what stands beside
// a piece in the tokenizer's list.

import { pictureOfText, stripsOf } from "../shared/pad/picture.js";

/** @import { Tokenizer } from "./tokenizer.js" */
/** @import { Config, Source } from "./transformer.js" */

/** A source that this model does not read. */
class SourceError extends Error {
  why = "source";
}

/**
 * @param {Tokenizer | import("./characters.js").Characters} tokenizer the latter of a model that
 *   reads pictures
 * @param {Config} config
 * @param {string} text or a picture as text
 * @returns {{read: Source, pieces: {id: number, piece: string}[], words: number[]}} what the
 *   encoder reads, its tokens, and the word that each belongs to: every strip is one
 */
export function readingOf(tokenizer, config, text) {
  const { eos_id: eos, bos_id: bos, alone, picture } = config;
  if (picture) {
    const pixels = pictureOfText(text);
    if (!pixels) throw new SourceError("no picture");
    const read = stripsOf(pixels, picture);
    const pieces = read.map((_, place) => ({ id: place, piece: String(place) }));
    return { read, pieces, words: pieces.map(({ id }) => id) };
  }
  const side = /** @type {Tokenizer} */ (tokenizer).segment(text);
  const ends = alone ? [...tokenizer.describe([bos]), ...side] : [...side, { id: eos, piece: tokenizer.pieces[eos] }];
  return { read: ends.map(({ id }) => id), pieces: ends, words: tokenizer.wordsOf(ends) };
}

/** @typedef {{id: number, piece: string}} Listed */
/** @typedef {{pieces: Listed[], words: number[]}} Cut pieces, and the word that each belongs to, as `Tokenizer.wordsOf` */

/** @param {import("./tokenizer.js").Tokenizer | import("./characters.js").Characters} tokenizer @param {string} text
 * @returns {Cut} without the tokens of start and end; nothing where the model reads pictures */
export function cut(tokenizer, text) {
  const pieces = "segment" in tokenizer ? tokenizer.segment(text) : [];
  return { pieces, words: tokenizer.wordsOf(pieces) };
}

/**
 * A piece with those before and after it in the list, as many as there are on both sides.
 * @param {{pieces: string[]}} tokenizer
 * @param {number} id
 * @param {number} beside on each side; at an end of the list there are more on the other
 * @returns {Listed[]}
 */
export function listedAround({ pieces }, id, beside) {
  const n = 2 * beside + 1;
  const first = Math.max(0, Math.min(id - beside, pieces.length - n));
  return pieces.slice(first, first + n).map((piece, place) => ({ id: first + place, piece }));
}
