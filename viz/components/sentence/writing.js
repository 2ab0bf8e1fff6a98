// The box in which a sentence is written, in place of the sentence, and the sentences to try below it; for a model that
// reads pictures, the pad on which a word is written.

import { focusedIn, h } from "../shared/dom.js";
import { drawnText } from "../shared/pad/drawn.js";
import { Pad } from "../shared/pad/pad.js";
import { FileDrop } from "./file_drop.js";

/** @import { Given } from "./types" */

export class Editor {
  input = h("textarea", { rows: "1", autocomplete: "off", spellcheck: "false", dir: "auto" });
  submit = h("button", { type: "submit" });
  hint = h("p", { class: "hint", role: "status" });
  examples = h("div", { class: "examples" });
  line = h("div", { class: "line" }, this.input, this.submit);
  /** It is hidden until the stage is marked as being edited. */
  root = h("form", { class: "editor" }, this.line, this.hint, this.examples);
  /** What was there when it was opened. */ began = "";
  /** @type {Pad | FileDrop | null} */ pad = null;

  /**
   * @param {HTMLElement} stage around the box; a click outside leaves the box
   * @param {Given} data
   * @param {{sent: (text: string, shown: string | Node) => void, leave: () => void, signal: AbortSignal}} on `shown`
   *   stands for the text until its answer arrives, `leave` gives the focus away, and the `signal` ends what listens to
   *   the document
   */
  constructor(stage, data, { sent, leave, signal }) {
    this.stage = stage;
    this.data = data;
    this.sent = sent;
    this.leave = leave;
    this.root.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#commit(this.value);
    });
    this.root.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Escape" && this.data.source.length) this.close();
    });
    this.input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.#commit(this.input.value);
    });
    this.input.addEventListener("input", () => this.#hint(""));
    // A click elsewhere leaves the box, unless something has been written in it.
    const leaveBox = (/** @type {Event} */ event) => {
      const isInside = event.composedPath().includes(stage);
      if (!isInside && this.data.source.length && this.value === this.began) this.close();
    };
    document.addEventListener("pointerdown", leaveBox, { signal });
  }

  /** What is in the box, or on the pad. */
  get value() {
    return this.pad?.value ?? this.input.value;
  }

  /** @param {string} said */
  #hint(said) {
    this.hint.textContent = said;
  }

  /** @param {Given} data */
  draw(data) {
    this.data = data;
    const { words, invitation, reads_files: reads, reads_pictures: readsPictures } = data;
    this.submit.textContent = words.translate;
    this.input.placeholder = invitation;
    this.input.setAttribute("aria-label", words.box);
    if (reads && this.pad instanceof FileDrop) this.pad.speak(words, reads);
    else if (reads)
      this.#fit(
        new FileDrop(words, reads, {
          taken: (text, name) => this.#send(text, name),
          refused: (why) => this.#hint(why),
        }),
      );
    else if (readsPictures && this.pad instanceof Pad) this.pad.speak(words);
    else if (readsPictures) this.#fit(new Pad(words, { changed: () => this.#hint("") }));
    else if (this.pad) this.#fit(null); // else it stays: what is moved loses the focus
    this.#fillExamples();
  }

  /** The box, or what stands in its place. @param {Pad | FileDrop | null} pad */
  #fit(pad) {
    this.pad = pad;
    this.line.replaceChildren(pad?.root ?? this.input, ...(pad instanceof FileDrop ? [] : [this.submit]));
  }

  /** The sentences to try with what each shows, and those of this visit. */
  #fillExamples() {
    const { words, suggestions, suggestions_about, recent } = this.data;
    /** @type {(example: [text: string, about?: string]) => HTMLElement} */
    const item = ([text, about = ""]) =>
      h(
        "button",
        { class: "chip", onclick: () => this.#commit(text) },
        h("bdi", {}, drawnText({ text })),
        about && h("small", {}, about),
      );
    /** @type {(title: string, items: [text: string, about?: string][], about?: string) => HTMLElement[]} */
    const group = (title, items, about = "") =>
      items.length ? [h("h4", {}, title), ...(about ? [h("p", {}, about)] : []), ...items.map(item)] : [];
    const visited = group(
      words.recent,
      recent.map((text) => [text]),
    );
    this.examples.replaceChildren(...visited, ...group(words.examples, suggestions, suggestions_about));
  }

  open(takeFocus = true) {
    const { text } = this.data;
    this.stage.dataset.editing = "";
    this.began = text;
    if (this.pad) this.pad.value = text;
    else this.input.value = text;
    this.#hint("");
    if (!takeFocus) return;
    (this.pad ?? this.input).focus();
    if (!this.pad) this.input.select();
  }

  /** Whether the reader writes the next sentence, or has just opened the box to write it, while an answer arrives. */
  get isWriting() {
    if (!("editing" in this.stage.dataset)) return false;
    return this.value !== this.began || (!this.pad && this.input.matches(":focus") && this.data.text === this.began);
  }

  /** The focus goes from the box to the button that opens it again. */
  close() {
    const hadFocus = this.root.contains(focusedIn(this.root));
    delete this.stage.dataset.editing;
    if (hadFocus) this.leave();
  }

  /** @param {string} text */
  #commit(text) {
    if (!text.trim()) {
      this.#hint(this.data.words.nothing);
      (this.pad ?? this.input).focus();
    } else if (text === this.data.text && this.data.source.length) this.close();
    else this.#send(text, drawnText({ text }));
  }

  /** @param {string} text @param {string | Node} shown */
  #send(text, shown) {
    this.data = { ...this.data, text };
    this.close();
    this.sent(text, shown);
  }

  /** A file may be dropped anywhere on the stage of a model that reads files. @param {DragEvent} event */
  drop(event) {
    if (!(this.pad instanceof FileDrop)) return;
    event.preventDefault();
    const [file] = event.type === "drop" ? (event.dataTransfer?.files ?? []) : [];
    if (file) void this.pad.take(file);
  }
}
