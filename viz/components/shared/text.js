// Words and numbers as they are written on screen.

/**
 * A text with {names} filled in.
 * @param {string} template
 * @param {Record<string, any>} [values]
 */
export function fill(template, values = {}) {
  return template.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/** The language of the page, by whose habits numbers are written. */
export const language = () => document.documentElement.lang || "en";

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
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return value.toLocaleString(language(), options).replace("-", "−");
}

/**
 * "12.3 %"
 * @param {number} share from 0 to 1
 */
export const percent = (share) => `${fixed(share * 100, 1)} %`;

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
