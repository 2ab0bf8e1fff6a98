// What a model reads: a text's tokens, or the strips of a picture, which stands where a text stands.

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
    const read = stripsOf(pixels, picture.right);
    const pieces = read.map((_, place) => ({ id: place, piece: String(place) }));
    return { read, pieces, words: pieces.map(({ id }) => id) };
  }
  const side = /** @type {Tokenizer} */ (tokenizer).segment(text);
  const ends = alone ? [...tokenizer.describe([bos]), ...side] : [...side, { id: eos, piece: tokenizer.pieces[eos] }];
  return { read: ends.map(({ id }) => id), pieces: ends, words: tokenizer.wordsOf(ends) };
}
