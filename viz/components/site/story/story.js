// The article's page: the text that the site's builder wrote, a picture beside it, and the reader's own sentence.

import { afterPaint, h, prefersReducedMotion, oncePerFrame, nextTask } from "../../shared/dom.js";
import { NextActions } from "../../shared/stage/next_actions.js";
import { fill } from "../../shared/text.js";
import { drawFirstBox, handOver } from "../desk/box.js";
import { headAt, isChanged, unchosen } from "../links/choices.js";
import { readLink, writeLink } from "../links/link.js";
import { sceneOfStored, sceneOfTrace } from "../stage/scene.js";
import { isHeadOff, onlyOff } from "../stage/shown.js";
import { StagePlayer } from "../stage/player.js";
import { ownSentence } from "../stage/trying.js";
import { changeOf } from "../stage/worth.js";
import { surprise } from "../../shared/surprise.js";
import { shareChange } from "../sharing.js";
import { followReading, leadInside, light, showLit, takeAlong } from "./follow.js";
import { Front } from "./front.js";
import { partsOfScreen, planIn } from "./screens.js";
import { Space, mapsOfStored, mapsOfTrace } from "./space.js";

/** @import { Choices } from "../links/choices.js" */
/** @import { Desk } from "../desk/desk.js" */
/** @import { Scene } from "../stage/scene.js" */
/** @import { Setup } from "../desk/parts.js" */
/** @import { ModelPlan } from "../levels/model_plan.js" */
/** @import { Found, Later, Rest, Written } from "./types.js" */

/** Screens whose picture is the sentence with its ribbons. */
const ON_STAGE = ["arrive", "next"];

export class Story {
  own = h("div", { class: "story-own site-desk" });
  /** Of which sentence the numbers are. */ note = h("p", { class: "site-hint story-note", role: "status" });
  /** The picture of every screen but the first. */ view = h("div", { class: "story-view" });

