// Sets a tooltip on labels that contain a term of the glossary, when the pointer enters them.

const LONGEST_LABEL = 30;
const NOT_LABELS = ".token, .chip, .rows, .columns, bdi, td, input, textarea, code, canvas, [contenteditable]";
/** The colon of each language; French has a no-break space before it.
 * @type {Record<string, string>} */
const COLONS = { en: ": ", fr: "\u00a0: ", zh: "：" };
const ACTS = "button, a, summary, label, [role=button], [role=tab]";

/** [forms, explanation] of each term, by language; filled in by Python.
 * @type {Record<string, [string[], string][]>} */
export const GLOSSARY = {};
/** Indexes of the terms in reading order; filled in by Python.
 * @type {number[]} */
export const READING_ORDER = [];

/** Explanations of the terms in a label, in the order of the glossary; "" for a long text or one without terms.
 * @param {string} label
 * @param {string} code of the language */
export function meaningOf(label, code) {
  const text = label.trim().toLowerCase();
  if (!text || text.length > LONGEST_LABEL) return "";
  const matches = (GLOSSARY[code] ?? []).filter(([forms]) => forms.some((form) => containsWord(text, form)));
  return matches.map(([forms, about]) => `${forms[0]}${COLONS[code] ?? ": "}${about}`).join("\n");
}

/** Whether a text contains a form as a whole word. Chinese has no spaces between words: there only a form of one
 * character needs boundaries, because 头 (head) is a part of 开头 (beginning).
 * @type {(text: string, form: string) => boolean} */
function containsWord(text, form) {
  const isHan = /\p{Script=Han}/u.test(form);
  if (isHan && form.length > 1) return text.includes(form);
  const [before, after] = isHan ? ["[^\\s\\d·个各该此]", "[^\\s\\d·：]"] : ["[\\p{L}\\d]", "[\\p{L}\\d]"];
  return new RegExp(`(?<!${before})${form}(?!${after})`, "u").test(text);
}

/** Set the explanation as the title of the label under the pointer, unless it has one.
 * @param {PointerEvent} event */
export function explain(event) {
  const label = event.composedPath()[0];
  if (!(label instanceof HTMLElement) || label.closest("[title]") || label.closest(NOT_LABELS)) return;
  const meaning = meaningOf(label.textContent ?? "", document.documentElement.lang);
  if (!meaning) return;
  label.title = meaning;
  if (!label.closest(ACTS)) label.style.cursor = "help";
}
