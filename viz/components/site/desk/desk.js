// Runs a model in the page: the sentence, its translation, all heads, and the effects of changes.

import { h } from "../../shared/dom.js";
import { fill, formatFixed } from "../../shared/text.js";
import { formOf } from "./box.js";
import { Pad } from "../../shared/pad/pad.js";
import { drawControls } from "./experiments.js";
import { dropModel, exploreHeads, openHead } from "../desk_heads.js";
import { drawNotes, isUnread, notesOn, readerFor, fillGallery, modelPicker } from "./parts.js";
import { MAX_CHARACTERS, changesOf, editsOf, isChanged, prefixOf, unchanged } from "../links/choices.js";
import { Runner, failureOf } from "../runner.js";

/** @import { About, Failure, Place, Trace } from "../types.js" */
/** @import { Choices } from "../links/choices.js" */
/** @import { Setup } from "./parts.js" */

export class Desk {
  isAsking = false;
  turn = 0;
  /** @type {[number, number]} loaded and total bytes of the model */ bytesLoaded = [0, 0];
  /** @type {unknown} why the model could not be opened, or null */ failure = null;
  /** @type {import("../links/choices.js").Changes[]} the undo stack */ past = [];
  /** @type {About | null} the open model */ about = null;
  /** @type {Trace | null} the trace on screen */ trace = null;
  /** @type {Trace | null} the same sentence without changes */ plain = null;
  /** Called when a sentence is submitted. @type {(() => void) | undefined} */ submitted = undefined;
  /** The query row that is selected for forcing. @type {number | undefined} */ row = undefined;
  /** @type {Setup["models"][number] | null} the model of the pad; null for a text box */ padModel = null;
  /** @type {import("../../attention/js/explorer.js").Explorer | null} */ explorer = null;
  status = h("p", { class: "site-status", role: "status" });
  bar = h("progress", { max: 1, value: 0 });
  examples = h("details", { class: "site-gallery" });
  chips = h("div", { class: "site-chips" });
  controls = h("section", { class: "site-controls", hidden: true });
  /** Where all heads are drawn. */ stage = h("section", { class: "site-stage" });

  /**
   * @param {Element} root
   * @param {Setup} setup
   * @param {Choices} choices
   * @param {(choices: Choices, isNew: boolean) => void} remember called after every choice; `isNew` makes a history entry
   * @param {{stage: import("../stage/player.js").StagePlayer, arrange: (desk: Desk) => void, drawn: (desk: Desk) => void,
   *   asking: (isAsking: boolean) => void, onModelChange?: () => void, isFolded?: () => boolean, hasUndo?: boolean,
   *   preview?: (changes: Partial<Choices>) => void, head?: () => [number, number] | null}} page the page around the desk:
   *   it arranges the parts and draws each translation; while `isFolded`, the heads are not drawn
   */
  constructor(root, setup, choices, remember, page) {
    this.page = page;
    this.setup = setup;
    this.t = setup.words;
    this.choices = choices;
    this.remember = remember;
    this.root = root;
    /** @type {typeof import("../all_heads.js").default | null} the explorer's code; null until it has loaded */
    this.allHeads = null;
    this.runner = new Runner({
      progress: (done, total) => this.#progress(done, total),
      step: (step, most) => this.say(fill(this.t.step_so_far, { step, most })),
    });
    const { form, input } = this.#newForm();
    this.form = form;
    this.input = input;
    this.#drawParts();
    /** Resolves when the first translation is drawn or has failed. */
    this.opened = this.#open();
  }

  /** The examples for the model. */
  get sentences() {
    return this.setup.sentences.filter(({ models }) => !models || models.includes(this.model.name));
  }

  get model() {
    return this.setup.models.find(({ name }) => name === this.choices.model) ?? this.setup.models[0];
  }

  /** The kind of attention that the stage shows. */
  get main() {
    return this.model.main ?? "cross";
  }

