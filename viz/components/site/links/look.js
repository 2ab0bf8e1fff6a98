// Converts the explorer's options between a link and its state (viz/state/view_state.py).

/** @import { State } from "../../attention/js/types" */

/** Fields of the explorer's state; their values were validated when the link was read.
 * @param {import("./choices.js").Choices} choices
 * @returns {Partial<State>} */
export const lookOn = ({ look }) =>
  /** @type {Partial<State>} */ (look.zoom ? { ...look, zoom: look.zoom.map(Number) } : look);

/** The options of the explorer's state that differ from their defaults. @param {State} state @param {import("../types.js").Schema} schema */
export function lookFrom(state, { look, fields }) {
  const values = look.map((name) => ({
    name,
    value: name === "zoom" ? (state.zoom ?? []).map(sixDigits) : state[name],
  }));
  const unusual = values.filter(
    ({ name, value }) => value !== undefined && JSON.stringify(value) !== JSON.stringify(fields[name].default),
  );
  return Object.fromEntries(unusual.map(({ name, value }) => [name, value]));
}

/** Six digits. @param {number} value */
const sixDigits = (value) => String(Number(value.toPrecision(6)));
