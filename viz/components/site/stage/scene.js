// The stage's data, stored by the site's builder or computed in the page: a translation with its cross-attention, or a
// decoder-only model's continuation with its self-attention.

import { weightsOfBase64 } from "../../shared/packet.js";
import { inkWidth, isPictureText, pictureOfText } from "../../shared/pad/picture.js";
import { isSpecial } from "../../shared/text.js";

/** @import { Side } from "../../shared/diff.js" */
/** @import { StoredScene, Trace } from "../types.js" */
/**
 * @typedef {[id: number, piece: string, logProb: number]} Candidate
 * @typedef {object} Scene
 * @property {string} text
 * @property {string} translation
 * @property {{source: string | null, target: string | null}} languages
 * @property {Side} source
 * @property {Side} target
 * @property {number} layers
 * @property {number} heads of each layer
 * @property {Candidate[][]} candidates of each step
 * @property {string} main the kind of attention
 * @property {number} first row of the first target token in the attention maps; 0 for a translation
 * @property {Uint8Array | null} picture the source, if it is a written word: its strips are the source tokens
 * @property {number} strip width of a strip in pixels
 * @property {(layer: number, head: number) => Float32Array} weightsOf weights (T, S) of a head
 */

/** @param {StoredScene} stored as viz/export/stored.py writes it
 * @returns {Scene} */
export const sceneOfStored = (stored) => withWeights(stored, weightsOfBase64(stored.weights), 0);

/** @param {Trace} trace the worker's message
 * @returns {Scene} */
export function sceneOfTrace(trace) {
  const { n_decoder_layers: layers, n_decoder_heads: heads, picture } = trace.about.config;
  const candidates = trace.candidates.map((step) =>
    step.map(({ id, piece, logProb }) => /** @type {Candidate} */ ([id, piece, logProb])),
  );
  const languages = languagesOf(trace.about.languages);
  return withWeights(
    { ...trace, languages, layers, heads, candidates, strip: picture?.strip ?? 0 },
    trace.maps[trace.main],
    trace.first,
  );
}

/** A decoder-only model writes the language that it reads. @param {{source: string, target: string | null}} languages */
const languagesOf = ({ source, target }) => ({ source, target: target ?? source });

/**
 * @param {Omit<Scene, "picture" | "weightsOf">} about
 * @param {Float32Array} weights (L, H, skipped + T, S)
 * @param {number} skipped rows before the target's in each map
 * @returns {Scene}
 */
function withWeights(about, weights, skipped) {
  const { text, translation, languages, source, target, main, first, layers, heads, candidates, strip } = about;
  const n = source.ids.length;
  const rows = skipped + target.ids.length;
  const weightsOf = (/** @type {number} */ layer, /** @type {number} */ head) => {
    const start = (layer * heads + head) * rows;
    return weights.subarray((start + skipped) * n, (start + rows) * n);
  };
  const picture = isPictureText(text) ? pictureOfText(text) : null;
  const scene = { text, translation, languages, source, target, main, first, layers, heads, candidates, strip };
  return { ...scene, picture, weightsOf };
}

/** The weights of a head at a step, one for each source token.
 * @param {Pick<Scene, "source" | "weightsOf">} scene @param {[number, number]} head @param {number} step */
export function weightsAt({ source: { ids }, weightsOf }, head, step) {
  return weightsOf(...head).subarray(step * ids.length, (step + 1) * ids.length);
}

/** The words of a side by their total weight, the largest first.
 * @param {Side} side
 * @param {ArrayLike<number>} row a weight for each piece */
export function wordsByWeight(side, row) {
  /** @type {Map<number, {text: string, weight: number, isEnd: boolean, isStart: boolean}>} */
  const words = new Map();
  side.pieces.forEach((piece, place) => {
    const isEnd = isSpecial(piece);
    const isStart = piece === "<s>";
    const word = words.get(side.words[place]) ?? { text: "", weight: 0, isEnd, isStart };
    word.text += isEnd ? "" : piece.replaceAll("▁", "");
    word.weight += row[place];
    words.set(side.words[place], word);
  });
  return [...words.values()].sort((a, b) => b.weight - a.weight);
}

/** The text of the word that a piece belongs to; "" for a space. @param {Side} side @param {number} place */
export function wordAt({ pieces, words }, place) {
  const letters = (/** @type {string} */ piece) => piece.replaceAll("▁", "").replace(/^Ġ/, "");
  // Chinese has no spaces: a word would be a whole clause.
  if (words[place] < 0 || !letters(pieces[place]) || /\p{Script=Han}/u.test(pieces[place]))
    return letters(pieces[place]);
  return pieces
    .filter((_, at) => words[at] === words[place])
    .map(letters)
    .join("");
}

/** The step with the largest weight on a single word with letters.
 * @param {Scene} scene @param {[number, number]} head */
export function clearestStep(scene, head) {
  if (scene.picture) return Math.min(1, scene.target.ids.length - 1); // the second letter, because the first is at the edge
  let [best, largest] = [0, -1];
  scene.target.pieces.forEach((piece, place) => {
    if (isSpecial(piece) || !/\p{L}{2}|\p{Script=Han}/u.test(piece)) return;
    const row = weightsAt(scene, head, place);
    const seen = row.indexOf(Math.max(...row));
    if (isSpecial(scene.source.pieces[seen]) || !/\p{L}{3}/u.test(scene.source.pieces[seen])) return;
    if (row[seen] > largest) [best, largest] = [place, row[seen]];
  });
  return best;
}

/** The head with the largest sum of its rows' maxima. A decoder-only model's start token is excluded, because it is an
 * attention sink. For a picture, only rows whose maximum is further right than the previous one count.
 * @param {Scene} scene @returns {[number, number]} */
export function clearestOf(scene) {
  const n = scene.source.ids.length;
  const end = scene.picture ? Math.ceil(inkWidth(scene.picture) / scene.strip) : n;
  const skipped = scene.first ? 1 : 0;
  /** @type {[number, number]} */
  let best = [0, 0];
  let bestSum = -1;
  for (let layer = 0; layer < scene.layers; layer++)
    for (let head = 0; head < scene.heads; head++) {
      const weights = scene.weightsOf(layer, head);
      let sum = 0;
      let before = -1;
      for (let at = 0; at < weights.length; at += n) {
        const row = weights.subarray(at + skipped, at + end);
        const largest = Math.max(...row);
        const place = row.indexOf(largest);
        if (!scene.picture || place > before) sum += largest;
        before = place;
      }
      if (sum > bestSum) [best, bestSum] = [[layer, head], sum];
    }
  return best;
}

/** The approximate width of a side in one line, in letters. @param {Side} side */
export function lengthOf({ pieces }) {
  const wide = (/** @type {string} */ piece) =>
    (piece.match(/[\p{Script=Han}\u3000-\u303f\uff00-\uffee]/gu) ?? []).length;
  return pieces.reduce((sum, piece) => sum + (isSpecial(piece) ? 4 : piece.length + 0.8 * wide(piece)), 0);
}
