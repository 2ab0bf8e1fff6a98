// Draws a moment of a translation: tokens and ribbons, their description, the buttons to step through it, the step's
// candidates, and the effect of a change.

import { candidateBars, nextTokens } from "../../shared/candidates.js";
import { css, parseColour } from "../../shared/colour.js";
import { mergeRemoved, surprise } from "../../shared/diff.js";
import { focusNamed, h, prefersReducedMotion } from "../../shared/dom.js";
import { isPictureText } from "../../shared/pad/picture.js";
import { Stage } from "../../shared/stage/stage.js";
import { withTerms } from "../../shared/terms.js";
import { fill, bare, isSpecial } from "../../shared/text.js";
import { lengthOf, wordAt, wordsByWeight, weightsAt } from "./scene.js";
import { animateNew, focusNeighbour, ribbonsAt, sourceTokens, targetTokens } from "./tokens.js";

/** @import { Candidate } from "../../shared/candidates.js" */
/** @import { TokenHandlers } from "../../shared/stage/types" */
/** @import { Scene } from "./scene.js" */
/** @import { Glossary } from "../../shared/terms.js" */

const N_CANDIDATES = 5;
const CLEAR_WEIGHT = 0.6; // a word with less weight is named together with the second
const RISE = 320; // milliseconds in which the bars grow
const MIN_WEIGHT_OF_SOURCE = 0.3; // of a target word on the selected source word

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
    const weights = weightsAt(scene, head, step);
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

/** Buttons: back, play or pause, forward. */
class StepTools {
  root = h("div", { class: "stage-tools" });

  /** @param {{go: (step: number) => void, play: () => void, pause: () => void}} on */
  constructor(on) {
    this.on = on;
  }

  /** @param {Record<string, string>} t
   * @param {{step: number, steps: number, isPlaying: boolean, isDone: boolean}} at `isDone` after the last step */
  draw(t, { step, steps, isPlaying, isDone }) {
    const { go, play, pause } = this.on;
    /** @type {(name: string, sign: string, onclick: () => void, isOff?: boolean) => HTMLElement} */
    const tool = (name, sign, onclick, isOff = false) => {
      const attributes = { "data-name": name, "aria-label": t[name], title: t[name] };
      return h("button", { class: "stage-tool", ...attributes, disabled: isOff, onclick }, sign);
    };
    const middle = isPlaying ? tool("pause", "❚❚", pause) : isDone ? tool("again", "↻", play) : tool("play", "▶", play);
    this.root.replaceChildren(
      tool("step_back", "‹", () => go(step - 1), step === 0),
      prefersReducedMotion() ? "" : middle,
      tool("step_on", "›", () => go(step + 1), step >= steps - 1),
      h("span", { class: "stage-count" }, fill(t.step_of, { step: step + 1, steps })),
    );
  }
}

/** The candidates of a step as bars. */
class StepBars {
  root = h("ol", { class: "bars stage-bars" });
  isShown = false;

  /** @param {(prefix: number[]) => void} choose called with the token ids up to and with another candidate */
  constructor(choose) {
    this.choose = choose;
  }

  /** @param {Record<string, string>} t @param {Scene} scene @param {number} step
   * @param {{isShown: boolean, sampled?: Candidate[] | null}} how while a translation is played the bars appear later;
   *   `sampled` is the distribution that the token was sampled from */
  draw(t, scene, step, { isShown, sampled }) {
    this.isShown = isShown;
    const { ids } = scene.target;
    const bars = scene.candidates[step]
      .slice(0, N_CANDIDATES)
      .map(([id, piece, logProb]) => ({ id, piece, share: Math.exp(logProb), isChosen: id === ids[step] }));
    this.root.setAttribute("aria-label", t.candidates);
    this.root.replaceChildren(...candidateBars(sampled ?? bars, nextTokens(t, ids.slice(0, step), this.choose)));
    this.root.toggleAttribute("data-waiting", !isShown);
  }

  /** Animate the bars from zero. */
  rise() {
    this.isShown = true;
    this.root.removeAttribute("data-waiting");
    if (prefersReducedMotion()) return;
    for (const ink of this.root.querySelectorAll(".ink"))
      ink.animate([{ transform: "scaleX(0)" }, { transform: "none" }], { duration: RISE, easing: "ease-out" });
  }
}

/** @typedef {Record<string, string>} Words */

/** A word in quotation marks, or "a space". @type {(t: Words, text: string) => string} */
const quoted = (t, text) => (text ? fill(t.quoted, { text }) : t.a_space);

/** The name of a source word or of a strip of a picture in a sentence.
 * @type {(t: Words, scene: Scene, text: string) => string} */
const nameOfSource = (t, { picture }, text) => (picture ? fill(t.strip, { text }) : quoted(t, text));

/** A word of the translation, or a letter of a read picture. @type {(scene: Scene, place: number) => string} */
const wordOfTarget = ({ picture, target }, place) => (picture ? bare(target.pieces[place]) : wordAt(target, place));

/**
 * Describe the ribbons.
 * @param {Words} t
 * @param {Scene} scene
 * @param {Pick<Moment, "head" | "step" | "source" | "isOff">} at
 * @param {Glossary} glossary
 * @returns {(string | HTMLElement)[]}
 */
export function lineOf(t, scene, { head, step, source, isOff }, glossary) {
  if (isOff) return [t.line_off];
  if (source !== null) return [describeSource(t, scene, source, scene.weightsOf(...head))];
  const [first, second] = wordsByWeight(scene.source, weightsAt(scene, head, step));
  const name = (/** @type {{isStart: boolean, isEnd: boolean, text: string}} */ { isStart, isEnd, text }) =>
    isStart ? t.the_start : isEnd ? t.the_end : nameOfSource(t, scene, text);
  const isClear = first.weight >= CLEAR_WEIGHT || !second;
  const seen = isClear ? name(first) : fill(t.and, { one: name(first), other: name(second) });
  const isLast = isSpecial(scene.target.pieces[step]);
  const written = quoted(t, wordOfTarget(scene, step));
  return withTerms(fill(isLast ? t.line_end : t.line, { said: written, seen }), glossary);
}

/** Describe which target words attend to a source word.
 * @type {(t: Words, scene: Scene, source: number, weights: Float32Array) => string} */
function describeSource(t, scene, source, weights) {
  const width = scene.source.ids.length;
  const seen = nameOfSource(t, scene, wordAt(scene.source, source));
  const places = scene.target.pieces.flatMap((piece, place) =>
    weights[place * width + source] >= MIN_WEIGHT_OF_SOURCE && !isSpecial(piece) ? [place] : [],
  );
  const words = [...new Set(places.map((place) => wordOfTarget(scene, place)))];
  const names = words.map((text) => quoted(t, text)).join(t.comma);
  return words.length ? fill(t.line_source, { seen, said: names }) : fill(t.line_source_none, { seen });
}

/** Describe the effect of a change; without a change, invite the reader to press a word.
 * @type {(t: Words, before: string | undefined, after: string, only: number[] | null) => string} */
function describeChange(t, before, after, only) {
  if (before === undefined) return t.press_word;
  if (before === after) return t.unchanged;
  const replaced = surprise(before, [[0, 0, after]]);
  if (!replaced) return t.changed;
  const words = { before: replaced.before, after: replaced.after };
  return only ? fill(t.became_without, { head: only.join("·"), ...words }) : fill(t.became, words);
}
