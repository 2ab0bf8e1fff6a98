// The seconds that are left to vote, counted down here from what the server said.

import { h } from "../shared/dom.js";

export class Countdown {
  constructor() {
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.timer = undefined;
    this.root = h("p", { class: "countdown", role: "timer", hidden: true });
  }

  /** @param {number | undefined} left seconds; undefined for a vote without an end */
  show(left) {
    clearInterval(this.timer);
    this.root.hidden = left === undefined;
    if (left === undefined) return;
    const end = Date.now() + 1000 * left;
    const draw = () => {
      this.root.textContent = String(Math.max(0, Math.ceil((end - Date.now()) / 1000)));
    };
    draw();
    this.timer = setInterval(draw, 250);
  }
}
