// A drop zone for a picture or a sound, for a model that reads files. The file is sent unchanged; the server decodes it in
// a separate process.

import { h } from "../shared/dom.js";

const MAX_MEGABYTES = { picture: 12, sound: 24 }; // MB
const FILE_TYPES = { picture: "image/png", sound: "audio/wav" };

export class FileDrop {
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
