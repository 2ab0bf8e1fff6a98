// The toolbar beside the sentence (glossary, tour and link), and tooltips on labels that contain a term of the glossary.

import { sharedAddress } from "../shared/address.js";
import { copyText, h } from "../shared/dom.js";
import { keepOneStop, rove } from "../shared/roving.js";
import { startTour } from "./tour.js";

/** @import { StageData } from "./types" */

const BUTTONS = ":scope > button";
const CONFIRMATION = 2000; // milliseconds for which a button shows its result

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

export class Tools {
  glossary = h("button", { class: "glossary", onclick: () => this.#toggle(this.terms.hidden) });
  tour = h("button", { class: "tour", onclick: () => startTour(this.root) });
  link = h("button", { class: "link", onclick: () => this.#copy() });
  terms = h("dl", { class: "terms", hidden: true });
  root = h("div", { class: "tools", role: "group" }, this.glossary, this.tour, this.link, this.terms);
  /** @type {Record<string, string>} */ words = {};

  /** @param {HTMLElement} liveRegion announces results
   * @param {AbortSignal} signal removes the document's listeners */
  constructor(liveRegion, signal) {
    this.liveRegion = liveRegion;
    rove(this.root, BUTTONS);
    this.root.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || this.terms.hidden) return;
      event.stopPropagation();
      this.#toggle(false);
      this.glossary.focus();
    });
    const leave = (/** @type {Event} */ event) => event.composedPath().includes(this.root) || this.#toggle(false);
    document.addEventListener("pointerdown", leave, { signal });
  }

  /** @param {boolean} isOpen */
  #toggle(isOpen) {
    this.terms.hidden = !isOpen;
    this.glossary.setAttribute("aria-expanded", String(isOpen));
  }

  #copy() {
    return copyLink(this.words, this.link, this.words.link, this.liveRegion);
  }

  /** Set the labels in the page's language. @param {StageData} data */
  draw({ words, language, page, has_tools: hasTools }) {
    this.words = words;
    for (const name of /** @type {const} */ (["glossary", "tour", "link"])) this[name].textContent = words[name];
    this.tour.title = words.tour_help;
    this.tour.hidden = page !== "";
    this.link.title = words.link_help;
    this.root.toggleAttribute("data-shared", hasTools);
    this.terms.replaceChildren(
      ...READING_ORDER.map((place) => GLOSSARY[language][place]).flatMap(([[name], about]) => [
        h("dt", {}, name),
        h("dd", {}, about),
      ]),
    );
    this.root.setAttribute("aria-label", words.tools);
    keepOneStop(this.root, BUTTONS);
    this.#toggle(false);
  }
}

/**
 * Copy the link to the present view; the button shows the result for a moment.
 * @param {Record<string, string>} words
 * @param {HTMLElement} button
 * @param {string} label of the button
 * @param {HTMLElement} liveRegion
 */
export async function copyLink(words, button, label, liveRegion) {
  const isCopied = await copyText(sharedAddress(window.location.href));
  button.textContent = liveRegion.textContent = isCopied ? words.copied : words.copy_from_bar;
  setTimeout(() => {
    button.textContent = label;
  }, CONFIRMATION);
}

/** Close Streamlit's dialog by Escape when nothing has the focus. A button loses the focus while it is disabled, and the
 * dialog receives only keys from inside it.
 * @param {KeyboardEvent} event */
export function closeDialog(event) {
  if (event.key !== "Escape" || document.activeElement !== document.body) return;
  /** @type {HTMLElement | null} */ (
    document.querySelector('[data-testid="stDialog"] button[aria-label="Close"]')
  )?.click();
}
