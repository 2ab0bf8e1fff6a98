// The box for a sentence, or the pad for a written word. It is there before the model is, and keeps what is typed meanwhile.

import { h } from "../../shared/dom.js";
import { Pad } from "../../shared/pad/pad.js";

/** @typedef {{input: HTMLTextAreaElement | Pad, form: HTMLElement}} Form the box or the pad, and what stands around it */
/** @typedef {Form & {isAsked: boolean, isPicture: boolean, hadFocus?: boolean}} First what is there before the desk;
 *   `isAsked` once it was submitted */
/** @typedef {Pick<import("../page.js").Page, "first" | "t" | "choices" | "isPicture" | "own">} Host the page with the box */

const REST = 450; // milliseconds after a stroke in which the next one may begin

/**
 * The box and its button; Enter submits it. What is written on a pad is submitted when the pen rests.
 * @param {Record<string, string>} t
 * @param {string} text to begin with
 * @param {(how?: {isContinued?: boolean}) => void} submit told whether what is submitted goes on from what was before
 * @param {boolean} [isPad]
 * @returns {Form}
 */
export function formOf(t, text, submit, isPad = false) {
  return isPad ? padOf(t, text, submit) : boxOf(t, text, submit);
}

/** @type {(t: Record<string, string>, text: string, submit: (how?: {isContinued?: boolean}) => void) => Form} */
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

/** @type {(t: Record<string, string>, text: string, submit: () => void) => Form} */
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
  return {
    input,
    form: h("form", { onsubmit }, input, h("button", { type: "submit", class: "site-primary" }, t.translate)),
  };
}

/** The box before the desk has come. It is drawn again in another language with what is in it. @param {Host} page */
export function drawFirstBox(page) {
  const { first, t, choices } = page;
  const ask = () => {
    if (page.first) page.first.isAsked = true;
  };
  const { isPicture } = page;
  const isSame = first?.isPicture === isPicture;
  const made = formOf(t, isSame ? first.input.value : choices.text, ask, isPicture);
  page.first = { ...made, isAsked: first?.isAsked ?? false, isPicture };
  page.own.replaceChildren(made.form);
}

/** Give what was typed before to the desk, and submit it if that was asked for.
 * @param {Host} page @param {import("./desk.js").Desk} desk */
export function handOver(page, desk) {
  const { first } = page;
  if (!first) return;
  page.first = null;
  const [before, { input }] = [first.input, desk];
  if (before instanceof Pad || input instanceof Pad) {
    if (before instanceof Pad && input instanceof Pad) input.takeOver(before);
  } else {
    if (before.value.trim()) input.value = before.value;
    if (first.hadFocus) {
      input.focus();
      input.setSelectionRange(before.selectionStart, before.selectionEnd);
    }
  }
  if (first.isAsked) desk.submit();
}
