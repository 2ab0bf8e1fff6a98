// Formats messages and numbers for the screen.

import { fluent } from "./fluent.js";

/** @import { Bundle, Pattern } from "./fluent_types" */

/** The language code of the page. */
export const language = () => globalThis.document?.documentElement.lang || "en";

/** @type {Map<string, Bundle>} */
const bundlesByLanguage = new Map();
/** @type {Map<string, Pattern>} */
const patternsByText = new Map();

/** A number that Fluent writes without grouping, while messages still choose plurals by it.
 * @param {number} value */
const plainNumber = (value) => Object.assign(new fluent.FluentNumber(value), { toString: () => String(value) });

/** @template Value
 * @param {Map<string, Value>} cache @param {string} key @param {(key: string) => Value} create */
export function getOrCreate(cache, key, create) {
  const value = cache.get(key) ?? create(key);
  cache.set(key, value);
  return value;
}

/** @param {string} code */
const bundleOf = (code) => new fluent.FluentBundle(code, { useIsolating: false });
/** @param {string} text */
const patternOf = (text) => new fluent.FluentResource(`it = ${text}`).body[0].value;

/**
 * Format a Fluent pattern, as viz.i18n.group hands it over.
 * @param {string} template
 * @param {Record<string, string | number | null | undefined>} [values] of its { $variables }; numbers may choose plurals
 */
export function fill(template, values = {}) {
  if (!template.includes("{")) return template;
  const bundle = getOrCreate(bundlesByLanguage, language(), bundleOf);
  const present = Object.entries(values).filter(([, value]) => value != null);
  const args = present.map(([name, value]) => [name, typeof value === "number" ? plainNumber(value) : `${value}`]);
  return bundle.formatPattern(getOrCreate(patternsByText, template, patternOf), Object.fromEntries(args), []);
}

/** A template split at its { $variables }: text, name, text, …. @param {string} template */
export const partsOf = (template) => template.split(/\{\s*\$(\w+)\s*\}/);

const ENGLISH = { decimal: ".", group: ",", percent: "%" };
/** Decimal mark, group separator and percent sign of each language, as Intl has them. The first use of Intl.NumberFormat
 * takes a browser 20 ms, so those of the interface's languages are constants.
 * @type {Map<string, typeof ENGLISH>} */
const marksByLanguage = new Map([
  ["en", ENGLISH],
  ["zh", ENGLISH],
  ["fr", { decimal: ",", group: "\u202f", percent: "\u00a0%" }],
]);

const marks = () => getOrCreate(marksByLanguage, language(), marksIn);

/** @param {string} code */
function marksIn(code) {
  const parts = new Intl.NumberFormat(code, { style: "percent", minimumFractionDigits: 1 }).formatToParts(1234.125);
  const end = parts.findIndex(({ type }) => type === "fraction") + 1;
  const after = parts.slice(end).map(({ value }) => value);
  const group = parts.find(({ type }) => type === "group")?.value ?? "";
  return { decimal: parts[end - 2].value, group, percent: after.join("") };
}

/** A number in English notation, with the page's decimal mark: "0.27" becomes "0,27" in French.
 * @param {string} text without group separators */
export const written = (text) => text.replace(".", marks().decimal);

/** Join sentences with spaces, and without one after a Chinese full stop. @param {...string} parts */
export const sentences = (...parts) =>
  parts
    .filter(Boolean)
    .join(" ")
    .replace(/([。！？；：]) /g, "$1");

/** A number for little room: ".78", but "0,78" in a language with a decimal comma, which never drops the zero.
 * @param {string} text as written() takes it */
export const briefly = (text) => (marks().decimal === "." ? text.replace(/^(-?)0\./, "$1.") : written(text));

/** @param {number} value @param {number} low @param {number} high */
export const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

/** A number with a fixed count of decimals, in the page's language and with a minus sign (U+2212).
 * @param {number} value @param {number} [digits] */
export function formatFixed(value, digits = 2) {
  const [whole, ...decimals] = value.toFixed(digits).split(".");
  const { group, decimal } = marks();
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, group);
  return [grouped, ...decimals].join(decimal).replace("-", "−").replace("Infinity", "∞");
}

/** "12.3%", and "12,3 %" in French, which sets a space before the sign.
 * @param {number} share from 0 to 1
 * @param {number} [digits] */
export const percent = (share, digits = 1) => formatFixed(share * 100, digits) + marks().percent;

/** As of model/text/tokenizer.py. @type {Record<string, string>} */
const BREAKS = { Ċ: "↵", č: "␍", ĉ: "⇥", Ġ: "␣" };

/** A piece without the word marks of SentencePiece or GPT-2. In a byte-level vocabulary a line end is ↵ and a further
 * space ␣; a piece that is only a space is ␣ too.
 * @param {string} piece */
export function bare(piece) {
  const rest = piece.replaceAll("▁", "").replace(/^Ġ/, "");
  const isBreak = /[ĊĠ]/.test(rest) && !/(?![ĊčĉĠ])\p{L}/u.test(rest);
  return (isBreak ? rest.replace(/[ĊčĉĠ]/g, (mark) => BREAKS[mark]) : rest) || "␣";
}

/** A piece for readers who know no tokenizer: the start and end tokens are words.
 * @param {string} piece
 * @param {Record<string, string>} t token_start and token_end */
export const spoken = (piece, { token_start, token_end }) =>
  ({ "<s>": token_start, "</s>": token_end })[piece] ?? bare(piece);

/** Whether a piece is a special token, as "</s>" or "[CLS]". @param {string} piece */
export const isSpecial = (piece) => /^<.*>$|^\[.*\]$/.test(piece);
