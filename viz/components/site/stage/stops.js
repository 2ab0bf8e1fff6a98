// Three stops that show a newcomer around: each points at what to press, and goes on when it was pressed.

import { h, isStill } from "../../shared/dom.js";

const STOPS = ["word", "head", "own"];

export class Stops {
  /**
   * @param {Record<string, string>} words
   * @param {{moved: () => void}} on
   */
  constructor(words, on) {
    this.on = on;
    this.t = words;
    this.at = 0;
    this.isHalf = false;
    this.root = h("section", { class: "stops" });
    this.speak(words);
  }

  /** The stop that waits to be done; null after the last one. */
  get name() {
    return STOPS[this.at] ?? null;
  }

  /** @param {Record<string, string>} words */
  speak(words) {
    this.t = words;
    this.#draw();
  }

  /**
   * Something was done; if it is what the stop asks for, the next one follows.
   * @param {string} name
   */
  done(name) {
    if (name !== this.name) return;
    this.at += 1;
    this.#draw();
    this.on.moved();
  }

  /** The page asks for the second half of a stop: the head is open, and now it can be switched off. @param {boolean} isHalf */
  half(isHalf) {
    if (this.isHalf === isHalf) return;
    this.isHalf = isHalf;
    this.#draw();
  }

  end() {
    this.at = STOPS.length;
    this.#draw();
    this.on.moved();
  }

  #draw() {
    const { t, at, name } = this;
    this.root.setAttribute("aria-label", t.stops);
    this.root.hidden = name === null;
    this.root.dataset.stop = name ?? "";
    const key = name === "head" && this.isHalf ? "stop_head_off" : `stop_${name}`;
    const dots = STOPS.map((each, place) =>
      h("li", { class: place < at ? "stops-done" : place === at ? "stops-now" : "", "aria-hidden": "true" }),
    );
    const said = h("p", { class: "stops-said", role: "status" }, name ? t[key] : "");
    const isFirst = !this.root.hasChildNodes(); // what is there from the start does not come in
    this.root.replaceChildren(
      h("ol", { class: "stops-dots" }, ...dots),
      said,
      h("button", { type: "button", class: "stops-skip", onclick: () => this.end() }, t.stop_skip),
    );
    if (!isStill() && !isFirst)
      said.animate(
        [
          { opacity: 0, transform: "translateY(6px)" },
          { opacity: 1, transform: "none" },
        ],
        { duration: 220, easing: "ease-out" },
      );
  }
}
