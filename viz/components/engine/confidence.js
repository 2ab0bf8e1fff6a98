// The probability that a translation is poor, as model/interpret/confidence.py.

import { isPunctuation } from "./tokenizer.js";
import { finalLoop, translate } from "./translate.js";

/** @import { Tokenizer } from "./tokenizer.js" */

const REASSURING = 3; // standard deviations, as in model/calibration.py
const BYTE_PIECE = /^<0x[0-9A-F]{2}>$/i;

/**
 * @typedef {{centre: number, scale: number, weight: number}} Term
 * @typedef {{bias: number, threshold: number, terms: Record<string, Term>}} Calibration
 */

/**
 * The probability that a translation is poor, from 0 to 1.
 * @param {import("./transformer.js").Transformer} model
 * @param {Pick<Tokenizer, "describe" | "wordsOf" | "decode">} tokenizer
 * @param {{text: string, source: number[], target: number[], logProbs: number[]}} translation
 * @param {Calibration} calibration
 */
export function poorness(model, tokenizer, { text, source, target, logProbs }, calibration) {
  const withoutSource = translate(model, [model.config.eos_id], { prefix: target, nCandidates: 2 }).logProbs;
  const pieces = tokenizer.describe(source);
  const sourcePieces = pieces.slice(0, -1).map(({ piece }) => piece);
  const nWords = new Set(tokenizer.wordsOf(pieces).filter((word) => word >= 0)).size;
  const mean = meanOf(logProbs);
  /** @type {Record<string, number>} */
  const values = {
    mean_log_prob: mean,
    log_length: Math.log(1 + nWords),
    rare_pieces: sourcePieces.filter(isRare).length / Math.max(1, sourcePieces.length),
    pieces_per_word: sourcePieces.length / Math.max(1, nWords),
    repetition: repetitionOf(target),
    source_effect: mean - meanOf(withoutSource.slice(0, target.length)),
    character_ratio: Math.log(Math.max(1, charactersIn(tokenizer.decode(target))) / Math.max(1, charactersIn(text))),
  };
  const sum = Object.entries(calibration.terms).reduce(
    (total, [name, { centre, scale, weight }]) =>
      total + Math.max(-REASSURING * Math.abs(weight), (weight * (values[name] - centre)) / scale),
    calibration.bias,
  );
  return 1 / (1 + Math.exp(-Math.max(-60, Math.min(60, sum))));
}

/** The text that a translation repeats at its end, or before a final punctuation mark; "" without a loop.
 * @param {Pick<Tokenizer, "describe" | "wordsOf" | "decode">} tokenizer @param {number[]} target @param {number} eos */
export function loopedText(tokenizer, target, eos) {
  const ids = target.at(-1) === eos ? target.slice(0, -1) : target;
  const last = ids.length && tokenizer.describe(ids.slice(-1))[0].piece.replaceAll("▁", "");
  const loop = finalLoop(ids) ?? (last && isPunctuation(last) ? finalLoop(ids.slice(0, -1)) : null);
  return loop ? tokenizer.decode(ids.slice(loop.start, loop.start + loop.period)).trim() : "";
}

/** @param {string} piece */
function isRare(piece) {
  return piece === "<unk>" || BYTE_PIECE.test(piece) || ([...piece].length === 1 && /^[\p{L}]$/u.test(piece));
}

/** Share of the trigrams that are repeated. @param {number[]} ids */
function repetitionOf(ids) {
  const trigrams = ids.slice(2).map((_, place) => ids.slice(place, place + 3).join());
  return trigrams.length ? 1 - new Set(trigrams).size / trigrams.length : 0;
}

/** @param {number[]} values */
const meanOf = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** @param {string} text */
const charactersIn = (text) => [...text.trimEnd()].length;
