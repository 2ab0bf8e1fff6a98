// The article's page: the text from the site's builder, a picture beside it, and an editor for the reader's sentence.

import { afterPaint, h, prefersReducedMotion, oncePerFrame, nextTask } from "../../shared/dom.js";
import { NextActions } from "../../shared/stage/next_actions.js";
import { fill } from "../../shared/text.js";
import { drawFirstBox, handOver } from "../desk/box.js";
import { headAt, isChanged, unchosen } from "../links/choices.js";
import { readLink, writeLink } from "../links/link.js";
import { sceneOfStored, sceneOfTrace } from "../stage/scene.js";
import { isHeadOff, onlyOff, changeOf } from "../stage/shown.js";
import { StagePlayer } from "../stage/player.js";
import { focusEditor, shareChange } from "../actions.js";
import { surprise } from "../../shared/diff.js";
import {
  focusPictureOnEnter,
  followReading,
  light,
  scrollToLit,
  updateLinks,
  Front,
  partsOfScreen,
  planIn,
} from "./screens.js";
import { Space, mapsOfStored, mapsOfTrace } from "./space.js";

/** @import { Choices } from "../links/choices.js" */
/** @import { Desk } from "../desk/desk.js" */
/** @import { Scene } from "../stage/scene.js" */
/** @import { Setup } from "../desk/parts.js" */
/** @import { ModelPlan } from "../levels/model_plan.js" */
/** @import { Computed, Deferred, Later, Written } from "./types.js" */

/** Screens whose picture is the sentence with its ribbons. */
const ON_STAGE = ["arrive", "next"];

export class Story {
  isPicture = false; // the article's model reads text
  /** @type {import("../desk/box.js").First | null} the text box until the desk has one */ first = null;
  /** @type {Desk | null} */ desk = null;
  /** @type {Deferred | null} the code that loads after the first picture */ deferred = null;
  /** The results for the sentence. @type {Computed | null} */ computed = null;
  /** Token of the latest drawing of a screen. */ drawing = {};
  editor = h("div", { class: "story-own site-desk" });
  /** Names the sentence of the numbers. */ note = h("p", { class: "site-hint story-note", role: "status" });
  /** The picture of the screens after the first. */ view = h("div", { class: "story-view" });

