/* How one number is computed from the numbers on screen, as terms that the reader can check with a calculator. */

import { h } from "../../shared/dom.js";
import { fill } from "../../shared/text.js";
import { symbol } from "./blocks.js";
import { MINUS, brief, exact } from "./numbers.js";

/** @import { Block, Cell, Dot, Header, Norm, Operand, Rule, Softmax } from "./numbers.js" */
/** @typedef {[block: string, line: "row" | "column", index: number]} Line */

const SHOWN_TERMS = 6;

/** Which line of its block an operand is, for the result's cell. @type {(operand: Operand, cell: Cell) => number} */
const indexOf = ({ at }, [row, column]) => ({ row, column, first: 0 })[at];

/** The numbers of an operand's line, for the result's cell.
 * @type {(header: Header, operand: Operand, cell: Cell) => number[]} */
export function lineOf(header, operand, cell) {
  const block = header.find[operand.block];
  const index = indexOf(operand, cell);
  const length = operand.line === "row" ? block.shape[1] : block.shape[0];
  return Array.from({ length }, (_, i) => (operand.line === "row" ? block.at(index, i) : block.at(i, index)));
}

/** @type {(rule: Rule | undefined, cell: Cell) => Line[]} */
export function litLines(rule, cell) {
  if (rule?.how !== "dot") return [];
  return [rule.left, rule.right].map((operand) => [operand.block, operand.line, indexOf(operand, cell)]);
}

/** @param {number} x */
export function value(x) {
  const shown = h("b", { class: "number" }, brief(x));
  shown.title = exact(x);
  return shown;
}

/** The right-hand side, with all terms of a dot product or the greatest.
 * @type {(header: Header, rule: Rule, cell: Cell, all: boolean) => (string | Node)[]} */
export function writeOut(header, rule, cell, all) {
  const [row, column] = cell;
  const part = (/** @type {string} */ name) => header.find[name].at(row, column);
  if (rule.how === "dot") return dot(header, rule, cell, all);
  if (rule.how === "divide") return [value(part(rule.parts[0])), ` ÷ ${brief(rule.factor)}`];
  if (rule.how === "cap")
    return [`${brief(rule.factor)} × tanh( `, value(part(rule.parts[0])), ` ÷ ${brief(rule.factor)} )`];
  if (rule.how === "mask") {
    const seen = part(rule.parts[1]) > 0.5;
    return seen
      ? [value(part(rule.parts[0])), ` (${header.words.may_see})`]
      : [`${MINUS}∞ (${header.words.may_not_see})`];
  }
  if (rule.how === "softmax") return softmax(header, rule, cell);
  if (rule.how === "norm") return norm(header, rule, cell);
  /** @type {(string | Node)[]} */
  const nodes = [];
  rule.parts.forEach((name, i) => {
    if (i) nodes.push(" + ");
    if (!i && rule.factor !== 1) nodes.push(`${brief(rule.factor)} × `);
    nodes.push(value(part(name)));
  });
  return nodes;
}

/** @type {(header: Header, rule: Dot, cell: Cell, all: boolean) => (string | Node)[]} */
function dot(header, rule, cell, all) {
  const left = lineOf(header, rule.left, cell),
    right = lineOf(header, rule.right, cell);
  let order = left.map((_, i) => i);
  if (!all && order.length > SHOWN_TERMS) {
    order.sort((a, b) => Math.abs(left[b] * right[b]) - Math.abs(left[a] * right[a]));
    order = order.slice(0, SHOWN_TERMS).sort((a, b) => a - b);
  }
  /** @type {(string | Node)[]} */
  const nodes = [];
  if (rule.wrapped) nodes.push(`${rule.wrapped}( `);
  order.forEach((i, place) => {
    if (place) nodes.push(" + ");
    const term = h("span", { class: "term" });
    term.append(value(left[i]), " × ", value(right[i]));
    term.title = `${i}: ${exact(left[i])} × ${exact(right[i])} = ${exact(left[i] * right[i])}`;
    nodes.push(term);
  });
  const hidden = left.length - order.length;
  if (hidden > 0) {
    const rest = h("button", { class: "rest" }, `+ ${fill(header.words.more_terms, { n: hidden })}`);
    rest.type = "button";
    rest.dataset.all = "1";
    nodes.push(" ", rest);
  }
  if (rule.bias) nodes.push(` + `, value(header.find[rule.bias].at(0, cell[1])), ` (${header.words.bias})`);
  if (rule.wrapped) nodes.push(" )");
  if (rule.times) nodes.push(" × ", value(header.find[rule.times].at(...cell)));
  return nodes;
}

/** @type {(header: Header, rule: Softmax, cell: Cell) => (string | Node)[]} */
function softmax(header, rule, [row, column]) {
  const block = header.find[rule.parts[0]];
  const count = rule.over === "row" ? block.shape[1] : block.shape[0];
  const others = Array.from({ length: count }, (_, i) =>
    rule.over === "row" ? block.at(row, i) : block.at(i, column),
  );
  const own = block.at(row, column);
  const total = others.reduce((sum, x) => sum + Math.exp(x), 0);
  const power = h("span", { class: "power" }, "e");
  power.append(h("sup", {}, brief(own)));
  return [power, " ÷ ( ", `Σ e`, h("sup", {}, header.words.score), ` ) = `, value(Math.exp(own)), " ÷ ", value(total)];
}

/** @type {(header: Header, rule: Norm, cell: Cell) => (string | Node)[]} */
function norm(header, rule, [row, column]) {
  const [of, mean, deviation, gain, shift] = rule.parts.map((name) => header.find[name]);
  return [
    "( ",
    value(of.at(row, column)),
    ` ${MINUS} `,
    value(mean.at(row, 0)),
    " ) ÷ ",
    value(deviation.at(row, 0)),
    " × ",
    value(gain.at(0, column)),
    " + ",
    value(shift.at(0, column)),
  ];
}

/** The name of a cell: its symbol and its place.
 * @type {(block: Block, cell: Cell) => HTMLElement} */
export function nameOf(block, [row, column]) {
  const name = h("span", { class: "name" });
  name.append(block.symbol ? symbol(block.symbol) : block.title);
  const labels = [];
  if (block.rows.length) labels.push(block.rows[row]);
  else if (block.shape[0] > 1) labels.push(String(row));
  if (block.columns.length) labels.push(block.columns[column]);
  else if (block.shape[1] > 1) labels.push(String(column));
  if (labels.length) name.append(h("span", { class: "index" }, `[${labels.join(", ")}]`));
  return name;
}
