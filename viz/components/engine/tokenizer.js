// SentencePiece's unigram model (Kudo 2018): normalisation, the best segmentation, and decoding.

import { readVocabulary } from "./sentencepiece.js";

const MARK = "▁";
const UNKNOWN_PENALTY = 10;
const NORMAL = 1;
const UNKNOWN = 2;
const CONTROL = 3;
const BYTE = 6;

/** Characters that this project's models were trained without, as `normalise` of model/text/tokenizer.py. */
const PLAIN = new Map([
  ["\u202f", " "],
  ["\u00a0", " "],
  ["\u2009", " "],
  ["\u200b", ""],
  ["\u00ad", ""],
  ["\u2019", "'"],
]);

export class Tokenizer {
  /** @param {Uint8Array} file a SentencePiece model
   * @param {boolean} isPlain whether the model was trained on plain text; texts of others are read verbatim */
  constructor(file, isPlain = true) {
    this.isPlain = isPlain;
    const { pieces, scores, types, charsmap } = readVocabulary(file);
    this.pieces = pieces;
    this.types = types;
    this.charsmap = charsmap;
    this.unknownId = types.indexOf(UNKNOWN);
    this.scores = Float32Array.from(scores);
    /** @type {Map<string, number>} */
    this.ids = new Map();
    this.longest = 1;
    let lowest = Infinity;
    pieces.forEach((piece, id) => {
      if (types[id] !== NORMAL) return;
      this.ids.set(piece, id);
      this.longest = Math.max(this.longest, [...piece].length);
      lowest = Math.min(lowest, this.scores[id]);
    });
    this.unknownScore = Math.fround(lowest - UNKNOWN_PENALTY);
    this.bytes = new Map(
      pieces.flatMap((piece, id) => (types[id] === BYTE ? [[parseInt(piece.slice(3, 5), 16), id]] : [])),
    );
    this.hasByteFallback = this.bytes.size > 0;
    this.known = new Set([...this.ids.keys()].join(""));
  }

  /** SentencePiece's normalisation: its table of characters, single spaces, and a mark before each word.
   * @param {string} text */
  normalise(text) {
    const plain = this.isPlain ? [...text].map((character) => PLAIN.get(character) ?? character).join("") : text;
    const bytes = new TextEncoder().encode(plain);
    let normal = "";
    for (let at = 0; at < bytes.length;) {
      const entry = this.charsmap.match(bytes, at);
      const length = entry?.length ?? lengthOfCharacter(bytes[at]);
      normal += entry?.replacement ?? this.#decoder.decode(bytes.subarray(at, at + length));
      at += length;
    }
    const words = normal.replace(/[ ▁]+$/, "").split(/ +/);
    return words.map((word) => word && MARK + word).join("");
  }

  #decoder = new TextDecoder("utf-8", { ignoreBOM: true });

  /** Ids of the best segmentation, without the end token. @param {string} text */
  encode(text) {
    return this.segment(text).map(({ id }) => id);
  }

  /** The best segmentation: each piece's id and its text (the unknown piece has none).
   * @param {string} text @returns {{id: number, piece: string}[]} */
  segment(text) {
    const characters = [...this.normalise(text)];
    const n = characters.length;
    const best = new Float32Array(n + 1);
    const from = new Int32Array(n + 1).fill(-1);
    const by = new Int32Array(n + 1);
    for (let start = 0; start < n; start++) {
      let hasSingle = false;
      let piece = "";
      for (let stop = start + 1; stop <= Math.min(n, start + this.longest); stop++) {
        piece += characters[stop - 1];
        const id = this.ids.get(piece);
        if (id === undefined) continue;
        hasSingle ||= stop === start + 1;
        this.#relax(best, from, by, start, stop, this.scores[id], id);
      }
      if (!hasSingle) this.#relax(best, from, by, start, start + 1, this.unknownScore, this.unknownId);
    }
    return this.#path(characters, from, by);
  }

  /** Use a piece if it gives a better segmentation up to its end.
   * @param {Float32Array} best @param {Int32Array} from @param {Int32Array} by @param {number} start
   * @param {number} stop @param {number} score @param {number} id */
  #relax(best, from, by, start, stop, score, id) {
    const total = Math.fround(best[start] + score);
    if (from[stop] >= 0 && total <= best[stop]) return;
    best[stop] = total;
    from[stop] = start;
    by[stop] = id;
  }

  /** @param {string[]} characters @param {Int32Array} from @param {Int32Array} by */
  #path(characters, from, by) {
    const segments = [];
    for (let stop = characters.length; stop > 0; stop = from[stop]) segments.push([by[stop], from[stop], stop]);
    segments.reverse();
    /** @type {{id: number, piece: string}[]} */
    const pieces = [];
    let wasUnknown = false;
    for (const [id, start, stop] of segments) {
      const piece = characters.slice(start, stop).join("");
      const isUnknown = id === this.unknownId;
      if (isUnknown && this.hasByteFallback)
        for (const byte of new TextEncoder().encode(piece)) {
          const known = /** @type {number} */ (this.bytes.get(byte)); // a model with bytes has all 256
          pieces.push({ id: known, piece: this.pieces[known] });
        }
      else if (isUnknown && wasUnknown)
        pieces[pieces.length - 1].piece += piece; // unknown characters in a row are one token
      else pieces.push({ id, piece });
      wasUnknown = isUnknown;
    }
    return pieces;
  }

  /** The text of ids, without control tokens. @param {number[]} ids */
  decode(ids) {
    let text = "";
    /** @type {number[]} */
    let bytes = [];
    const flush = () => {
      if (bytes.length) text += new TextDecoder().decode(Uint8Array.from(bytes));
      bytes = [];
    };
    for (const id of ids) {
      if (this.types[id] === BYTE) {
        bytes.push(parseInt(this.pieces[id].slice(3, 5), 16));
        continue;
      }
      flush();
      if (this.types[id] === CONTROL) continue;
      text += this.types[id] === UNKNOWN ? " ⁇ " : this.pieces[id];
    }
    flush();
    return text.replaceAll(MARK, " ").replace(/^ /, "");
  }

  /** The pieces of ids, as `segment` returns them for a text. @param {number[]} ids */
  describe(ids) {
    return ids.map((id) => ({ id, piece: this.pieces[id] }));
  }

  /** The word of each piece, counted from 0; -1 for a control token.
   * @param {{id: number, piece: string}[]} pieces */
  wordsOf(pieces) {
    let word = -1;
    let isAfterMark = true;
    return pieces.map(({ id, piece }) => {
      if (this.types[id] === CONTROL) return -1;
      const isMark = isPunctuation(piece.startsWith(MARK) ? piece.slice(1) : piece);
      if (piece.startsWith(MARK) || isMark || isAfterMark) word++;
      isAfterMark = isMark;
      return word;
    });
  }

  /** Characters of the text that the vocabulary lacks. @param {string} text */
  unknownCharacters(text) {
    if (this.hasByteFallback) return [];
    return [...new Set(this.normalise(text))].filter((character) => character !== MARK && !this.known.has(character));
  }
}

/** @param {number} first byte of a character in UTF-8 */
const lengthOfCharacter = (first) => (first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4);

/** Whether a text is punctuation; an apostrophe or a hyphen belongs to its word. @param {string} text */
export function isPunctuation(text) {
  return text.length > 0 && [...text].every((character) => /\p{P}/u.test(character) && !"'-".includes(character));
}
