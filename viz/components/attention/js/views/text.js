// A head as shades of both sentences in large type.

import { prosePicture } from "../picture/prose_picture.js";
import { SentenceLines } from "../tokens.js";

/** @import { Theme } from "../types" */
/** @import { HeadDrawing, HeadView, Part, Room } from "./types" */

/** @implements {HeadDrawing} */
class TextView extends SentenceLines {
  /** @type {(theme: Theme, room: Room) => Part} */
  picture(theme, room) {
    return prosePicture(this, theme, room);
  }
}

/** @type {HeadView<"text">} */
export const TEXT_VIEW = {
  name: "text",
  key: "t",
  make: (explorer, pane) => new TextView(explorer, pane, "prose"),
  how: () => "how_text",
  showsLong: false, // thousands of tokens in large type
  showsSentences: true,
  namesRows: false,
  combinesHeads: true,
  combinesPins: true,
  turns: false,
  zooms: false,
};