  /** @param {HTMLElement} root @param {Written} written
   * @param {Later} later code and data that load after the first picture */
  constructor(root, written, later) {
    this.later = later;
    this.written = written;
    this.t = written.words;
    this.language = document.documentElement.lang;
    this.choices = { ...unchosen(), ...readLink(location.search, written.link).choices };
    Object.assign(this.choices, { model: "", text: this.choices.text || written.opening.text });
    this.root = root;
    this.picture = /** @type {HTMLElement} */ (root.querySelector(".story-picture"));
    /** @type {import("./values.js").Units | null} */ this.units = null;
    /** @type {ModelPlan | null} the plan, while it is shown */ this.plan = null;
    /** @type {typeof ModelPlan | null} null until its code has loaded */ this.Plan = null;
    /** @type {InstanceType<Deferred["Bars"]> | null} */ this.bars = null;
    /** @type {InstanceType<Deferred["Pieces"]> | null} */ this.pieces = null;
    this.screen = "arrive";
    this.part = "space";
    this.space = new Space(this.t, ({ kind, layer, head }) => {
      const level = kind === "cross" ? "head" : "heads";
      const chosen = { ...unchosen(), text: this.#readerText, kind, heads: [[layer, head]], level };
      return `./${writeLink(chosen, written.link)}`;
    });
    this.stage = new StagePlayer(this.t, {
      interrupted: () => {},
      picked: () => {},
      chosen: (prefix) => this.desk?.change({ prefix }),
      ended: () => {},
    });
    this.front = new Front(this.space, this.stage);
    this.actions = new NextActions(this.t, {
      switchOff: (head) => this.#switchOff(head),
      undo: () => this.desk?.undo(),
      editSentence: () => focusEditor(this),
      share: () => shareChange(this.t, changeOf(this)),
    });
    this.scrollToLit = oncePerFrame(() => scrollToLit(this.picture));
    this.root.dataset.screen = this.screen;
    this.stage.view.layOut();
    this.stage.view.outcome.append(this.actions.root);
    this.#layOut();
    this.opened = this.#open();
  }

  /** Draw the first picture, then load the rest, in tasks that are short enough for a slow phone. */
  async #open() {
    await nextTask();
    const maps = mapsOfStored(this.written.maps);
    const stored = this.#readerText ? null : sceneOfStored(this.written.opening);
    if (stored) this.space.show(stored, maps, this.written.head);
    else this.space.wait(maps);
    await nextTask();
    this.#showStored(stored);
    this.#drawActions();
    await nextTask();
    const article = /** @type {HTMLElement} */ (this.root.querySelector(".story-text"));
    followReading(article, (paragraph) => this.#goTo(paragraph));
    focusPictureOnEnter(article, this.picture);
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.space.recolour();
      this.draw();
    });
    await this.#load();
  }

  /** Append the picture's parts. */
  #layOut() {
    this.note.textContent = this.t.waiting;
    this.picture.append(this.editor, this.space.root, this.stage.root, this.view, this.note);
    drawFirstBox(this);
    updateLinks(this.root, this.#readerText);
  }

  /** The reader's sentence; "" for the opening one. */
  get #readerText() {
    const { text } = this.choices;
    return text === this.written.opening.text ? "" : text;
  }

  /** Show the stored translation, or wait for the model. @param {Scene | null} stored */
  #showStored(stored) {
    const model = this.written.model.name;
    if (!stored) return this.stage.wait(this.choices.text, model);
    return this.stage.show(stored, { head: this.written.head, model, source: null });
  }

  #drawActions() {
    const { opening, head, without } = this.written;
    const isOpening = without && this.choices.text === opening.text;
    const offer = isOpening ? surprise(opening.translation, [[head[0], head[1], without]]) : null;
    this.actions.draw({ isChanged: isChanged(this.choices), offer });
  }

  /** @param {[number, number]} head */
  #switchOff(head) {
    if (!this.desk?.about) return this.desk?.sayNoModel();
    return this.desk.change({ off: [headAt(head, "cross")] });
  }

  /** Fetch the deferred code, then the model; resolves when the first numbers are computed or have failed. */
  async #load() {
    await afterPaint();
    const { later } = this;
    const [{ default: deferred }, { default: Plan }, units] = await Promise.all([
      later.deferred(),
      later.plan(),
      this.#fetchUnits(),
    ]);
    Object.assign(this, { deferred, Plan, units });
    this.bars = new deferred.Bars(this.t, {
      chosen: (prefix) => this.desk?.change({ prefix }),
      change: (changes) => this.desk?.change(changes),
    });
    await nextTask();
    const desk = this.#deskOf(deferred);
    this.desk = desk;
    this.pieces = new deferred.Pieces(this.t, desk.runner);
    handOver(this, desk);
    await desk.opened;
  }

  /** Statistics of the hidden units; null if they were not measured for the model. */
  async #fetchUnits() {
    if (!this.written.hasUnits) return null;
    const answer = await fetch(this.later.units).catch(() => null);
    return answer?.ok ? answer.json() : null;
  }

  /** @param {Deferred} deferred */
  #deskOf(deferred) {
    const { written, t } = this;
    const model = { ...written.model, address: new URL(written.model.address, document.baseURI).href };
    const setup = {
      ...written.setup,
      words: t,
      sentences: [],
      models: [model],
      state: null,
      metrics: [],
      groups: {},
      link: written.link,
    };
    const around = {
      stage: this.stage,
      arrange: (/** @type {Desk} */ desk) => this.#arrange(desk),
      drawn: (/** @type {Desk} */ desk) => this.#drawn(desk),
      asking: (/** @type {boolean} */ isAsking) => this.picture.toggleAttribute("data-busy", isAsking),
      head: () => written.head,
      isFolded: () => true,
      hasUndo: true,
    };
    const remember = (/** @type {Choices} */ choices, /** @type {boolean} */ isNew) => this.#remember(choices, isNew);
    return new deferred.Desk(this.editor, setup, this.choices, remember, around);
  }

  /** @param {Desk} desk */
  #arrange(desk) {
    if (this.first) this.first.hadFocus = document.activeElement === this.first.input;
    this.editor.replaceChildren(desk.form, desk.bar, desk.status, desk.chips);
  }

  /** @param {Choices} choices @param {boolean} isNew */
  #remember(choices, isNew) {
    const query = writeLink({ ...choices, text: this.#readerText }, this.written.link);
    const address = `${location.pathname}${query}${location.hash}`;
    if (isNew) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
    updateLinks(this.root, this.#readerText);
  }

  /** After a translation: draw it, compute the article's numbers for its sentence, and draw them. @param {Desk} desk */
  async #drawn(desk) {
    const { plain, trace, choices } = desk;
    if (!plain || !trace) return undefined;
    const { head } = this.written;
    const before = isChanged(choices) ? sceneOfTrace(plain) : null;
    const isOff = isHeadOff(choices, head, "cross");
    const only = onlyOff(choices, "cross");
    const scene = sceneOfTrace(trace);
    const source = this.#isInSpace ? null : undefined; // null skips the animation while the stage is hidden
    this.stage.show(scene, { head, model: this.written.model.name, before, isOff, only, source });
    if (!before) this.space.show(scene, mapsOfTrace(trace), head);
    this.#drawActions();
    this.stage.root.dataset.live ??= String(Math.round(performance.now())); // tests wait for it
    if (this.computed?.trace === plain) return void (await this.draw());
    await nextTask();
    const deferred = /** @type {Deferred} */ (this.deferred);
    const computed = await deferred.compute(plain, { head, runner: desk.runner, units: this.units });
    await nextTask();
    if (desk.plain !== plain) return undefined; // another sentence has been submitted meanwhile
    this.computed = computed;
    const values = deferred.valuesOf(computed, this.t);
    for (const place of this.root.querySelectorAll("[data-n]")) {
      const name = String(/** @type {HTMLElement} */ (place).dataset.n);
      if (name in values) place.textContent = values[name];
    }
    this.note.textContent = fill(this.t.numbers_here, { text: plain.text });
    await afterPaint(); // the picture is drawn in another task
    if (desk.plain !== plain) return undefined;
    await this.draw();
    if (desk.plain !== plain) return undefined;
    this.root.dataset.computed = plain.text;
    return undefined;
  }

  /** Show the screen of the current paragraph. @param {HTMLElement} paragraph */
  #goTo(paragraph) {
    const screen = /** @type {HTMLElement} */ (paragraph.closest("section")).id;
    const isOther = screen !== this.screen;
    this.part = String(paragraph.dataset.part);
    this.screen = screen;
    if (isOther) this.draw();
    else if (this.root.dataset.screen === screen) this.#highlight(); // else draw() does after building the picture
  }

  /** Draw the picture of the current screen, each part in its own task, so that scrolling stays smooth. */
  async draw() {
    const { screen, computed, deferred } = this;
    const drawing = (this.drawing = {});
    const parts = [];
    await nextTask();
    for (const part of deferred && computed ? partsOfScreen(this, deferred, computed) : []) {
      if (this.drawing !== drawing) return; // another screen has become current
      if (part) parts.push(part);
      await nextTask();
    }
    if (this.drawing !== drawing) return;
    const isOther = this.root.dataset.screen !== screen;
    const isOnStage = ON_STAGE.includes(screen);
    this.plan?.end();
    this.plan = null;
    this.root.dataset.screen = screen;
    this.#bringForward();
    const later = isOther ? parts.splice(isOnStage ? 0 : Math.ceil(parts.length / 2)) : [];
    if (parts.length !== this.view.childElementCount || parts.some((part) => part.parentNode !== this.view))
      this.view.replaceChildren(...parts);
    if (screen === "decoder" && computed) this.plan = planIn(this);
    if (!prefersReducedMotion() && isOther && computed)
      this.view.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 180, easing: "ease-out" });
    light(this.view, this.part);
    if (later.length) await afterPaint(); // the second half is laid out in another frame
    if (this.drawing !== drawing) return;
    this.view.append(...later);
    this.#highlight();
  }

  /** Whether the current paragraph shows the 3D model; with changes, the stage is shown instead. */
  get #isInSpace() {
    return this.part === "space" && !isChanged(this.choices);
  }

  #bringForward() {
    const isOnStage = ON_STAGE.includes(this.screen);
    return this.front.show(isOnStage ? (this.#isInSpace ? "space" : "stage") : "");
  }

  #highlight() {
    this.root.dataset.part = this.part;
    this.#bringForward();
    light(this.view, this.part);
    this.scrollToLit();
  }
}