  /** @param {HTMLElement} root @param {Written} written
   * @param {Later} later code and data that come after the first picture */
  constructor(root, written, later) {
    this.later = later;
    this.written = written;
    this.t = written.words;
    this.language = document.documentElement.lang;
    this.choices = { ...unchosen(), ...readLink(location.search, written.link).choices };
    Object.assign(this.choices, { model: "", text: this.choices.text || written.opening.text });
    this.root = root;
    this.picture = /** @type {HTMLElement} */ (root.querySelector(".story-picture"));
    /** @type {import("../desk/box.js").First | null} the box until the desk has one */
    this.first = null;
    this.isPicture = false; // the article is about a model that reads text
    /** @type {Desk | null} */
    this.desk = null;
    /** @type {Rest | null} the code that came after the first picture */
    this.rest = null;
    /** What was computed for the sentence. @type {Found | null} */
    this.found = null;
    /** @type {import("./values.js").Units | null} */ this.units = null;
    /** @type {ModelPlan | null} the whole model, while it is shown */ this.plan = null;
    /** @type {typeof ModelPlan | null} the class of it, once its code has come */ this.Plan = null;
    /** @type {InstanceType<Rest["Bars"]> | null} */ this.bars = null;
    /** @type {InstanceType<Rest["Pieces"]> | null} */ this.pieces = null;
    this.screen = "arrive";
    this.part = "space";
    this.space = new Space(this.t, ({ kind, layer, head }) => {
      const level = kind === "cross" ? "head" : "heads";
      const chosen = { ...unchosen(), text: this.#ownText, kind, heads: [[layer, head]], level };
      return `./${writeLink(chosen, written.link)}`;
    });
    this.stage = new StagePlayer(this.t, {
      touched: () => {},
      picked: () => {},
      chosen: (said) => this.desk?.change({ said }),
      ended: () => {},
    });
    this.front = new Front(this.space, this.stage);
    this.ways = new NextActions(this.t, {
      switchOff: (head) => this.#switchOff(head),
      undo: () => this.desk?.undo(),
      editSentence: () => ownSentence(this),
      share: () => shareChange(this.t, changeOf(this)),
    });
    /** The drawing of a screen that was begun last. */
    this.drawing = {};
    this.showLit = oncePerFrame(() => showLit(this.picture));
    this.root.dataset.screen = this.screen;
    this.stage.view.layOut();
    this.stage.view.outcome.append(this.ways.root);
    this.#layOut();
    this.opened = this.#open();
  }

  /** The first picture, then all that comes after it; each part is a task that a slow phone does between two frames. */
  async #open() {
    await nextTask();
    const maps = mapsOfStored(this.written.maps);
    const stored = this.#ownText ? null : sceneOfStored(this.written.opening);
    if (stored) this.space.show(stored, maps, this.written.head);
    else this.space.wait(maps);
    await nextTask();
    this.#showStored(stored);
    this.#drawWays();
    await nextTask();
    const article = /** @type {HTMLElement} */ (this.root.querySelector(".story-text"));
    followReading(article, (each) => this.#read(each));
    leadInside(article, this.picture);
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.space.recolour();
      this.draw();
    });
    await this.#load();
  }

  /** The picture's place is kept from the start. */
  #layOut() {
    this.note.textContent = this.t.waiting;
    this.picture.append(this.own, this.space.root, this.stage.root, this.view, this.note);
    drawFirstBox(this);
    takeAlong(this.root, this.#ownText);
  }

  /** The reader's sentence, or nothing where it is the opening one. */
  get #ownText() {
    const { text } = this.choices;
    return text === this.written.opening.text ? "" : text;
  }

  /** The opening sentence is stored; another one has to wait for the model. @param {Scene | null} stored */
  #showStored(stored) {
    const model = this.written.model.name;
    if (!stored) return this.stage.wait(this.choices.text, model);
    return this.stage.show(stored, { head: this.written.head, model, source: null });
  }

  #drawWays() {
    const { opening, head, without } = this.written;
    const isOpening = without && this.choices.text === opening.text;
    const offer = isOpening ? surprise(opening.translation, [[head[0], head[1], without]]) : null;
    this.ways.draw({ isChanged: isChanged(this.choices), offer });
  }

  /** @param {[number, number]} head */
  #switchOff(head) {
    if (!this.desk?.about) return this.desk?.waitFor();
    return this.desk.change({ off: [headAt(head, "cross")] });
  }

  /** Fetch the rest of the page, then the model; settled once the first numbers are there, or have failed. */
  async #load() {
    await afterPaint();
    const { later } = this;
    const [{ default: rest }, { default: Plan }, units] = await Promise.all([
      later.rest(),
      later.plan(),
      this.#fetchUnits(),
    ]);
    Object.assign(this, { rest, Plan, units });
    this.bars = new rest.Bars(this.t, {
      chosen: (said) => this.desk?.change({ said }),
      change: (changes) => this.desk?.change(changes),
    });
    await nextTask();
    const desk = this.#deskOf(rest);
    this.desk = desk;
    this.pieces = new rest.Pieces(this.t, desk.runner);
    handOver(this, desk);
    await desk.opened;
  }

  /** What excites the hidden units; null for a model on which it was not measured. */
  async #fetchUnits() {
    if (!this.written.hasUnits) return null;
    const answer = await fetch(this.later.units).catch(() => null);
    return answer?.ok ? answer.json() : null;
  }

  /** @param {Rest} rest */
  #deskOf(rest) {
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
    return new rest.Desk(this.own, setup, this.choices, remember, around);
  }

  /** @param {Desk} desk */
  #arrange(desk) {
    if (this.first) this.first.hadFocus = document.activeElement === this.first.input;
    this.own.replaceChildren(desk.form, desk.bar, desk.status, desk.chips);
  }

  /** @param {Choices} choices @param {boolean} isNew */
  #remember(choices, isNew) {
    const query = writeLink({ ...choices, text: this.#ownText }, this.written.link);
    const address = `${location.pathname}${query}${location.hash}`;
    if (isNew) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
    takeAlong(this.root, this.#ownText);
  }

  /** A translation has come: compute what the article says of the sentence, then show it. @param {Desk} desk */
  async #drawn(desk) {
    const { plain, trace, choices } = desk;
    if (!plain || !trace) return undefined;
    const { head } = this.written;
    const before = isChanged(choices) ? sceneOfTrace(plain) : null;
    const isOff = isHeadOff(choices, head, "cross");
    const only = onlyOff(choices, "cross");
    const scene = sceneOfTrace(trace);
    const source = this.#isInSpace ? null : undefined; // nothing is played that is not seen
    this.stage.show(scene, { head, model: this.written.model.name, before, isOff, only, source });
    if (!before) this.space.show(scene, mapsOfTrace(trace), head);
    this.#drawWays();
    this.stage.root.dataset.live ??= String(Math.round(performance.now())); // since when it is computed here
    if (this.found?.trace === plain) return void (await this.draw());
    await nextTask();
    const rest = /** @type {Rest} */ (this.rest);
    const found = await rest.compute(plain, { head, runner: desk.runner, units: this.units });
    await nextTask();
    if (desk.plain !== plain) return undefined; // another sentence was typed meanwhile
    this.found = found;
    const values = rest.valuesOf(this.found, this.t);
    for (const place of this.root.querySelectorAll("[data-n]")) {
      const name = String(/** @type {HTMLElement} */ (place).dataset.n);
      if (name in values) place.textContent = values[name];
    }
    this.note.textContent = fill(this.t.numbers_here, { text: plain.text });
    await afterPaint(); // the picture is drawn in a task of its own
    if (desk.plain !== plain) return undefined;
    await this.draw();
    if (desk.plain !== plain) return undefined;
    this.root.dataset.computed = plain.text;
    return undefined;
  }

  /** Another paragraph is read. @param {HTMLElement} paragraph */
  #read(paragraph) {
    const screen = /** @type {HTMLElement} */ (paragraph.closest("section")).id;
    const isOther = screen !== this.screen;
    this.part = String(paragraph.dataset.part);
    this.screen = screen;
    if (isOther) this.draw();
    else if (this.root.dataset.screen === screen) this.#point(); // its picture is on the way
  }

  /** The picture of the screen that is read. Its parts are made in tasks of their own: in the frame that lays out the
   * next paragraphs they would hold up the scrolling. */
  async draw() {
    const { screen, found, rest } = this;
    const drawing = (this.drawing = {});
    const parts = [];
    await nextTask();
    for (const part of rest && found ? partsOfScreen(this, rest, found) : []) {
      if (this.drawing !== drawing) return; // another screen is read
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
    if (screen === "decoder" && found) this.plan = planIn(this);
    if (!prefersReducedMotion() && isOther && found)
      this.view.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 180, easing: "ease-out" });
    light(this.view, this.part);
    if (later.length) await afterPaint(); // the other half is laid out in another frame
    if (this.drawing !== drawing) return;
    this.view.append(...later);
    this.#point();
  }

  /** Whether the paragraph that is read is about the model in space; a change is seen on the stage. */
  get #isInSpace() {
    return this.part === "space" && !isChanged(this.choices);
  }

  #bringForward() {
    const isOnStage = ON_STAGE.includes(this.screen);
    return this.front.show(isOnStage ? (this.#isInSpace ? "space" : "stage") : "");
  }

  #point() {
    this.root.dataset.part = this.part;
    this.#bringForward();
    light(this.view, this.part);
    this.showLit();
  }
}
