// Plays a translation step by step: ribbons grow, the candidates appear, and the chosen token moves into the translation.

import { mergeRemoved } from "../../shared/diff.js";
import { prefersReducedMotion, oncePerFrame } from "../../shared/dom.js";
import { clearestStep } from "./scene.js";
import { moveFrom } from "./tokens.js";
import { StageView } from "./view.js";

/** @import { Scene } from "./scene.js" */
/** @import { Moment } from "./view.js" */
/** @import { Side } from "../../shared/stage/types" */

/** Milliseconds of a step's three movements, and of the pause after them. */
const PHASES = { ribbons: 480, bars: 320, drop: 340, rest: 220 };
const STEP = Object.values(PHASES).reduce((sum, phase) => sum + phase, 0);
/** The longest a whole translation takes, in milliseconds: of a sentence, and of a written word. */
const MAX_SENTENCE = 5000;
const MAX_PICTURE = 4500;

/** Shows the letter or strip under the pointer of a written word as if it were selected, and restores the selection
 * afterwards: there are too many to press each. */
class HoverPreview {
  /** @type {{step: number, source: number | null} | null} */
  selected = null;

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
    this.selected ??= { step, source };
    player.look(side === "target" ? { step: place, source: null } : { step: this.selected.step, source: place });
  }

  leave() {
    if (this.selected && !this.player.isPlaying) this.player.look(this.selected);
    this.selected = null;
  }
}

export class StagePlayer {
  step = 0;
  written = 0; // tokens of the translation
  elapsed = 0;
  /** @type {Scene | null} */ scene = null;
  /** @type {Scene | null} */ before = null;
  /** @type {number[] | null} */ only = null;
  /** @type {Moment["sampledBars"]} */ sampledBars = undefined;
  /** The model of the present or awaited translation. */ model = "";
  /** @type {[number, number]} */ head = [0, 0];
  /** @type {number | null} */ source = null;

