// The page: a stage that shows the translation, a change that is worth trying, and levels to look closer.

import { h } from "../shared/dom.js";
import { drawFirstBox } from "./desk/box.js";
import { drawFrame, layOut } from "./levels/frame.js";
import { playArrival } from "../shared/stage/arrival.js";
import { NextActions } from "../shared/stage/next_actions.js";
import { Heads } from "./stage/heads.js";
import { headAt, isChanged, nameOf, unchosen } from "./links/choices.js";
import { load, setupOf } from "./loading.js";
import { tryHeads } from "./desk/matter.js";
import { isRead, restore, toOtherModel } from "./links/other_model.js";
import { drawLeft, pinOf, pinned, readAddress, writeAddress } from "./links/restoring.js";
import { shareChange } from "./sharing.js";
import { computed, fetchStored, headFor, isHeadOff, kept, onlyOff } from "./stage/shown.js";
import { StagePlayer } from "./stage/player.js";
import { ownSentence, switchOff, undo } from "./stage/trying.js";
import { changeOf, pickedFor, worthTrying } from "./stage/worth.js";

/** @import { FoundWorth, LoadedPage, Model, Rest, Site, Stored, Written } from "./types.js" */

const LOOK = 900; // milliseconds in which the button that is pressed can be seen

export class Page {
  header = h("header", { class: "page-header" });
  /** Where the box for a sentence stands. */ own = h("div", { class: "page-own site-desk" });
  unread = h("p", { class: "site-hint page-unread", role: "status", hidden: true });
  /** The tabs of the levels. */ nav = h("div", { class: "page-nav" });
  /** The model, sentences to try, and the door. */ choosing = h("div", { class: "page-choosing site-desk" });
  news = h("div", { class: "page-news site-desk" });
  levels = h("div", { class: "page-levels" });
  below = h("div", { class: "page-below" });
  foot = h("footer", {});
  main = h("div", { class: "page-main" });
  language = "en";
  wished = "";
  /** @type {Record<string, string>} words in the page's language */ t = {};
  /** @type {Model["variant"]} whose words they are */ spoken = "";
  /** @type {import("./desk/chance.js").Chance | null} */ chance = null;

