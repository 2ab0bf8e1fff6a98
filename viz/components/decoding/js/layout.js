/* Layout of the tree: a column for each step, the best path straight, pruned nodes small and close. */

import { context2d } from "../../shared/dom.js";
import { formatFixed, spoken } from "../../shared/text.js";

/** @import { PlayNode, Words } from "./unpack.js" */

const COLUMN_GAP = 26;
const ROW = { kept: 34, pruned: 21 };

/** Set the places of the nodes. @param {PlayNode[]} nodes @param {Words} words */
export function layOut(nodes, words) {
  const context = context2d(document.createElement("canvas"));
  const widthOf = (/** @type {string} */ text, /** @type {number} */ size) => {
    context.font = `${size}px "Source Sans", sans-serif`;
    return context.measureText(text).width;
  };
  /** @type {PlayNode[][]} */
  const columns = [];
  for (const node of nodes) {
    node.isSmall = node.fate === "pruned";
    node.label = shorten(spoken(node.piece, words));
    node.note = node.fate === "ended" || node.fate === "cut" ? formatFixed(node.normalised) : "";
    const [size, padding] = node.isSmall ? [12, 10] : [14, 18];
    node.width = widthOf(node.label, size) + (node.note ? widthOf(node.note, 11) + 8 : 0) + padding;
    (columns[node.depth] ??= []).push(node);
  }
  let x = 0;
  columns.forEach((column, depth) => {
    const widest = Math.max(...column.map((node) => node.width));
    for (const node of column) node.x = x;
    x += widest + COLUMN_GAP;
    stack(column, depth);
  });
  const ys = nodes.map((node) => node.y);
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  return { width: x - COLUMN_GAP, top: top - 24, height: bottom - top + 48, columns };
}

/** The preferred place of a node. @param {PlayNode} node */
const parentY = (node) => node.parentNode?.y ?? 0;

/** Place the nodes of a column in the order of their parents, best first and pruned last, as near to their parents as
 * possible. @param {PlayNode[]} column @param {number} depth */
function stack(column, depth) {
  if (depth === 0) {
    column[0].y = 0;
    return;
  }
  column.sort((a, b) => parentY(a) - parentY(b) || Number(a.isSmall) - Number(b.isSmall) || b.score - a.score);
  const lastSearch = Math.max(0, ...column.filter(({ isBest }) => isBest).map(({ search }) => search));
  const spine = column.find(({ isBest, parentNode, search }) => isBest && parentNode?.isBest && search === lastSearch);
  const heightOf = (/** @type {PlayNode} */ { isSmall }) => (isSmall ? ROW.pruned : ROW.kept);
  /** @type {(a: PlayNode, b: PlayNode) => number} */
  const pitch = (a, b) => (heightOf(a) + heightOf(b)) / 2;
  /** Merge neighbours that would overlap into blocks, each at the weighted mean of its preferred positions.
   * @type {{nodes: PlayNode[], offsets: number[], preferred: number, weight: number}[]} */
  const blocks = [];
  for (const node of column) {
    const [drop, nodeWeight] = node.isSmall ? [18, 1] : [0, 4];
    blocks.push({ nodes: [node], offsets: [0], preferred: parentY(node) + drop, weight: nodeWeight });
    while (blocks.length > 1) {
      const [above, below] = blocks.slice(-2);
      const last = above.nodes.length - 1;
      const shift = above.offsets[last] + pitch(above.nodes[last], below.nodes[0]);
      if (below.preferred >= above.preferred + shift) break;
      const weight = above.weight + below.weight;
      above.preferred = (above.preferred * above.weight + (below.preferred - shift) * below.weight) / weight;
      above.nodes.push(...below.nodes);
      above.offsets.push(...below.offsets.map((offset) => offset + shift));
      above.weight = weight;
      blocks.pop();
    }
  }
  for (const { nodes, offsets, preferred } of blocks)
    nodes.forEach((node, index) => (node.y = preferred + offsets[index]));
  if (!spine) return;
  const drift = parentY(spine) - spine.y;
  for (const node of column) node.y += drift; // so that the best path is straight
}

/** @param {string} text */
const shorten = (text) => (text.length > 14 ? `${text.slice(0, 13)}…` : text);
