// The box in which a sentence is written, in place of the sentence, and the sentences to try below it.

import { focusedIn, h } from "../shared/dom.js";

/** @import { Stage } from "./component.js" */

/**
 * The form; it is hidden until the stage is marked as being edited.
 * @param {Stage} stage
 */
export function buildEditor(stage) {
  const input = h("textarea", { rows: "1", autocomplete: "off", spellcheck: "false", dir: "auto" });
  const submit = h("button", { type: "submit" });
  const hint = h("p", { class: "hint", role: "status" });
  const examples = h("div", { class: "examples" });
  const root = h("form", { class: "editor" }, h("div", { class: "line" }, input, submit), hint, examples);
  root.addEventListener("submit", (event) => {
    event.preventDefault();
    commit(stage, input.value);
  });
  root.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Escape" && stage.data.source.length) {
      close(stage);
    }
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      commit(stage, input.value);
    }
  });
  input.addEventListener("input", () => (hint.textContent = ""));
  // A click elsewhere leaves the box, unless something has been written in it.
  document.addEventListener(
    "pointerdown",
    (event) => {
      const isInside = event.composedPath().includes(stage.root);
      if (!isInside && stage.data.source.length && input.value === editor.began) close(stage);
    },
    { signal: stage.life.signal },
  );
  const editor = { root, input, submit, hint, examples, /** The text as it was when the box was opened. */ began: "" };
  return editor;
}

/** The sentences to try with what each shows, and those of this visit. @param {Stage} stage */
export function fillExamples(stage) {
  const { words, suggestions, suggestions_about, recent } = stage.data;
  const item = (/** @type {string} */ text, about = "") =>
    h(
      "button",
      { class: "chip", type: "button", onclick: () => commit(stage, text) },
      h("bdi", {}, text),
      about && h("small", {}, about),
    );
  /** @type {(title: string, items: HTMLElement[], about?: string) => HTMLElement[]} */
  const group = (title, items, about = "") =>
    items.length ? [h("h4", {}, title), ...(about ? [h("p", {}, about)] : []), ...items] : [];
  stage.editor.examples.replaceChildren(
    ...group(
      words.recent,
      recent.map((text) => item(text)),
    ),
    ...group(
      words.examples,
      suggestions.map(([text, about]) => item(text, about)),
      suggestions_about,
    ),
  );
}

/** @param {Stage} stage */
export function open({ root, editor, data }, takeFocus = true) {
  root.dataset.editing = "";
  editor.input.value = editor.began = data.text;
  editor.hint.textContent = "";
  if (takeFocus) {
    editor.input.focus();
    editor.input.select();
  }
}

/** An answer may arrive while the reader writes the next sentence, or has just opened the box to write it.
 * @param {Stage} stage */
export function isWriting({ root, editor: { input, began }, data }) {
  const isOpen = "editing" in root.dataset;
  return isOpen && (input.value !== began || (input.matches(":focus") && data.text === began));
}

/** The focus goes from the box to the button that opens it again. @param {Stage} stage */
export function close(stage) {
  const hadFocus = stage.editor.root.contains(focusedIn(stage.editor.root));
  delete stage.root.dataset.editing;
  if (hadFocus) stage.edit.focus({ preventScroll: true });
}

/** @type {(stage: Stage, text: string) => void} */
function commit(stage, text) {
  if (!text.trim()) {
    stage.editor.hint.textContent = stage.data.words.nothing;
    stage.editor.input.focus();
    return;
  }
  if (text === stage.data.text && stage.data.source.length) {
    close(stage);
    return;
  }
  stage.data = { ...stage.data, text };
  close(stage);
  stage.root.dataset.waiting = "";
  stage.words.replaceChildren(h("span", { style: { fontSize: "var(--token)" } }, text));
  if (!stage.targetRow.children.length) stage.targetRow.replaceChildren(h("div", { class: "skeleton" }));
  stage.send("text", text);
}
