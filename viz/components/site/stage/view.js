// Draws a moment of a translation: tokens and ribbons, their description, the step's candidates, and the effect of a change.

import { css, parseColour } from "../../shared/colour.js";
import { mergeRemoved } from "../../shared/diff.js";
import { focusNamed, h, prefersReducedMotion } from "../../shared/dom.js";
import { isPictureText } from "../../shared/pad/picture.js";
import { Stage } from "../../shared/stage/stage.js";
import { describeChange, lineOf } from "./line.js";
import { lengthOf } from "./scene.js";
import { StepBars, StepTools } from "./steps.js";
import { animateNew, focusNeighbour, ribbonsAt, sourceTokens, targetTokens } from "./tokens.js";

/** @import { Candidate } from "../../shared/candidates.js" */
/** @import { TokenHandlers } from "../../shared/stage/types" */
/** @import { Scene } from "./scene.js" */
/**
 * @typedef {object} Moment
 * @property {Scene | null} before the scene without the changes
 * @property {number[] | null} only layer and head, if switching this head off is the only change
 * @property {[number, number]} head
 * @property {boolean} isOff whether the head is off
 * @property {number} step
 * @property {number | null} source a source token whose ribbons are shown instead of the step's
 * @property {number} written count of the translation's visible tokens
 * @property {boolean} isPlaying
 * @property {(step: number) => Candidate[] | null} [sampledBars] a step's bars while tokens are sampled
 */

export class StageView {
  /** Terms of the description that open glossary entries. @type {import("../../shared/terms.js").Glossary} */
  glossary = {};
  /** The scenes whose tokens are drawn. @type {(Scene | null)[]} */ drawn = [];
  isOff = false;
  rows = {
    source: h("div", { class: "stage-row stage-source", role: "group" }),
    target: h("div", { class: "stage-row stage-target", role: "group" }),
  };
  sentence = h(
    "div",
    { class: "stage-sentence" },
    this.rows.source,
    h("div", { class: "stage-gap" }),
    this.rows.target,
  );
  line = h("p", { class: "stage-line" });
  same = h("p", { class: "stage-same", role: "status" });
  /** The effect of a change, and the next actions. */ outcome = h("div", { class: "stage-outcome" }, this.same);
  root = h("section", { class: "showing" }, this.sentence);

  /** @param {Record<string, string>} words
   * @param {TokenHandlers & {chosen: (prefix: number[]) => void, go: (step: number) => void, play: () => void, pause: () =>
   *   void}} on */
  constructor(words, on) {
    this.bars = new StepBars(on.chosen);
    this.tools = new StepTools(on);
    this.stage = new Stage(this.sentence, this.rows, () => this.#colour, on);
    this.t = words;
    this.setWords(words);
    // Skip tools: they pause by themselves, and redrawing between pointerdown and pointerup loses their click.
    const stop = (/** @type {Event} */ event) => event.composedPath().includes(this.tools.root) || on.pause();
    this.root.addEventListener("pointerdown", stop, { capture: true });
    this.root.addEventListener("keydown", focusNeighbour);
  }

  get #colour() {
    return css(parseColour(getComputedStyle(this.root).getPropertyValue(this.isOff ? "--line" : "--cross")));
  }

  /** Append the parts: `more` goes below the description, and `side` beside the candidates. */
  layOut(/** @type {Node[]} */ more = [], /** @type {Node[]} */ side = []) {
    this.root.append(
      h("div", { class: "stage-said" }, this.line, this.tools.root),
      this.outcome,
      ...more,
      h("div", { class: "stage-two" }, h("div", { class: "stage-next" }, this.bars.root), ...side),
    );
  }

  /** @param {Record<string, string>} words */
  setWords(words) {
    this.t = words;
    this.rows.source.setAttribute("aria-label", words.source_words);
    this.rows.target.setAttribute("aria-label", words.translation);
    this.root.setAttribute("aria-label", words.stage);
  }

  /** Draw a sentence without its translation. @param {string} text */
  wait(text) {
    this.drawn = [];
    this.stage.fill("source", [h("span", { class: "stage-token stage-plain" }, isPictureText(text) ? "" : text)]);
    this.stage.fill("target", [h("span", { class: "stage-skeleton" })]);
    for (const part of [this.line, this.tools.root, this.bars.root, this.same]) part.replaceChildren();
    this.stage.show([]);
  }

  /** @param {Scene} scene @param {Moment} at
   * @param {boolean} isNew whether the translation has just changed */
  draw(scene, at, isNew) {
    const { t, root, rows, stage, bars, line, same, glossary } = this;
    const { before, step, only, isPlaying } = at;
    const name = root.contains(document.activeElement) ? document.activeElement?.getAttribute("data-name") : null;
    rows.source.lang = scene.languages?.source ?? "";
    rows.target.lang = bars.root.lang = scene.languages?.target ?? "";
    const merged = before ? mergeRemoved(before.target, scene.target) : [];
    const lost = merged.reduce((sum, item) => sum + ("old" in item ? item.old.length : 0), 0);
    const longest = Math.max(scene.picture ? 0 : lengthOf(scene.source), lengthOf(scene.target) + lost);
    root.style.setProperty("--longest", String(longest));
    this.isOff = at.isOff;
    this.#drawTokens(scene, at);
    if (!isPlaying) stage.invalidate(); // colours may have changed too
    bars.draw(t, scene, step, { isShown: !isPlaying, sampled: at.sampledBars?.(step) });
    line.replaceChildren(...lineOf(t, scene, at, glossary));
    const effect = describeChange(t, before?.translation, scene.translation, only);
    if (same.textContent !== effect) same.textContent = effect; // a screen reader reads every assignment
    root.toggleAttribute("data-changed", before !== null);
    this.drawTools(scene, at);
    if (isNew && !prefersReducedMotion()) animateNew(rows.target);
    root.dataset.drawn ??= String(Math.round(performance.now()));
    focusNamed(root, name);
  }

  /** Mark the tokens; they are rebuilt only for another scene, because rebuilding forces a layout.
   * @param {Scene} scene @param {Moment} at */
  #drawTokens(scene, { before, source, step, written, head, isOff }) {
    const { stage, drawn, t } = this;
    if (drawn[0] !== scene || drawn[1] !== before) {
      this.drawn = [scene, before];
      stage.fill("source", sourceTokens(scene, t, getComputedStyle(this.root).color));
      stage.fill("target", targetTokens(scene, before, t));
    }
    const n = scene.source.ids.length;
    const weights = scene.weightsOf(...head).subarray(step * n, (step + 1) * n);
    const shadeOf = (/** @type {number} */ place) => (source === null ? weights[place] : Number(place === source));
    stage.mark("source", (place) => {
      const isPressed = place === source;
      if (scene.picture) return { isPressed, weight: isOff ? 0 : Math.sqrt(shadeOf(place)) };
      return { isPressed, isLater: scene.first > 0 && place > scene.first + written }; // a decoder-only model reads its own output
    });
    stage.mark("target", (place) => ({ isPressed: source === null && place === step, isLater: place >= written }));
  }

  /** @param {Scene} scene @param {Pick<Moment, "step" | "isPlaying" | "written">} at */
  drawTools({ target: { ids } }, { step, isPlaying, written }) {
    this.tools.draw(this.t, { step, steps: ids.length, isPlaying, isDone: written >= ids.length });
  }

  /** Draw the ribbons.
   * @param {Scene} scene @param {Moment} at
   * @param {number} share of the length of the step's ribbons that is drawn */
  paint(scene, at, share) {
    this.stage.show(ribbonsAt(scene, at), share);
  }
}