  /** Rebuild everything, for example in another language. @param {Setup} setup */
  build(setup) {
    this.explorer?.reporter.flush(); // sends the explorer's latest choices
    this.setup = setup;
    this.t = setup.words;
    const { input: before, padModel } = this;
    Object.assign(this, this.#newForm());
    if (before instanceof Pad && this.input instanceof Pad && this.padModel === padModel) this.input.takeOver(before);
    this.#drawParts();
  }

  /** A text box or pad in the present language. */
  #newForm() {
    const isPad = this.model.reads === "picture";
    this.padModel = isPad ? this.model : null;
    return formOf(this.t, this.choices.text, (how) => this.submit(how), isPad);
  }

  /** Everything but the form. */
  #drawParts() {
    this.say("");
    this.bar.setAttribute("aria-label", this.t.loading);
    this.bar.hidden = Boolean(this.about);
    fillGallery(this);
    this.picker = modelPicker(this);
    this.page.arrange(this);
    this.explorer?.destroy();
    this.explorer = null;
    if (this.trace) this.#draw({ isRestored: true });
    if (this.failure) this.#fail(this.failure);
    else if (!this.about) this.#progress(...this.bytesLoaded);
  }

  /** Fetch and open the chosen model, then translate. */
  async #open() {
    const turn = ++this.turn; // results of the previous model are ignored
    dropModel(this);
    this.#setBusy(false);
    this.failure = null;
    this.root.classList.remove("site-failed");
    this.bar.hidden = false;
    this.#progress(0, 0);
    try {
      const about = await this.runner.open(this.model.address);
      if (turn !== this.turn) return;
      this.about = about;
    } catch (failure) {
      if (turn !== this.turn) return;
      this.failure = failure;
      return this.#fail(failure);
    }
    this.bar.hidden = true;
    this.say("");
    if (!this.choices.text && this.sentences.length) this.#openExample();
    await this.compute();
  }

  /** Choose the first example; text that the reader is typing stays. */
  #openExample() {
    this.choices.text = this.sentences[0].text;
    this.input.value ||= this.choices.text;
    this.remember(this.choices, false);
  }

  /** Choose another model. @param {string} model */
  switchModel(model) {
    Object.assign(this.choices, unchanged(), { model, heads: [], pins: [] });
    this.past = [];
    this.page.onModelChange?.();
    this.remember(this.choices, true);
    return this.#open();
  }

  /** Apply choices from a link or from Back. */
  restore(/** @type {Choices} */ choices) {
    const before = this.model.name;
    this.choices = choices;
    this.past = [];
    this.input.value = choices.text;
    this.examples.open = false;
    this.isRestored = true;
    if (this.model.name === before) return this.compute();
    this.build(this.setup);
    return this.#open();
  }

  /** Translate an example, and open its head if it has one.
   * @param {{text: string, head?: Place | null}} example */
  tryExample({ text, head }) {
    this.input.value = text;
    if (head) {
      Object.assign(this.choices, { kind: "cross", heads: [head] });
      this.isRestored = true;
    }
    this.submit();
  }

  /** Translate the content of the box or pad. @param {{isContinued?: boolean}} [how] `isContinued` adds no history entry */
  submit({ isContinued = false } = {}) {
    const text = this.input.value.trim();
    if (!text) return this.say(this.t.empty);
    if (text.length > MAX_CHARACTERS) return this.say(fill(this.t.too_long, { n: text.length, most: MAX_CHARACTERS }));
    this.say("");
    this.examples.open = false;
    const isNew = text !== this.choices.text && !isContinued;
    Object.assign(this.choices, unchanged(), { text, pins: [] });
    this.past = [];
    this.submitted?.();
    const computing = this.compute(); // before the address is written, so that both run at once
    this.remember(this.choices, isNew);
    return computing;
  }

  /** Apply a change to the same sentence; Undo reverts it. */
  async change(/** @type {Partial<Choices>} */ changes) {
    this.past.push(changesOf(this.choices));
    Object.assign(this.choices, { pins: [] }, changes); // so that the stage goes to the first changed word
    this.remember(this.choices, false);
    await this.compute();
    this.page.stage.reveal();
  }

  undo() {
    Object.assign(this.choices, this.past.pop() ?? unchanged());
    this.remember(this.choices, false);
    return this.compute();
  }

  /** Translate the sentence with the changes, and without them if that result is missing. */
  async compute() {
    const { about } = this;
    if (!about || !this.choices.text) return;
    const { text } = this.choices;
    const turn = ++this.turn;
    this.#setBusy(true);
    try {
      const edits = editsOf(this.choices, about.config);
      const isPlain = !isChanged(this.choices);
      const [unchangedTrace, changed] = await Promise.all([
        this.plain?.text === text ? this.plain : this.runner.translate(text, {}, []),
        isPlain ? null : this.runner.translate(text, edits, prefixOf(this.choices, about.config), this.choices),
      ]);
      if (turn !== this.turn) return;
      const plain = Object.assign(unchangedTrace, { about });
      this.plain = plain;
      this.trace = changed ? Object.assign(changed, { about }) : plain;
      this.#draw({ isRestored: this.isRestored });
      this.isRestored = false;
      if (!isPlain) return;
      plain.doubt ??= await this.runner.doubt(plain); // after the drawing
      if (turn === this.turn) this.#drawNotes();
    } catch (failure) {
      if (turn === this.turn) this.#fail(failure);
    }
  }

  /** Draw the notes on the translation. */
  #drawNotes() {
    const { trace, setup } = this;
    if (!trace) return;
    const notes = notesOn(trace, trace.doubt ?? null, this.t, setup.doubt, trace.about.languages.source);
    const children = drawNotes(notes, setup.doubt, (text) => this.tryExample({ text }));
    this.status.replaceChildren(...children, ...(isUnread(trace) ? readerFor(this) : []));
  }

  /** Say that the model has not loaded yet, or has failed to. */
  sayNoModel() {
    this.say(this.failure ? this.t.failed_other : this.t.wait_model);
  }

  /** @param {number} done @param {number} total */
  #progress(done, total) {
    this.bytesLoaded = [done, total];
    this.bar.value = total && done / total;
    if (!total) return this.say(this.t.loading);
    const [loaded, all] = [done, total].map((bytes) => formatFixed(bytes / 1e6, 1));
    this.say(fill(this.t.loading_so_far, { done: loaded, total: all }));
  }

  /** @param {string} words */
  say(words) {
    this.status.textContent = words;
  }

  /** Show the reason of a failure and the remedy. */
  #fail(/** @type {unknown} */ failure) {
    this.bar.hidden = true;
    this.#setBusy(false);
    const { why, n = 0, most = 0 } = failureOf(failure);
    this.say(fill(this.t[`failed_${why}`] ?? this.t.failed_other, { n, most }));
    if (why === "long") return;
    this.root.classList.add("site-failed");
  }

  /** @param {{isRestored?: boolean}} [how] whether the explorer takes its heads from the choices */
  #draw({ isRestored = false } = {}) {
    this.#setBusy(false);
    this.#drawNotes();
    this.root.classList.remove("site-failed");
    if (!this.page.isFolded?.()) this.explore({ isRestored });
    this.drawControls();
    this.page.drawn(this);
  }

  /** @param {boolean} isBusy */
  #setBusy(isBusy) {
    this.isAsking = isBusy;
    if (isBusy) this.stage.setAttribute("aria-busy", "true");
    else this.stage.removeAttribute("aria-busy");
    this.page.asking(isBusy);
  }

  /** Draw all heads. @param {{isRestored?: boolean}} [how] */
  explore(how) {
    return exploreHeads(this, how);
  }

  /** @param {boolean} [isShown] whether the page shows the controls */
  drawControls(isShown = this.controls.isConnected) {
    drawControls(this, isShown);
  }

  /** The head that is open. */
  get open() {
    return openHead(this);
  }
}