  /** @param {Element} root
   * @param {Written} written languages, words, models and their opening sentences */
  constructor(root, written) {
    this.written = written;
    /** @type {string[]} what the link holds and the page cannot show */
    this.unsupportedParams = [];
    /** What was read last by models of each kind. @type {Map<string, string>} */
    this.sources = new Map();
    this.choices = unchosen();
    readAddress(this);
    this.isEmbedded = new URLSearchParams(location.search).has("embed");
    document.documentElement.toggleAttribute("data-embedded", this.isEmbedded);
    /** @type {[number, number] | undefined} the head of the stage */
    this.head = undefined;
    /** @type {import("./desk/desk.js").Desk | null} the model's side of the page, once its code has come */
    this.desk = null;
    /** @type {Site | null} what site.json holds */
    this.site = null;
    /** @type {Rest | null} the code that came after the first picture */
    this.rest = null;
    /** @type {import("./levels.js").Levels | null} the levels to look closer, once their code has come */
    this.level = null;
    /** @type {import("./desk/box.js").First | null} the box for a sentence until the desk has one */
    this.first = null;
    /** Stored translations by model and text. @type {Map<string, Stored>} */
    this.stored = new Map(Object.entries(written.openings).map(([name, stored]) => [`${name} ${stored.text}`, stored]));
    this.speak();
    const { t } = this;
    this.stage = new StagePlayer(t, {
      touched: () => this.#rested(),
      picked: (side, place) => this.#picked(side, place),
      moved: (step) => this.#pin(step === null ? [] : pinOf(this.choices.kind, "target", step, this.stage.scene)),
      chosen: (said) => this.#choose(said),
      ended: () => {
        this.#rested();
        this.#arrive();
      },
    });
    this.#explain();
    this.heads = new Heads(t, {
      chosen: (head) => this.#chooseHead(head),
      switched: (head) => this.#switchHead(head),
      opened: () => this.level?.choose("head"),
      matter: () => tryHeads(this),
    });
    this.ways = new NextActions(t, {
      switchOff: (head) => switchOff(this, head),
      undo: () => undo(this),
      editSentence: () => ownSentence(this),
      share: () => shareChange(this.t, changeOf(this)),
    });
    /** @type {FoundWorth | null} what was found to be worth trying */
    this.found = null;
    layOut(this, root);
    this.#begin();
    window.addEventListener("popstate", () => restore(this));
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.stage.draw();
      this.heads.inFrame();
    });
    this.opened = load(this);
  }

  get model() {
    const { models } = this.written;
    return models.find(({ name }) => name === this.choices.model) ?? models[0];
  }

  /** Whether the model reads pictures. */
  get isPicture() {
    return this.model.reads === "picture";
  }

  /** Terms that can be pressed, in the page's language. */
  get glossary() {
    return this.written.glossary[this.language];
  }

  /** The line under the sentence explains the decoder alone: other terms in it may be words of the sentence. */
  #explain() {
    this.stage.view.glossary = { decoder: this.glossary.decoder };
  }

  /** The stored translation of the sentence on screen, if it is one of the examples. */
  get example() {
    return this.stored.get(`${this.model.name} ${this.choices.text}`) ?? null;
  }

  /** Choose the requested language, or the first of the browser's that there is. */
  speak() {
    const { words, others } = this.written;
    const wished = [this.choices.language, ...navigator.languages].map((code) => code.split("-")[0]);
    this.language = wished.find((code) => code in words) ?? "en";
    const { main, variant } = this.model;
    this.t = { ...words[this.language], ...others[variant]?.[this.language] };
    document.documentElement.dataset.main = main;
    this.spoken = variant;
    document.documentElement.lang = this.language;
    document.title = `Regard · ${this.t.tagline}`;
    document.querySelector('meta[name="description"]')?.setAttribute("content", this.t.description);
  }

  /** The first picture: the sentence of the link if it is stored, else the opening one. */
  #begin() {
    const opening = this.written.openings[this.model.name];
    if (!isRead(this)) this.choices.text = opening?.text ?? "";
    this.main.dataset.view = this.choices.level; // the room for a level is kept from the start
    drawFirstBox(this);
    drawLeft(this);
    this.show();
  }

  /** Whether the desk's translation is of what is chosen now. */
  get isLive() {
    const { desk, choices } = this;
    const trace = desk?.trace;
    return trace?.text === choices.text && trace.about.name === this.model.name && !desk?.isAsking;
  }

  /** Show what is chosen: as computed here, or as it is stored. */
  show() {
    this.#mark();
    const found = (this.isLive && this.desk && computed(this.desk)) || kept(this);
    if (!found) {
      if (this.stage.wait(this.choices.text, this.model.name)) this.heads.wait();
      this.drawWays();
      return this.level?.draw();
    }
    const { scene, before } = found;
    if (scene.translation !== this.stage.scene?.translation) this.heads.forget();
    const head = headFor(this, scene);
    this.head = head;
    const isOff = isHeadOff(this.choices, head, scene.main);
    const only = onlyOff(this.choices, scene.main);
    this.stage.show(scene, { head, model: this.model.name, isOff, before, only, ...pinned(this.choices, scene) });
    this.drawWays();
    this.drawHeads();
    this.level?.draw();
    return undefined;
  }

  /** Whether what is shown was computed here, and since when, for code that waits for it. */
  #mark() {
    const { dataset } = this.stage.root;
    if (!this.isLive) delete dataset.live;
    else dataset.live ??= String(Math.round(performance.now()));
  }

  drawHeads() {
    const { scene } = this.stage;
    if (!scene || !this.head) return;
    const off = this.choices.off
      .filter(({ kind, mode }) => kind === scene.main && mode !== "uniform")
      .map(({ layer, head }) => nameOf([layer, head]));
    this.heads.draw(scene, { head: this.head, off, picks: pickedFor(this), words: this.t, glossary: this.glossary });
  }

  /** What is offered under the sentence. */
  drawWays() {
    const told = worthTrying(this)?.told ?? null;
    this.ways.draw({ isChanged: isChanged(this.choices), offer: told, words: this.t });
  }

  /** On a first visit the head that matters is switched off by itself once the sentence is written. */
  #arrive() {
    const { example, ways } = this;
    if (!example?.head || this.isEmbedded) return;
    const { head } = example;
    playArrival({
      button: ways.root.querySelector(".way-surprise"),
      milliseconds: LOOK,
      switchOff: () => switchOff(this, head, { isKept: false }),
    });
  }

  /** The sentence is written, or the reader has paused it: the level shows the word that it has come to. */
  #rested() {
    this.level?.draw();
  }

  /** @param {"source" | "target"} side @param {number} place */
  #picked(side, place) {
    this.#pin(pinOf(this.choices.kind, side, place, this.stage.scene));
    this.level?.draw();
  }

  /** Keep the token that is looked at in the link. @param {string[]} pins */
  #pin(pins) {
    if (String(pins) === String(this.choices.pins)) return;
    this.choices.pins = pins;
    this.desk?.explorer?.update({ pins }, { isReported: false });
    this.remember(false);
  }

  /** @param {[number, number]} head */
  #chooseHead(head) {
    this.stage.pause();
    const isAgain = this.head && nameOf(this.head) === nameOf(head);
    if (isAgain && !this.level?.view) return this.level?.choose("head");
    this.head = head;
    this.headText = this.choices.text;
    const kind = this.model.main;
    Object.assign(this.choices, { kind, heads: [head] });
    if (this.isLoaded()) this.rest.chooseHead(this.desk, kind, head);
    else this.remember(false);
    return this.show();
  }

  /** @param {[number, number]} head */
  #switchHead(head) {
    this.stage.pause();
    const place = headAt(head, this.model.main);
    if (this.isLoaded()) this.rest.switchHead(this.desk, place);
    else {
      const isOn = this.choices.off.every((each) => nameOf([each.layer, each.head]) !== nameOf(head));
      Object.assign(this.choices, { off: isOn ? [place] : [], kind: place.kind, heads: [head] });
      this.remember(false);
    }
    this.show();
    this.stage.reveal();
  }

  /** Go on from another candidate.
   * @param {number[]} said the tokens before it, and the candidate */
  async #choose(said) {
    this.stage.pause();
    if (!this.desk?.about) return this.desk?.waitFor();
    return this.desk.change({ said });
  }

  /** @param {string} code */
  change(code) {
    this.choices.language = code;
    this.speak();
    this.remember(false);
    this.drawWords();
    drawLeft(this);
    if (!this.desk) drawFirstBox(this);
    this.show();
  }

  /** Everything that is written on the page, in other words. */
  drawWords() {
    this.#explain();
    this.stage.setWords(this.t);
    drawFrame(this);
    if (this.site) this.desk?.build(setupOf(this, this.site));
    this.drawBelow();
  }

  onModelChange() {
    toOtherModel(this);
  }

  /** @param {boolean} isNew whether Back shall return to what was there before */
  remember(isNew) {
    writeAddress(this, isNew);
  }

  submitted() {
    this.unsupportedParams = [];
    drawLeft(this);
    this.headText = "";
    fetchStored(this);
  }

  drawBelow() {
    if (this.isLoaded()) this.rest.drawBelow(this);
  }

  /** Whether the code after the first picture is there. @returns {this is LoadedPage} */
  isLoaded() {
    return this.level !== null;
  }

  /** What the level of one head needs to know. */
  get place() {
    const { scene, rest, last } = this.stage;
    return { head: this.head, step: Math.min(rest, scene ? last : 0) };
  }
}
