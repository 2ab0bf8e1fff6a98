// The views of one step: next words, attention over source and prefix, the tree. A change of language builds another board.

import { h } from "../../shared/dom.js";
import { clamp } from "../../shared/text.js";
import { AttentionBars } from "./bars.js";
import { NextWord } from "./candidates.js";
import { Mask } from "./mask.js";
import { SourceShareView } from "./source_share.js";
import { Transport } from "./transport.js";
import { Tree } from "./tree.js";

/** @import { Colours, HeadSelection, Kind, Packet } from "./unpack.js" */

/**
 * Listeners to the reader's actions.
 * @typedef {object} Listeners
 * @property {import("./transport.js").OnStep} step
 * @property {() => void} play
 * @property {(speed: number) => void} speed
 * @property {import("./candidates.js").OnChoose} candidate
 * @property {(sampling: import("./sampling.js").Sampling) => void} sampling
 * @property {(kind: Kind, selection: HeadSelection) => void} pick
 * @property {(kind: Kind, weights: number[]) => void} force
 * @property {(index: number) => void} node
 * @property {() => void} fork continue the path
 *
 * @typedef {{path: number[], step: number, selections: Record<Kind, HeadSelection>, speed: number, isPlaying: boolean,
 *   isOnStage: boolean}} State a step of a path
 */

export class Board {
  /** @type {string[][]} */
  prefixes = [];
  /** The path of the prefixes. @type {number[] | null} */
  prefixPath = null;
  /** Keys of the play that the two views show. */
  sourceShareKey = "";
  maskKey = "";
  /** @type {Float64Array[]} */
  maskRows = [];

  /** @param {Packet} packet of the first play
   * @param {Listeners} on */
  constructor(packet, on) {
    const { words } = packet;
    this.packet = packet;
    this.transport = new Transport(words, { onStep: on.step, onPlay: on.play, onSpeed: on.speed });
    this.next = new NextWord(words, on.candidate, on.sampling);
    this.sourceShare = new SourceShareView(words, (step) => on.step(step, true));
    const bars = (/** @type {Kind} */ kind) =>
      new AttentionBars(words, kind, {
        onPick: (layer, head) => on.pick(kind, { layer, head }),
        onForce: (weights) => on.force(kind, weights),
      });
    this.bars = { cross: bars("cross"), decoder_self: bars("decoder_self") };
    this.mask = new Mask(words, (step) => on.step(step, true));
    this.bars.decoder_self.columns.after(this.mask.root);
    this.tree = new Tree(words, on.node);
    this.forkButton = h("button", { class: "primary go-on", onclick: on.fork }, words.go_on);
    this.treeNote = h("span", { class: "aside" });
    const beam = h("header", {}, h("h3", {}, words.beam), this.treeNote, this.forkButton);
    this.treeCard = h("section", { class: "card beam" }, beam, this.tree.root);
    const strips = h("div", { class: "strips" }, this.bars.cross.root, this.bars.decoder_self.root);
    const left = h("div", { class: "left" }, this.next.root, this.sourceShare.root);
    const right = h("div", { class: "right" }, this.treeCard, strips);
    this.parts = [this.transport.root, h("div", { class: "body" }, left, right)];
  }

  /** Store a packet before drawing it. @type {(packet: Packet, isNew: boolean) => void} */
  load(packet, isNew) {
    this.packet = packet;
    this.next.load(packet.sampling);
    this.treeCard.hidden = !packet.isTree;
    this.mask.root.hidden = packet.isTree;
    if (!packet.isTree || !isNew) return;
    this.tree.draw(packet.nodes, packet.presenter ? 1.2 : 0.72);
    this.treeNote.textContent = packet.treeNote;
  }

