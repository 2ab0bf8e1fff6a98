// The page without a server: a sentence, its translation, every head, and what changes when something is changed.

import { Explorer } from "../attention/js/explorer.js";
import { h } from "../shared/dom.js";
import { fill, fixed } from "../shared/text.js";
import { editsOf, fromLink, isChanged, toLink } from "./link.js";
import { clearestHead, drawCompared, drawControls, drawSteps, galleryOf } from "./parts.js";
import { packetOf } from "./view.js";

const MOST_CHARACTERS = 2000;
const MOST_PIECES = 200;

class Site {
  /** @param {any} setup what site.json holds: languages, strings, sentences, palettes, models */
  constructor(setup) {
    this.setup = setup;
    this.choices = fromLink(location.search);
    this.asked = 0;
    /** @type {any} the trace on screen */
    this.trace = null;
    /** @type {any} the same sentence without a change */
    this.plain = null;
    this.waiting = new Map();
    this.#speak();
    this.#build();
    this.worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.worker.onmessage = ({ data }) => this.#hear(data);
    this.worker.onerror = () => this.#fail(this.t.failed);
    this.worker.postMessage({ kind: "load", address: new URL(setup.models[0].address, document.baseURI).href });
    window.addEventListener("popstate", () => this.#restore());
  }

  #speak() {
    const wished = [this.choices.language, ...navigator.languages].map((code) => code.split("-")[0]);
    this.language = wished.find((code) => code in this.setup.strings) ?? "en";
    document.documentElement.lang = this.language;
    const { site, attention, gallery } = this.setup.strings[this.language];
    this.t = site;
    this.words = attention;
    this.groups = gallery;
    document.title = `Regard · ${site.tagline}`;
  }

