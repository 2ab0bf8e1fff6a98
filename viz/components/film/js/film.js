// The film: slider, play, translation, grid, map and curve, all of one frame.

import { h } from "../../shared/dom.js";
import { openPacket } from "../../shared/packet.js";
import { streamlitComponent } from "../../shared/streamlit.js";
import { fill, formatFixed } from "../../shared/text.js";
import { Entropy } from "./entropy.js";
import { Grid, HeadMap } from "./maps.js";

/** @import { Send } from "../../shared/streamlit.js" */
/** @import { Frame, Head, Packet } from "./types" */

const MILLISECONDS_PER_FRAME = 220;

/** @type {(bytes: Uint8Array) => Packet} */
function read(bytes) {
  const { header, buffer, start } = openPacket(bytes);
  return { ...header, bytes: new Uint8Array(buffer, start) };
}

export default streamlitComponent((parent, /** @type {Packet} */ film, send) => new Film(parent, film, send), {
  read,
  sender: "setStateValue",
});

class Film {
  at = 0; // index of the current frame
  follows = true; // the newest frame
  isChange = false;
  /** @type {Head} */ chosen;
  /** @type {ReturnType<typeof setInterval> | undefined} */ timer;

  /** @param {Element} parent @param {Packet} film @param {Send} send */
  constructor(parent, film, send) {
    this.film = film;
    this.chosen = film.start;
    this.send = send;
    this.grid = new Grid((head) => this.choose(head));
    this.map = new HeadMap();
    this.entropy = new Entropy((at) => this.stopAt(at));
    this.playButton = h("button", { class: "play", onclick: () => this.toggle() });
    this.slider = h("input", {
      type: "range",
      min: "0",
      step: "1",
      oninput: () => this.go(Number(this.slider.value)),
      onchange: () => this.stopAt(Number(this.slider.value)),
    });
    this.stepText = h("output", { class: "step" });
    this.weights = h("button", { onclick: () => this.show(false) });
    this.change = h("button", { onclick: () => this.show(true) });
    this.text = h("p", { class: "text", lang: "" });
    this.gridTitle = h("h4");
    this.mapTitle = h("h4");
    this.entropyTitle = h("h4");
    this.entropyNow = h("span", { class: "now" });
    const modes = h("div", { class: "modes", role: "group" }, this.weights, this.change);
    const curve = h("div", { class: "title" }, this.entropyTitle, this.entropyNow);
    this.left = h("section", { class: "left" }, this.gridTitle, this.grid.canvas, curve, this.entropy.canvas);
    this.right = h("section", { class: "right" }, this.mapTitle, this.map.canvas, this.map.reading);
    const bar = h("div", { class: "bar" }, this.playButton, this.slider, this.stepText, modes);
    this.root = h("div", { class: "film" }, bar, this.text, h("div", { class: "stage" }, this.left, this.right));
    parent.append(this.root);
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.root);
    this.update(film);
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
    this.drawText(frame);
    this.mapTitle.textContent = fill(film.words.map, { layer: layer + film.first, head: head + film.first });
    this.entropyNow.textContent = fill(film.words.bits, { bits: formatFixed(frame.entropy[layer][head]) });
    const scene = { film, frame, chosen, isChange };
    this.grid.draw(scene, this.left.clientWidth, look);
    this.entropy.draw(scene, this.left.clientWidth, look);
    this.map.draw(scene, this.right.clientWidth, look);
  }

  /** Draw the translation, with the words marked that the first frame lacks. @param {Frame} frame */
  drawText(frame) {
    const counts = new Map();
    for (const word of this.film.frames[0].text.split(" ")) counts.set(word, (counts.get(word) ?? 0) + 1);
    const words = frame.text.split(" ").map((word) => {
      const count = counts.get(word) ?? 0;
      counts.set(word, count - 1);
      return h("span", { class: count > 0 ? "" : "changed" }, word);
    });
    this.text.replaceChildren(...words.flatMap((word) => [word, " "]));
    if (!frame.text) this.text.replaceChildren(h("span", { class: "nothing" }, this.film.words.nothing));
  }

  /** @param {Head} head */
  choose(head) {
    this.chosen = head;
    this.draw();
    this.send("head", head);
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

  /** Stop at a frame and report its step to the page. @param {number} at */
  stopAt(at) {
    this.stop();
    this.go(at);
    this.send("step", this.follows && this.film.alive ? null : this.film.frames[at].step);
  }

  toggle() {
    if (this.timer) return this.stopAt(this.at);
    if (this.at === this.film.frames.length - 1) this.at = 0;
    this.timer = setInterval(() => {
      if (this.at < this.film.frames.length - 1) this.go(this.at + 1);
      else this.stopAt(this.at);
    }, MILLISECONDS_PER_FRAME);
    this.draw();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  destroy() {
    this.stop();
    this.observer.disconnect();
    this.root.remove();
  }
}
