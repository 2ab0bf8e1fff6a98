// The tools beside the sentence: the glossary, the tour, and the link.

import { sharedAddress } from "../shared/address.js";
import { copied, h } from "../shared/dom.js";
import { keepOneStop, rove } from "../shared/roving.js";
import { GLOSSARY, READING_ORDER } from "./glossary.js";
import { startTour } from "./tour.js";

/** @import { Given } from "./types" */

const BUTTONS = ":scope > button";
const SHOWN = 2000; // milliseconds for which a button says what it has done

export class Tools {
  glossary = h("button", { class: "glossary", onclick: () => this.#toggle(this.terms.hidden) });
  tour = h("button", { class: "tour", onclick: () => startTour(this.root) });
  link = h("button", { class: "link", onclick: () => this.#copy() });
  terms = h("dl", { class: "terms", hidden: true });
  root = h("div", { class: "tools", role: "group" }, this.glossary, this.tour, this.link, this.terms);
  /** @type {Record<string, string>} */ words = {};

  /** @param {HTMLElement} said where a screen reader hears what was done
   * @param {AbortSignal} signal ends what listens to the document */
  constructor(said, signal) {
    this.said = said;
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
    return copyLink(this.words, this.link, this.words.link, this.said);
  }

  /** Name the tools in the page's language. @param {Given} data */
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
 * Copy the link to what is on screen; the button that was pressed says so for a moment.
 * @param {Record<string, string>} words
 * @param {HTMLElement} pressed
 * @param {string} name of the button
 * @param {HTMLElement} said where a screen reader hears it
 */
export async function copyLink(words, pressed, name, said) {
  const isCopied = await copied(sharedAddress(window.location.href));
  pressed.textContent = said.textContent = isCopied ? words.copied : words.copy_from_bar;
  setTimeout(() => {
    pressed.textContent = name;
  }, SHOWN);
}

/** Close the page's dialog by Escape where nothing has the focus: a button that is disabled while its file is made loses
 * it, and the dialog hears only keys that are pressed inside.
 * @param {KeyboardEvent} event */
export function closeDialog(event) {
  if (event.key !== "Escape" || document.activeElement !== document.body) return;
  /** @type {HTMLElement | null} */ (
    document.querySelector('[data-testid="stDialog"] button[aria-label="Close"]')
  )?.click();
}