  #build() {
    const { t } = this;
    this.input = h("textarea", {
      id: "sentence",
      rows: 1,
      maxlength: MOST_CHARACTERS,
      placeholder: t.placeholder,
      "aria-label": t.placeholder,
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
        event.preventDefault();
        this.#submit();
      },
    });
    this.input.value = this.choices.text;
    this.status = h("p", { class: "site-status", role: "status" });
    this.bar = h("progress", { max: 1, value: 0, "aria-label": t.loading });
    this.compared = h("section", { class: "site-compared", "aria-live": "polite", hidden: true });
    this.controls = h("section", { class: "site-controls", hidden: true });
    this.stage = h("section", { class: "site-stage" });
    this.steps = h("section", { class: "site-steps", hidden: true });
    document
      .querySelector("#app")
      .replaceChildren(
        h("header", {}, h("h1", {}, "Regard"), h("p", {}, t.tagline), this.#languages()),
        h(
          "form",
          { onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), this.#submit()) },
          this.input,
          h("button", { class: "site-primary" }, t.translate),
        ),
        (this.examples = galleryOf(this)),
        this.bar,
        this.status,
        this.compared,
        this.controls,
        this.stage,
        this.steps,
        h("footer", {}, t.about),
      );
    this.explorer = null;
  }

  #languages() {
    const links = Object.entries(this.setup.languages).map(([code, name]) =>
      h(
        "button",
        {
          type: "button",
          lang: code,
          class: "site-link",
          "aria-pressed": String(code === this.language),
          onclick: () => this.#changeLanguage(code),
        },
        name,
      ),
    );
    return h("nav", { "aria-label": this.t.language }, links);
  }

  /** @param {string} code */
  #changeLanguage(code) {
    this.choices.language = code;
    this.#speak();
    this.#build();
    this.#remember({ isNew: false });
    if (this.about) this.#ready();
    if (this.trace) this.#draw();
  }

  /** @param {string} text */
  open(text) {
    this.input.value = text;
    this.examples.open = false;
    this.#submit();
  }

  #submit() {
    const text = this.input.value.trim();
    if (!text) return this.#say(this.t.empty);
    this.#say("");
    const isNew = text !== this.choices.text;
    Object.assign(this.choices, { text, off: [], hidden: null, positions: "" });
    this.#remember({ isNew });
    return this.#ask();
  }

  #restore() {
    const before = this.language;
    this.choices = fromLink(location.search);
    this.#speak();
    if (this.language !== before) this.#build();
    this.input.value = this.choices.text;
    this.#ask();
  }

  /** @param {{isNew: boolean}} how whether Back shall return to what was there before */
  #remember({ isNew }) {
    const address = location.pathname + toLink(this.choices);
    if (isNew) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
  }

  /** Change something about the same sentence. */
  change(/** @type {any} */ changes) {
    Object.assign(this.choices, changes);
    this.#remember({ isNew: false });
    this.#ask();
  }

  /** Ask the model: the sentence as it is where that is not known yet, and with the changes. */
  #ask() {
    if (!this.about || !this.choices.text) return;
    const { text } = this.choices;
    if (this.plain?.text !== text) this.#post(text, {}, "plain");
    if (isChanged(this.choices)) this.#post(text, editsOf(this.choices), "changed");
    else if (this.plain?.text === text) this.#show(this.plain);
  }

  /**
   * @param {string} text
   * @param {any} edits
   * @param {"plain" | "changed"} role
   */
  #post(text, edits, role) {
    this.asked += 1;
    this.waiting.set(this.asked, { role, choices: JSON.stringify(editsOf(this.choices)) });
    this.stage.setAttribute("aria-busy", "true");
    this.worker.postMessage({ kind: "translate", id: this.asked, text, edits, prefix: [] });
  }

  /** @param {any} message */
  #hear(message) {
    if (message.kind === "progress") return this.#progress(message);
    if (message.kind === "step") return this.#stepped(message);
    if (message.kind === "loaded") {
      this.about = message.about;
      this.#ready();
      if (!this.choices.text) this.#beginWithAnExample();
      return this.#ask();
    }
    if (message.kind === "failed") return this.#fail(this.about ? this.t.failed : this.t.cannot_load, message.what);
    const asked = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (!asked || message.text !== this.choices.text) return undefined;
    if (asked.role === "plain") {
      this.plain = message;
      if (isChanged(this.choices)) return undefined;
    } else if (asked.choices !== JSON.stringify(editsOf(this.choices))) return undefined;
    return this.#show(message);
  }

  /** The first screen shows a sentence; what the reader is typing meanwhile stays. */
  #beginWithAnExample() {
    this.choices.text = this.setup.sentences[0].text;
    this.input.value ||= this.choices.text;
    this.#remember({ isNew: false });
  }

  /** @param {{done: number, total: number}} message */
  #progress({ done, total }) {
    this.bar.value = done / total;
    const megabytes = (/** @type {number} */ bytes) => fixed(bytes / 1e6, 1);
    this.#say(fill(this.t.loading_so_far, { done: megabytes(done), total: megabytes(total) }));
  }

  /** @param {{id: number, step: number, most: number}} message */
  #stepped({ id, step, most }) {
    if (id === this.asked) this.#say(fill(this.t.step_so_far, { step, most }));
  }

  #ready() {
    this.bar.hidden = true;
    this.#say("");
  }

  /** @param {string} words */
  #say(words) {
    this.status.textContent = words;
  }

  /**
   * @param {string} words
   * @param {string} [detail]
   */
  #fail(words, detail = "") {
    this.bar.hidden = true;
    this.stage.removeAttribute("aria-busy");
    this.#say([words, detail && `(${detail})`].filter(Boolean).join(" "));
    this.examples.open = true;
  }

  /** @param {any} trace */
  #show(trace) {
    this.trace = trace;
    this.stage.removeAttribute("aria-busy");
    this.#draw();
  }

  #draw() {
    const { trace, t } = this;
    const notes = [];
    if (trace.unknown.length) notes.push(fill(t.unknown, { characters: trace.unknown.slice(0, 12).join(" ") }));
    if (trace.isCut) notes.push(t.cut);
    if (trace.source.ids.length > MOST_PIECES) notes.push(t.long);
    this.#say(notes.join(" "));
    const packet = packetOf(trace, this.about, {
      strings: this.words,
      palettes: this.setup.palettes,
      state: { ...this.setup.state, kind: this.choices.kind, heads: this.#heads() },
      actions: ["switch_off"],
    });
    const isFirst = !this.explorer;
    this.explorer ??= new Explorer(this.stage, {
      action: () => this.#switchHead(),
      report: (/** @type {any} */ { state }) => {
        Object.assign(this.choices, { kind: state.kind, heads: state.heads.slice(0, 8) });
        this.#remember({ isNew: false });
      },
    });
    this.explorer.load(packet, { state: isFirst ? packet.state : null });
    drawControls(this);
    drawCompared(this);
    drawSteps(this);
  }

  /** The heads of the link; without one, the head whose cross-attention is clearest. */
  #heads() {
    if (this.choices.heads.length) return this.choices.heads;
    const known = this.plain ?? this.trace;
    known.clearest ??= clearestHead(known, this.about);
    return [known.clearest];
  }

  #switchHead() {
    const { kind, heads } = this.explorer.state;
    const [layer, head] = heads[0];
    const isSame = (/** @type {any} */ off) => off.kind === kind && off.layer === layer && off.head === head;
    const { off } = this.choices;
    this.change({
      kind,
      heads,
      off: off.some(isSame) ? off.filter((each) => !isSame(each)) : [...off, { kind, layer, head }],
    });
  }
}

if ("serviceWorker" in navigator && location.protocol.startsWith("http"))
  navigator.serviceWorker.register(new URL("sw.js", document.baseURI)).catch(() => undefined);
new Site(await (await fetch(new URL("site.json", document.baseURI))).json());
