// A head as shades of both sentences in large type, on screen and as an exported picture.

import { css } from "../../../shared/colour.js";
import { fitText, textWidth } from "../picture/painter.js";
import { SentenceLines } from "../tokens.js";

/** @import { Box, Theme, Units } from "../types" */
/** @import { Part, Room, HeadDrawing, HeadView } from "./types" */
const SIZE = 24;

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

/** @implements {HeadDrawing} */
class TextView extends SentenceLines {
  /** Both sentences as running text, shaded by the pinned tokens. @type {(theme: Theme, room: Room) => Part} */
  picture(theme, room) {
    const { state } = this.explorer;
    const shadeOf = this.shader(theme);
    let y = SIZE;
    const words = this.sequence.lines.flatMap((line) => {
      const placed = placeLine(line.units, theme, room.width, y);
      y = placed[placed.length - 1].y + SIZE * 2.6; // a line has at least one token
      return placed.map((word, token) => ({ ...word, ...shadeOf(line, token) }));
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
