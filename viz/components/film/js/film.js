// The film itself: slider, play, translation, grid, map and curve, all of one step.

import { h } from "../../shared/dom.js";
import { fill, fixed } from "../../shared/text.js";
import { Entropy } from "./entropy.js";
import { decode } from "./frames.js";
import { Grid } from "./grid.js";
import { HeadMap } from "./map.js";

const MILLISECONDS_PER_FRAME = 220;
const instances = new WeakMap();

class Film {
  constructor(parent, report) {
    this.report = report;
    this.at = 0;
    this.follows = true;
    this.isChange = false;
    this.grid = new Grid((head) => this.choose(head));
    this.map = new HeadMap();
    this.entropy = new Entropy((at) => this.rest(at));
    this.build(parent);
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.root);
  }

  build(parent) {
    this.playButton = h("button", { class: "play", type: "button", onclick: () => this.toggle() });
    this.slider = h("input", { type: "range", min: "0", step: "1", oninput: () => this.go(Number(this.slider.value)) });
    this.slider.addEventListener("change", () => this.rest(Number(this.slider.value)));
    this.stepText = h("output", { class: "step" });
    this.weights = h("button", { type: "button", onclick: () => this.show(false) });
    this.change = h("button", { type: "button", onclick: () => this.show(true) });
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
  }

  update(film) {
    const isNew = !this.film || this.film.kind !== film.kind || this.film.layers !== film.layers;
    this.film = film;
    if (isNew && !this.chosen) this.chosen = film.start;
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
    if (!this.film || !this.root.clientWidth) return;
    const { film } = this;
    const frame = film.frames[this.at];
    const style = getComputedStyle(this.root);
    const [ink, soft, font] = [
      style.color,
      style.getPropertyValue("--soft-ink").trim() || style.color,
      style.fontFamily,
    ];
    this.slider.value = String(this.at);
    this.slider.setAttribute("aria-valuetext", fill(film.words.at_step, { step: frame.step, text: frame.text }));
    this.stepText.textContent = fill(film.words.step, { step: frame.step });
    this.weights.setAttribute("aria-pressed", String(!this.isChange));
    this.change.setAttribute("aria-pressed", String(this.isChange));
    this.playButton.textContent = this.timer ? film.words.pause : film.words.play;
    this.spell(frame);
    const place = { layer: this.chosen[0] + film.first, head: this.chosen[1] + film.first };
    this.mapTitle.textContent = fill(film.words.map, place);
    const bits = frame.entropy[this.chosen[0]][this.chosen[1]];
    this.entropyNow.textContent = fill(film.words.bits, { bits: fixed(bits) });
    this.grid.draw(film, frame, this.chosen, this.isChange, this.left.clientWidth, ink, soft, font);
    this.entropy.draw(film, this.at, this.chosen, this.left.clientWidth, ink, soft, font);
    this.map.draw(film, frame, this.chosen, this.isChange, this.right.clientWidth, ink, soft, font);
  }

  /** The translation, with the words marked that it did not have at the first step. */
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

  choose(head) {
    this.chosen = head;
    this.draw();
    this.report("head", head);
  }

  show(isChange) {
    this.isChange = isChange;
    this.draw();
  }

  go(at) {
    this.at = at;
    this.follows = at === this.film.frames.length - 1;
    this.draw();
  }

  /** Report the step to the page when the slider stops. */
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
    this.timer = null;
  }

  end() {
    this.stop();
    this.observer.disconnect();
    this.root.remove();
  }
}

export default function ({ data, parentElement, setStateValue }) {
  let film = instances.get(parentElement);
  if (!film) {
    film = new Film(parentElement, setStateValue);
    instances.set(parentElement, film);
  }
  film.report = setStateValue;
  const packet = decode(data);
  document.documentElement.lang = packet.language; // the stage says it too, perhaps after this is drawn
  film.update(packet);
  return () => {
    film.end();
    instances.delete(parentElement);
  };
}
