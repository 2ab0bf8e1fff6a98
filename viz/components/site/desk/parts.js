// Parts of the desk: its setup, its examples and its model picker; and notes on a translation that may be poor, as
// viz/panels/stage/doubt.py writes them.

import { h } from "../../shared/dom.js";
import { textOrPicture } from "../../shared/pad/pad.js";
import { isPictureText } from "../../shared/pad/picture.js";
import { fill, sentences } from "../../shared/text.js";

/** @import { Example, Model, Site, Trace } from "../types.js" */
/** @import { Desk } from "./desk.js" */

const LONG = 60; // tokens; hardly any training sentence of the shipped models is longer
const MAX_UNKNOWN = 12; // unknown characters that are listed
const LONG_WORDS = 20; // words from which the note suggests splitting the sentence

/**
 * @typedef {object} Setup
 * @property {Record<string, string>} words of the desk
 * @property {Record<string, string>} explorer words of the explorer
 * @property {Record<string, string>} groups names of the gallery's groups
 * @property {Record<string, string>} doubt words about translations that cannot be trusted
 * @property {(Pick<Model, "name" | "address"> & Partial<Model>)[]} models
 * @property {Example[]} sentences to try
 * @property {Site["palettes"]} palettes
 * @property {Site["metrics"]} metrics of a head, as the explorer lists them
 * @property {string} [about] a line about the model
 * @property {Site["state"] | null} state the explorer's initial state; null where it is never shown
 * @property {import("../types.js").Schema} [link] schema of links
 */

/** Sentences to try, by phenomenon. @param {Desk} desk */
export function fillGallery(desk) {
  /** @type {Map<string, Example[]>} */
  const groups = new Map();
  for (const example of desk.sentences) groups.set(example.group, [...(groups.get(example.group) ?? []), example]);
  const parts = [...groups].map(([group, examples]) =>
    h(
      "div",
      { class: "site-group" },
      h("h2", {}, desk.setup.groups[group] ?? group),
      examples.map((example) =>
        h("button", { class: "site-example", onclick: () => desk.tryExample(example) }, textOrPicture(example)),
      ),
    ),
  );
  desk.examples.hidden = !parts.length;
  desk.examples.replaceChildren(h("summary", {}, desk.t.examples), h("div", {}, parts));
}

/** The choice of a model, where there are several. @param {Desk} desk */
export function modelPicker(desk) {
  const { models } = desk.setup;
  if (models.length < 2) return null;
  const options = models.map(({ name }) => h("option", { value: name, selected: name === desk.model.name }, name));
  const onchange = () => {
    desk.switchModel(select.value);
    desk.picker?.querySelector("select")?.focus(); // it may have been redrawn
  };
  const select = h("select", { onchange }, options);
  return h("label", {}, desk.t.model, select);
}

/**
 * @typedef {object} Notes
 * @property {string} message
 * @property {string} lower the text in sentence case if it is all in capitals, else ""
 */

/**
 * @param {Trace} trace
 * @param {{isDoubtful: boolean, loop: string} | null} doubt null until it is measured
 * @param {Record<string, string>} t words of the page
 * @param {Record<string, string>} d words about doubt
 * @param {string} language that the model reads
 * @returns {Notes}
 */
export function notesOn(trace, doubt, t, d, language) {
  const { text, unknown, isCut, read, target, main } = trace;
  if (isUnread(trace)) return { message: unreadBy(d, language), lower: "" };
  const isDoubtful = Boolean(doubt?.isDoubtful);
  const isShouted = inCapitals(text, isDoubtful);
  const notes = [];
  if (unknown.length) notes.push(fill(t.unknown, { characters: unknown.slice(0, MAX_UNKNOWN).join(" ") }));
  if (doubt?.loop && main === "cross")
    notes.push(fill(d[endOfLoop(trace)], { text: doubt.loop, n: target.ids.length }));
  else if (isCut) notes.push(t.cut);
  if (read.length > LONG && !isPictureText(text)) notes.push(t.long);
  else if (isDoubtful) notes.push(d.far, isShouted ? "" : suggestion(text, d, language));
  if (isShouted) notes.push(d.capitals);
  return { message: sentences(...notes), lower: isShouted ? usualCase(text) : "" };
}

/** Whether most letters of a text are unknown to the model: unknown tokens, or byte pieces.
 * @param {Pick<Trace, "text" | "unknown" | "source">} trace */
