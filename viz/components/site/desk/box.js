// The box for a sentence. It is there before the model is, and keeps what is typed meanwhile.

import { h } from "../../shared/dom.js";

/**
 * The box and its button; Enter submits it.
 * @param {Record<string, string>} t
 * @param {string} text to begin with
 * @param {() => void} submit
 */
export function formOf(t, text, submit) {
  const onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    submit();
  };
  const input = h("textarea", {
    rows: 1,
    placeholder: t.placeholder,
    "aria-label": t.placeholder,
    dir: "auto",
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing) onsubmit(event);
    },
  });
  input.value = text;
  return { input, form: h("form", { onsubmit }, input, h("button", { class: "site-primary" }, t.translate)) };
}

/**
 * The box before the desk has come. It is drawn again in another language with what is in it.
 * @param {any} page
 */
export function drawFirstBox(page) {
  const { first, t, choices } = page;
  const ask = () => (page.first.isAsked = true);
  page.first = { ...formOf(t, first?.input.value ?? choices.text, ask), isAsked: first?.isAsked ?? false };
  page.own.replaceChildren(page.first.form);
}

/**
 * Give what was typed before to the desk, and submit it if that was asked for.
 * @param {any} page
 * @param {any} desk
 */
export function handOver(page, desk) {
  const { first } = page;
  page.first = null;
  if (first.input.value.trim()) desk.input.value = first.input.value;
  if (first.hadFocus) {
    desk.input.focus();
    desk.input.setSelectionRange(first.input.selectionStart, first.input.selectionEnd);
  }
  if (first.isAsked) desk.submit();
}
