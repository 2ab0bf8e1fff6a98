// Explains terms of the field under the pointer, in any label on the page.

const LONGEST_LABEL = 30;
const NOT_LABELS = ".token, .chip, .rows, .columns, bdi, td, input, textarea, code, canvas, [contenteditable]";
/** A colon as each language sets it; French has a no-break space before it.
 * @type {Record<string, string>} */
const COLONS = { en: ": ", fr: "\u00a0: ", zh: "：" };
const ACTS = "button, a, summary, label, [role=button], [role=tab]";

/** Of each language, [forms, explanation] by term; Python fills it in.
 * @type {Record<string, [string[], string][]>} */
export const GLOSSARY = {};
/** The places of the terms in the order in which they are read; Python fills it in.
 * @type {number[]} */
export const READING_ORDER = [];

/** What the terms of a label mean, in the order of the glossary; "" for a text that is no label or has no term.
 * @param {string} label
 * @param {string} spoken the language's code */
export function meaningOf(label, spoken) {
  const text = label.trim().toLowerCase();
  if (!text || text.length > LONGEST_LABEL) return "";
  const found = (GLOSSARY[spoken] ?? []).filter(([forms]) => forms.some((form) => holds(text, form)));
  return found.map(([forms, about]) => `${forms[0]}${COLONS[spoken] ?? ": "}${about}`).join("\n");
}

/** Whether a text has a form as a word of its own. Chinese has no spaces between words: there only a form of a single
 * character has to stand alone, or 头 (head) would be found in 开头 (beginning).
 * @type {(text: string, form: string) => boolean} */
function holds(text, form) {
  const isHan = /\p{Script=Han}/u.test(form);
  if (isHan && form.length > 1) return text.includes(form);
  const [before, after] = isHan ? ["[^\\s\\d·个各该此]", "[^\\s\\d·：]"] : ["[\\p{L}\\d]", "[\\p{L}\\d]"];
  return new RegExp(`(?<!${before})${form}(?!${after})`, "u").test(text);
}

/** Give the label under the pointer its explanation as a title, where it has no other.
 * @param {PointerEvent} event */
export function explain(event) {
  const label = event.composedPath()[0];
  if (!(label instanceof HTMLElement) || label.closest("[title]") || label.closest(NOT_LABELS)) return;
  const meaning = meaningOf(label.textContent ?? "", document.documentElement.lang);
  if (!meaning) return;
  label.title = meaning;
  if (!label.closest(ACTS)) label.style.cursor = "help";
}
