// The page without a server: a sentence, its translation, every head, and what changes when something is changed.

import { Explorer } from "../attention/js/explorer.js";
import { h } from "../shared/dom.js";
import { fill, fixed } from "../shared/text.js";
import { differing } from "./differing.js";
import { editsOf, fromLink, isChanged, toLink } from "./link.js";
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
        this.#gallery(),
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

  #gallery() {
    /** @type {Map<string, string[]>} */
    const groups = new Map();
    for (const { group, text } of this.setup.sentences) groups.set(group, [...(groups.get(group) ?? []), text]);
    const parts = [...groups].map(([group, texts]) =>
      h(
        "div",
        { class: "site-group" },
        h("h2", {}, this.groups[group] ?? group),
        texts.map((text) =>
          h("button", { type: "button", class: "site-example", onclick: () => this.#open(text) }, text),
        ),
      ),
    );
    this.examples = h("details", { class: "site-gallery" }, h("summary", {}, this.t.examples), h("div", {}, parts));
    return this.examples;
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
  #open(text) {
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
  #change(/** @type {any} */ changes) {
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
    this.#drawControls();
    this.#drawCompared();
    this.#drawSteps();
  }

  /** The heads of the link; without one, the head whose cross-attention is most diagonal. */
  #heads() {
    if (this.choices.heads.length) return this.choices.heads;
    const known = this.plain ?? this.trace;
    if (!known.clearest) {
      const { layers, heads, rows, columns } = { ...shapeOf(this.about, known) };
      let best = -1;
      for (let head = 0; head < layers * heads; head++) {
        let sum = 0;
        for (let row = 0; row < rows; row++) {
          const at = (head * rows + row) * columns;
          sum += known.maps.cross
            .subarray(at, at + columns)
            .reduce((/** @type {number} */ most, /** @type {number} */ weight) => Math.max(most, weight), 0);
        }
        if (sum > best) [best, known.clearest] = [sum, [Math.floor(head / heads), head % heads]];
      }
    }
    return [known.clearest];
  }

  #switchHead() {
    const { kind, heads } = this.explorer.state;
    const [layer, head] = heads[0];
    const isSame = (/** @type {any} */ off) => off.kind === kind && off.layer === layer && off.head === head;
    const { off } = this.choices;
    this.#change({
      kind,
      heads,
      off: off.some(isSame) ? off.filter((each) => !isSame(each)) : [...off, { kind, layer, head }],
    });
  }

  #drawControls() {
    const { t, choices, trace } = this;
    const hide = h(
      "select",
      {
        onchange: (/** @type {any} */ event) =>
          this.#change({ hidden: event.target.value === "" ? null : Number(event.target.value) }),
      },
      h("option", { value: "" }, t.hide_none),
      trace.source.pieces
        .slice(0, -1)
        .map((/** @type {string} */ piece, /** @type {number} */ place) =>
          h(
            "option",
            { value: place, selected: choices.hidden === place },
            `${place + 1} · ${piece.replaceAll("▁", "") || "␣"}`,
          ),
        ),
    );
    const positions = h(
      "select",
      { onchange: (/** @type {any} */ event) => this.#change({ positions: event.target.value }) },
      ["", "zero", "shuffle", "reverse"].map((mode) =>
        h("option", { value: mode, selected: choices.positions === mode }, t[`positions_${mode || "kept"}`]),
      ),
    );
    const chips = choices.off.map((off) =>
      h(
        "button",
        {
          type: "button",
          class: "site-chip",
          title: t.switch_on,
          onclick: () => this.#change({ off: choices.off.filter((each) => each !== off) }),
        },
        fill(t.off_chip, { kind: t[`kind_${off.kind}`], layer: off.layer, head: off.head }),
        h("span", { "aria-hidden": "true" }, " ✕"),
      ),
    );
    const undo =
      isChanged(choices) &&
      h(
        "button",
        { type: "button", class: "site-quiet", onclick: () => this.#change({ off: [], hidden: null, positions: "" }) },
        t.undo,
      );
    this.controls.hidden = false;
    this.controls.replaceChildren(
      h("label", {}, t.hide, hide),
      h("label", {}, t.positions, positions),
      h("p", { class: "site-hint" }, t.head_hint),
      ...chips,
      ...[undo].filter(Boolean),
    );
  }

  #drawCompared() {
    const { t, plain, trace, choices } = this;
    this.compared.hidden = !isChanged(choices) || !plain;
    if (this.compared.hidden) return;
    const [before, after] = differing(plain.translation, trace.translation);
    const line = (/** @type {string} */ label, /** @type {{word: string, isChanged: boolean}[]} */ words) =>
      h(
        "p",
        {},
        h("span", { class: "site-label" }, label),
        words.map(({ word, isChanged: marked }) => [marked ? h("mark", {}, word) : word, " "]).flat(),
      );
    const isSame = plain.translation === trace.translation;
    this.compared.replaceChildren(
      line(t.before, before),
      line(t.after, after),
      isSame ? h("p", { class: "site-hint" }, t.unchanged) : "",
    );
  }

  #drawSteps() {
    const { t, trace } = this;
    const last = trace.target.pieces.length - 1;
    const place = Math.min(this.step ?? 0, last);
    const written = trace.target.pieces.slice(0, place).join("").replaceAll("▁", " ").trim() || t.nothing_yet;
    const bars = h("ol", { class: "site-bars" });
    const slider = h("input", {
      type: "range",
      min: 0,
      max: last,
      value: place,
      "aria-label": t.step,
      oninput: (/** @type {any} */ event) => {
        this.step = Number(event.target.value);
        this.#drawSteps();
        /** @type {HTMLInputElement} */ (this.steps.querySelector("input")).focus();
      },
    });
    for (const { piece, logProb, id } of trace.candidates[place].slice(0, 6)) {
      const share = Math.exp(logProb);
      bars.append(
        h(
          "li",
          { class: id === trace.target.ids[place] ? "site-said" : "" },
          h("span", { class: "site-piece" }, piece.replaceAll("▁", " ").trim() || "␣"),
          h("span", { class: "site-bar", style: { width: `${Math.max(0.5, share * 60)}%` } }),
          h("span", { class: "site-share" }, `${fixed(share * 100, 1)} %`),
        ),
      );
    }
    this.steps.hidden = false;
    this.steps.replaceChildren(
      h("h2", {}, t.steps),
      h("p", { class: "site-hint" }, t.steps_hint),
      h(
        "p",
        { class: "site-written" },
        fill(t.step_of, { step: place + 1, steps: last + 1 }),
        " ",
        h("b", {}, written),
      ),
      slider,
      bars,
    );
  }
}

/**
 * @param {any} about
 * @param {any} trace
 */
function shapeOf(about, trace) {
  const { n_decoder_layers: layers, n_decoder_heads: heads } = about.config;
  return { layers, heads, rows: trace.target.ids.length, columns: trace.source.ids.length };
}

if ("serviceWorker" in navigator && location.protocol.startsWith("http"))
  navigator.serviceWorker.register(new URL("sw.js", document.baseURI)).catch(() => undefined);
new Site(await (await fetch(new URL("site.json", document.baseURI))).json());
