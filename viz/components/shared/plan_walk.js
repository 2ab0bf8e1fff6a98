// Animates a run of the model on its plan: the encoder's layers light up in turn, the encoder output moves into every
// cross-attention, and the decoder's layers follow.

import { h, onInputCapture, sleep } from "./dom.js";

const PACE = { layer: 240, bridge: 620, part: 70 };
const LIT = { layer: 900, part: 420 };

/**
 * @typedef {object} Stacks
 * @property {Element[][]} encoder the boxes of each layer, from the lowest
 * @property {Element[][]} decoder the boxes of each layer, from the lowest
 * @property {SVGElement[]} bridges the paths into the decoder's layers
 */

export class PlanWalk {
  turn = 0;
  isPlaying = false;
  /** @type {Animation[]} */
  moves = [];

  /** @param {HTMLElement} holder of the plan; any input in it, or its removal, ends the animation
   * @param {{button?: string, status?: string}} [classes] */
  constructor(holder, classes = {}) {
    this.holder = holder;
    this.status = h("p", { class: classes.status, role: "status" });
    const onclick = () => (this.isPlaying ? this.stop() : this.play());
    this.button = h("button", { class: classes.button, onclick });
    onInputCapture(holder, (event) => event.target !== this.button && this.stop());
  }

  /** The labels of the button: "run" and "sleep". @returns {Record<string, string>} */
  get words() {
    throw new Error("each plan has its words");
  }

  /** Animate a run. @returns {Promise<void>} */
  play() {
    throw new Error("each plan has its run");
  }

  /** Cancel all animations and the walk in progress. */
  stop() {
    this.turn += 1;
    for (const move of this.moves) move.cancel();
    this.moves = [];
    this.isPlaying = false;
    this.label();
  }

  label() {
    this.button.textContent = this.isPlaying ? this.words.pause : this.words.run;
  }

  /** Stop the walk in progress and start another.
   * @returns {() => boolean} whether this walk is over */
  begin() {
    this.stop();
    const { turn } = this;
    this.isPlaying = true;
    this.label();
    return () => turn !== this.turn || !this.holder.isConnected;
  }

  /** The encoder's layers, one after the other. @param {Stacks} stacks @param {() => boolean} isOver */
  async encode({ encoder }, isOver) {
    for (const boxes of encoder) {
      this.light(boxes, LIT.layer);
      await sleep(PACE.layer);
      if (isOver()) return;
    }
  }

  /** The encoder output on its way into the decoder. @param {Stacks} stacks */
  async cross({ bridges }) {
    for (const path of bridges) this.run(path, PACE.bridge);
    await sleep(PACE.bridge);
  }

  /** One round of the decoder; the second box of each layer is its cross-attention.
   * @param {Stacks} stacks @param {() => boolean} isOver */
  async decode({ decoder, bridges }, isOver) {
    for (const [layer, boxes] of decoder.entries())
      for (const [part, box] of boxes.entries()) {
        this.light([box], LIT.part);
        if (part === 1 && bridges[layer]) this.run(bridges[layer], 300);
        await sleep(PACE.part);
        if (isOver()) return;
      }
  }

  /** @param {Element[]} boxes @param {number} duration */
  light(boxes, duration) {
    const glow = "brightness(1.0) drop-shadow(0 0 7px var(--hue))";
    for (const box of boxes)
      this.moves.push(
        box.animate([{ filter: "none" }, { filter: glow, offset: 0.25 }, { filter: "none" }], {
          duration,
          easing: "ease-out",
        }),
      );
  }

  /** Animate a dash along a path. @param {SVGElement} path @param {number} duration */
  run(path, duration) {
    const runner = /** @type {SVGElement} */ (path.cloneNode());
    runner.setAttribute("pathLength", "1");
    runner.classList.add("plan-runner");
    path.after(runner);
    const move = runner.animate([{ strokeDashoffset: 0.16 }, { strokeDashoffset: -1 }], {
      duration,
      easing: "ease-in-out",
    });
    move.finished.catch(() => undefined).then(() => runner.remove());
    this.moves.push(move);
  }
}
