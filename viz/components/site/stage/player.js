// The sentence, its translation, and ribbons from one to the other: it translates before the reader's eyes.

import { mergeRemoved } from "../../shared/diff.js";
import { prefersReducedMotion, oncePerFrame } from "../../shared/dom.js";
import { tellingStep } from "./scene.js";
import { moveFrom } from "./tokens.js";
import { StageView } from "./view.js";

/** @import { Scene } from "./scene.js" */
/** @import { Moment } from "./view.js" */
/** @import { Side } from "../../shared/stage/types" */

/** Milliseconds of a step's three movements, and of the rest after them. */
const PHASES = { ribbons: 480, bars: 320, drop: 340, rest: 220 };
const STEP = Object.values(PHASES).reduce((sum, each) => sum + each, 0);
const WHOLE = 5000; // a sentence of many words is written faster,
const PICTURE = 4500; // and so are letters

/** Of a picture's reading, what is pointed at or has the focus is shown as if it were chosen, and what was chosen before
 * comes back: letters and strips are too many to press one after the other. */
class Pointed {
  /** What was chosen. @type {{step: number, source: number | null} | null} */
  before = null;

  /** @param {Pick<StagePlayer, "scene" | "isPlaying" | "step" | "source" | "look">} player */
  constructor(player) {
    this.player = player;
  }

  /** @param {{side: Side, place: number}} token @param {Event} event */
  look({ side, place }, event) {
    const { player } = this;
    const isTouch = event instanceof PointerEvent && event.pointerType !== "mouse";
    if (!player.scene?.picture || player.isPlaying || isTouch) return;
    const { step, source } = player;
    this.before ??= { step, source };
    player.look(side === "target" ? { step: place, source: null } : { step: this.before.step, source: place });
  }

  leave() {
    if (this.before && !this.player.isPlaying) this.player.look(this.before);
    this.before = null;
  }
}

export class StagePlayer {
  /**
   * @param {Record<string, string>} words
   * @param {{touched: () => void, picked: (side: "source" | "target", place: number) => void,
   *   chosen: (said: number[]) => void, ended: () => void, moved?: (step: number | null) => void}} on `moved`
   *   is told of the step that the reader goes to, and of null when the sentence is written from its beginning, and
   *   `chosen` of the tokens up to another candidate
   */
  constructor(words, on) {
    this.on = on;
    this.step = 0;
    this.written = 0; // tokens of the translation
    this.frame = this.then = 0; // the frame that is asked for, and when the one before it was
    this.elapsed = 0;
    this.isPlaying = this.isOff = false;
    /** @type {Scene | null} */
    this.scene = null;
    /** @type {Scene | null} */
    this.before = null;
    /** @type {number[] | null} */
    this.only = null;
    /** @type {Moment["drawnFrom"]} */
    this.drawnFrom = undefined;
    /** The model whose translation is shown or awaited. */
    this.model = "";
    /** @type {[number, number]} */
    this.head = [0, 0];
    /** @type {number | null} */
    this.source = null;
    const pointed = new Pointed(this);
    this.view = new StageView(words, {
      chosen: on.chosen,
      go: (step) => this.go(step),
      play: () => this.resume(),
      pause: () => this.pauseByReader(),
      point: (token, event) => pointed.look(token, event),
      leave: () => pointed.leave(),
      press: ({ side, place }) => {
        pointed.before = null; // it is chosen now
        this.pick(side, place);
      },
    });
    this.inFrame = oncePerFrame(() => this.paint());
    this.sizes = new ResizeObserver(() => this.measureAgain());
    this.sizes.observe(this.view.sentence);
  }

  get root() {
    return this.view.root;
  }

  /** @param {Record<string, string>} words */
  setWords(words) {
    this.view.setWords(words);
    this.draw();
  }

  /**
   * Show a translation. Same text: keep step and animation when a stored result gives way to the computed one.
   * @param {Scene} scene
   * @param {{head: [number, number], model: string, isOff?: boolean, before?: Scene | null, step?: number,
   *   source?: number | null, only?: number[] | null}} how `before` is the translation without the changes, `isOff`
   *   whether the head is off, `only` the layer and head whose switching off is the only change, and `step` or `source`
   *   the token that the reader has chosen
   */
  show(scene, { head, model, isOff = false, before = null, only = null, step, source }) {
    const isSameText = this.scene?.text === scene.text && this.model === model;
    const isSame = isSameText && String(this.scene?.target.ids) === String(scene.target.ids);
    const hadBefore = this.before !== null;
    Object.assign(this, { scene, head, model, before, isOff, only });
    if (isSame && hadBefore === (before !== null)) {
      this.step = Math.min(step ?? this.step, this.last);
      if (source !== undefined) this.source = sourceAt(scene, source);
      if (this.isPlaying) return this.paint(); // what has not moved yet is drawn at its turn
      return this.draw();
    }
    this.source = sourceAt(scene, source ?? null);
    this.cancelFrame();
    this.written = scene.target.ids.length;
    this.step = Math.min(step ?? this.#firstNew(scene), this.last);
    if (isSameText || prefersReducedMotion() || source !== undefined) return this.draw({ isNew: before !== null });
    return this.play();
  }

  /** Show a sentence whose translation has not come. One of the same model stays until the next is there.
   * @param {string} text @param {string} model
   * @returns {boolean} whether it waits, and nothing of another translation is left */
  wait(text, model) {
    if (!text || (this.scene?.text === text && this.model === model)) return !this.scene;
    this.cancelFrame();
    Object.assign(this, { scene: null, model, before: null });
    this.view.wait(text);
    return true;
  }

  /** The first token that the change has brought, or the one that says most. @param {Scene} scene */
  #firstNew(scene) {
    const { before } = this;
    if (before) {
      const found = mergeRemoved(before.target, scene.target).find((item) => "place" in item && item.isNew);
      if (found && "place" in found) return found.place;
    }
    return tellingStep(scene, this.head);
  }

