// The text box for a sentence, or the pad for a written word. The page has one before the desk has loaded, and hands its
// content over.

import { h } from "../../shared/dom.js";
import { Pad } from "../../shared/pad/pad.js";

/** @typedef {{input: HTMLTextAreaElement | Pad, form: HTMLElement}} Form the text box or pad, and the element around it */
/** @typedef {Form & {isSubmitted: boolean, isPicture: boolean, hadFocus?: boolean}} First the form before the desk */
/** @typedef {Pick<import("../page.js").Page, "first" | "t" | "choices" | "isPicture" | "editor">} Host the page */

const REST = 450; // milliseconds without a stroke after which a written word is submitted

/** The text box with its button, submitted by Enter; or the pad. `text` is the initial content.
 * @param {Record<string, string>} t @param {string} text @param {Parameters<typeof padOf>[2]} submit
 * @param {boolean} isPad */
export const formOf = (t, text, submit, isPad) => (isPad ? padOf : boxOf)(t, text, submit);

/** The pad, submitted when the pen rests; `isContinued` if strokes were added to a submitted word.
 * @type {(t: Record<string, string>, text: string, submit: (how?: {isContinued?: boolean}) => void) => Form} */
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

/** Draw the form before the desk has loaded; in another language again, with its content. @param {Host} page */
export function drawFirstBox(page) {
  const { first, t, choices } = page;
  const submit = () => {
    if (page.first) page.first.isSubmitted = true;
  };
  const { isPicture } = page;
  const isSame = first?.isPicture === isPicture;
  const drawn = formOf(t, isSame ? first.input.value : choices.text, submit, isPicture);
  page.first = { ...drawn, isSubmitted: first?.isSubmitted ?? false, isPicture };
  page.editor.replaceChildren(drawn.form);
}

/** Move the first form's content to the desk, and submit it if the reader has.
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
  if (first.isSubmitted) desk.submit();
}
