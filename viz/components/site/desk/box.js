// The box for a sentence, or the pad for a written word. It is there before the model is, and keeps what is typed meanwhile.

import { h } from "../../shared/dom.js";
import { Pad } from "../../shared/pad/pad.js";

/** @typedef {Pick<import("../page.js").Page, "first" | "t" | "choices" | "isPicture" | "own">} Host the page with the box */

const REST = 450; // milliseconds after a stroke in which the next one may begin

/**
 * The box and its button; Enter submits it. What is written on a pad is submitted when the pen rests.
 * @param {Record<string, string>} t
 * @param {string} text to begin with
 * @param {(how?: {isContinued?: boolean}) => void} submit told whether what is submitted goes on from what was before
 * @param {boolean} [isPad]
 */
export function formOf(t, text, submit, isPad = false) {
  return isPad ? padOf(t, text, submit) : boxOf(t, text, submit);
}

/** @type {(t: Record<string, string>, text: string, submit: (how?: {isContinued?: boolean}) => void) => any} */
function padOf(t, text, submit) {
  let timer = 0;
  const changed = () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      if (!input.moving) submit({ isContinued: input.strokes.length > 1 });
    }, REST);
  };
  const input = new Pad(t, { changed });
  input.value = text;
  return { input, form: input.root };
}

/** @type {(t: Record<string, string>, text: string, submit: () => void) => any} */
function boxOf(t, text, submit) {
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
 * @param {Host} page
 */
export function drawFirstBox(page) {
  const { first, t, choices } = page;
  const ask = () => (page.first.isAsked = true);
  const { isPicture } = page;
  const isSame = first?.isPicture === isPicture;
  const made = formOf(t, isSame ? first.input.value : choices.text, ask, isPicture);
  page.first = { ...made, isAsked: first?.isAsked ?? false, isPicture };
  page.own.replaceChildren(page.first.form);
}

/**
 * Give what was typed before to the desk, and submit it if that was asked for.
 * @param {Host} page
 * @param {import("./desk.js").Desk} desk
 */
export function handOver(page, desk) {
  const { first } = page;
  page.first = null;
  if (page.isPicture) desk.input.take(first.input);
  else if (first.input.value.trim()) desk.input.value = first.input.value;
  if (first.hadFocus && !page.isPicture) {
    desk.input.focus();
    desk.input.setSelectionRange(first.input.selectionStart, first.input.selectionEnd);
  }
  if (first.isAsked) desk.submit();
}
