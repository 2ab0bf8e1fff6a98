// The text view as an exported picture: both sentences as running text, shaded by the pinned tokens.

import { css } from "../../../shared/colour.js";
import { fitText, textWidth } from "./painter.js";
import { profileOf, profilePeak } from "../data/transform.js";

/** @import { Box, Theme, Units } from "../types" */
/** @import { Part, Room } from "../views/types" */
/** @import { Line, SentenceLines } from "../tokens.js" */
/** @typedef {{ink: number, ramp: import("./colour.js").Ramp, isChosen: boolean}} Shade of a token */

const SIZE = 24;

/** Both sentences as running text, shaded by the pinned tokens.
 * @type {(prose: SentenceLines, theme: Theme, room: Room) => Part} */
export function prosePicture(prose, theme, room) {
  const { state } = prose.explorer;
  const shade = shader(prose, theme);
  let y = SIZE;
  const words = prose.sequence.lines.flatMap((line) => {
    const placed = placeLine(line.units, theme, room.width, y);
    y = placed[placed.length - 1].y + SIZE * 2.6; // a line has at least one token
    return placed.map((word, token) => ({ ...word, ...shade(line, token) }));
  });
  return {
    width: room.width,
    height: y - SIZE,
    draw(painter) {
      for (const word of words) {
        /** @type {Box} */
        const box = [word.x, word.y - SIZE * 0.8, word.width, SIZE * 1.6];
        if (word.ink > 0.02) painter.rect(...box, { fill: word.ramp.at(word.ink), radius: 5 });
        if (word.isChosen) painter.rect(...box, { stroke: css(theme.hue(state.kind)), lineWidth: 2, radius: 5 });
        painter.text(word.text, word.x + word.width / 2, word.y, {
          size: SIZE,
          align: "center",
          fill: word.ink > 0.02 ? word.ramp.textAt(word.ink, theme) : word.special ? theme.soft : theme.ink,
        });
      }
    },
  };
}

/** Positions of the tokens of one sentence: they start on the side where its script begins, and wrap.
 * @type {(units: Units, theme: Theme, room: number, top: number) =>
 *   {text: string, x: number, y: number, width: number, special: boolean}[]} */
function placeLine(units, theme, room, top) {
  let [along, y] = [0, top];
  return units.texts.map((whole, token) => {
    const text = fitText(theme, whole, SIZE, room - 20);
    const width = textWidth(theme, text, SIZE) + 12;
    along += units.continues[token] || units.ideographic ? 2 : 8;
    if (along + width > room) [along, y] = [0, y + SIZE * 1.9];
    const x = units.direction === "rtl" ? room - along - width : along;
    along += width;
    return { text, x, y, width, special: units.special[token] };
  });
}

/** The background of each token, computed as on screen, including threshold and sinks.
 * @type {(prose: SentenceLines, theme: Theme) => (line: Line, token: number) => Shade} */
function shader({ explorer, pane, sequence }, theme) {
  const { state } = explorer;
  const { matrix } = pane;
  const hues = theme.ramp(state.palette, state.kind);
  const focus = pane.focus();
  if (!focus) return () => ({ ink: 0, ramp: hues, isChosen: false });
  const across = focus.side === "q" ? "k" : "q";
  const profile = profileOf(matrix, focus.side, focus.units, state.together);
  const peak = profilePeak(matrix, profile, across, state);
  return (line, token) => {
    const unit = sequence.resolve(across, pane.unitsOf(across), line, token);
    const weight = unit >= 0 && profile[unit] >= state.threshold ? profile[unit] : 0;
    const isGrey = across === "k" && matrix.greyed && matrix.isSink[unit];
    return {
      ink: Math.min(1, weight / peak),
      ramp: isGrey ? theme.greys : hues,
      isChosen: focus.units.includes(sequence.resolve(focus.side, pane.unitsOf(focus.side), line, token)),
    };
  };
}
