/* The transport: play, step, scrub, speed. */

import { h } from "../../shared/dom.js";
import { fill, language } from "../../shared/text.js";

const SPEEDS = [0.5, 1, 2, 4, 8];

/** @typedef {(step: number, isPlace?: boolean) => void} OnStep by `step` steps, or to a step */

export class Transport {
  /** @param {import("./unpack.js").Words} words
   * @param {{onStep: OnStep, onPlay: () => void, onSpeed: (speed: number) => void}} on */
  constructor(words, { onStep, onPlay, onSpeed }) {
    this.words = words;
    this.back = toolButton("◂", words.back, () => onStep(-1));
    this.play = h("button", { class: "play", "aria-keyshortcuts": "Space", onclick: onPlay });
    this.next = toolButton("▸", words.next, () => onStep(1));
    this.label = h("output", { class: "count" });
    const oninput = () => onStep(Number(this.slider.value) - 1, true);
    this.slider = h("input", { class: "scrub", type: "range", min: 1, step: 1, "aria-label": words.scrub, oninput });
    const onchange = () => onSpeed(Number(this.speed.value));
    const options = SPEEDS.map((speed) =>
      h("option", { value: speed }, fill(words.speed_of, { n: speed.toLocaleString(language()) })),
    );
    this.speed = h("select", { class: "speed", "aria-label": words.speed, onchange }, options);
    const parts = [this.back, this.play, this.next, this.label, this.slider, this.speed];
    this.root = h("div", { class: "transport", role: "group", "aria-label": words.transport }, parts);
  }

  /** @param {{step: number, count: number, isPlaying: boolean, speed: number}} state */
  draw({ step, count, isPlaying, speed }) {
    this.play.replaceChildren(
      h("span", { class: "sign", "aria-hidden": "true" }, isPlaying ? "❚❚" : "▶"),
      isPlaying ? this.words.pause : this.words.play,
    );
    this.label.textContent = fill(this.words.step_of, { step: step + 1, count });
    this.slider.max = String(count);
    this.slider.value = String(step + 1);
    this.slider.style.setProperty("--done", count > 1 ? (step / (count - 1)).toFixed(4) : "1");
    this.slider.setAttribute("aria-valuetext", this.label.textContent);
    this.back.disabled = step <= 0;
    this.next.disabled = step >= count - 1;
    this.speed.value = String(SPEEDS.includes(speed) ? speed : 1);
  }
}

/** @type {(sign: string, title: string, onclick: () => void) => HTMLButtonElement} */
export const toolButton = (sign, title, onclick) =>
  h("button", { class: "tool", title, "aria-label": title, onclick }, sign);