export function isUnread({ text, unknown, source }) {
  const letters = [...text].filter((letter) => /\S/.test(letter));
  const bytes = source.pieces.flatMap((piece) => /^<0x([0-9A-F]{2})>$/i.exec(piece)?.[1] ?? []);
  const nSpelled = bytes.filter((byte) => (parseInt(byte, 16) & 0xc0) !== 0x80).length; // the first bytes of characters
  return 2 * (letters.filter((letter) => unknown.includes(letter)).length + nSpelled) > letters.length;
}

/** @param {Record<string, string>} d
 * @param {string} language that the model reads */
function unreadBy(d, language) {
  const name = d[`language_${(language || "").split("-")[0]}`];
  return name ? fill(d.unread_in, { language: name }) : d.unread;
}

/** Languages by their script. @type {[RegExp, string[]][]} */
const SCRIPTS = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, ["ja"]],
  [/\p{Script=Han}/u, ["zh", "ja"]],
  [/\p{Script=Hangul}/u, ["ko"]],
  [/\p{Script=Cyrillic}/u, ["ru", "uk", "bg", "be", "sr", "mk"]],
  [/\p{Script=Arabic}/u, ["ar", "fa", "ur"]],
  [/\p{Script=Devanagari}/u, ["hi", "mr", "ne"]],
  [/\p{Script=Latin}/u, ["en", "fr", "de", "es", "it", "pt", "nl", "pl", "tr", "vi"]],
];

/** Another model whose source language has the script of a text.
 * @template {{name: string, language?: string, reads?: string}} Model @param {string} text @param {Model[]} models
 * @param {Model} current @returns {Model | undefined} */
function readerOf(text, models, current) {
  const code = (/** @type {Model} */ { language = "" }) => language.split("-")[0];
  const languages = SCRIPTS.find(([script]) => script.test(text))?.[1] ?? [];
  return models.find((model) => !model.reads && code(model) !== code(current) && languages.includes(code(model)));
}

/** The button to switch to a model that reads the text, or a note that there is none. @param {import("./desk.js").Desk} desk */
export function readerFor(desk) {
  const { setup, t, model, choices } = desk;
  const other = readerOf(choices.text, setup.models, model);
  if (!other) return [" ", t.unread_none];
  const words = fill(setup.doubt.use_model, { name: other.name });
  return [" ", h("button", { class: "site-quiet", onclick: () => desk.switchModel(other.name) }, words)];
}

/** The notes as child nodes, with the button to translate a sentence in capitals in sentence case.
 * @param {Notes} notes @param {Record<string, string>} d @param {(text: string) => void} read */
export function drawNotes({ message, lower }, d, read) {
  if (!lower) return [message];
  const button = h("button", { class: "site-quiet", onclick: () => read(lower) }, d.lower);
  return [message, " ", button];
}

/** How a looping translation ended: by an end token, at the length limit, or because the loop was detected.
 * @param {Trace} trace */
function endOfLoop({ isCut, read, target }) {
  if (!isCut) return "loop_ended";
  return target.ids.length >= 2 * read.length + 16 ? "loop_cut" : "loop";
}

/** A suggestion for a doubtful translation, with the source language if its name is known.
 * @param {string} text @param {Record<string, string>} d @param {string} language */
function suggestion(text, d, language) {
  const nWords = text.split(/\s+/).filter(Boolean).length;
  if (nWords > LONG_WORDS) return d.split;
  const kind = nWords > 1 ? "plain" : "whole";
  const name = d[`language_${(language || "").split("-")[0]}`];
  return name ? fill(d[`${kind}_in`], { language: name }) : d[kind];
}

/** Whether a sentence is in capitals. A single word may be an abbreviation and counts only if it is doubtful.
 * @param {string} text @param {boolean} isDoubtful */
export function inCapitals(text, isDoubtful) {
  const isUpper = (/** @type {string} */ part) => part === part.toUpperCase() && part !== part.toLowerCase();
  const words = text.split(/\s+/).filter((word) => word.length > 1 && isUpper(word));
  return isUpper(text) && words.length > Number(!isDoubtful);
}

/** Sentence case: lower case but for the first letter and the English word I. @param {string} text */
export function usualCase(text) {
  const lowered = text.toLowerCase().replace(/(?<=^|\s)i(?=$|\s|')/g, "I");
  return lowered.slice(0, 1).toUpperCase() + lowered.slice(1);
}
