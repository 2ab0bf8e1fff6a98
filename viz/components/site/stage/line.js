// What the ribbons and a change say, in one sentence each.

import { surprise } from "../../shared/surprise.js";
import { withTerms } from "../../shared/terms.js";
import { bare, fill, isSpecial } from "../../shared/text.js";
import { wordAt, wordsSeen } from "./scene.js";

/** @import { Glossary } from "../../shared/terms.js" */
/** @import { Scene } from "./scene.js" */
/** @import { Moment } from "./view.js" */
/** @typedef {Record<string, string>} Words */

const TWO_WORDS = 0.6; // a word with less weight is named together with the next one
const LEAST_NAMED = 0.3; // weight with which a word looks at a source word that is chosen

/** A word as it is named in a sentence. @type {(t: Words, text: string) => string} */
const quoted = (t, text) => (text ? fill(t.quoted, { text }) : t.a_space);

/** A word of the source, or a strip of a picture, as it is named in a sentence.
 * @type {(t: Words, scene: Scene, text: string) => string} */
const nameOfSource = (t, { picture }, text) => (picture ? fill(t.strip, { text }) : quoted(t, text));

/** A word of the translation, or a letter that is read. @type {(scene: Scene, place: number) => string} */
const wordOfTarget = ({ picture, target }, place) => (picture ? bare(target.pieces[place]) : wordAt(target, place));

/**
 * What the ribbons say.
 * @param {Words} t
 * @param {Scene} scene
 * @param {Pick<Moment, "head" | "step" | "source" | "isOff">} at
 * @param {Glossary} glossary the terms that can be pressed
 * @returns {(string | HTMLElement)[]}
 */
export function lineOf(t, scene, { head, step, source, isOff }, glossary) {
  if (isOff) return [t.line_off];
  const weights = scene.weightsOf(...head);
  if (source !== null) return [lookedAt(t, scene, source, weights)];
  const width = scene.source.ids.length;
  const [first, second] = wordsSeen(scene.source, weights.subarray(step * width, (step + 1) * width));
  const name = (/** @type {{isStart: boolean, isEnd: boolean, text: string}} */ { isStart, isEnd, text }) =>
    isStart ? t.the_start : isEnd ? t.the_end : nameOfSource(t, scene, text);
  const isClear = first.weight >= TWO_WORDS || !second;
  const seen = isClear ? name(first) : fill(t.and, { one: name(first), other: name(second) });
  const isLast = isSpecial(scene.target.pieces[step]);
  const said = quoted(t, wordOfTarget(scene, step));
  return withTerms(fill(isLast ? t.line_end : t.line, { said, seen }), glossary);
}

/** The words for which a source word is looked at.
 * @type {(t: Words, scene: Scene, source: number, weights: Float32Array) => string} */
function lookedAt(t, scene, source, weights) {
  const width = scene.source.ids.length;
  const seen = nameOfSource(t, scene, wordAt(scene.source, source));
  const places = scene.target.pieces.flatMap((piece, place) =>
    weights[place * width + source] >= LEAST_NAMED && !isSpecial(piece) ? [place] : [],
  );
  const said = [...new Set(places.map((place) => wordOfTarget(scene, place)))];
  const names = said.map((text) => quoted(t, text)).join(t.comma);
  return said.length ? fill(t.line_source, { seen, said: names }) : fill(t.line_source_none, { seen });
}

/** What the change did to the translation; without a change, what can be pressed.
 * @type {(t: Words, before: string | undefined, after: string, only: number[] | null) => string} */
export function changeInWords(t, before, after, only) {
  if (before === undefined) return t.press_word;
  if (before === after) return t.unchanged;
  const found = surprise(before, [[0, 0, after]]);
  if (!found) return t.changed;
  const words = { before: found.before, after: found.after };
  return only ? fill(t.became_without, { head: only.join("·"), ...words }) : fill(t.became, words);
}
