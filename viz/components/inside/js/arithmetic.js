/* The arithmetic of one number, written out in terms that the reader can check with a calculator. */

import { h } from "../../shared/dom.js";
import { fill } from "../../shared/text.js";
import { symbolNode } from "./blocks.js";
import { MINUS, brief, exact } from "./numbers.js";

/** @import { Block, Cell, Dot, Header, Norm, Operand, Rule, Softmax } from "./numbers.js" */
/** @typedef {[block: string, line: "row" | "column", index: number]} Line */

const MAX_TERMS = 6;

/** The index of an operand's line for a cell of the result. @type {(operand: Operand, cell: Cell) => number} */
const lineIndex = ({ at }, [row, column]) => ({ row, column, first: 0 })[at];

/** The numbers of an operand's line for a cell of the result.
 * @type {(header: Header, operand: Operand, cell: Cell) => number[]} */
export function lineOf(header, operand, cell) {
  const block = header.find[operand.block];
  return lineAt(block, operand.line, lineIndex(operand, cell));
}

/** @type {(block: Block, line: "row" | "column", index: number) => number[]} */
const lineAt = ({ shape, at }, line, index) =>
  line === "row"
    ? Array.from({ length: shape[1] }, (_, i) => at(index, i))
    : Array.from({ length: shape[0] }, (_, i) => at(i, index));

/** The lines whose dot product is a cell. @type {(rule: Rule | undefined, cell: Cell) => Line[]} */
export function operandLines(rule, cell) {
  if (rule?.how !== "dot") return [];
  return [rule.left, rule.right].map((operand) => [operand.block, operand.line, lineIndex(operand, cell)]);
}

/** @param {number} x */
export const numberNode = (x) => h("b", { class: "number", title: exact(x) }, brief(x));

/** The right-hand side, with all terms of a dot product or the largest.
 * @type {(header: Header, rule: Rule, cell: Cell, all: boolean) => (string | Node)[]} */
export function writeOut(header, rule, cell, all) {
  if (rule.how === "dot") return dot(header, rule, cell, all);
  if (rule.how === "softmax") return softmax(header, rule, cell);
  if (rule.how === "norm") return norm(header, rule, cell);
  const [first, ...others] = rule.parts.map((name) => header.find[name].at(...cell));
  if (rule.how === "mask")
    return others[0] > 0.5
      ? [numberNode(first), ` (${header.words.may_see})`]
      : [`${MINUS}∞ (${header.words.may_not_see})`];
  const factor = brief(rule.factor);
  if (rule.how === "divide") return [numberNode(first), ` ÷ ${factor}`];
  if (rule.how === "cap") return [`${factor} × tanh( `, numberNode(first), ` ÷ ${factor} )`];
  const scale = rule.factor === 1 ? [] : [`${factor} × `];
  return [...scale, numberNode(first), ...others.flatMap((x) => [" + ", numberNode(x)])];
}

/** @type {(header: Header, rule: Dot, cell: Cell, all: boolean) => (string | Node)[]} */
function dot(header, rule, cell, all) {
  const left = lineOf(header, rule.left, cell);
  const right = lineOf(header, rule.right, cell);
  let order = left.map((_, i) => i);
  if (!all && order.length > MAX_TERMS) {
    order.sort((a, b) => Math.abs(left[b] * right[b]) - Math.abs(left[a] * right[a]));
    order = order.slice(0, MAX_TERMS).sort((a, b) => a - b);
  }
  /** @type {(string | Node)[]} */
  const nodes = [];
  if (rule.wrapped) nodes.push(`${rule.wrapped}( `);
  order.forEach((i, place) => {
    if (place) nodes.push(" + ");
    const title = productText(i, left[i], right[i]);
    nodes.push(h("span", { class: "term", title }, numberNode(left[i]), " × ", numberNode(right[i])));
  });
  const nHidden = left.length - order.length;
  if (nHidden > 0) {
    const label = `+ ${fill(header.words.more_terms, { n: nHidden })}`;
    nodes.push(" ", h("button", { class: "rest", "data-all": "1" }, label));
  }
  if (rule.bias) nodes.push(` + `, numberNode(header.find[rule.bias].at(0, cell[1])), ` (${header.words.bias})`);
  if (rule.wrapped) nodes.push(" )");
  if (rule.times) nodes.push(" × ", numberNode(header.find[rule.times].at(...cell)));
  return nodes;
}

/** The exact numbers of one term of a dot product. @type {(index: number, left: number, right: number) => string} */
export const productText = (index, left, right) =>
  `${index}: ${exact(left)} × ${exact(right)} = ${exact(left * right)}`;

/** @type {(header: Header, rule: Softmax, cell: Cell) => (string | Node)[]} */
function softmax(header, rule, [row, column]) {
  const block = header.find[rule.parts[0]];
  const scores = lineAt(block, rule.over, rule.over === "row" ? row : column);
  const score = block.at(row, column);
  const [numerator, total] = [Math.exp(score), scores.reduce((sum, x) => sum + Math.exp(x), 0)];
  const power = h("span", { class: "power" }, "e", h("sup", {}, brief(score)));
  const sum = [" ÷ ( ", `Σ e`, h("sup", {}, header.words.score), ` ) = `];
  return [power, ...sum, numberNode(numerator), " ÷ ", numberNode(total)];
}

/** @type {(header: Header, rule: Norm, cell: Cell) => (string | Node)[]} */
function norm(header, rule, [row, column]) {
  const [x, mean, deviation, gain, shift] = rule.parts.map((name) => header.find[name]);
  const centred = ["( ", numberNode(x.at(row, column)), ` ${MINUS} `, numberNode(mean.at(row, 0)), " ) ÷ "];
  const scaled = [numberNode(deviation.at(row, 0)), " × ", numberNode(gain.at(0, column))];
  return [...centred, ...scaled, " + ", numberNode(shift.at(0, column))];
}

/** The name of a cell: its symbol and its indexes. @type {(block: Block, cell: Cell) => HTMLElement} */
export function nameOf({ symbol, title, rows, columns, shape }, [row, column]) {
  const labels = [];
  if (rows.length || shape[0] > 1) labels.push(rows.length ? rows[row] : row);
  if (columns.length || shape[1] > 1) labels.push(columns.length ? columns[column] : column);
  const index = labels.length > 0 && h("span", { class: "index" }, `[${labels.join(", ")}]`);
  return h("span", { class: "name" }, symbol ? symbolNode(symbol) : title, index);
}
