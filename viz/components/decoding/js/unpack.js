/* The packet of a play: its header, its nodes, and the weights of any row, head or mean of heads. */

import { openPacket } from "../../shared/packet.js";

/** @import { Ranks, Sampling } from "./sampling.js" */

/**
 * What Python packs (viz/components/decoding/player.py).
 * @typedef {"cross" | "decoder_self"} Kind
 * @typedef {{layer: number, head: number}} HeadSelection -1 for the mean of the layer's heads, or of all layers
 * @typedef {[id: number, piece: string, logProb: number]} Candidate
 * @typedef {[share: number, source: number, prefix: number]} SourceShare
 * @typedef {Record<string, string>} Words
 * @typedef {Record<Kind | "encoder_self" | "warm" | "panel" | "good", string>} Colours
 * @typedef {[parent: number, depth: number, id: number, piece: string, logProb: number, score: number,
 *   normalised: number, fate: number, search: number, isBest: number, row: number]} SentNode
 * @typedef {object} Header
 * @property {string[]} source
 * @property {string} picture the text form of the picture whose strips the source is, or ""
 * @property {number} strip width of a strip in pixels
 * @property {SentNode[]} nodes
 * @property {Candidate[][]} candidates of each row, best first
 * @property {number[]} prefixes count of tokens fed at each row
 * @property {number} layers
 * @property {number} heads
 * @property {number[]} path nodes of the translation shown first
 * @property {number[]} stage nodes of the translation on the stage
 * @property {boolean} isTree
 * @property {boolean} isAveraged whether the heads of a layer are sent as their mean
 * @property {number} vocabulary
 * @property {SourceShare[] | null} source_share
 * @property {Sampling | null} sampling null without sampling
 * @property {number} suppressed the id that is never predicted, or -1
 * @property {number} fixed tokens of the forced prefix
 * @property {number} prompt steps that read a decoder-only model's prompt
 * @property {number} step
 * @property {string} key
 * @property {number} node the selected one, or -1
 * @property {Record<Kind, HeadSelection>} selections
 * @property {number} speed steps a second
 * @property {number} first the number of the first layer and head
 * @property {Words} words
 * @property {string} language
 * @property {string} treeNote
 * @property {boolean} presenter
 * @property {{light: Colours, dark: Colours}} colours
 * @property {number} count of the weights
 * @property {number[]} rankCounts
 * @property {number} ranksAt
 *
 * @typedef {(row: number, layer: number, head: number) => Float64Array} Read the weights of a row
 * @typedef {object} PlayNode
 * @property {number} index
 * @property {number} parent
 * @property {number} depth
 * @property {number} id
 * @property {string} piece
 * @property {number} logProb
 * @property {number} score
 * @property {number} normalised
 * @property {"begin" | "kept" | "pruned" | "ended" | "cut"} fate
 * @property {number} search
 * @property {boolean} isBest
 * @property {number} row the row that was fed this token, or -1
 * @property {PlayNode | null} parentNode
 * @property {PlayNode[]} children
 * @property {boolean} isSmall set by `layOut`, as the following
 * @property {string} label
 * @property {string} note
 * @property {number} width
 * @property {number} x
 * @property {number} y
 * @typedef {ReturnType<typeof unpack>} Packet
 */

/** @type {PlayNode["fate"][]} */
const FATES = ["begin", "kept", "pruned", "ended", "cut"];

/** @param {Uint8Array} bytes */
export function unpack(bytes) {
  /** @type {{header: Header, buffer: ArrayBuffer, start: number}} */
  const { header, buffer, start } = openPacket(bytes);
  const readers = readersOf(header, new Uint16Array(buffer, start, header.count));
  return { ...header, nodes: nodesOf(header.nodes), ...readers, ranks: ranksOf(header, buffer, start) };
}

/** The tokens of all hypotheses as a tree, before its layout. @param {SentNode[]} sent */
function nodesOf(sent) {
  /** @type {PlayNode[]} */
  const nodes = sent.map(
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
      parentNode: null,
      children: [],
      isSmall: false,
      label: "",
      note: "",
      width: 0,
      x: 0,
      y: 0,
    }),
  );
  for (const node of nodes) {
    node.parentNode = nodes[node.parent] ?? null;
    node.parentNode?.children.push(node);
  }
  return nodes;
}

/** The distribution of a row's next token, with sampling.
 * @type {(header: Header, buffer: ArrayBuffer, start: number) => (row: number) => Ranks} */
function ranksOf({ rankCounts: counts, ranksAt, prefixes }, buffer, start) {
  const all = new Float32Array(buffer, start + ranksAt, counts.length * prefixes.length);
  return (row) => ({ counts, logProbs: all.subarray(row * counts.length, (row + 1) * counts.length) });
}

/** @type {(header: Header, weights: Uint16Array) => Record<Kind, Read>} */
function readersOf({ layers, heads, prefixes, source: { length: sources } }, weights) {
  /** @type {number[]} */
  const selfStarts = [];
  let place = prefixes.length * layers * heads * sources;
  for (const width of prefixes) {
    selfStarts.push(place);
    place += layers * heads * width;
  }
  /** @type {(start: number, width: number, layer: number, head: number) => Float64Array} */
  const read = (start, width, layer, head) => {
    const mean = new Float64Array(width);
    const first = layer < 0 ? 0 : layer * heads + Math.max(head, 0);
    const end = layer < 0 ? layers * heads : head < 0 ? first + heads : first + 1;
    for (let at = first; at < end; at += 1)
      for (let key = 0; key < width; key += 1) mean[key] += weights[start + at * width + key];
    return mean.map((sum) => sum / (65535 * (end - first)));
  };
  return {
    cross: (row, layer, head) => read(row * layers * heads * sources, sources, layer, head),
    decoder_self: (row, layer, head) => read(selfStarts[row], prefixes[row], layer, head),
  };
}

/** The nodes from the beginning to a node. @type {(nodes: PlayNode[], index: number) => number[]} */
export function pathTo(nodes, index) {
  const path = [];
  for (let at = index; at >= 0; at = nodes[at].parent) path.push(at);
  return path.reverse();
}

/** @type {(nodes: PlayNode[], index: number) => number[]} */
export const idsTo = (nodes, index) =>
  pathTo(nodes, index)
    .slice(1)
    .map((at) => nodes[at].id);
