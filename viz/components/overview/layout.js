// Where the parts of the map stand in the width that there is.

import { penOf } from "../shared/dom.js";

/** @import { At, Box, Given, Plan, Shown, Token } from "./types" */

/** Below this width the stacks stand one above the other. */
const NARROW = 760;
/** Where the plan's second column begins, and how far it moves to be placed above the first one. */
const SPLIT = 482;
const SHIFT = 470;
/** Width of one stack in the plan's units, its name and its margin included. */
const STACK = 516;
/** On a small screen boxes are taller, because their names take two lines. */
const TALLER = 1.4;
const TOKEN = { height: 24, gap: 4, text: 11 };

/** Whether a width in pixels is too small for the plan as it is. @param {number} room */
export const isNarrow = (room) => room > 0 && room < NARROW;

/**
 * The plan as it is drawn in a width.
 * @param {Given} given
 * @param {number} room in pixels; 0 before it is known
 */
export function laidOut(given, room) {
  if (!isNarrow(room)) return wide(given, room);
  return given.plan.stacks.length > 1 ? stacked(given.plan, room) : narrowed(given, room);
}

/**
 * The plan as it is, in units of which `unit` are a pixel, so that letters keep their size.
 * @type {(given: Given, room: number) => Shown}
 */
function wide({ plan, width }, room) {
  const unit = Math.max(1, width / (room || width));
  return { ...plan, at: (x, y) => ({ x, y }), width, middle: SPLIT, unit };
}

/** The plan of one stack for a small screen. @type {(given: Given, width: number) => Shown} */
function narrowed({ plan, width: planned }, width) {
  const across = width / planned;
  /** @type {At} */
  const at = (x, y) => ({ x: x * across, y: y * TALLER });
  const { tokens, lines } = flowing(plan.tokens, plan.stacks[0].x * across, width);
  const base = plan.tokens[0].y * TALLER;
  const height = base + lines * (TOKEN.height + TOKEN.gap) + 24;
  return {
    ...plan,
    at,
    width,
    height,
    middle: width - 4,
    unit: 1,
    boxes: placed(plan.boxes, at, across),
    tokens: tokens.map((token) => ({ ...token, y: token.y + base })),
    captions: [height - 8],
  };
}

/** Boxes at their places on a small screen. @type {(boxes: Box[], at: At, across: number) => Box[]} */
const placed = (boxes, at, across) =>
  boxes.map((box) => ({ ...box, ...at(box.x, box.y), width: box.width * across, height: box.height * TALLER }));

/** The plan for a small screen, in pixels: the decoder above the encoder, as the picture is read from the bottom to the
 * top, and tokens in as many lines as they need. @type {(plan: Plan, width: number) => Shown} */
function stacked(plan, width) {
  const across = width / STACK;
  const flow = (/** @type {boolean} */ isDecoder) =>
    flowing(
      plan.tokens.filter((token) => token.x >= SPLIT === isDecoder),
      isDecoder ? (524 - SHIFT) * across : 54 * across,
      width,
    );
  const [decoder, encoder] = [flow(true), flow(false)];
  const [first] = plan.tokens;
  const base = first.y * TALLER;
  const heightOf = (/** @type {number} */ lines) => base + lines * (TOKEN.height + TOKEN.gap) + 24;
  const below = heightOf(decoder.lines);
  /** @type {At} */
  const at = (x, y) => {
    const isDecoder = x >= SPLIT;
    return { x: (isDecoder ? x - SHIFT : x) * across, y: y * TALLER + (isDecoder ? 0 : below) };
  };
  const lower = (/** @type {Token[]} */ tokens, /** @type {number} */ by) =>
    tokens.map((token) => ({ ...token, y: token.y + base + by }));
  return {
    ...plan,
    at,
    width,
    height: below + heightOf(encoder.lines),
    middle: width - 4,
    unit: 1,
    boxes: placed(plan.boxes, at, across),
    tokens: [...lower(encoder.tokens, below), ...lower(decoder.tokens, 0)],
    captions: [below + heightOf(encoder.lines) - 8, below - 8],
  };
}

/**
 * Tokens one after the other, in as many lines as the width asks for.
 * @type {(tokens: Token[], left: number, right: number) => {tokens: Token[], lines: number}}
 */
function flowing(tokens, left, right) {
  let [x, lines] = [left, 1];
  const placed = tokens.map((token) => {
    const width = Math.max(16, widthOf(token.text, TOKEN.text) + 10);
    if (x + width > right && x > left) [x, lines] = [left, lines + 1];
    const found = { ...token, x, y: (lines - 1) * (TOKEN.height + TOKEN.gap), width };
    x += width + TOKEN.gap;
    return found;
  });
  return { tokens: placed, lines };
}

const measuring = penOf(document.createElement("canvas"));

/**
 * The width of a text in the page's type.
 * @type {(text: string, size: number, weight?: number) => number}
 */
export function widthOf(text, size, weight = 400) {
  measuring.font = `${weight} ${size}px ${getComputedStyle(document.body).fontFamily}`;
  return measuring.measureText(text).width;
}

/**
 * A name in as many lines as its box asks for; a word is never broken.
 * @type {(text: string, width: number, size: number) => string[]}
 */
export function wrapped(text, width, size) {
  const lines = [""];
  for (const word of text.split(/(?<=[ →])|(?=[（(])/)) {
    const last = lines.length - 1;
    if (lines[last] && widthOf((lines[last] + word).trimEnd(), size) > width) lines.push(word);
    else lines[last] += word;
  }
  return lines.map((line) => line.trim());
}
