// The box in which a sentence is written, in place of the sentence, and the sentences to try below it; for a model that
// reads pictures, the pad on which a word is written.

import { focusedIn, h } from "../shared/dom.js";
import { drawnText } from "../shared/pad/drawn.js";
import { Pad } from "../shared/pad/pad.js";
import { FileDrop } from "./file_drop.js";

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
  const line = h("div", { class: "line" }, input, submit);
  const root = h("form", { class: "editor" }, line, hint, examples);
  root.addEventListener("submit", (event) => {
    event.preventDefault();
    commit(stage, onPad(stage));
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
      if (!isInside && stage.data.source.length && onPad(stage) === editor.began) close(stage);
    },
    { signal: stage.life.signal },
  );
  /** @type {{root: HTMLFormElement, line: HTMLElement, input: HTMLTextAreaElement, submit: HTMLButtonElement,
   *   hint: HTMLElement, examples: HTMLElement, began: string, pad: Pad | FileDrop | null}} */
  const editor = {
    root,
    line,
    input,
    submit,
    hint,
    examples,
    /** What was there when it was opened. */ began: "",
    pad: null,
  };
  return editor;
}

/** What is in the box, or on the pad. @param {Pick<Stage, "editor">} stage */
const onPad = ({ editor: { pad, input } }) => pad?.value ?? input.value;

/** The box, or for a model that reads pictures the pad. @param {Stage} stage */
export function fitEditor(stage) {
  const { editor, data } = stage;
  const { line, input, submit, hint } = editor;
  if (data.reads_files) {
    if (editor.pad instanceof FileDrop) editor.pad.speak(data.words, data.reads_files);
    else {
      editor.pad = new FileDrop(data.words, data.reads_files, {
        taken: (text, name) => send(stage, text, name),
        refused: (why) => (hint.textContent = why),
      });
      line.replaceChildren(editor.pad.root);
    }
  } else if (!data.reads_pictures) {
    if (!editor.pad) return; // what is moved loses the focus
    editor.pad = null;
    line.replaceChildren(input, submit);
  } else if (editor.pad instanceof Pad) editor.pad.speak(data.words);
  else {
    editor.pad = new Pad(data.words, { changed: () => (hint.textContent = "") });
    line.replaceChildren(editor.pad.root, submit);
  }
}

/** The sentences to try with what each shows, and those of this visit. @param {Stage} stage */
export function fillExamples(stage) {
  const { words, suggestions, suggestions_about, recent } = stage.data;
  const item = (/** @type {string} */ text, about = "") =>
    h(
      "button",
      { class: "chip", type: "button", onclick: () => commit(stage, text) },
      h("bdi", {}, drawnText({ text })),
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
  editor.began = data.text;
  if (editor.pad) editor.pad.value = data.text;
  else editor.input.value = data.text;
  editor.hint.textContent = "";
  if (takeFocus && editor.pad) editor.pad.focus();
  else if (takeFocus) {
    editor.input.focus();
    editor.input.select();
  }
}

/** An answer may arrive while the reader writes the next sentence, or has just opened the box to write it.
 * @param {Stage} stage */
export function isWriting({ root, editor, data }) {
  const { input, began, pad } = editor;
  const isOpen = "editing" in root.dataset;
  if (pad) return isOpen && onPad({ editor }) !== began;
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
    (stage.editor.pad ?? stage.editor.input).focus();
    return;
  }
  if (text === stage.data.text && stage.data.source.length) {
    close(stage);
    return;
  }
  send(stage, text, drawnText({ text }));
}

/** Show what is sent until its answer arrives. @type {(stage: Stage, text: string, shown: string | Node) => void} */
export function send(stage, text, shown) {
  stage.data = { ...stage.data, text };
  close(stage);
  stage.root.dataset.waiting = "";
  stage.words.replaceChildren(h("span", { style: { fontSize: "var(--token)" } }, shown));
  if (!stage.targetRow.children.length) stage.targetRow.replaceChildren(h("div", { class: "skeleton" }));
  stage.send("text", text);
}

/** A file may be dropped anywhere on the stage of a model that reads files.
 * @type {(editor: Stage["editor"], event: DragEvent) => void} */
export function dropOn({ pad }, event) {
  if (!(pad instanceof FileDrop)) return;
  event.preventDefault();
  const [file] = event.type === "drop" ? (event.dataTransfer?.files ?? []) : [];
  if (file) void pad.take(file);
}
