// The editor that replaces the sentence while another is written, with sentences to try below it. A model that reads
// pictures has a pad or a drop zone instead of the text box.

import { h, focusedIn } from "../shared/dom.js";
import { textOrPicture, Pad } from "../shared/pad/pad.js";

/** @import { StageData } from "./types" */

const MAX_MEGABYTES = { picture: 12, sound: 24 }; // MB
const FILE_TYPES = { picture: "image/png", sound: "audio/wav" };

class FileDrop {
  /** Always empty: a file is sent at once. The editor sets it as it sets that of the pad. */
  value = "";
  /** @type {Record<string, string>} */
  words = {};
  /** @type {"picture" | "sound"} */
  modality = "picture";

  /** @param {Record<string, string>} words @param {"picture" | "sound"} modality
   * @param {{accepted: (text: string, name: string) => void, rejected: (reason: string) => void}} on */
  constructor(words, modality, on) {
    this.on = on;
    this.file = h("input", { type: "file", hidden: true, onchange: () => this.#chosen() });
    this.button = h("button", { class: "choose", onclick: () => this.file.click() });
    this.about = h("span", {});
    this.root = h("div", { class: "file-drop" }, this.button, this.about, this.file);
    this.setWords(words, modality);
  }

  /** @type {(words: Record<string, string>, modality: "picture" | "sound") => void} */
  setWords(words, modality) {
    Object.assign(this, { words, modality });
    this.button.textContent = words[`choose_${modality}`];
    this.about.textContent = words[`drop_${modality}`];
    this.file.accept = modality === "sound" ? ".wav,audio/wav,audio/x-wav" : "image/*";
  }

  focus() {
    this.button.focus();
  }

  #chosen() {
    const [file] = this.file.files ?? [];
    if (file) void this.send(file);
    this.file.value = "";
  }

  /** Send a file. @param {File} file */
  async send(file) {
    if (file.size > MAX_MEGABYTES[this.modality] << 20) {
      this.on.rejected(this.words[`large_${this.modality}`]);
      return;
    }
    const reader = new FileReader();
    const loaded = new Promise((resolve) => (reader.onloadend = resolve));
    reader.readAsDataURL(file);
    await loaded;
    const [, body = ""] = String(reader.result ?? "").split(";base64,");
    if (body) this.on.accepted(`data:${FILE_TYPES[this.modality]};base64,${body}`, file.name);
    else this.on.rejected(this.words.no_file);
  }
}

export class Editor {
  input = h("textarea", { rows: "1", autocomplete: "off", spellcheck: "false", dir: "auto" });
  submit = h("button", { type: "submit" });
  hint = h("p", { class: "hint", role: "status" });
  examples = h("div", { class: "examples" });
  line = h("div", { class: "line" }, this.input, this.submit);
  /** Hidden unless the stage has data-editing. */
  root = h("form", { class: "editor" }, this.line, this.hint, this.examples);
  /** The value when the editor was opened. */ initial = "";
  /** @type {Pad | FileDrop | null} */ pad = null;

  /**
   * @param {HTMLElement} stage around the editor; a click outside closes the editor
   * @param {StageData} data
   * @param {{submitted: (text: string, placeholder: string | Node) => void, moveFocus: () => void, signal: AbortSignal}} on
   *   `placeholder` is shown until the translation arrives, `moveFocus` is called when a focused editor closes, and the
   *   `signal` removes the document's listeners
   */
  constructor(stage, data, { submitted, moveFocus, signal }) {
    this.stage = stage;
    this.data = data;
    this.submitted = submitted;
    this.moveFocus = moveFocus;
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
    // A click outside closes the editor, unless its value has changed.
    const closeUnchanged = (/** @type {Event} */ event) => {
      const isInside = event.composedPath().includes(stage);
      if (!isInside && this.data.source.length && this.value === this.initial) this.close();
    };
    document.addEventListener("pointerdown", closeUnchanged, { signal });
  }

  /** The content of the text box or of the pad. */
  get value() {
    return this.pad?.value ?? this.input.value;
  }

  /** @param {string} message */
  #hint(message) {
    this.hint.textContent = message;
  }

  /** @param {StageData} data */
  draw(data) {
    this.data = data;
    const { words, invitation, reads_files: modality, reads_pictures: readsPictures } = data;
    this.submit.textContent = words.translate;
    this.input.placeholder = invitation;
    this.input.setAttribute("aria-label", words.box);
    if (modality && this.pad instanceof FileDrop) this.pad.setWords(words, modality);
    else if (modality)
      this.#fit(
        new FileDrop(words, modality, {
          accepted: (text, name) => this.#send(text, name),
          rejected: (reason) => this.#hint(reason),
        }),
      );
    else if (readsPictures && this.pad instanceof Pad) this.pad.setWords(words);
    else if (readsPictures) this.#fit(new Pad(words, { changed: () => this.#hint("") }));
    else if (this.pad) this.#fit(null); // else the input stays: moving it would lose the focus
    this.#fillExamples();
  }

  /** Show the text box, or a pad or drop zone instead. @param {Pad | FileDrop | null} pad */
  #fit(pad) {
    this.pad = pad;
    this.line.replaceChildren(pad?.root ?? this.input, ...(pad instanceof FileDrop ? [] : [this.submit]));
  }

  /** Draw the recent sentences and those to try. */
  #fillExamples() {
    const { words, suggestions, suggestions_about, recent } = this.data;
    /** @type {(example: [text: string, about?: string]) => HTMLElement} */
    const item = ([text, about = ""]) =>
      h(
        "button",
        { class: "chip", onclick: () => this.#commit(text) },
        h("bdi", {}, textOrPicture({ text })),
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
    this.initial = text;
    if (this.pad) this.pad.value = text;
    else this.input.value = text;
    this.#hint("");
    if (!takeFocus) return;
    (this.pad ?? this.input).focus();
    if (!this.pad) this.input.select();
  }

  /** Whether the reader is writing: the value has changed since the editor was opened, or its box has the focus. */
  get isWriting() {
    if (!("editing" in this.stage.dataset)) return false;
    return (
      this.value !== this.initial || (!this.pad && this.input.matches(":focus") && this.data.text === this.initial)
    );
  }

  /** Close the editor, and move the focus to the button that opens it. */
  close() {
    const hadFocus = this.root.contains(focusedIn(this.root));
    delete this.stage.dataset.editing;
    if (hadFocus) this.moveFocus();
  }

  /** @param {string} text */
  #commit(text) {
    if (!text.trim()) {
      this.#hint(this.data.words.nothing);
      (this.pad ?? this.input).focus();
    } else if (text === this.data.text && this.data.source.length) this.close();
    else this.#send(text, textOrPicture({ text }));
  }

  /** @param {string} text @param {string | Node} placeholder */
  #send(text, placeholder) {
    this.data = { ...this.data, text };
    this.close();
    this.submitted(text, placeholder);
  }

  /** Take a file that is dropped anywhere on the stage. @param {DragEvent} event */
  drop(event) {
    if (!(this.pad instanceof FileDrop)) return;
    event.preventDefault();
    const [file] = event.type === "drop" ? (event.dataTransfer?.files ?? []) : [];
    if (file) void this.pad.send(file);
  }
}
