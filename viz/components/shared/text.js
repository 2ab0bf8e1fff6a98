// Words and numbers as they are written on screen.

import { fluent } from "./fluent.js";

/** @import { Bundle, Pattern } from "./fluent_types" */

/** The language of the page, by whose habits numbers are written. */
export const language = () => globalThis.document?.documentElement.lang || "en";

/** @type {Map<string, Bundle>} */
const bundlesByLanguage = new Map();
/** @type {Map<string, Pattern>} */
const patternsByText = new Map();

/** A number that reads as it is, without marks between thousands; messages still choose words by it.
 * @param {number} value */
const plainNumber = (value) => Object.assign(new fluent.FluentNumber(value), { toString: () => String(value) });

/** The value of a key, made when it is first asked for.
 * @template Value
 * @param {Map<string, Value>} kept @param {string} key @param {(key: string) => Value} make */
function keptOrMade(kept, key, make) {
  const value = kept.get(key) ?? make(key);
  kept.set(key, value);
  return value;
}

/** @param {string} code */
const bundleOf = (code) => new fluent.FluentBundle(code, { useIsolating: false });
/** @param {string} text */
const patternOf = (text) => new fluent.FluentResource(`it = ${text}`).body[0].value;

/**
 * A text with its { $names } filled in: a Fluent pattern, as viz.i18n.group hands it over.
 * @param {string} template
 * @param {Record<string, string | number | null | undefined>} [values] numbers, by which the text may choose words, and texts
 */
export function fill(template, values = {}) {
  if (!template.includes("{")) return template;
  const bundle = keptOrMade(bundlesByLanguage, language(), bundleOf);
  const given = Object.entries(values).filter(([, value]) => value != null);
  const shown = given.map(([name, value]) => [name, typeof value === "number" ? plainNumber(value) : `${value}`]);
  return bundle.formatPattern(keptOrMade(patternsByText, template, patternOf), Object.fromEntries(shown), []);
}

/** The parts of a text between its { $names } and the names, in turn. @param {string} template */
export const partsOf = (template) => template.split(/\{\s*\$(\w+)\s*\}/);

const ENGLISH = { decimal: ".", group: ",", percent: "%" };
/** What a language puts into a number, as the browser's own data say. A browser takes twenty milliseconds to get ready
 * for the first number that it writes in a language's way, so those of the interface stand here.
 * @type {Map<string, typeof ENGLISH>} */
const marksByLanguage = new Map([
  ["en", ENGLISH],
  ["zh", ENGLISH],
  ["fr", { decimal: ",", group: "\u202f", percent: "\u00a0%" }],
]);

const marks = () => keptOrMade(marksByLanguage, language(), marksIn);

/** @param {string} code */
function marksIn(code) {
  const parts = new Intl.NumberFormat(code, { style: "percent", minimumFractionDigits: 1 }).formatToParts(1234.125);
  const end = parts.findIndex(({ type }) => type === "fraction") + 1;
  const after = parts.slice(end).map(({ value }) => value);
  const group = parts.find(({ type }) => type === "group")?.value ?? "";
  return { decimal: parts[end - 2].value, group, percent: after.join("") };
}

/** A number that was formatted the English way, as the page's language writes it: "0.27" is "0,27" in French.
 * @param {string} text without marks between thousands */
export const written = (text) => text.replace(".", marks().decimal);

/** What is said, one after the other: with a space between, and none after a Chinese mark. @param {...string} said */
export const sentences = (...said) =>
  said
    .filter(Boolean)
    .join(" ")
    .replace(/([。！？；：]) /g, "$1");

/** A number where room is short: ".78", and "0,78" in a language with a decimal comma, which never drops the nought.
 * @param {string} text as written() takes it */
export const briefly = (text) => (marks().decimal === "." ? text.replace(/^(-?)0\./, "$1.") : written(text));

/** @param {number} value @param {number} low @param {number} high */
export const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

/** A number with so many digits, in the page's language and with a true minus.
 * @param {number} value @param {number} [digits] */
export function fixed(value, digits = 2) {
  const [whole, ...decimals] = value.toFixed(digits).split(".");
  const { group, decimal } = marks();
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, group);
  return [grouped, ...decimals].join(decimal).replace("-", "−").replace("Infinity", "∞");
}

/** "12.3%", and "12,3 %" in French, which sets a space before the sign.
 * @param {number} share from 0 to 1
 * @param {number} [digits] */
export const percent = (share, digits = 1) => fixed(share * 100, digits) + marks().percent;

/** As of model/text/tokenizer.py. @type {Record<string, string>} */
const BREAKS = { Ċ: "↵", č: "␍", ĉ: "⇥", Ġ: "␣" };

/** A piece without the vocabulary's marks, SentencePiece's or GPT-2's; line ends of a byte-level vocabulary are ↵, its
 * further spaces and a piece of nothing else an open box.
 * @param {string} piece */
export function bare(piece) {
  const rest = piece.replaceAll("▁", "").replace(/^Ġ/, "");
  const isBreak = /[ĊĠ]/.test(rest) && !/(?![ĊčĉĠ])\p{L}/u.test(rest);
  return (isBreak ? rest.replace(/[ĊčĉĠ]/g, (mark) => BREAKS[mark]) : rest) || "␣";
}

/** A piece as a reader who knows no tokenizer reads it: the marks of the start and the end are words.
 * @param {string} piece
 * @param {Record<string, string>} t token_start and token_end */
export const spoken = (piece, { token_start, token_end }) =>
  ({ "<s>": token_start, "</s>": token_end })[piece] ?? bare(piece);

/** Whether a piece is the tokenizer's own, as "</s>" or "[CLS]". @param {string} piece */
export const isSpecial = (piece) => /^<.*>$|^\[.*\]$/.test(piece);
