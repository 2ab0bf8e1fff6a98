// The characters that a model of handwriting writes. It reads no text.

const SPACE = "▁"; // stands for a space, so that it can be seen

export class Characters {
  /** @param {Uint8Array} file pieces in the order of their ids, and which of them are no characters; JSON */
  constructor(file) {
    const { pieces, specials } = JSON.parse(new TextDecoder().decode(file));
    /** @type {string[]} */
    this.pieces = pieces.map((/** @type {string} */ piece) => (piece === " " ? SPACE : piece));
    this.specials = new Set(specials);
  }

  /** The text of ids; those that are no characters are left out. @param {number[]} ids */
  decode(ids) {
    const said = ids.filter((id) => !this.specials.has(id)).map((id) => this.pieces[id]);
    return said.join("").replaceAll(SPACE, " ");
  }

  /** Pieces of given ids. @param {number[]} ids */
  describe(ids) {
    return ids.map((id) => ({ id, piece: this.pieces[id] }));
  }

  /** The word that each character belongs to, counted from 0; -1 for what is no character.
   * @param {{id: number, piece: string}[]} pieces */
  wordsOf(pieces) {
    let word = 0;
    return pieces.map(({ id, piece }) => {
      if (this.specials.has(id)) return -1;
      if (piece === SPACE) word += 1;
      return word;
    });
  }

  /** No text is read. */
  unknownCharacters() {
    return [];
  }
}