  /** The step on which the sentence comes to rest once it is written; the one on screen where nothing moves. */
  get rest() {
    return this.isPlaying && this.scene ? tellingStep(this.scene, this.head) : this.step;
  }

  get last() {
    return (this.scene?.target.ids.length ?? 0) - 1;
  }

  /** Write the translation from its first word on. @returns {void} */
  play() {
    if (prefersReducedMotion()) return this.draw();
    Object.assign(this, { step: 0, written: 0, elapsed: 0, source: null });
    this.on.moved?.(null);
    return this.resume();
  }

  /** Go on with it, or write it again. @returns {void} */
  resume() {
    if (!this.scene || this.isPlaying || prefersReducedMotion()) return;
    if (this.written > this.last) {
      this.play();
      return;
    }
    this.isPlaying = true;
    this.then = performance.now();
    this.draw();
    this.frame = requestAnimationFrame((now) => this.#advance(now));
  }

  /** Stop the animation. The words written so far stay. */
  cancelFrame() {
    this.isPlaying = false;
    cancelAnimationFrame(this.frame);
  }

  pause() {
    if (!this.isPlaying) return;
    this.cancelFrame();
    if (this.scene) this.view.drawTools(this.scene, this);
  }

  /** @param {number} now */
  #advance(now) {
    const { scene, view } = this;
    if (!this.isPlaying || !scene) return;
    this.root.dataset.moving ??= String(Math.round(now));
    const isGrowing = this.elapsed < PHASES.ribbons;
    const pace = Math.max(1, (STEP * scene.target.ids.length) / (scene.picture ? PICTURE : WHOLE));
    this.elapsed += Math.min(100, now - this.then) * pace;
    this.then = now;
    const { ribbons, bars } = PHASES;
    if (this.elapsed >= ribbons && !view.bars.isShown) view.bars.rise();
    if (this.elapsed >= ribbons + bars && this.written <= this.step) this.#drop();
    if (this.elapsed >= STEP) {
      this.elapsed -= STEP;
      if (this.step >= this.last) return this.#end(scene);
      this.step += 1;
      this.draw();
    }
    if (isGrowing || this.elapsed < ribbons) this.paint();
    this.frame = requestAnimationFrame((next) => this.#advance(next));
  }

  /** @param {Scene} scene */
  #end(scene) {
    this.cancelFrame();
    this.written = scene.target.ids.length;
    this.step = tellingStep(scene, this.head);
    this.draw();
    this.on.ended();
  }

  /** The chosen candidate moves from its bar into the sentence. */
  #drop() {
    this.written = this.step + 1;
    const token = this.view.rows.target.querySelector(`[data-place="${this.step}"]`);
    token?.removeAttribute("data-later");
    const bar = this.view.bars.root.querySelector('[aria-pressed="true"] .piece');
    if (bar && token) moveFrom(bar, token, PHASES.drop);
  }

  /** Pause because the reader touched the stage: tells the page, which then stops moving on by itself. */
  pauseByReader() {
    if (!this.isPlaying) return;
    this.pause();
    this.on.touched();
  }

  /** @param {"source" | "target"} side @param {number} place */
  pick(side, place) {
    this.pause();
    this.written = this.last + 1;
    if (side === "source") this.source = place;
    else Object.assign(this, { step: place, source: null });
    this.draw();
    this.on.picked(side, place);
  }

  /** Show a step; there is none while a translation is awaited. @param {number} place */
  go(place) {
    if (!this.scene) return;
    this.pauseByReader();
    Object.assign(this, { step: place, source: null, written: Math.max(this.written, place + 1) });
    this.on.moved?.(place);
    this.draw();
  }

  /** Show a step or a source token as long as it is pointed at. @param {{step: number, source: number | null}} what */
  look({ step, source }) {
    if (step === this.step && source === this.source) return;
    Object.assign(this, { step, source });
    this.draw();
  }

  /** Bring the sentence back onto the screen where something was changed further down. */
  reveal() {
    this.view.sentence.scrollIntoView({ block: "nearest", behavior: prefersReducedMotion() ? "auto" : "smooth" });
  }

  /** @param {{isNew?: boolean}} [how] whether a change has just come in */
  draw({ isNew = false } = {}) {
    if (!this.scene) return;
    this.view.draw(this.scene, this, isNew);
    if (!this.isPlaying) this.inFrame(); // measured now, the page would be laid out once more
  }

  /** The words have moved: draw the ribbons to where they are now. */
  measureAgain() {
    this.view.stage.invalidate();
    this.paint();
  }

  /** The same in the next frame: measured at once, the page would be laid out once more. */
  measureSoon() {
    this.view.stage.invalidate();
    this.inFrame();
  }

  /** Draw the ribbons for this moment. */
  paint() {
    if (!this.scene) return;
    const isGrowing = this.isPlaying && this.written <= this.step;
    this.view.paint(this.scene, this, isGrowing ? Math.min(1, this.elapsed / PHASES.ribbons) : 1);
  }
}

/** @type {(scene: Scene, place: number | null) => number | null} */
const sourceAt = (scene, place) => (place === null || place < scene.source.ids.length ? place : null);
