// Describes the ribbons, and the effect of a change, in one sentence each.

import { surprise } from "../../shared/diff.js";
import { withTerms } from "../../shared/terms.js";
import { bare, fill, isSpecial } from "../../shared/text.js";
import { wordAt, wordsByWeight } from "./scene.js";

/** @import { Glossary } from "../../shared/terms.js" */
/** @import { Scene } from "./scene.js" */
/** @import { Moment } from "./view.js" */
/** @typedef {Record<string, string>} Words */

const CLEAR_WEIGHT = 0.6; // a word with less weight is named together with the second
const MIN_WEIGHT_OF_SOURCE = 0.3; // of a target word on the selected source word

/** A word in quotation marks, or "a space". @type {(t: Words, text: string) => string} */
const quoted = (t, text) => (text ? fill(t.quoted, { text }) : t.a_space);

/** The name of a source word or of a strip of a picture in a sentence.
 * @type {(t: Words, scene: Scene, text: string) => string} */
const nameOfSource = (t, { picture }, text) => (picture ? fill(t.strip, { text }) : quoted(t, text));

/** A word of the translation, or a letter of a read picture. @type {(scene: Scene, place: number) => string} */
const wordOfTarget = ({ picture, target }, place) => (picture ? bare(target.pieces[place]) : wordAt(target, place));

/**
 * Describe the ribbons.
 * @param {Words} t
 * @param {Scene} scene
 * @param {Pick<Moment, "head" | "step" | "source" | "isOff">} at
 * @param {Glossary} glossary
 * @returns {(string | HTMLElement)[]}
 */
export function lineOf(t, scene, { head, step, source, isOff }, glossary) {
  if (isOff) return [t.line_off];
  const weights = scene.weightsOf(...head);
  if (source !== null) return [describeSource(t, scene, source, weights)];
  const width = scene.source.ids.length;
  const [first, second] = wordsByWeight(scene.source, weights.subarray(step * width, (step + 1) * width));
  const name = (/** @type {{isStart: boolean, isEnd: boolean, text: string}} */ { isStart, isEnd, text }) =>
    isStart ? t.the_start : isEnd ? t.the_end : nameOfSource(t, scene, text);
  const isClear = first.weight >= CLEAR_WEIGHT || !second;
  const seen = isClear ? name(first) : fill(t.and, { one: name(first), other: name(second) });
  const isLast = isSpecial(scene.target.pieces[step]);
  const written = quoted(t, wordOfTarget(scene, step));
  return withTerms(fill(isLast ? t.line_end : t.line, { said: written, seen }), glossary);
}

/** Describe which target words attend to a source word.
 * @type {(t: Words, scene: Scene, source: number, weights: Float32Array) => string} */
function describeSource(t, scene, source, weights) {
  const width = scene.source.ids.length;
  const seen = nameOfSource(t, scene, wordAt(scene.source, source));
  const places = scene.target.pieces.flatMap((piece, place) =>
    weights[place * width + source] >= MIN_WEIGHT_OF_SOURCE && !isSpecial(piece) ? [place] : [],
  );
  const words = [...new Set(places.map((place) => wordOfTarget(scene, place)))];
  const names = words.map((text) => quoted(t, text)).join(t.comma);
  return words.length ? fill(t.line_source, { seen, said: names }) : fill(t.line_source_none, { seen });
}

/** Describe the effect of a change; without a change, invite the reader to press a word.
 * @type {(t: Words, before: string | undefined, after: string, only: number[] | null) => string} */
export function describeChange(t, before, after, only) {
  if (before === undefined) return t.press_word;
  if (before === after) return t.unchanged;
  const replaced = surprise(before, [[0, 0, after]]);
  if (!replaced) return t.changed;
  const words = { before: replaced.before, after: replaced.after };
  return only ? fill(t.became_without, { head: only.join("·"), ...words }) : fill(t.became, words);
}
