// The layout of the map in the available width: a column for each stack, a row for each layer.

import { context2d } from "../shared/dom.js";

/** @import { Layout, MapData, PlacedStack, PlacedToken, Stack, Token } from "./types" */

/** Below this width in pixels the decoder is above the encoder, not beside it. */
const NARROW = 760;
/** The width of the map in its own units, and of one of two stacks with its margins. */
const [WIDTH, STACK] = [1000, 516];
/** The height of a row with its gap, of a box, and of the space above the last row. */
const [ROW, BOX, TOP] = [52, 34, 70];
/** Factor of heights on a small screen, where the names of boxes take two lines. */
const TALLER = 1.4;
/** For one stack and for two: the left edge of each, and the widths of its layers' boxes. */
const COLUMNS = [
  [[54, 600, 308]],
  [
    [54, 236, 128],
    [524, 160, 160, 110],
  ],
];
const [BETWEEN, LABEL, BRIDGE] = [8, 24, 482]; // between two boxes; from a row's name to its boxes; x of the memory's path
const TOKEN = { height: 24, gap: 4, text: 11, widest: 9.5, below: 26 };

/** Whether a width in pixels is too small for the stacks side by side. @param {number} room */
export const isNarrow = (room) => room > 0 && room < NARROW;

/**
 * Lay the plan out. On a small screen in pixels, the decoder above the encoder because the map is read from the bottom to
 * the top; otherwise in units, `unit` of them in a pixel, so that letters keep their size.
 * @param {Pick<MapData, "plan" | "words">} data
 * @param {number} room in pixels; 0 before it is known
 * @returns {Layout}
 */
export function planLayout({ plan, words }, room) {
  const { stacks, candidates } = plan;
  const narrow = isNarrow(room);
  const columns = COLUMNS[stacks.length - 1];
  const across = narrow ? room / (stacks.length > 1 ? STACK : WIDTH) : 1;
  const down = narrow ? TALLER : 1;
  const bottom = TOP + (Math.max(...stacks.map(({ rows }) => rows.length)) - 1) * ROW;
  /** @type {PlacedStack[]} */
  const placed = [];
  let top = 0;
  for (let place = stacks.length - 1; place >= 0; place--) {
    const [x, ...widths] = columns[place];
    const left = (narrow ? columns[0][0] : x) * across;
    const stack = placedStack(stacks[place], { left, top, bottom, widths, across, down, room: narrow ? room : 0 });
    placed.unshift(stack);
    if (narrow) top = stack.end;
  }
  const last = placed[placed.length - 1];
  return {
    width: narrow ? room : WIDTH,
    height: Math.max(...placed.map(({ end }) => end)),
    unit: narrow ? 1 : Math.max(1, WIDTH / (room || WIDTH)),
    boxes: placed.flatMap(({ boxes }) => boxes),
    tokens: placed.flatMap(({ tokens }) => tokens),
    paths: [...memory(placed, narrow ? room - 4 : BRIDGE), ...placed.flatMap(stream)],
    texts: placed.flatMap(({ left, top: above, end, names }, place) => [
      ["stack", left, above + 24 * down, words[stacks[place].title]],
      ...names,
      ["caption", left, end - 8, words[stacks[place].caption]],
    ]),
    candidates: { shown: candidates, x: last.left, y: last.top + 48 * down, apart: 224 * (across / placed.length) },
  };
}

/**
 * @param {Stack} stack
 * @param {{left: number, top: number, bottom: number, widths: number[], across: number, down: number, room: number}} at
 *   `bottom` is the upper edge of the first row in units, `room` the width of a small screen or 0
 * @returns {PlacedStack}
 */
