// What stands in front on the first and the last screen of the article: the model in space, or the sentence with its ribbons.

/** @import { StagePlayer } from "../stage/player.js" */
/** @import { Space } from "./space.js" */

export class Front {
  /** @type {"space" | "stage" | ""} */
  shown = "space";
  hasPlayed = false; // the sentence has been written on the stage

  /** @param {Space} space @param {StagePlayer} stage */
  constructor(space, stage) {
    this.space = space;
    this.stage = stage;
    stage.root.hidden = true;
  }

  /** @param {"space" | "stage" | ""} what nothing where another picture is shown */
  async show(what) {
    const { shown: before, space, stage } = this;
    if (what === before) return undefined;
    this.shown = what;
    stage.root.hidden = what !== "stage" || before === "space"; // it waits until the space has sunk
    if (what === "space") return space.turnTo(true);
    if (before === "space" && what) await space.turnTo(false);
    else space.hide();
    if (this.shown !== what) return undefined; // another paragraph is read
    stage.root.hidden = !what;
    if (!what) return undefined;
    stage.measureSoon();
    if (this.hasPlayed || stage.before) return undefined;
    this.hasPlayed = true;
    return stage.play();
  }
}
