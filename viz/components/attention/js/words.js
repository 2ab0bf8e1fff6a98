// The words of the interface by language, and names of tokens. Python appends the words to this code, so that they are fetched
// and cached with it instead of sent in every packet; the packet of an exported page contains its words.

import { withTerms } from "../../shared/terms.js";
import { language, fill } from "../../shared/text.js";

/** @type {Record<string, Record<string, string>>} */
export const WORDS = {}; // "en of pictures" has the variants for written words
/** Glossaries by language. @type {Record<string, import("../../shared/terms.js").Glossary>} */
export const TERMS = {};

/** Write a text into an element, with its terms as buttons that open their definitions.
 * @param {HTMLElement} element @param {string} text */
export function explain(element, text) {
  if (element.textContent !== text) element.replaceChildren(...withTerms(text, TERMS[language()] ?? {}));
}

/** @param {{texts: string[], picture?: Uint8Array | null}} units @param {number} at
 * @param {Record<string, string>} strings */
export const tokenName = ({ texts, picture }, at, strings) =>
  picture ? fill(strings.strip, { text: texts[at] }) : texts[at];

/** Name the start and end tokens.
 * @param {import("./types").View[]} views @param {Record<string, string>} strings */
export function nameMarks(views, { token_start, token_end }) {
  /** @type {Record<string, string | undefined>} */
  const names = { "<s>": token_start, "</s>": token_end };
  for (const { source, fed, predicted } of views)
    for (const axis of [source, fed, predicted])
      if (axis) axis.texts = axis.texts.map((text, at) => (axis.words[at] < 0 && names[text]) || text);
}
