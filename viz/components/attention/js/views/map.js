// A head as a map: a row for each query, a column for each key.

import { MapView } from "../map/map_view.js";

/** @type {import("./types").HeadView<"map">} */
export const MAP_VIEW = {
  name: "map",
  key: "m",
  make: (explorer, pane) => new MapView(explorer, pane),
  how: (kind, rows) => `how_${kind}_${rows}`,
  showsLong: true,
  showsSentences: false,
  namesRows: true,
  combinesHeads: true,
  combinesPins: false,
  turns: false,
  zooms: true,
};
