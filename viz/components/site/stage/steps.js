// The buttons to step through a translation, and the candidates of a step.

import { candidateBars, nextTokens } from "../../shared/candidates.js";
import { h, prefersReducedMotion } from "../../shared/dom.js";
import { fill } from "../../shared/text.js";

/** @import { Candidate } from "../../shared/candidates.js" */
/** @import { Scene } from "./scene.js" */

const N_CANDIDATES = 5;
const RISE = 320; // milliseconds in which the bars grow

/** Buttons: back, play or pause, forward. */
export class StepTools {
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
export class StepBars {
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
