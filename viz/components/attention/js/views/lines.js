// A head as lines from each query to its keys; several heads have different colours.

import { LinesView } from "../lines/lines_view.js";

/** @type {import("./types").HeadView<"lines">} */
export const LINES_VIEW = {
  name: "lines",
  key: "l",
  make: (explorer, pane) => new LinesView(explorer, pane),
  how: () => "how_lines",
  showsLong: true,
  showsSentences: false,
  namesRows: false,
  combinesHeads: false,
  combinesPins: true,
  turns: true,
  zooms: false,
};
