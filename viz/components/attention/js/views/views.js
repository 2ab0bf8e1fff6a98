// The registry of head views, in the order of their buttons. Other modules use the properties of the present view.

import { fitState } from "../data/state.js";
import { headsOfKind } from "../data/unpack.js";
import { LINES_VIEW } from "./lines.js";
import { MAP_VIEW } from "./map.js";
import { TEXT_VIEW } from "./text.js";

/** @import { State, View } from "../types" */

export const HEAD_VIEWS = [MAP_VIEW, LINES_VIEW, TEXT_VIEW];

/** The view of a state. @param {Pick<State, "view">} state */
export function headView({ view }) {
  return HEAD_VIEWS.find(({ name }) => name === view) ?? HEAD_VIEWS[0];
}

/** Fit a state to a view of the data; for a long text, replace a head view that cannot show it.
 * @type {(state: Partial<State> | undefined, view: View, defaults: State) => State} */
export function fitShown(state, view, defaults) {
  const fitted = fitState(state, view, defaults);
  if (!canShow(headView(fitted), view, fitted)) {
    fitted.view = (HEAD_VIEWS.find(({ showsLong }) => showsLong) ?? HEAD_VIEWS[0]).name;
  }
  return fitted;
}

/** Whether a view of a head can show texts of this length.
 * @type {(headView: {showsLong: boolean}, view: View, state: Pick<State, "kind">) => boolean} */
export function canShow({ showsLong }, view, { kind }) {
  return showsLong || !headsOfKind(view, kind).long;
}
