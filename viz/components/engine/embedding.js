// What a token begins as: its row of the embedding table, its position's numbers, and the rows that are most like its own.

import { sinusoid } from "./maths.js";

/** @import { Transformer } from "./transformer.js" */

/**
 * @typedef {object} Embedding
 * @property {Float32Array} row of the table (D)
 * @property {number} scale by which the row is multiplied
 * @property {Float32Array} position added to it (D)
 * @property {Float32Array} sum that enters the first layer (D)
 */

/**
 * @param {Transformer} model an encoder-decoder
 * @param {number} id
 * @param {number} place of the token in its text, from 0
 * @returns {Embedding}
 */
export function embeddingOf(model, id, place) {
  const { d_model: width, embedding_scale: scale, position_offset: offset } = model.config;
  const row = model.embedding.slice(id * width, (id + 1) * width);
  const position = sinusoid(place + offset, width);
  return { row, scale, position, sum: row.map((value, i) => value * scale + position[i]) };
}

/**
 * The tokens whose rows of the table point most nearly the same way, the nearest first.
 * @param {Transformer} model
 * @param {number} id
 * @param {(id: number) => boolean} isShown tokens that may be named
 * @param {number} n
 * @returns {{id: number, cosine: number}[]}
 */
export function neighboursOf({ embedding, config: { d_model: width } }, id, isShown, n) {
  const own = embedding.subarray(id * width, (id + 1) * width);
  /** @type {{id: number, cosine: number}[]} */
  const found = [];
  for (let other = 0; other < embedding.length / width; other++) {
    if (other === id || !isShown(other)) continue;
    const row = embedding.subarray(other * width, (other + 1) * width);
    found.push({ id: other, cosine: dot(own, row) / Math.sqrt(dot(own, own) * dot(row, row)) });
  }
  return found.sort((one, two) => two.cosine - one.cosine).slice(0, n);
}

/** @param {Float32Array} one @param {Float32Array} other */
function dot(one, other) {
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += one[i] * other[i];
  return sum;
}
