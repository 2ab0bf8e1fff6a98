// Where a picture or a sound is dropped or chosen, for a model that reads files: it goes to the server as it is, which
// decodes it in a process of its own.

import { h } from "../shared/dom.js";

const MOST_MEGABYTES = { picture: 12, sound: 24 }; // MB
const FILE_TYPES = { picture: "image/png", sound: "audio/wav" };

export class FileDrop {
  /** What the page shows; nothing is written here. */
  value = "";
  /** @type {Record<string, string>} */
  words = {};
  /** @type {"picture" | "sound"} */
  reads = "picture";

  /** @param {Record<string, string>} words @param {"picture" | "sound"} reads
   * @param {{taken: (text: string, name: string) => void, refused: (why: string) => void}} on */
  constructor(words, reads, on) {
    this.on = on;
    this.file = h("input", { type: "file", hidden: true, onchange: () => this.#chosen() });
    this.button = h("button", { class: "choose", onclick: () => this.file.click() });
    this.about = h("span", {});
    this.root = h("div", { class: "file-drop" }, this.button, this.about, this.file);
    this.speak(words, reads);
  }

  /** @type {(words: Record<string, string>, reads: "picture" | "sound") => void} */
  speak(words, reads) {
    Object.assign(this, { words, reads });
    this.button.textContent = words[`choose_${reads}`];
    this.about.textContent = words[`drop_${reads}`];
    this.file.accept = reads === "sound" ? ".wav,audio/wav,audio/x-wav" : "image/*";
  }

  focus() {
    this.button.focus();
  }

  #chosen() {
    const [file] = this.file.files ?? [];
    if (file) void this.take(file);
    this.file.value = "";
  }

  /** Send a file. @param {File} file */
  async take(file) {
    if (file.size > MOST_MEGABYTES[this.reads] << 20) {
      this.on.refused(this.words[`large_${this.reads}`]);
      return;
    }
    const reader = new FileReader();
    const read = new Promise((resolve) => (reader.onloadend = resolve));
    reader.readAsDataURL(file);
    await read;
    const [, body = ""] = String(reader.result ?? "").split(";base64,");
    if (body) this.on.taken(`data:${FILE_TYPES[this.reads]};base64,${body}`, file.name);
    else this.on.refused(this.words.no_file);
  }
}
