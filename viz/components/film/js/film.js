// The film itself: slider, play, translation, grid, map and curve, all of one step.

import { h } from "../../shared/dom.js";
import { pendingRun } from "../../shared/pending.js";
import { fill, fixed } from "../../shared/text.js";
import { Entropy } from "./entropy.js";
import { decode } from "./frames.js";
import { Grid } from "./grid.js";
import { HeadMap } from "./map.js";

/**
 * @import { Frame, Head, Packet } from "./types"
 * @typedef {(name: "head" | "step", value: Head | number | null) => void} Report
 */

const MILLISECONDS_PER_FRAME = 220;
/** @type {WeakMap<Element, Film>} */
const instances = new WeakMap();

class Film {
  at = 0; // the place of the frame that is shown
  follows = true; // the newest frame
  isChange = false;
  /** @type {Head} */ chosen;
  /** @type {ReturnType<typeof setInterval> | undefined} */ timer;

  /** @param {Element} parent @param {Packet} film @param {Report} report */
  constructor(parent, film, report) {
    this.film = film;
    this.chosen = film.start;
    this.report = report;
    this.grid = new Grid((head) => this.choose(head));
    this.map = new HeadMap();
    this.entropy = new Entropy((at) => this.rest(at));
    this.playButton = h("button", { class: "play", onclick: () => this.toggle() });
    this.slider = h("input", { type: "range", min: "0", step: "1", oninput: () => this.go(Number(this.slider.value)) });
    this.slider.addEventListener("change", () => this.rest(Number(this.slider.value)));
    this.stepText = h("output", { class: "step" });
    this.weights = h("button", { onclick: () => this.show(false) });
    this.change = h("button", { onclick: () => this.show(true) });
    this.text = h("p", { class: "text", lang: "" });
    this.gridTitle = h("h4");
    this.mapTitle = h("h4");
    this.entropyTitle = h("h4");
    this.entropyNow = h("span", { class: "now" });
    const modes = h("div", { class: "modes", role: "group" }, this.weights, this.change);
    const left = h("section", { class: "left" }, this.gridTitle, this.grid.canvas);
    const curve = h("div", { class: "title" }, this.entropyTitle, this.entropyNow);
    this.left = left;
    this.right = h("section", { class: "right" }, this.mapTitle, this.map.canvas, this.map.reading);
    left.append(curve, this.entropy.canvas);
    const bar = h("div", { class: "bar" }, this.playButton, this.slider, this.stepText, modes);
    this.root = h("div", { class: "film" }, bar, this.text, h("div", { class: "stage" }, left, this.right));
    parent.append(this.root);
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.root);
  }

  /** @param {Packet} film */
  update(film) {
    this.film = film;
    this.chosen = [Math.min(this.chosen[0], film.layers - 1), Math.min(this.chosen[1], film.heads - 1)];
    const end = film.frames.length - 1;
    if (this.follows && !this.timer) this.at = end;
    this.at = Math.min(this.at, end);
    this.slider.max = String(end);
    const { words } = film;
    this.slider.setAttribute("aria-label", words.slider);
    this.weights.textContent = words.weights;
    this.change.textContent = words.change;
    this.gridTitle.textContent = words.grid;
    this.entropyTitle.textContent = words.entropy;
    this.draw();
  }

  draw() {
    if (!this.root.clientWidth) return;
    const { film, chosen, isChange } = this;
    const [layer, head] = chosen;
    const frame = film.frames[this.at];
    const style = getComputedStyle(this.root);
    const soft = style.getPropertyValue("--soft-ink").trim() || style.color;
    const look = { ink: style.color, soft, font: style.fontFamily };
    this.slider.value = String(this.at);
    this.slider.setAttribute("aria-valuetext", fill(film.words.at_step, { step: frame.step, text: frame.text }));
    this.stepText.textContent = fill(film.words.step, { step: frame.step });
    this.weights.setAttribute("aria-pressed", String(!this.isChange));
    this.change.setAttribute("aria-pressed", String(this.isChange));
    this.playButton.textContent = this.timer ? film.words.pause : film.words.play;
    this.spell(frame);
    this.mapTitle.textContent = fill(film.words.map, { layer: layer + film.first, head: head + film.first });
    this.entropyNow.textContent = fill(film.words.bits, { bits: fixed(frame.entropy[layer][head]) });
    const scene = { film, frame, chosen, isChange };
    this.grid.draw(scene, this.left.clientWidth, look);
    this.entropy.draw(scene, this.left.clientWidth, look);
    this.map.draw(scene, this.right.clientWidth, look);
  }

  /** The translation, with the words marked that it did not have at the first step. @param {Frame} frame */
  spell(frame) {
    const before = new Map();
    for (const word of this.film.frames[0].text.split(" ")) before.set(word, (before.get(word) ?? 0) + 1);
    const words = frame.text.split(" ").map((word) => {
      const left = before.get(word) ?? 0;
      before.set(word, left - 1);
      return h("span", { class: left > 0 ? "" : "changed" }, word);
    });
    this.text.replaceChildren(...words.flatMap((word) => [word, " "]));
    if (!frame.text) this.text.replaceChildren(h("span", { class: "nothing" }, this.film.words.nothing));
  }

  /** @param {Head} head */
  choose(head) {
    this.chosen = head;
    this.draw();
    this.report("head", head);
  }

  /** @param {boolean} isChange */
  show(isChange) {
    this.isChange = isChange;
    this.draw();
  }

  /** @param {number} at */
  go(at) {
    this.at = at;
    this.follows = at === this.film.frames.length - 1;
    this.draw();
  }

  /** Report the step to the page when the slider stops. @param {number} at */
  rest(at) {
    this.stop();
    this.go(at);
    this.report("step", this.follows && this.film.alive ? null : this.film.frames[at].step);
  }

  toggle() {
    if (this.timer) {
      this.rest(this.at);
      return;
    }
    if (this.at === this.film.frames.length - 1) this.at = 0;
    this.timer = setInterval(() => {
      if (this.at < this.film.frames.length - 1) this.go(this.at + 1);
      else this.rest(this.at);
    }, MILLISECONDS_PER_FRAME);
    this.draw();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  end() {
    this.stop();
    this.observer.disconnect();
    this.root.remove();
  }
}

/** @param {{data: Uint8Array, parentElement: HTMLElement, setStateValue: Report}} given */
export default function ({ data, parentElement, setStateValue }) {
  const packet = decode(data);
  let film = instances.get(parentElement);
  if (!film) {
    film = new Film(parentElement, packet, setStateValue);
    instances.set(parentElement, film);
  }
  film.report = pendingRun(setStateValue);
  document.documentElement.lang = packet.language; // the stage says it too, perhaps after this is drawn
  film.update(packet);
  return () => {
    film.end();
    instances.delete(parentElement);
  };
}
