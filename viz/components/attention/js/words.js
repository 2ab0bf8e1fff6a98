// The interface's words by language. Python appends them to this code, so that they are fetched once with it instead of
// travelling in every packet; the packet of an exported page brings its own.

import { language } from "../../shared/text.js";
import { withTerms } from "../../shared/terms.js";

/** @type {Record<string, Record<string, string>>} */
export const WORDS = {}; // "en of pictures" has what is said otherwise of a written word
/** What terms mean, by language. @type {Record<string, import("../../shared/terms.js").Glossary>} */
export const TERMS = {};

/** Write a text into an element, its terms as buttons that say what they mean.
 * @param {HTMLElement} element @param {string} text */
export function explain(element, text) {
  if (element.textContent !== text) element.replaceChildren(...withTerms(text, TERMS[language()] ?? {}));
}
