// The page: a stage with the translation, a head to switch off, and levels with closer views.

import { h } from "../shared/dom.js";
import { drawFirstBox } from "./desk/box.js";
import { drawFrame, layOut } from "./levels/frame.js";
import { playArrival } from "../shared/stage/arrival.js";
import { NextActions } from "../shared/stage/next_actions.js";
import { Heads } from "./stage/heads.js";
import { headAt, isChanged, nameOf, unchosen } from "./links/choices.js";
import { load, setupOf, isRead, restore } from "./loading.js";
import { toggleMeasurement } from "./desk/matter.js";
import { drawUnsupported, pinOf, pinnedToken, readAddress, writeAddress } from "./links/link.js";
import { shareChange, focusEditor, switchOff, undo } from "./actions.js";
import {
  computedScene,
  fetchStored,
  headFor,
  isHeadOff,
  onlyOff,
  storedScene,
  changeOf,
  offerFor,
  roleOfHead,
} from "./stage/shown.js";
import { StagePlayer } from "./stage/player.js";

/** @import { MeasuredOffer, LoadedPage, Model, Deferred, Site, Stored, Written } from "./types.js" */

const PULSE = 900; // milliseconds for which the button pulses before the head is switched off

export class Page {
  /** @type {string[]} parameters of the link that the page cannot show */ unsupportedParams = [];
  /** The last text by variant of model. @type {Map<string, string>} */ sources = new Map();
  /** @type {[number, number] | undefined} the head of the stage */ head = undefined;
  /** @type {import("./desk/desk.js").Desk | null} runs the model; null until its code has loaded */ desk = null;
  /** @type {Site | null} the content of site.json */ site = null;
  /** @type {Deferred | null} the code that loads after the first picture */ deferred = null;
  /** @type {import("./levels.js").Levels | null} null until its code has loaded */ level = null;
  /** @type {import("./desk/box.js").First | null} the text box or pad until the desk has one */ first = null;
  /** @type {MeasuredOffer | null} */ measuredOffer = null;
  header = h("header", { class: "page-header" });
  /** Holder of the text box or pad. */ editor = h("div", { class: "page-own site-desk" });
  unsupported = h("p", { class: "site-hint page-unread", role: "status", hidden: true });
  /** The tabs of the levels. */ nav = h("div", { class: "page-nav" });
  /** Model picker, examples, and the link to the handwriting model. */ choosing = h("div", {
    class: "page-choosing site-desk",
  });
  news = h("div", { class: "page-news site-desk" });
  levels = h("div", { class: "page-levels" });
  below = h("div", { class: "page-below" });
  foot = h("footer", {});
  main = h("div", { class: "page-main" });
  language = "en";
  requestedModel = "";
  /** @type {Record<string, string>} words in the page's language */ t = {};
  /** @type {Model["variant"]} of the words */ variant = "";
  /** @type {import("./desk/sampling_preview.js").SamplingPreview | null} */ sampling = null;

  /** @param {Element} root
   * @param {Written} written languages, words, models and their opening sentences */
  constructor(root, written) {
    this.written = written;
    this.choices = unchosen();
    readAddress(this);
    this.isEmbedded = new URLSearchParams(location.search).has("embed");
    document.documentElement.toggleAttribute("data-embedded", this.isEmbedded);
    /** Stored translations by model and text. @type {Map<string, Stored>} */
    this.stored = new Map(Object.entries(written.openings).map(([name, stored]) => [`${name} ${stored.text}`, stored]));
    this.setLanguage();
    const { t } = this;
    this.stage = new StagePlayer(t, {
      interrupted: () => this.level?.draw(),
      picked: (side, place) => this.#picked(side, place),
      moved: (step) => this.#pin(step === null ? [] : pinOf(this.choices.kind, "target", step, this.stage.scene)),
      chosen: (prefix) => this.#continueFrom(prefix),
      ended: () => {
        this.level?.draw();
        this.#playArrival();
      },
    });
    this.#setGlossary();
    this.heads = new Heads(t, {
      chosen: (head) => this.#chooseHead(head),
      switched: (head) => this.#switchHead(head),
      opened: () => this.level?.choose("head"),
      matter: () => toggleMeasurement(this),
    });
    this.actions = new NextActions(t, {
      switchOff: (head) => switchOff(this, head),
      undo: () => undo(this),
      editSentence: () => focusEditor(this),
      share: () => shareChange(this.t, changeOf(this)),
    });
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

  /** The glossary in the page's language. */
  get glossary() {
    return this.written.glossary[this.language];
  }

  /** The line below the sentence explains only "decoder": other terms in it may be words of the sentence. */
  #setGlossary() {
    this.stage.view.glossary = { decoder: this.glossary.decoder };
  }

  /** The stored translation of the sentence on screen, if it is one of the examples. */
  get example() {
    return this.stored.get(`${this.model.name} ${this.choices.text}`) ?? null;
  }

