// Makes the terms of the field in a text buttons that open their glossary entries.

import { h } from "./dom.js";

/** @typedef {Record<string, {forms: string[], about: string}>} Glossary the definition and inflected forms of each term */

const ROOM = 12; // pixels between an entry and the edge of the screen

/** The text with a button in place of the first occurrence of each term.
 * @param {string} text @param {Glossary} glossary @returns {(string | HTMLElement)[]} */
export function withTerms(text, glossary) {
  const matches = Object.values(glossary)
    .flatMap(({ forms, about }) => {
      const places = forms.map((form) => ({ form, at: indexOfWord(text, form), about }));
      return places.filter(({ at }) => at >= 0).sort((a, b) => a.at - b.at || b.form.length - a.form.length)[0] ?? [];
    })
    .sort((a, b) => a.at - b.at);
  /** @type {(string | HTMLElement)[]} */
  const parts = [];
  let end = 0;
  for (const { form, at, about } of matches) {
    if (at < end) continue; // within a longer term
    parts.push(text.slice(end, at), termOf(text.slice(at, at + form.length), about));
    end = at + form.length;
  }
  return [...parts, text.slice(end)];
}

/** The index of a form as a whole word, or -1; Chinese has no spaces between words.
 * @param {string} text @param {string} form */
function indexOfWord(text, form) {
  if (/\p{Script=Han}/u.test(form)) return text.indexOf(form);
  const escaped = form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return text.search(new RegExp(`(?<![\\p{L}-])${escaped}(?![\\p{L}-])`, "iu"));
}

/** @param {string} word as it stands in the text
 * @param {string} about its definition */
function termOf(word, about) {
  const open = () => {
    const ontoggle = (/** @type {ToggleEvent} */ { newState }) => newState === "closed" && note.remove();
    const note = h("div", { class: "term-about", popover: "auto", role: "note", ontoggle }, about);
    term.after(note); // read next by a screen reader
    note.showPopover();
    const { left, bottom } = term.getBoundingClientRect();
    note.style.left = `${Math.max(ROOM, Math.min(left, window.innerWidth - note.offsetWidth - ROOM))}px`;
    note.style.top = `${Math.min(bottom + 6, window.innerHeight - note.offsetHeight - ROOM)}px`;
  };
  const term = h("button", { class: "term", onclick: open }, word);
  return term;
}
