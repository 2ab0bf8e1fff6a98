// A sentence, its translation, every head, and the effects of changes, all computed in the page.

import { h } from "../../shared/dom.js";
import { fill, fixed } from "../../shared/text.js";
import { formOf } from "./box.js";
import { Pad } from "../../shared/pad/pad.js";
import { drawControls } from "./changing.js";
import { dropModel, exploreHeads, openHead } from "../desk_heads.js";
import { drawNotes, isUnread, notesOn, readerFor } from "./notes.js";
import { fillGallery, modelPicker } from "./parts.js";
import { MOST_CHARACTERS, changesOf, editsOf, isChanged, prefixOf, unchanged } from "../links/choices.js";
import { Runner, failureOf } from "../runner.js";

/** @import { About, Failure, Place, Trace } from "../types.js" */
/** @import { Choices } from "../links/choices.js" */
/** @import { Setup } from "./parts.js" */

export class Desk {
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
   * @param {(choices: Choices, isNew: boolean) => void} remember called whenever something is chosen;
   *   whether Back shall return to what was there before
   * @param {{stage: import("../stage/player.js").StagePlayer, arrange: (desk: Desk) => void, drawn: (desk: Desk) => void,
   *   asking: (isAsking: boolean) => void, onModelChange?: () => void, isFolded?: () => boolean, hasUndo?: boolean, preview?: (changes: Partial<Choices>) => void, head?: () => [number, number] | null}} page the page around the desk: it places the parts
   *   and is told of each translation; while all heads are folded away they are not drawn
   */
  constructor(root, setup, choices, remember, page) {
    this.page = page;
    this.setup = setup;
    this.t = setup.words;
    this.choices = choices;
    this.remember = remember;
    this.root = root;
    /** @type {[number, number]} bytes of the model that have come, and all */
    this.bytesLoaded = [0, 0];
    /** @type {unknown} why the model could not be opened, or null */
    this.failure = null;
    /** @type {import("../links/choices.js").Changes[]} what was changed before, for Undo */
    this.past = [];
    /** @type {About | null} what is known of the open model */
    this.about = null;
    /** @type {Trace | null} the trace on screen */
    this.trace = null;
    /** @type {Trace | null} the same sentence without a change */
    this.plain = null;
    /** Called when a sentence is submitted. @type {(() => void) | undefined} */
    this.submitted = undefined;
    this.isAsking = false;
    /** The row that is chosen by hand. @type {number | undefined} */
    this.row = undefined;
    /** @type {Setup["models"][number] | null} the model whose pad it is, where it is one */
    this.padOf = null;
    /** @type {typeof import("../all_heads.js").default | null} the code that draws all heads, once it has come */
    this.allHeads = null;
    /** @type {import("../../attention/js/explorer.js").Explorer | null} */
    this.explorer = null;
    this.turn = 0;
    this.runner = new Runner({
      progress: (done, total) => this.#progress(done, total),
      step: (step, most) => this.say(fill(this.t.step_so_far, { step, most })),
    });
    const { form, input } = this.#newForm();
    this.form = form;
    this.input = input;
    this.#drawParts();
    /** Settled once the first translation is drawn, or has failed. */
    this.opened = this.#open();
  }

  /** The sentences that were chosen for the model. */
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

  /** Draw everything anew, in other words maybe. @param {Setup} setup */
  build(setup) {
    this.explorer?.reporter.end(); // what was chosen in it a moment ago counts
    this.setup = setup;
    this.t = setup.words;
    const { input: before, padOf } = this;
    Object.assign(this, this.#newForm());
    if (before instanceof Pad && this.input instanceof Pad && this.padOf === padOf) this.input.takeOver(before);
    this.#drawParts();
  }

  /** The box for a sentence or the pad, in the words of now. */
  #newForm() {
    const isPad = this.model.reads === "picture";
    this.padOf = isPad ? this.model : null;
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
    const turn = ++this.turn; // what the model before is still asked comes to nothing
    dropModel(this);
    this.#busy(false);
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
    if (!this.choices.text && this.sentences.length) this.#beginWithAnExample();
    await this.ask();
  }

