/* The packet as a play: its header, nodes by name, and the weights of any row, head or mean of heads. */

import { openPacket } from "../../shared/packet.js";

const FATES = ["begin", "kept", "pruned", "ended", "cut"];

export function unpack(bytes) {
  const { header, buffer, start } = openPacket(bytes);
  const weights = new Uint16Array(buffer, start, header.count);
  const nodes = header.nodes.map(
    ([parent, depth, id, piece, logProb, score, normalised, fate, search, isBest, row], index) => ({
      index,
      parent,
      depth,
      id,
      piece,
      logProb,
      score,
      normalised,
      fate: FATES[fate],
      search,
      isBest: Boolean(isBest),
      row,
      children: [],
    }),
  );
  for (const node of nodes) if (node.parent >= 0) nodes[node.parent].children.push(node);
  return { ...header, nodes, ...readers(header, weights), ranks: ranksOf(header, buffer, start) };
}

/* The distribution of a row's next token, where words are drawn at random. */
function ranksOf({ rankCounts: counts, ranksAt, prefixes }, buffer, start) {
  const all = new Float32Array(buffer, start + ranksAt, counts.length * prefixes.length);
  return (row) => ({ counts, logProbs: all.subarray(row * counts.length, (row + 1) * counts.length) });
}

function readers(header, weights) {
  const { layers, heads, prefixes } = header;
  const sources = header.source.length;
  const ownStart = [];
  let place = prefixes.length * layers * heads * sources;
  for (const width of prefixes) {
    ownStart.push(place);
    place += layers * heads * width;
  }
  const read = (start, width, layer, head) => {
    const found = new Float64Array(width);
    const all = layer < 0;
    const first = all ? 0 : layer * heads + (head < 0 ? 0 : head);
    const last = all ? layers * heads : head < 0 ? first + heads : first + 1;
    for (let at = first; at < last; at += 1)
      for (let key = 0; key < width; key += 1) found[key] += weights[start + at * width + key];
    for (let key = 0; key < width; key += 1) found[key] /= 65535 * (last - first);
    return found;
  };
  return {
    cross: (row, layer, head) => read(row * layers * heads * sources, sources, layer, head),
    own: (row, layer, head) => read(ownStart[row], prefixes[row], layer, head),
  };
}

/* The nodes from the beginning to a node. */
export function pathTo(nodes, index) {
  const path = [];
  for (let at = index; at >= 0; at = nodes[at].parent) path.push(at);
  return path.reverse();
}

export const idsTo = (nodes, index) =>
  pathTo(nodes, index)
    .slice(1)
    .map((at) => nodes[at].id);
