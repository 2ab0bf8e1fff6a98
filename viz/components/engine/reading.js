// The input of a model: the tokens of a text, or the strips of a picture that is written as text; the vocabulary around a
// piece; and the characters of a model of handwriting.

import { pictureOfText, stripsOf } from "../shared/pad/picture.js";

/** @import { Tokenizer } from "./tokenizer.js" */
/** @import { Config, Source } from "./transformer.js" */

/** A source that this model cannot read. */
class SourceError extends Error {
  why = "source";
}

/**
 * @param {Tokenizer | Characters} tokenizer `Characters` for a model of pictures
 * @param {Config} config
 * @param {string} text or a picture as text
 * @returns {{read: Source, pieces: Listed[], words: number[]}} the encoder's input, its tokens, and the word of each; a
 *   strip is a word
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
/** @typedef {{pieces: Listed[], words: number[]}} Cut pieces, and the word of each, as `Tokenizer.wordsOf` */

/** @param {Tokenizer | Characters} tokenizer @param {string} text
 * @returns {Cut} without start and end tokens; empty for a model of pictures */
export function segmentText(tokenizer, text) {
  const pieces = "segment" in tokenizer ? tokenizer.segment(text) : [];
  return { pieces, words: tokenizer.wordsOf(pieces) };
}

/**
 * A piece with its neighbours in the vocabulary.
 * @param {{pieces: string[]}} tokenizer
 * @param {number} id
 * @param {number} beside on each side; at an end of the vocabulary, more on the other side
 * @returns {Listed[]}
 */
export function listedAround({ pieces }, id, beside) {
  const n = 2 * beside + 1;
  const first = Math.max(0, Math.min(id - beside, pieces.length - n));
  return pieces.slice(first, first + n).map((piece, place) => ({ id: first + place, piece }));
}

const SPACE = "▁"; // makes a space visible

/** The characters that a model of handwriting writes. */
export class Characters {
  /** @param {Uint8Array} file JSON: the pieces in the order of their ids, and the ids of special tokens */
  constructor(file) {
    const { pieces, specials } = JSON.parse(new TextDecoder().decode(file));
    /** @type {string[]} */
    this.pieces = pieces.map((/** @type {string} */ piece) => (piece === " " ? SPACE : piece));
    this.specials = new Set(specials);
  }

  /** The text of ids, without special tokens. @param {number[]} ids */
  decode(ids) {
    const characters = ids.filter((id) => !this.specials.has(id)).map((id) => this.pieces[id]);
    return characters.join("").replaceAll(SPACE, " ");
  }

  /** @param {number[]} ids */
  describe(ids) {
    return ids.map((id) => ({ id, piece: this.pieces[id] }));
  }

  /** The word of each character, counted from 0; -1 for a special token. @param {Listed[]} pieces */
  wordsOf(pieces) {
    let word = 0;
    return pieces.map(({ id, piece }) => {
      if (this.specials.has(id)) return -1;
      if (piece === SPACE) word += 1;
      return word;
    });
  }

  /** None, because the model reads no text. */
  unknownCharacters() {
    return [];
  }
}