  /** The first screen shows a sentence; what the reader is typing meanwhile stays. */
  #beginWithAnExample() {
    this.choices.text = this.sentences[0].text;
    this.input.value ||= this.choices.text;
    this.remember(this.choices, false);
  }

  /** Choose another model. @param {string} model */
  turnTo(model) {
    Object.assign(this.choices, unchanged(), { model, heads: [], pins: [] });
    this.past = [];
    this.page.onModelChange?.();
    this.remember(this.choices, true);
    return this.#open();
  }

  /** Apply choices from a link or from Back. */
  take(/** @type {Choices} */ choices) {
    const before = this.model.name;
    this.choices = choices;
    this.past = [];
    this.input.value = choices.text;
    this.examples.open = false;
    this.isRestored = true;
    if (this.model.name === before) return this.ask();
    this.build(this.setup);
    return this.#open();
  }

  /** Translate an example; one about a head that matters opens that head.
   * @param {{text: string, head?: Place | null}} example */
  begin({ text, head }) {
    this.input.value = text;
    if (head) {
      Object.assign(this.choices, { kind: "cross", heads: [head] });
      this.isRestored = true;
    }
    this.submit();
  }

  /** @param {{isContinued?: boolean}} [how] whether more was written on the pad: Back returns to what was there before it */
  submit({ isContinued = false } = {}) {
    const text = this.input.value.trim();
    if (!text) return this.say(this.t.empty);
    if (text.length > MOST_CHARACTERS)
      return this.say(fill(this.t.too_long, { n: text.length, most: MOST_CHARACTERS }));
    this.say("");
    this.examples.open = false;
    const isNew = text !== this.choices.text && !isContinued;
    Object.assign(this.choices, unchanged(), { text, pins: [] });
    this.past = [];
    this.submitted?.();
    const asked = this.ask(); // the worker computes while the address is written
    this.remember(this.choices, isNew);
    return asked;
  }

  /** Change something about the same sentence; Undo takes it back. */
  async change(/** @type {Partial<Choices>} */ changes) {
    this.past.push(changesOf(this.choices));
    Object.assign(this.choices, { pins: [] }, changes); // the stage goes to the first word that has changed
    this.remember(this.choices, false);
    await this.ask();
    this.page.stage.reveal();
  }

  undo() {
    Object.assign(this.choices, this.past.pop() ?? unchanged());
    this.remember(this.choices, false);
    return this.ask();
  }

  /** Run the model on the sentence with the changes, and first without them if that result is missing. */
  async ask() {
    const { about } = this;
    if (!about || !this.choices.text) return;
    const { text } = this.choices;
    const turn = ++this.turn;
    this.#busy(true);
    try {
      const edits = editsOf(this.choices, about.config);
      const isPlain = !isChanged(this.choices);
      const [found, changed] = await Promise.all([
        this.plain?.text === text ? this.plain : this.runner.translate(text, {}, []),
        isPlain ? null : this.runner.translate(text, edits, prefixOf(this.choices, about.config), this.choices),
      ]);
      if (turn !== this.turn) return;
      const plain = Object.assign(found, { about });
      this.plain = plain;
      this.trace = changed ? Object.assign(changed, { about }) : plain;
      this.#draw({ isRestored: this.isRestored });
      this.isRestored = false;
      if (!isPlain) return;
      plain.doubt ??= await this.runner.doubt(plain); // once it is drawn
      if (turn === this.turn) this.#tell();
    } catch (failure) {
      if (turn === this.turn) this.#fail(failure);
    }
  }

  /** What is to be known of the translation on screen. */
  #tell() {
    const { trace, setup } = this;
    if (!trace) return;
    const notes = notesOn(trace, trace.doubt ?? null, this.t, setup.doubt, trace.about.languages.source);
    const said = drawNotes(notes, setup.doubt, (text) => this.begin({ text }));
    this.status.replaceChildren(...said, ...(isUnread(trace) ? readerFor(this) : []));
  }

  /** What was asked for has to wait for the model. */
  waitFor() {
    this.say(this.failure ? this.t.failed_other : this.t.wait_model);
  }

  /** @param {number} done @param {number} total */
  #progress(done, total) {
    this.bytesLoaded = [done, total];
    this.bar.value = total && done / total;
    if (!total) return this.say(this.t.loading);
    const [come, all] = [done, total].map((bytes) => fixed(bytes / 1e6, 1));
    this.say(fill(this.t.loading_so_far, { done: come, total: all }));
  }

  /** @param {string} words */
  say(words) {
    this.status.textContent = words;
  }

  /** Say what happened and what to do. */
  #fail(/** @type {unknown} */ failure) {
    this.bar.hidden = true;
    this.#busy(false);
    const { why, n = 0, most = 0 } = failureOf(failure);
    this.say(fill(this.t[`failed_${why}`] ?? this.t.failed_other, { n, most }));
    if (why === "long") return;
    this.root.classList.add("site-failed");
  }

  /** @param {{isRestored?: boolean}} [how] whether the explorer takes its heads from the choices */
  #draw({ isRestored = false } = {}) {
    this.#busy(false);
    this.#tell();
    this.root.classList.remove("site-failed");
    if (!this.page.isFolded?.()) this.explore({ isRestored });
    this.drawControls();
    this.page.drawn(this);
  }

  /** @param {boolean} isBusy */
  #busy(isBusy) {
    this.isAsking = isBusy;
    if (isBusy) this.stage.setAttribute("aria-busy", "true");
    else this.stage.removeAttribute("aria-busy");
    this.page.asking(isBusy);
  }

  /** Draw all heads. @param {{isRestored?: boolean}} [how] */
  explore(how) {
    return exploreHeads(this, how);
  }

  /** @param {boolean} [isShown] whether the page shows what can be changed */
  drawControls(isShown = this.controls.isConnected) {
    drawControls(this, isShown);
  }

  /** The head that is open. */
  get open() {
    return openHead(this);
  }
}
