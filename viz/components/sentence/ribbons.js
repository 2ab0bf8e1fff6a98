// Ribbons between the sentence and its translation: from the token in focus to those that a view tells, as wide as
// their weights.

import { h, isStill, sizedContext } from "../shared/dom.js";
import { drawRibbons, jointsOf } from "../shared/ribbons.js";

/** @import { Stage } from "./component.js" */
/** @import { Focus, Shade, Side } from "./types" */

const GROWTH = 220; // milliseconds
const MOST_RIBBONS = 12; // ribbons to the patches of a picture, which may be hundreds

/** @type {(focus: Focus) => number[]} */
export const indexesOf = (focus) => ("indexes" in focus ? focus.indexes : [focus.index]);

/** The largest weights, the others 0. @type {(weights: number[]) => number[]} */
function strongest(weights) {
  const least = [...weights].sort((a, b) => b - a)[Math.min(MOST_RIBBONS, weights.length) - 1];
  return weights.map((weight) => (weight >= least ? weight : 0));
}

export class Ribbons {
  /** @param {Pick<Stage, "root" | "words" | "targetRow" | "data">} stage */
  constructor(stage) {
    this.stage = stage;
    this.canvas = h("canvas", { class: "ribbons", "aria-hidden": "true" });
    /** What is drawn, so that only something else grows again. */
    this.drawn = "";
    this.frame = 0;
    /** @type {{side: Side, at: number[], weights: number[], colour: string} | null} */
    this.shown = null;
  }

  /**
   * Follow what a view tells.
   * @param {Shade} shade
   * @param {string} colour
   */
  follow(shade, colour) {
    const { focus } = shade;
    const all = focus ? shade[focus.side === "target" ? "source" : "target"] : null;
    const weights = all && this.stage.data.grid && focus?.side === "target" ? strongest(all) : all;
    this.shown = focus && weights?.length ? { side: focus.side, at: indexesOf(focus), weights, colour } : null;
    const name = JSON.stringify(this.shown && [this.shown.side, this.shown.at, weights]);
    const isOther = name !== this.drawn;
    this.drawn = name;
    cancelAnimationFrame(this.frame);
    if (!isOther || !this.shown || isStill()) return this.paint();
    const began = performance.now();
    const grow = () => {
      const share = Math.min(1, (performance.now() - began) / GROWTH);
      this.paint(1 - (1 - share) ** 3);
      if (share < 1) this.frame = requestAnimationFrame(grow);
    };
    return grow();
  }

  /** @param {number} [share] of their way that the ribbons have grown */
  paint(share = 1) {
    const { stage, canvas, shown } = this;
    const { clientWidth, clientHeight } = stage.root;
    const context = sizedContext(canvas, clientWidth, clientHeight);
    if (!shown || stage.root.dataset.width === "narrow") return;
    const above = jointsOf(stage.root, stage.words, ".token", "bottom");
    const below = jointsOf(stage.root, stage.targetRow, ".token", "top");
    const [from, ends] = shown.side === "target" ? [above, below] : [below, above];
    for (const index of shown.at)
      if (ends[index])
        drawRibbons(context, { from, to: ends[index], weights: shown.weights, colour: shown.colour, share, widest: 9 });
  }

  end() {
    cancelAnimationFrame(this.frame);
  }
}
