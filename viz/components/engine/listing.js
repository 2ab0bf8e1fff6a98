// What a tokenizer makes of a text, and what stands beside a piece in its list.

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
