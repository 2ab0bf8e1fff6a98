// Counts the remaining seconds of a vote down, from the server's value.

import { h } from "../shared/dom.js";

export class Countdown {
  constructor() {
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.timer = undefined;
    this.root = h("p", { class: "countdown", role: "timer", hidden: true });
  }

  /** @param {number | undefined} seconds undefined for a vote without an end */
  show(seconds) {
    clearInterval(this.timer);
    this.root.hidden = seconds === undefined;
    if (seconds === undefined) return;
    const end = Date.now() + 1000 * seconds;
    const draw = () => {
      this.root.textContent = String(Math.max(0, Math.ceil((end - Date.now()) / 1000)));
    };
    draw();
    this.timer = setInterval(draw, 250);
  }
}
