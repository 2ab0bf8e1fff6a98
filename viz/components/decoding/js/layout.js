/* Layout of the tree: a column for each step, the best path straight, pruned nodes small and close. */

import { context2d } from "../../shared/dom.js";
import { fixed, spoken } from "../../shared/text.js";

/** @import { PlayNode, Words } from "./unpack.js" */

const COLUMN_GAP = 26;
const ROW = { kept: 34, pruned: 21 };

/** @returns {(text: string, size: number) => number} */
function measureText() {
  const context = context2d(document.createElement("canvas"));
  return (text, size) => {
    context.font = `${size}px "Source Sans", sans-serif`;
    return context.measureText(text).width;
  };
}

/** Give the nodes their places. @param {PlayNode[]} nodes @param {Words} words */
export function layOut(nodes, words) {
  const width = measureText();
  /** @type {PlayNode[][]} */
  const columns = [];
  for (const node of nodes) {
    node.isSmall = node.fate === "pruned";
    node.label = shorten(spoken(node.piece, words));
    node.note = node.fate === "ended" || node.fate === "cut" ? fixed(node.normalised) : "";
    node.width =
      width(node.label, node.isSmall ? 12 : 14) + (node.note ? width(node.note, 11) + 8 : 0) + (node.isSmall ? 10 : 18);
    (columns[node.depth] ??= []).push(node);
  }
  let x = 0;
  columns.forEach((column, depth) => {
    const widest = Math.max(...column.map((node) => node.width));
    for (const node of column) node.x = x;
    x += widest + COLUMN_GAP;
    stack(column, depth);
  });
  const high = nodes.map((node) => node.y);
  const top = Math.min(...high),
    bottom = Math.max(...high);
  return { width: x - COLUMN_GAP, top: top - 24, height: bottom - top + 48, columns };
}

/** Where a node would best be: at its parent. @param {PlayNode} node */
const parentY = (node) => node.parentNode?.y ?? 0;

/** In the order of their parents, best first and pruned last, each as near to its parent as the ones above allow.
 * @param {PlayNode[]} column @param {number} depth */
function stack(column, depth) {
  if (depth === 0) {
    column[0].y = 0;
    return;
  }
  column.sort((a, b) => parentY(a) - parentY(b) || Number(a.isSmall) - Number(b.isSmall) || b.score - a.score);
  const spine =
    column.find(
      (node) =>
        node.isBest &&
        node.parentNode?.isBest &&
        node.search === column.reduce((most, other) => (other.isBest ? Math.max(most, other.search) : most), 0),
    ) ?? null;
  /** @type {(a: PlayNode, b: PlayNode) => number} */
  const pitch = (a, b) => (ROW[a.isSmall ? "pruned" : "kept"] + ROW[b.isSmall ? "pruned" : "kept"]) / 2;
  /** Merge neighbours that would overlap into blocks, each at the weighted mean of its preferred positions.
   * @type {{nodes: PlayNode[], offsets: number[], wish: number, weight: number}[]} */
  const blocks = [];
  for (const node of column) {
    const { isSmall } = node;
    blocks.push({ nodes: [node], offsets: [0], wish: parentY(node) + (isSmall ? 18 : 0), weight: isSmall ? 1 : 4 });
    while (blocks.length > 1) {
      const [above, below] = blocks.slice(-2);
      const last = above.nodes.length - 1;
      const shift = above.offsets[last] + pitch(above.nodes[last], below.nodes[0]);
      if (below.wish >= above.wish + shift) break;
      const weight = above.weight + below.weight;
      above.wish = (above.wish * above.weight + (below.wish - shift) * below.weight) / weight;
      above.nodes.push(...below.nodes);
      above.offsets.push(...below.offsets.map((offset) => offset + shift));
      above.weight = weight;
      blocks.pop();
    }
  }
  for (const block of blocks)
    block.nodes.forEach((node, index) => {
      node.y = block.wish + block.offsets[index];
    });
  /* The best path stays straight: the column moves as a whole. */
  if (spine) {
    const drift = parentY(spine) - spine.y;
    for (const node of column) node.y += drift;
  }
}

/** @param {string} text */
const shorten = (text) => (text.length > 14 ? `${text.slice(0, 13)}…` : text);