  /**
   * @param {Record<string, string>} words
   * @param {{interrupted: () => void, picked: (side: "source" | "target", place: number) => void,
   *   chosen: (prefix: number[]) => void, ended: () => void, moved?: (step: number | null) => void}} on `moved` gets the
   *   step that the reader goes to, or null when the translation is played from its beginning; `chosen` gets the token
   *   ids up to and with another candidate
   */
  constructor(words, on) {
    this.on = on;
    this.frame = this.frameTime = 0; // the requested frame, and the time of the previous one
    this.isPlaying = this.isOff = false;
    const preview = new HoverPreview(this);
    this.view = new StageView(words, {
      chosen: on.chosen,
      go: (step) => this.go(step),
      play: () => this.resume(),
      pause: () => this.pauseByReader(),
      point: (token, event) => preview.look(token, event),
      leave: () => preview.leave(),
      press: ({ side, place }) => {
        preview.selected = null; // the pressed token is the selection now
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
   *   whether the head is off, `only` layer and head if switching it off is the only change, and `step` or `source` the
   *   selected token
   */
  show(scene, { head, model, isOff = false, before = null, only = null, step, source }) {
    const isSameText = this.scene?.text === scene.text && this.model === model;
    const isSame = isSameText && String(this.scene?.target.ids) === String(scene.target.ids);
    const hadBefore = this.before !== null;
    Object.assign(this, { scene, head, model, before, isOff, only });
    if (isSame && hadBefore === (before !== null)) {
      this.step = Math.min(step ?? this.step, this.last);
      if (source !== undefined) this.source = sourceAt(scene, source);
      if (this.isPlaying) return this.paint(); // later steps are drawn when they are played
      return this.draw();
    }
    this.source = sourceAt(scene, source ?? null);
    this.cancelFrame();
    this.written = scene.target.ids.length;
    this.step = Math.min(step ?? this.#firstNew(scene), this.last);
    if (isSameText || prefersReducedMotion() || source !== undefined) return this.draw({ isNew: before !== null });
    return this.play();
  }

  /** Show a sentence without its translation. The present translation of the same sentence and model stays.
   * @param {string} text @param {string} model
   * @returns {boolean} whether no translation is shown */
  wait(text, model) {
    if (!text || (this.scene?.text === text && this.model === model)) return !this.scene;
    this.cancelFrame();
    Object.assign(this, { scene: null, model, before: null });
    this.view.wait(text);
    return true;
  }

  /** The step of the first new token of a change, else the step with the clearest attention. @param {Scene} scene */
  #firstNew(scene) {
    const { before } = this;
    if (before) {
      const added = mergeRemoved(before.target, scene.target).find((item) => "place" in item && item.isNew);
      if (added && "place" in added) return added.place;
    }
    return clearestStep(scene, this.head);
  }

  /** The step on which the animation ends; the present step if nothing is playing. */
  get finalStep() {
    return this.isPlaying && this.scene ? clearestStep(this.scene, this.head) : this.step;
  }

  get last() {
    return (this.scene?.target.ids.length ?? 0) - 1;
  }

  /** Play from the first step. @returns {void} */
  play() {
    if (prefersReducedMotion()) return this.draw();
    Object.assign(this, { step: 0, written: 0, elapsed: 0, source: null });
    this.on.moved?.(null);
    return this.resume();
  }

  /** Continue to play, or start again after the end. @returns {void} */
  resume() {
    if (!this.scene || this.isPlaying || prefersReducedMotion()) return;
    if (this.written > this.last) {
      this.play();
      return;
    }
    this.isPlaying = true;
    this.frameTime = performance.now();
    this.draw();
    this.frame = requestAnimationFrame((now) => this.#advance(now));
  }

  /** Stop the animation; written words stay. */
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
    const pace = Math.max(1, (STEP * scene.target.ids.length) / (scene.picture ? MAX_PICTURE : MAX_SENTENCE));
    this.elapsed += Math.min(100, now - this.frameTime) * pace;
    this.frameTime = now;
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
    this.step = clearestStep(scene, this.head);
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

  /** Pause because of the reader's input, and tell the page. */
  pauseByReader() {
    if (!this.isPlaying) return;
    this.pause();
    this.on.interrupted();
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

  /** Go to a step; nothing happens while a translation is awaited. @param {number} place */
  go(place) {
    if (!this.scene) return;
    this.pauseByReader();
    Object.assign(this, { step: place, source: null, written: Math.max(this.written, place + 1) });
    this.on.moved?.(place);
    this.draw();
  }

  /** Show a step or a source token without selecting it. @param {{step: number, source: number | null}} what */
  look({ step, source }) {
    if (step === this.step && source === this.source) return;
    Object.assign(this, { step, source });
    this.draw();
  }

  /** Scroll to the sentence, after a change further down the page. */
  reveal() {
    this.view.sentence.scrollIntoView({ block: "nearest", behavior: prefersReducedMotion() ? "auto" : "smooth" });
  }

  /** @param {{isNew?: boolean}} [how] whether the translation has just changed */
  draw({ isNew = false } = {}) {
    if (!this.scene) return;
    this.view.draw(this.scene, this, isNew);
    if (!this.isPlaying) this.inFrame(); // measuring now would force another layout
  }

  /** Draw the ribbons again after the words have moved. */
  measureAgain() {
    this.view.stage.invalidate();
    this.paint();
  }

  /** The same in the next frame, which avoids another layout. */
  measureSoon() {
    this.view.stage.invalidate();
    this.inFrame();
  }

  /** Draw the ribbons of the present moment. */
  paint() {
    if (!this.scene) return;
    const isGrowing = this.isPlaying && this.written <= this.step;
    this.view.paint(this.scene, this, isGrowing ? Math.min(1, this.elapsed / PHASES.ribbons) : 1);
  }
}

/** @type {(scene: Scene, place: number | null) => number | null} */
const sourceAt = (scene, place) => (place === null || place < scene.source.ids.length ? place : null);
