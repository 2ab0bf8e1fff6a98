// Of a picture's reading, what is pointed at or has the focus is shown as if it were chosen, and what was chosen before
// comes back: letters and strips are too many to press one after the other.

/** @import { Side } from "../../shared/stage/types" */
/** @import { StagePlayer } from "./player.js" */

export class Pointed {
  /** What was chosen. @type {{step: number, source: number | null} | null} */
  before = null;

  /** @param {Pick<StagePlayer, "scene" | "isPlaying" | "step" | "source" | "look">} player */
  constructor(player) {
    this.player = player;
  }

  /** @param {{side: Side, place: number}} token @param {Event} event */
  look({ side, place }, event) {
    const { player } = this;
    const isTouch = event instanceof PointerEvent && event.pointerType !== "mouse";
    if (!player.scene?.picture || player.isPlaying || isTouch) return;
    const { step, source } = player;
    this.before ??= { step, source };
    player.look(side === "target" ? { step: place, source: null } : { step: this.before.step, source: place });
  }

  leave() {
    if (this.before && !this.player.isPlaying) this.player.look(this.before);
    this.before = null;
  }
}
