// A sentence, its translation, every head, and the effects of changes, all computed in the page.

import { Explorer } from "../attention/js/explorer.js";
import { h } from "../shared/dom.js";
import { fill, fixed } from "../shared/text.js";
import { drawCompared, drawControls } from "./changing.js";
import { clearestHead, drawFailed, galleryOf, notesOn } from "./parts.js";
import { MOST_CHARACTERS, editsOf, isChanged, prefixOf, unchanged } from "./link.js";
import { Runner } from "./runner.js";
import { drawSteps } from "./steps.js";
import { packetOf } from "./view.js";

/**
 * @typedef {object} Setup
 * @property {Record<string, string>} words of the desk
 * @property {Record<string, string>} explorer words of the explorer
 * @property {Record<string, string>} groups names of the gallery's groups
 * @property {{name: string, address: string}[]} models
 * @property {{group: string, text: string, translation?: string, picture?: string}[]} sentences
 * @property {any} palettes
 * @property {string} [about] a line about the model
 * @property {any} state what the explorer opens on
 */

export class Desk {
  /**
   * @param {Element} root
   * @param {Setup} setup
   * @param {import("./link.js").Choices} choices
   * @param {(choices: import("./link.js").Choices, isNew: boolean) => void} remember called whenever something is chosen;
   *   whether Back shall return to what was there before
   */
  constructor(root, setup, choices, remember) {
    this.setup = setup;
    this.choices = choices;
    this.remember = remember;
    this.root = root;
    this.step = 0;
    /** @type {import("./link.js").Changes[]} what was changed before, for Undo */
    this.past = [];
    /** @type {any} what is known of the open model */
    this.about = null;
    /** @type {any} the trace on screen */
    this.trace = null;
    /** @type {any} the same sentence without a change */
    this.plain = null;
    /** @type {Explorer | null} */
    this.explorer = null;
    this.turn = 0;
    this.runner = new Runner({
      progress: (done, total) => this.#progress(done, total),
      step: (step, most) => this.#say(fill(this.t.step_so_far, { step, most })),
    });
    this.build(setup);
    /** Settled once the first translation is drawn, or has failed. */
    this.opened = this.#open();
  }

  get model() {
    return this.setup.models.find(({ name }) => name === this.choices.model) ?? this.setup.models[0];
  }