  /** Draw a step of a path; `colours` are the palette in use.
   * @type {(state: State, colours: Colours) => void} */
  draw({ path, step, selections, speed, isPlaying, isOnStage }, colours) {
    const { packet } = this;
    const { nodes } = packet;
    const fed = nodes[path[step]];
    const predicted = path.length > 1 ? nodes[path[step + 1]] : null;
    this.transport.draw({ step, count: Math.max(1, path.length - 1), isPlaying, speed });
    if (fed.row < 0) return this.next.empty(packet.words.not_fed);
    this.next.draw({
      candidates: packet.candidates[fed.row],
      chosenId: predicted?.id ?? null,
      fed: fed.piece,
      predicted: predicted?.piece ?? null,
      ranks: packet.sampling ? packet.ranks(fed.row) : null,
      suppressed: packet.suppressed,
      vocabulary: packet.vocabulary,
      isFixed: step < packet.fixed,
    });
    const { source: tokens, picture, strip } = packet;
    this.bars.cross.root.hidden = !tokens.length;
    if (tokens.length) this.#drawBars("cross", selections.cross, { row: fed.row, tokens, focus: null, picture, strip });
    const prefix = { row: fed.row, tokens: this.#prefix(path, step), focus: step, promptEnd: packet.prompt || -1 };
    this.#drawBars("decoder_self", selections.decoder_self, prefix);
    this.#drawSourceShare(step, isOnStage);
    if (packet.isTree) this.#drawTree(path, step);
    else this.#drawMask(path, step, selections.decoder_self, colours.decoder_self);
  }

  /** The pieces fed until a step: the same array as long as the path is the same, so that the bars keep their columns.
   * @type {(path: number[], step: number) => string[]} */
  #prefix(path, step) {
    if (this.prefixPath !== path) Object.assign(this, { prefixPath: path, prefixes: [] });
    return (this.prefixes[step] ??= path.slice(0, step + 1).map((index) => this.packet.nodes[index].piece));
  }

  /** @param {Kind} kind @param {HeadSelection} selection clamped in place to the model's heads
   * @param {{row: number, tokens: string[], focus: number | null, promptEnd?: number, picture?: string, strip?: number}} view */
  #drawBars(kind, selection, { row, promptEnd = -1, picture = "", strip = 0, ...view }) {
    const { layers, heads, first, isAveraged, key, [kind]: weightsOf } = this.packet;
    selection.layer = Math.min(selection.layer, layers - 1);
    selection.head = isAveraged || selection.layer < 0 ? -1 : clamp(selection.head, 0, heads - 1);
    const sharpness = Array.from({ length: layers * heads }, (_, i) =>
      Math.max(...weightsOf(row, Math.floor(i / heads), isAveraged ? -1 : i % heads)),
    );
    this.bars[kind].draw({
      ...view,
      promptEnd,
      picture,
      strip,
      id: `${key} ${row} ${selection.layer} ${selection.head}`,
      weights: weightsOf(row, selection.layer, selection.head),
      canForce: selection.head >= 0,
      picker: { layers, heads, first, selection, sharpness, isAveraged },
    });
  }

  /** @type {(path: number[], step: number, selection: HeadSelection, hue: string) => void} */
  #drawMask(path, step, { layer, head }, hue) {
    const { packet } = this;
    const fed = path.slice(0, Math.max(1, path.length - 1)).map((index) => packet.nodes[index]);
    const maskKey = `${packet.key} ${layer} ${head}`;
    if (this.maskKey !== maskKey) {
      const maskRows = fed.map((node) => packet.decoder_self(node.row, layer, head));
      Object.assign(this, { maskKey, maskRows });
    }
    const ink = getComputedStyle(this.mask.root).color;
    this.mask.draw({ tokens: fed.map((node) => node.piece), rows: this.maskRows, step, hue, ink });
  }

  /** @type {(step: number, isOnStage: boolean) => void} */
  #drawSourceShare(step, isOnStage) {
    const { packet } = this;
    this.sourceShare.root.hidden = !packet.source_share || !isOnStage;
    if (!packet.source_share || !isOnStage) return;
    if (this.sourceShareKey !== packet.key) {
      this.sourceShareKey = packet.key;
      const pieces = packet.stage.slice(1).map((index) => packet.nodes[index].piece);
      this.sourceShare.fill(packet.source_share, pieces);
    }
    this.sourceShare.paint(step);
  }

  /** @type {(path: number[], step: number) => void} */
  #drawTree(path, step) {
    this.tree.paint(path, path[step + 1] ?? path[step]);
    const { fate, row, children } = this.packet.nodes[path[path.length - 1]];
    const canFork = fate === "pruned" || fate === "cut" || (fate === "kept" && (row < 0 || !children.length));
    this.forkButton.hidden = !canFork;
  }

  destroy() {
    this.tree.destroy();
  }
}
