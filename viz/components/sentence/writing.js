// The box in which a sentence is written, in place of the sentence, and the sentences to try below it.

import { h } from "../shared/dom.js";

/**
 * The form; it is hidden until the stage is marked as being edited.
 * @param {any} stage
 */
export function buildEditor(stage) {
  const form = h("form", { class: "editor" });
  const line = h("div", { class: "line" });
  stage.input = h("textarea", { rows: "1", autocomplete: "off", spellcheck: "false", dir: "auto" });
  stage.submit = h("button", { type: "submit" });
  stage.hint = h("p", { class: "hint", role: "status" });
  stage.examples = h("div", { class: "examples" });
  line.append(stage.input, stage.submit);
  form.append(line, stage.hint, stage.examples);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    commit(stage, stage.input.value);
  });
  form.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Escape" && stage.data.source.length) {
      close(stage);
      stage.edit.focus();
    }
  });
  stage.input.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      commit(stage, stage.input.value);
    }
  });
  stage.input.addEventListener("input", () => (stage.hint.textContent = ""));
  // A click elsewhere leaves the box, unless something has been written in it.
  document.addEventListener("pointerdown", (event) => {
    const isInside = event.composedPath().includes(stage.root);
    if (!isInside && stage.data?.source.length && stage.input.value === stage.began) close(stage);
  });
  return form;
}

/** The sentences to try with what each shows, and those of this visit. */
export function fillExamples(stage) {
  const { words, suggestions, suggestions_about, recent } = stage.data;
  const item = (text, about = "") =>
    h(
      "button",
      { class: "chip", type: "button", onclick: () => commit(stage, text) },
      h("bdi", {}, text),
      about && h("small", {}, about),
    );
  const group = (title, items, about = "") =>
    items.length ? [h("h4", {}, title), about && h("p", {}, about), ...items] : [];
  stage.examples.replaceChildren(
    ...[
      ...group(
        words.recent,
        recent.map((text) => item(text)),
      ),
      ...group(
        words.examples,
        suggestions.map(([text, about]) => item(text, about)),
        suggestions_about,
      ),
    ].filter(Boolean),
  );
}

export function open(stage, takeFocus = true) {
  stage.root.dataset.editing = "";
  stage.input.value = stage.began = stage.data.text;
  stage.hint.textContent = "";
  if (takeFocus) {
    stage.input.focus();
    stage.input.select();
  }
}

/* An answer may arrive while the reader writes the next sentence, or has just opened the box to write it. */
export function isWriting({ root, input, began, data }) {
  const isOpen = "editing" in root.dataset;
  return isOpen && (input.value !== began || (input.matches(":focus") && data.text === began));
}

export function close(stage) {
  delete stage.root.dataset.editing;
}

function commit(stage, text) {
  if (!text.trim()) {
    stage.hint.textContent = stage.data.words.nothing;
    stage.input.focus();
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
