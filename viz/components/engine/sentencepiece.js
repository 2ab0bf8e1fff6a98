// The vocabulary of a SentencePiece model file (a protocol buffer), and its normalisation.

/** Field numbers of sentencepiece_model.proto. */
const PIECES = 1;
const NORMALISER = 3;
const CHARSMAP = 2;

/** Pieces, scores and types in the order of their ids, and the normalisation table. @param {Uint8Array} file */
export function readVocabulary(file) {
  /** @type {string[]} */
  const pieces = [];
  /** @type {number[]} */
  const scores = [];
  /** @type {number[]} */
  const types = [];
  /** @type {Uint8Array} */
  let table = new Uint8Array(0);
  for (const [field, content] of fieldsOf(file)) {
    if (field === PIECES) {
      const piece = new Map(fieldsOf(content));
      const score = piece.get(2);
      pieces.push(new TextDecoder().decode(piece.get(1)));
      scores.push(score ? new DataView(score.buffer, score.byteOffset).getFloat32(0, true) : 0);
      types.push(piece.get(3)?.[0] ?? 1);
    }
    if (field === NORMALISER) table = new Map(fieldsOf(content)).get(CHARSMAP) ?? table;
  }
  return { pieces, scores, types, charsmap: new Charsmap(table) };
}

/** The fields of a message: number and content; the bytes of a numeric field.
 * @param {Uint8Array} bytes @returns {Generator<[number, Uint8Array]>} */
function* fieldsOf(bytes) {
  let at = 0;
  const number = () => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = bytes[at++];
      value += (byte & 127) * shift;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = number();
    const kind = tag & 7;
    let start = at;
    if (kind === 0) number();
    else if (kind === 1) at += 8;
    else if (kind === 5) at += 4;
    else {
      const length = number();
      start = at;
      at += length;
    }
    yield [Math.floor(tag / 8), bytes.subarray(start, at)];
  }
}

/**
 * SentencePiece's normalisation of characters: a double-array trie (Aoe 1989; darts-clone) from UTF-8 to offsets in a list
 * of texts. The browser's NFKC is of another Unicode version, and treats spaces and control characters differently.
 */
class Charsmap {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    const size = bytes.length ? new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true) : 0;
    this.trie = new Uint32Array(bytes.slice(4, 4 + size).buffer);
    this.texts = bytes.subarray(4 + size);
    this.decoder = new TextDecoder();
  }

  /** The longest entry of the table that starts at an offset: its count of bytes, and its replacement.
   * @param {Uint8Array} text @param {number} at @returns {{length: number, replacement: string} | null} */
  match(text, at) {
    if (!this.trie.length) return null;
    let [node, length, value] = [offsetOf(this.trie[0]), 0, 0];
    for (let i = at; i < text.length; i++) {
      node ^= text[i];
      const unit = this.trie[node];
      if ((unit & 0x800000ff) >>> 0 !== text[i]) break;
      node ^= offsetOf(unit);
      if ((unit >>> 8) & 1) [length, value] = [i + 1 - at, this.trie[node] & 0x7fffffff];
    }
    return length ? { length, replacement: this.#text(value) } : null;
  }

  /** @param {number} place */
  #text(place) {
    return this.decoder.decode(this.texts.subarray(place, this.texts.indexOf(0, place)));
  }
}

/** @param {number} unit */
const offsetOf = (unit) => (unit >>> 10) << ((unit & 512) >>> 6);
