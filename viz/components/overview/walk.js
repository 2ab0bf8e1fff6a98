// The model's run on the map, for the word that is followed.

import { prefersReducedMotion } from "../shared/dom.js";
import { PlanWalk } from "../shared/plan_walk.js";
import { fill } from "../shared/text.js";

/** @import { Given } from "./types" */
/** @import { Stacks } from "../shared/plan_walk.js" */

/** The button that runs the model, and what it says meanwhile. */
export class Run extends PlanWalk {
  /** @param {{root: HTMLElement, data: Given}} map */
  constructor(map) {
    super(map.root);
    this.map = map;
  }

  get words() {
    return this.map.data.words;
  }

  label() {
    super.label();
    this.button.hidden = prefersReducedMotion();
  }

  /** From the first layer to the word that is predicted. */
  async play() {
    const { words } = this;
    const { plan } = this.map.data;
    const isOver = this.begin();
    const stacks = this.#stacks();
    const isAlone = plan.stacks.length < 2;
    if (stacks.encoder.length) {
      this.status.textContent = words.says_encoder;
      await this.encode(stacks, isOver);
      if (isOver()) return;
    }
    if (!isAlone) {
      this.status.textContent = words.says_bridge;
      await this.cross(stacks);
      if (isOver()) return;
    }
    if (stacks.decoder.length) {
      this.status.textContent = fill(words[isAlone ? "says_next" : "says_word"], { word: plan.predicted });
      await (isAlone ? this.encode({ ...stacks, encoder: stacks.decoder }, isOver) : this.decode(stacks, isOver));
      if (isOver()) return;
    }
    const top = plan.stacks.flatMap(({ rows }) => rows[rows.length - 1].parts).slice(-1);
    this.light(this.#boxes(top), 900);
    this.isPlaying = false;
    this.label();
  }

  /** @param {{name: string}[]} parts */
  #boxes(parts) {
    return parts.flatMap(({ name }) => [...this.holder.querySelectorAll(`[data-box="${name}"]`)]);
  }

  /** The boxes of each layer that is drawn, and the paths from the encoder. @returns {Stacks} */
  #stacks() {
    const layersOf = (/** @type {string} */ stack) =>
      this.map.data.plan.stacks
        .flatMap(({ rows }) => rows)
        .filter(({ parts }) => parts.length > 1 && parts[0].name.startsWith(stack))
        .map(({ parts }) => this.#boxes(parts));
    /** @type {NodeListOf<SVGElement>} */
    const bridges = this.holder.querySelectorAll(".memory");
    return { encoder: layersOf("encoder"), decoder: layersOf("decoder"), bridges: [...bridges] };
  }
}