  /** Set the page's language: the requested one, or the first of the browser's languages that the site has. */
  setLanguage() {
    const { words, others } = this.written;
    const preferred = [this.choices.language, ...navigator.languages].map((code) => code.split("-")[0]);
    this.language = preferred.find((code) => code in words) ?? "en";
    const { main, variant } = this.model;
    this.t = { ...words[this.language], ...others[variant]?.[this.language] };
    document.documentElement.dataset.main = main;
    this.variant = variant;
    document.documentElement.lang = this.language;
    document.title = `Regard · ${this.t.tagline}`;
    document.querySelector('meta[name="description"]')?.setAttribute("content", this.t.description);
  }

  /** Draw the first picture: the sentence of the link if its translation is stored, else the opening sentence. */
  #begin() {
    const opening = this.written.openings[this.model.name];
    if (!isRead(this)) this.choices.text = opening?.text ?? "";
    this.main.dataset.view = this.choices.level; // reserves the space of a level
    drawFirstBox(this);
    drawUnsupported(this);
    this.show();
  }

  /** Whether the desk's translation belongs to the present choices. */
  get isLive() {
    const { desk, choices } = this;
    const trace = desk?.trace;
    return trace?.text === choices.text && trace.about.name === this.model.name && !desk?.isAsking;
  }

  /** Show the translation for the present choices, computed or stored. */
  show() {
    this.#markLive();
    const current = (this.isLive && this.desk && computedScene(this.desk)) || storedScene(this);
    if (!current) {
      if (this.stage.wait(this.choices.text, this.model.name)) this.heads.wait();
      this.drawActions();
      return this.level?.draw();
    }
    const { scene, before } = current;
    if (scene.translation !== this.stage.scene?.translation) this.heads.clearEffects();
    const head = headFor(this, scene);
    this.head = head;
    const isOff = isHeadOff(this.choices, head, scene.main);
    const only = onlyOff(this.choices, scene.main);
    this.stage.show(scene, { head, model: this.model.name, isOff, before, only, ...pinnedToken(this.choices, scene) });
    this.drawActions();
    this.drawHeads();
    this.level?.draw();
    return undefined;
  }

  /** Set data-live to the time since which the translation is computed here; tests wait for it. */
  #markLive() {
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
    this.heads.draw(scene, { head: this.head, off, role: roleOfHead(this), words: this.t, glossary: this.glossary });
  }

  /** Draw the buttons below the sentence. */
  drawActions() {
    const offer = offerFor(this)?.change ?? null;
    this.actions.draw({ isChanged: isChanged(this.choices), offer, words: this.t });
  }

  /** On a first visit, switch the head that matters off after the sentence is written. */
  #playArrival() {
    const { example, actions } = this;
    if (!example?.head || this.isEmbedded) return;
    const { head } = example;
    playArrival({
      button: actions.root.querySelector(".way-surprise"),
      milliseconds: PULSE,
      switchOff: () => switchOff(this, head, { isInAddress: false }),
    });
  }

  /** @param {"source" | "target"} side @param {number} place */
  #picked(side, place) {
    this.#pin(pinOf(this.choices.kind, side, place, this.stage.scene));
    this.level?.draw();
  }

  /** Write the selected token into the link. @param {string[]} pins */
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
    if (this.isLoaded()) this.deferred.chooseHead(this.desk, kind, head);
    else this.remember(false);
    return this.show();
  }

  /** @param {[number, number]} head */
  #switchHead(head) {
    this.stage.pause();
    const place = headAt(head, this.model.main);
    if (this.isLoaded()) this.deferred.switchHead(this.desk, place);
    else {
      const isOn = this.choices.off.every((ablation) => nameOf([ablation.layer, ablation.head]) !== nameOf(head));
      Object.assign(this.choices, { off: isOn ? [place] : [], kind: place.kind, heads: [head] });
      this.remember(false);
    }
    this.show();
    this.stage.reveal();
  }

  /** Continue the translation from another candidate.
   * @param {number[]} prefix token ids, the candidate last */
  async #continueFrom(prefix) {
    this.stage.pause();
    if (!this.desk?.about) return this.desk?.sayNoModel();
    return this.desk.change({ prefix });
  }

  /** @param {string} code */
  changeLanguage(code) {
    this.choices.language = code;
    this.setLanguage();
    this.remember(false);
    this.drawWords();
    drawUnsupported(this);
    if (!this.desk) drawFirstBox(this);
    this.show();
  }

  /** Redraw all texts in the page's language. */
  drawWords() {
    this.#setGlossary();
    this.stage.setWords(this.t);
    drawFrame(this);
    if (this.site) this.desk?.build(setupOf(this, this.site));
    this.drawBelow();
  }

  /** Write the choices into the address. @param {boolean} isNew whether as a new history entry */
  remember(isNew) {
    writeAddress(this, isNew);
  }

  submitted() {
    this.unsupportedParams = [];
    drawUnsupported(this);
    this.headText = "";
    fetchStored(this);
  }

  drawBelow() {
    if (this.isLoaded()) this.deferred.drawBelow(this);
  }

  /** Whether the deferred code has loaded. @returns {this is LoadedPage} */
  isLoaded() {
    return this.level !== null;
  }

  /** The head and step for the level of one head. */
  get place() {
    const { scene, finalStep, last } = this.stage;
    return { head: this.head, step: Math.min(finalStep, scene ? last : 0) };
  }
}
