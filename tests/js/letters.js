// Words written with the letters of letters.json.

import { readJson } from "./files.js";

const letters = readJson("letters.json");

/** A word's strokes, in heights of the pad.
 * @param {string} word
 * @param {{left?: number, top?: number, size?: number}} [where] of the small letters */
export function written(word, { left = 0.3, top = 0.4, size = 0.25 } = {}) {
  let x = left;
  return [...word].flatMap((letter) => {
    const { width, strokes } = letters[letter];
    const moved = strokes.map((points) => ({
      points: points.map(([px, py]) => ({ x: x + px * size, y: top + py * size })),
    }));
    x += (width + 0.25) * size;
    return moved;
  });
}
