// The interface's words by language. Python appends them to this code, so that they are fetched and cached with it instead
// of sent in every packet; the packet of an exported page contains its words.

import { language } from "../../shared/text.js";
import { withTerms } from "../../shared/terms.js";

/** @type {Record<string, Record<string, string>>} */
export const WORDS = {}; // "en of pictures" has the variants for written words
/** Glossaries by language. @type {Record<string, import("../../shared/terms.js").Glossary>} */
export const TERMS = {};

/** Write a text into an element, with its terms as buttons that open their definitions.
 * @param {HTMLElement} element @param {string} text */
export function explain(element, text) {
  if (element.textContent !== text) element.replaceChildren(...withTerms(text, TERMS[language()] ?? {}));
}