  /**
   * Draw everything anew, in other words maybe.
   * @param {Setup} setup
   */
  build(setup) {
    this.setup = setup;
    this.t = setup.words;
    const { t } = this;
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      this.submit();
    };
    this.input = h("textarea", {
      rows: 1,
      placeholder: t.placeholder,
      "aria-label": t.placeholder,
      dir: "auto",
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key === "Enter" && !event.shiftKey && !event.isComposing) submit(event);
      },
    });
    this.input.value = this.choices.text;
    this.status = h("p", { class: "site-status", role: "status" });
    this.bar = h("progress", { max: 1, value: 0, "aria-label": t.loading, hidden: Boolean(this.about) });
    this.examples = galleryOf(this);
    this.compared = h("section", { class: "site-compared", "aria-live": "polite", hidden: true });
    this.controls = h("section", { class: "site-controls", hidden: true });
    this.pictures = h("section", { class: "site-pictures", hidden: true });
    this.stage = h("section", { class: "site-stage" });
    this.steps = h("section", { class: "site-steps", hidden: true });
    this.root.replaceChildren(
      h("form", { onsubmit: submit }, this.input, h("button", { class: "site-primary" }, t.translate)),
      h("div", { class: "site-choices" }, this.#models(), this.examples),
      h("p", { class: "site-hint", hidden: !setup.about }, setup.about),
      this.bar,
      this.status,
      this.compared,
      this.controls,
      this.stage,
      this.steps,
      this.pictures,
    );
    this.explorer?.destroy();
    this.explorer = null;
    if (this.trace) this.#draw();
  }

  #models() {
    const { models } = this.setup;
    if (models.length < 2) return null;
    const options = models.map(({ name }) => h("option", { value: name, selected: name === this.model.name }, name));
    const choose = (/** @type {any} */ event) => {
      Object.assign(this.choices, unchanged(), { model: event.target.value, heads: [] });
      this.past = [];
      this.remember(this.choices, true);
      this.#open();
    };
    return h("label", {}, this.t.model, h("select", { onchange: choose }, options));
  }

  /** Fetch and open the chosen model, then translate. */
  async #open() {
    const { address, name } = this.model;
    Object.assign(this, { about: null, plain: null });
    Object.assign(this.bar, { hidden: false, value: 0 });
    this.#say(this.t.loading);
    try {
      const about = await this.runner.open(address);
      if (this.model.name !== name) return;
      this.about = about;
    } catch (failure) {
      return this.#fail(failure);
    }
    this.bar.hidden = true;
    this.#say("");
    if (!this.choices.text && this.setup.sentences.length) this.#beginWithAnExample();
    await this.ask();
  }

  /** The first screen shows a sentence; what the reader is typing meanwhile stays. */
  #beginWithAnExample() {
    this.choices.text = this.setup.sentences[0].text;
    this.input.value ||= this.choices.text;
    this.remember(this.choices, false);
  }

  /** Apply choices from a link or from Back. */
  take(/** @type {import("./link.js").Choices} */ choices) {
    const before = this.model.name;
    this.choices = choices;
    this.past = [];
    this.input.value = choices.text;
    if (this.model.name === before) return this.ask();
    this.build(this.setup);
    return this.#open();
  }

  /** @param {string} text */
  begin(text) {
    this.input.value = text;
    this.examples.open = false;
    this.submit();
  }

  submit() {
    const text = this.input.value.trim();
    if (!text) return this.#say(this.t.empty);
    if (text.length > MOST_CHARACTERS)
      return this.#say(fill(this.t.too_long, { n: text.length, most: MOST_CHARACTERS }));
    this.#say("");
    const isNew = text !== this.choices.text;
    Object.assign(this.choices, unchanged(), { text });
    this.past = [];
    this.step = 0;
    const asked = this.ask(); // the worker computes while the address is written
    this.remember(this.choices, isNew);
    return asked;
  }

  /** Change something about the same sentence; Undo takes it back. */
  change(/** @type {Partial<import("./link.js").Choices>} */ changes) {
    const { off, hidden, positions, forced, said } = this.choices;
    this.past.push({ off, hidden, positions, forced, said });
    Object.assign(this.choices, changes);
    this.remember(this.choices, false);
    return this.ask();
  }

  undo() {
    Object.assign(this.choices, this.past.pop() ?? unchanged());
    this.remember(this.choices, false);
    return this.ask();
  }

  /** Run the model on the sentence with the changes, and first without them if that result is missing. */
  async ask() {
    if (!this.about || !this.choices.text) return;
    const { text } = this.choices;
    const turn = ++this.turn;
    this.stage.setAttribute("aria-busy", "true");
    try {
      const edits = editsOf(this.choices, this.about.config);
      const isPlain = !isChanged(this.choices);
      const [plain, changed] = await Promise.all([
        this.plain?.text === text ? this.plain : this.runner.translate(text, {}, []),
        isPlain ? null : this.runner.translate(text, edits, prefixOf(this.choices, this.about.config)),
      ]);
      if (turn !== this.turn) return;
      this.plain = plain;
      this.trace = changed ?? plain;
      this.#draw();
    } catch (failure) {
      if (turn === this.turn) this.#fail(failure);
    }
  }

  /**
   * @param {number} done
   * @param {number} total
   */
  #progress(done, total) {
    this.bar.value = done / total;
    const [come, all] = [done, total].map((bytes) => fixed(bytes / 1e6, 1));
    this.#say(fill(this.t.loading_so_far, { done: come, total: all }));
  }

  /** @param {string} words */
  #say(words) {
    this.status.textContent = words;
  }

  /** Say what happened and what to do; without a model, show the prepared pictures. */
  #fail(/** @type {any} */ failure) {
    this.bar.hidden = true;
    this.stage.removeAttribute("aria-busy");
    const words = this.t[`failed_${failure.why}`] ?? this.t.failed_other;
    this.#say(fill(words, { n: failure.n, most: failure.most }));
    if (failure.why === "long") return;
    this.root.classList.add("site-failed");
    drawFailed(this);
  }

  #draw() {
    const { trace } = this;
    this.stage.removeAttribute("aria-busy");
    this.#say(notesOn(trace, this.t));
    this.root.classList.remove("site-failed");
    this.pictures.hidden = true;
    const packet = packetOf(trace, this.about, {
      strings: this.setup.explorer,
      palettes: this.setup.palettes,
      state: { ...this.setup.state, kind: this.choices.kind, heads: this.#heads() },
      actions: ["switch_off"],
    });
    const isFirst = !this.explorer;
    this.explorer ??= new Explorer(this.stage, {
      action: () => this.#switchHead(),
      report: (/** @type {any} */ { state }) => this.#follow(state),
    });
    this.explorer.load(packet, { state: isFirst ? packet.state : null });
    drawControls(this);
    drawCompared(this);
    drawSteps(this);
  }

  /** The explorer shows other heads: the link has them, and a row is forced in the one that is open. */
  #follow(/** @type {any} */ { kind, heads }) {
    Object.assign(this.choices, { kind, heads: heads.slice(0, 8) });
    this.remember(this.choices, false);
    drawControls(this);
  }

  /** The heads of the link; without one, the head whose cross-attention is clearest. */
  #heads() {
    if (this.choices.heads.length) return this.choices.heads;
    this.plain.clearest ??= clearestHead(this.plain, this.about);
    return [this.plain.clearest];
  }

  /** The head that is open. */
  get open() {
    const { kind, heads } = this.explorer.state;
    const [[layer, head]] = heads;
    return { kind, layer, head };
  }

  #switchHead() {
    const { kind, layer, head } = this.open;
    const { heads } = this.explorer.state;
    const isSame = (/** @type {any} */ off) => off.kind === kind && off.layer === layer && off.head === head;
    const { off } = this.choices;
    this.change({
      kind,
      heads,
      off: off.some(isSame) ? off.filter((each) => !isSame(each)) : [...off, { kind, layer, head }],
    });
  }
}
