// Words and numbers as they are written on screen.

/** The language of the page, by whose habits numbers are written. */
export const language = () => globalThis.document?.documentElement.lang || "en";

const LEAST_GROUPED = 999; // above it there are marks between thousands

/**
 * A text with {names} filled in; {n|token|tokens} is the first word where n is one and the second where it is more.
 * French counts nought and what is below two as one.
 * @param {string} template
 * @param {Record<string, any>} [values]
 */
export function fill(template, values = {}) {
  const isOne = language().startsWith("fr") ? /^[01](,\d+)?$/ : /^1$/;
  return template
    .replace(/\{(\w+)\|([^|{}]*)\|([^|{}]*)\}/g, (_, name, one, more) =>
      isOne.test(String(values[name])) ? one : more,
    )
    .replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/**
 * A number that was formatted the English way, as the page's language writes it: "0.27" is "0,27" in French.
 * @param {string} text without marks between thousands
 */
export const written = (text) => (language().startsWith("fr") ? text.replace(".", ",") : text);

/**
 * What is said, one after the other: with a space between, and none after a Chinese mark.
 * @param {...string} said
 */
export const sentences = (...said) =>
  said
    .filter(Boolean)
    .join(" ")
    .replace(/([。！？；：]) /g, "$1");

/**
 * A number where room is short: ".78", and "0,78" in French, which never drops the nought.
 * @param {string} text as written() takes it
 */
export const briefly = (text) => (language().startsWith("fr") ? written(text) : text.replace(/^(-?)0\./, "$1."));

/**
 * @param {number} value
 * @param {number} low
 * @param {number} high
 */
export const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

/**
 * A number with so many digits, in the page's language and with a true minus.
 * @param {number} value
 * @param {number} [digits]
 */
export function fixed(value, digits = 2) {
  // A browser takes twenty milliseconds to get ready for the first number that it writes in a language's way.
  if (Math.abs(value) < LEAST_GROUPED) return written(value.toFixed(digits)).replace("-", "−");
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return value.toLocaleString(language(), options).replace("-", "−");
}

/**
 * "12.3%", and "12,3 %" in French, which sets a narrow space before the sign.
 * @param {number} share from 0 to 1
 * @param {number} [digits]
 */
export const percent = (share, digits = 1) =>
  `${fixed(share * 100, digits)}${language().startsWith("fr") ? "\u202f" : ""}%`;

/**
 * A piece without the vocabulary's word mark; a piece of nothing else shows as an open box.
 * @param {string} piece
 */
export const bare = (piece) => piece.replaceAll("▁", "") || "␣";

/**
 * Whether a piece is the tokenizer's own, as "</s>" or "[CLS]".
 * @param {string} piece
 */
export const isSpecial = (piece) => /^<.*>$|^\[.*\]$/.test(piece);
