// The model's run on the map, for the word that is followed.

import { h, isStill, onTouch } from "../shared/dom.js";
import { PlanWalk } from "../shared/plan_walk.js";
import { fill } from "../shared/text.js";

/** @import { Given } from "./types" */
/** @import { Stacks } from "../shared/plan_walk.js" */

/** The button that runs the model, and what it says meanwhile. */
export class Run {
  /** @param {{root: HTMLElement, data: Given}} map */
  constructor(map) {
    this.map = map;
    this.walk = new PlanWalk();
    this.isPlaying = false;
    this.said = h("p", { role: "status" });
    this.button = h("button", { type: "button", onclick: () => (this.isPlaying ? this.stop() : this.play()) });
    onTouch(map.root, (event) => event.target !== this.button && this.stop());
  }

  stop() {
    this.walk.stop();
    this.isPlaying = false;
    this.label();
  }

  label() {
    const { words } = this.map.data;
    this.button.hidden = isStill();
    this.button.textContent = this.isPlaying ? words.pause : words.run;
  }

  /** From the first layer to the word that is predicted. */
  async play() {
    const { map, walk } = this;
    const { words, plan } = map.data;
    const isOver = walk.begin(map.root);
    this.isPlaying = true;
    this.label();
    const stacks = stacksOf(map);
    const isAlone = plan.stacks.length < 2;
    if (stacks.encoder.length) {
      this.said.textContent = words.says_encoder;
      await walk.encode(stacks, isOver);
      if (isOver()) return;
    }
    if (!isAlone) {
      this.said.textContent = words.says_bridge;
      await walk.cross(stacks);
      if (isOver()) return;
    }
    if (stacks.decoder.length) {
      this.said.textContent = fill(words[isAlone ? "says_next" : "says_word"], { word: plan.predicted });
      await (isAlone ? walk.encode({ ...stacks, encoder: stacks.decoder }, isOver) : walk.decode(stacks, isOver));
      if (isOver()) return;
    }
    walk.light(outputOf(map.root), 900);
    this.isPlaying = false;
    this.label();
  }
}

/** The box above the last layer that runs. @param {Element} root */
function outputOf(root) {
  const names = ["decoder.output", "encoder.masked", "encoder.output"];
  return names.flatMap((name) => [...root.querySelectorAll(`[data-box="${name}"]`)]).slice(0, 1);
}

/**
 * The boxes of each layer that is drawn, and the paths from the encoder.
 * @type {(map: {root: Element, data: Given}) => Stacks}
 */
function stacksOf({ root, data }) {
  const box = (/** @type {string} */ name) => [...root.querySelectorAll(`[data-box="${name}"]`)];
  const layers = (/** @type {string} */ first, /** @type {string[]} */ ...parts) =>
    data.plan.boxes
      .filter(({ name }) => name.startsWith(`${first}.`))
      .map(({ layer }) => [first, ...parts].flatMap((part) => box(`${part}.${layer}`)));
  /** @type {NodeListOf<SVGElement>} */
  const bridges = root.querySelectorAll(".memory");
  return {
    encoder: layers("encoder_self", "encoder.feed"),
    decoder: layers("decoder_self", "cross", "decoder.feed"),
    bridges: [...bridges],
  };
}
