/* The packet of a step, the text of its numbers, and their colours. */

import { isDark, mix, parseColour } from "../../shared/colour.js";
import { openPacket } from "../../shared/packet.js";
import { clamp, written } from "../../shared/text.js";

/** @import { Kind } from "../../engine/edits.js" */
/** @import { Rgb } from "../../shared/colour.js" */

/**
 * What Python packs (viz/components/inside), with the numbers as arrays.
 * @typedef {[row: number, column: number]} Cell
 * @typedef {{name: string, symbol: string, title: string, rows: string[], columns: string[],
 *   scale: "signed" | "weight" | "mask" | "plain", fold: number, numbers?: boolean, bars?: boolean, share: number,
 *   marked?: [first: number, last: number] | null, shape: [rows: number, columns: number], values: Float32Array,
 *   at: (row: number, column: number) => number, labelRoom?: number}} Numbers
 * @typedef {Numbers & {place: Cell}} Placed
 * @typedef {Placed | (Numbers & {place: null})} Block null for numbers that are used by rules only
 * @typedef {{text: string, place: Cell}} Sign
 * @typedef {{block: string, line: "row" | "column", at: "row" | "column" | "first"}} Operand
 * @typedef {{of: string, how: "dot", left: Operand, right: Operand, bias?: string, wrapped?: string, times?: string}} Dot
 * @typedef {{of: string, how: "softmax", parts: string[], over: "row" | "column"}} Softmax
 * @typedef {{of: string, how: "sum" | "divide" | "cap", parts: string[], factor: number}} Scaled
 * @typedef {{of: string, how: "norm", parts: string[]}} Norm
 * @typedef {{of: string, how: "mask", parts: string[]}} Mask
 * @typedef {Dot | Softmax | Scaled | Norm | Mask} Rule
 * @typedef {{panel: string, ink: string, less: string, more: string, kinds: Record<Kind, string>}} Palette
 * @typedef {object} Header
 * @property {Block[]} blocks
 * @property {Record<string, Block>} find the blocks by name
 * @property {Sign[]} signs
 * @property {Rule[]} rules
 * @property {[block: string, row: number, column: number]} focus
 * @property {[Operand, Operand] | null} product
 * @property {{light: Palette, dark: Palette}} palettes
 * @property {Kind} kind
 * @property {string} language
 * @property {Record<string, string>} words
 * @property {import("../../sentence/types").Shade | null} shade
 * @property {boolean} presenter
 * @property {string} [next] the label of the button to the next step; empty if there is none
 * @typedef {ReturnType<typeof readTheme>} Theme
 */

export const MINUS = "\u2212";

/** Read the bytes that Python packed. @type {(bytes: Uint8Array) => Header} */
export function unpack(bytes) {
  const { header, buffer, start } = openPacket(bytes);
  for (const block of header.blocks) {
    const [rows, columns] = block.shape;
    block.values = new Float32Array(buffer, start + block.offset, rows * columns);
    block.at = (/** @type {number} */ row, /** @type {number} */ column) => block.values[row * columns + column];
  }
  header.find = Object.fromEntries(header.blocks.map((/** @type {Block} */ block) => [block.name, block]));
  return header;
}

/** Text of a number that is not finite; null for others. @param {number} x */
const textOfInfinite = (x) => (x === -Infinity ? `${MINUS}∞` : Number.isFinite(x) ? null : "–");

/** Two decimals; one significant digit of very small numbers. @param {number} x */
export function brief(x) {
  const infinite = textOfInfinite(x);
  if (infinite) return infinite;
  const size = Math.abs(x);
  let text = size >= 100 ? size.toFixed(0) : size >= 10 ? size.toFixed(1) : size.toFixed(2);
  if (size >= 1e6) text = size.toExponential(1);
  if (size > 0 && size < 0.005) text = size < 0.0001 ? "0.00" : size.toPrecision(1);
  return (x < 0 && Number(text) !== 0 ? MINUS : "") + written(text);
}

/** Six significant digits. @param {number} x */
export function exact(x) {
  const infinite = textOfInfinite(x);
  if (infinite) return infinite;
  const size = Math.abs(x);
  const text = size !== 0 && (size < 1e-4 || size >= 1e6) ? size.toExponential(4) : size.toPrecision(6);
  return (x < 0 ? MINUS : "") + written(text);
}

/** @param {Rgb} colour */
export const lightness = ([r, g, b]) => (0.299 * r + 0.587 * g + 0.114 * b) / 255;

/** A function from a number to its colour, scaled to the range of a block.
 * @type {(block: Pick<Numbers, "scale" | "values">, theme: Theme) => (x: number) => Rgb} */
export function paint(block, theme) {
  const { panel, less, more, hue, ink } = theme;
  if (block.scale === "mask") return (x) => (x > 0.5 ? mix(panel, hue, 0.35) : mix(panel, ink, 0.08));
  if (block.scale === "plain") return () => panel;
  if (block.scale === "weight") return (x) => mix(panel, hue, clamp(x, 0, 1));
  const finite = Array.from(block.values, Math.abs)
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
  const maximum = finite[Math.floor((finite.length - 1) * 0.985)] || finite[finite.length - 1] || 1;
  return (x) => {
    if (!Number.isFinite(x)) return mix(panel, ink, 0.08);
    return mix(panel, x < 0 ? less : more, Math.min(1, Math.abs(x) / maximum) * 0.85);
  };
}

/** @param {HTMLElement} root @param {Pick<Header, "palettes" | "kind" | "presenter">} header */
export function readTheme(root, header) {
  const style = getComputedStyle(root);
  const palette = header.palettes[isDark(root) ? "dark" : "light"];
  return {
    panel: parseColour(palette.panel),
    ink: parseColour(palette.ink),
    less: parseColour(palette.less),
    more: parseColour(palette.more),
    hue: parseColour(palette.kinds[header.kind]),
    hueText: palette.kinds[header.kind],
    font: style.getPropertyValue("--st-font") || "sans-serif",
    presenter: header.presenter,
  };
}
