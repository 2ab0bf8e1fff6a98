// Switches between the 3D model and the stage, on the screens of the article that show one of them.

/** @import { StagePlayer } from "../stage/player.js" */
/** @import { Space } from "./space.js" */

export class Front {
  /** @type {"space" | "stage" | ""} */
  shown = "space";
  hasPlayed = false; // whether the stage has played its translation

  /** @param {Space} space @param {StagePlayer} stage */
  constructor(space, stage) {
    this.space = space;
    this.stage = stage;
    stage.root.hidden = true;
  }

  /** @param {"space" | "stage" | ""} what "" while another picture is shown */
  async show(what) {
    const { shown: before, space, stage } = this;
    if (what === before) return undefined;
    this.shown = what;
    stage.root.hidden = what !== "stage" || before === "space"; // hidden until the 3D model has faded out
    if (what === "space") return space.fade(true);
    if (before === "space" && what) await space.fade(false);
    else space.hide();
    if (this.shown !== what) return undefined; // another paragraph has become current
    stage.root.hidden = !what;
    if (!what) return undefined;
    stage.measureSoon();
    if (this.hasPlayed || stage.before) return undefined;
    this.hasPlayed = true;
    return stage.play();
  }
}
