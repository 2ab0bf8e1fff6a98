// The buttons of a translation's steps, and the candidates of the step.

import { candidateBars, nextTokens } from "../../shared/candidates.js";
import { h, prefersReducedMotion } from "../../shared/dom.js";
import { fill } from "../../shared/text.js";

/** @import { Candidate } from "../../shared/candidates.js" */
/** @import { Scene } from "./scene.js" */

const SHOWN = 5; // candidates
const RISE = 320; // milliseconds in which the bars grow

/** Back, play and on. */
export class StepTools {
  root = h("div", { class: "stage-tools" });

  /** @param {{go: (step: number) => void, play: () => void, pause: () => void}} on */
  constructor(on) {
    this.on = on;
  }

  /** @param {Record<string, string>} t
   * @param {{step: number, steps: number, isPlaying: boolean, isDone: boolean}} at `isDone` when all is written */
  draw(t, { step, steps, isPlaying, isDone }) {
    const { go, play, pause } = this.on;
    /** @type {(name: string, sign: string, act: () => void, isOff?: boolean) => HTMLElement} */
    const tool = (name, sign, act, isOff = false) => {
      const about = { "data-name": name, "aria-label": t[name], title: t[name] };
      return h("button", { class: "stage-tool", ...about, disabled: isOff, onclick: act }, sign);
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

  /** @param {(said: number[]) => void} choose told of the tokens up to another candidate */
  constructor(choose) {
    this.choose = choose;
  }

  /** @param {Record<string, string>} t @param {Scene} scene @param {number} step
   * @param {{isShown: boolean, drawn?: Candidate[] | null}} how while the translation is written the bars come later;
   *   `drawn` are those from which chance has chosen */
  draw(t, scene, step, { isShown, drawn }) {
    this.isShown = isShown;
    const said = scene.target.ids;
    const bars = scene.candidates[step]
      .slice(0, SHOWN)
      .map(([id, piece, logProb]) => ({ id, piece, share: Math.exp(logProb), isChosen: id === said[step] }));
    this.root.setAttribute("aria-label", t.candidates);
    this.root.replaceChildren(...candidateBars(drawn ?? bars, nextTokens(t, said.slice(0, step), this.choose)));
    this.root.toggleAttribute("data-waiting", !isShown);
  }

  /** The bars grow from nothing. */
  rise() {
    this.isShown = true;
    this.root.removeAttribute("data-waiting");
    if (prefersReducedMotion()) return;
    for (const ink of this.root.querySelectorAll(".ink"))
      ink.animate([{ transform: "scaleX(0)" }, { transform: "none" }], { duration: RISE, easing: "ease-out" });
  }
}