function placedStack({ rows, tokens }, { left, top, bottom, widths, across, down, room }) {
  const span = (widths.reduce((sum, width) => sum + width + BETWEEN, 0) - BETWEEN) * across;
  const [height, base] = [BOX * down, top + (bottom + BOX + TOKEN.below) * down];
  const edges = rows.map((_, row) => top + (bottom - row * ROW) * down);
  const row = room ? flowing(tokens, left, room) : sideBySide(tokens, left, span);
  return {
    left,
    top,
    right: left + span,
    end: base + row.height,
    edges,
    gap: (ROW - BOX) * down,
    boxes: rows.flatMap(({ parts }, place) => {
      let x = left;
      return parts.map((part, i) => {
        const box = { ...part, x, y: edges[place], width: parts.length > 1 ? widths[i] * across : span, height };
        x += box.width + BETWEEN * across;
        return box;
      });
    }),
    names: rows.flatMap(({ label }, place) =>
      label ? [["layer", left - LABEL * across, edges[place] + (BOX / 2 + 4) * down, label]] : [],
    ),
    tokens: row.tokens.map((token) => ({ ...token, y: token.y + base })),
  };
}

/** The paths from each row of a stack to the next. @type {(stack: PlacedStack) => Layout["paths"]} */
const stream = ({ left, right, edges, gap }) =>
  edges.slice(0, -1).map((y) => ["stream", `M${(left + right) / 2} ${y}v${-gap}`]);

/** The paths from the encoder output into each layer of the decoder.
 * @type {(stacks: PlacedStack[], middle: number) => Layout["paths"]} */
function memory([encoder, decoder], middle) {
  const output = encoder.boxes[encoder.boxes.length - 1];
  return (decoder?.boxes ?? [])
    .filter(({ kind }) => kind === "cross")
    .map(({ x, y, width, height }) => [
      "memory",
      `M${encoder.right} ${output.y + height / 2}H${middle}V${y + height + 3}H${x + width / 2}v-3`,
    ]);
}

/** Tokens in one row, as wide as the stack at most.
 * @type {(tokens: Token[], left: number, room: number) => {tokens: PlacedToken[], height: number}} */
export function sideBySide(tokens, left, room) {
  const lettersOf = (/** @type {Token} */ { text }) => Math.max(2, [...text].length);
  const letters = tokens.reduce((sum, token) => sum + lettersOf(token), 0) || 1;
  const scale = Math.min(TOKEN.widest, (room - TOKEN.gap * tokens.length) / letters);
  let x = left;
  const placed = tokens.map((token) => {
    const width = lettersOf(token) * scale;
    const result = { ...token, x, y: 0, width };
    x += width + TOKEN.gap;
    return result;
  });
  return { tokens: placed, height: 46 };
}

/** Tokens in as many lines as the width requires.
 * @type {(tokens: Token[], left: number, right: number) => {tokens: PlacedToken[], height: number}} */
function flowing(tokens, left, right) {
  let [x, lines] = [left, 1];
  const placed = tokens.map((token) => {
    const width = Math.max(16, widthOf(token.text, TOKEN.text) + 10);
    if (x + width > right && x > left) [x, lines] = [left, lines + 1];
    const result = { ...token, x, y: (lines - 1) * (TOKEN.height + TOKEN.gap), width };
    x += width + TOKEN.gap;
    return result;
  });
  return { tokens: placed, height: lines * (TOKEN.height + TOKEN.gap) + 24 };
}

const measuring = context2d(document.createElement("canvas"));

/** The width of a text in the page's type. @type {(text: string, size: number, weight?: number) => number} */
export function widthOf(text, size, weight = 400) {
  measuring.font = `${weight} ${size}px ${getComputedStyle(document.body).fontFamily}`;
  return measuring.measureText(text).width;
}

/** A name in as many lines as its box requires; a word is never broken.
 * @type {(text: string, width: number, size: number) => string[]} */
export function wrapName(text, width, size) {
  const lines = [""];
  for (const word of text.split(/(?<=[ →])|(?=[（(])/)) {
    const last = lines.length - 1;
    if (lines[last] && widthOf((lines[last] + word).trimEnd(), size) > width) lines.push(word);
    else lines[last] += word;
  }
  return lines.map((line) => line.trim());
}
