// What a reader should know of a translation before trusting it, as viz/panels/stage/doubt.py says it.

import { h } from "../../shared/dom.js";
import { isPictureText } from "../../shared/pad/picture.js";
import { fill, sentences } from "../../shared/text.js";

/** @import { Trace } from "../types.js" */

const LONG = 60; // tokens: hardly any training sentence of the shipped models is longer
const LONG_WORDS = 20; // from here a sentence is better split
const SHOWN = 12;

/**
 * @typedef {object} Notes
 * @property {string} said
 * @property {string} lower the text in its usual case, where it is all in capitals; else ""
 */

/**
 * @param {Trace} trace
 * @param {{isDoubtful: boolean, loop: string} | null} doubt null as long as it is not measured
 * @param {Record<string, string>} t words of the page
 * @param {Record<string, string>} d words about doubt
 * @param {string} language that the model reads
 * @returns {Notes}
 */
export function notesOn(trace, doubt, t, d, language) {
  const { text, unknown, isCut, read, target, main } = trace;
  if (isUnread(trace)) return { said: unreadBy(d, language), lower: "" };
  const isDoubtful = Boolean(doubt?.isDoubtful);
  const isShouted = inCapitals(text, isDoubtful);
  const notes = [];
  if (unknown.length) notes.push(fill(t.unknown, { characters: unknown.slice(0, SHOWN).join(" ") }));
  if (doubt?.loop && main === "cross")
    notes.push(fill(d[endOfLoop(trace)], { text: doubt.loop, n: target.ids.length }));
  else if (isCut) notes.push(t.cut);
  if (read.length > LONG && !isPictureText(text)) notes.push(t.long);
  else if (isDoubtful) notes.push(d.far, isShouted ? "" : suggestion(text, d, language));
  if (isShouted) notes.push(d.capitals);
  return { said: sentences(...notes), lower: isShouted ? usualCase(text) : "" };
}

/** Whether most letters of a text are unknown to the model: it reads an unknown token there, or spells them in bytes.
 * @param {Pick<Trace, "text" | "unknown" | "source">} trace */
export function isUnread({ text, unknown, source }) {
  const letters = [...text].filter((each) => /\S/.test(each));
  const bytes = source.pieces.flatMap((piece) => /^<0x([0-9A-F]{2})>$/i.exec(piece)?.[1] ?? []);
  const nSpelled = bytes.filter((each) => (parseInt(each, 16) & 0xc0) !== 0x80).length; // those that begin a character
  return 2 * (letters.filter((each) => unknown.includes(each)).length + nSpelled) > letters.length;
}

/** @param {Record<string, string>} d
 * @param {string} language that the model reads */
function unreadBy(d, language) {
  const name = d[`language_${(language || "").split("-")[0]}`];
  return name ? fill(d.unread_in, { language: name }) : d.unread;
}

/** Languages that are written in a script. @type {[RegExp, string[]][]} */
const SCRIPTS = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, ["ja"]],
  [/\p{Script=Han}/u, ["zh", "ja"]],
  [/\p{Script=Hangul}/u, ["ko"]],
  [/\p{Script=Cyrillic}/u, ["ru", "uk", "bg", "be", "sr", "mk"]],
  [/\p{Script=Arabic}/u, ["ar", "fa", "ur"]],
  [/\p{Script=Devanagari}/u, ["hi", "mr", "ne"]],
  [/\p{Script=Latin}/u, ["en", "fr", "de", "es", "it", "pt", "nl", "pl", "tr", "vi"]],
];

/** A model whose language is written as a text is, other than the one that does not read it.
 * @template {{name: string, language?: string, reads?: string}} Model @param {string} text @param {Model[]} models
 * @param {Model} here @returns {Model | undefined} */
export function readerOf(text, models, here) {
  const code = (/** @type {Model} */ { language = "" }) => language.split("-")[0];
  const languages = SCRIPTS.find(([script]) => script.test(text))?.[1] ?? [];
  return models.find((each) => !each.reads && code(each) !== code(here) && languages.includes(code(each)));
}

/** The button to the page's model that reads the text; or that there is none. @param {import("./desk.js").Desk} desk */
export function readerFor(desk) {
  const { setup, t, model, choices } = desk;
  const other = readerOf(choices.text, setup.models, model);
  if (!other) return [" ", t.unread_none];
  const words = fill(setup.doubt.use_model, { name: other.name });
  return [" ", h("button", { class: "site-quiet", onclick: () => desk.turnTo(other.name) }, words)];
}

/** The notes as an element's children, with the button that gives a sentence in capitals its usual case.
 * @param {Notes} notes @param {Record<string, string>} d @param {(text: string) => void} read */
export function drawNotes({ said, lower }, d, read) {
  if (!lower) return [said];
  const button = h("button", { class: "site-quiet", onclick: () => read(lower) }, d.lower);
  return [said, " ", button];
}

/** How a translation that repeats itself ended: stopped for it, cut at the limit of its length, or by itself.
 * @param {Trace} trace */
function endOfLoop({ isCut, read, target }) {
  if (!isCut) return "loop_ended";
  return target.ids.length >= 2 * read.length + 16 ? "loop_cut" : "loop";
}

/** What to try instead. It names the language where it can: the text may be in another one.
 * @param {string} text @param {Record<string, string>} d @param {string} language */
function suggestion(text, d, language) {
  const nWords = text.split(/\s+/).filter(Boolean).length;
  if (nWords > LONG_WORDS) return d.split;
  const kind = nWords > 1 ? "plain" : "whole";
  const name = d[`language_${(language || "").split("-")[0]}`];
  return name ? fill(d[`${kind}_in`], { language: name }) : d[kind];
}

/** Whether a sentence is written in capitals. A single word may be an abbreviation: it counts if doubtful.
 * @param {string} text @param {boolean} isDoubtful */
export function inCapitals(text, isDoubtful) {
  const isUpper = (/** @type {string} */ part) => part === part.toUpperCase() && part !== part.toLowerCase();
  const words = text.split(/\s+/).filter((word) => word.length > 1 && isUpper(word));
  return isUpper(text) && words.length > Number(!isDoubtful);
}

/** Lower case with a capital at the beginning, and for the English word I. @param {string} text */
export function usualCase(text) {
  const lowered = text.toLowerCase().replace(/(?<=^|\s)i(?=$|\s|')/g, "I");
  return lowered.slice(0, 1).toUpperCase() + lowered.slice(1);
}
