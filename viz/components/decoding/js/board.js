// Everything that shows one step of a play: next words, attention over source and prefix, the tree. Made anew for another language.

import { h } from "../../shared/dom.js";
import { clamp } from "../../shared/text.js";
import { Strip } from "./bars.js";
import { NextWord } from "./candidates.js";
import { Mask } from "./mask.js";
import { SourceShareView } from "./source_share.js";
import { Transport } from "./transport.js";
import { Tree } from "./tree.js";

/** @import { Colours, Kind, Look, Looks, Packet } from "./unpack.js" */

/**
 * What the reader's actions do.
 * @typedef {object} Acts
 * @property {import("./transport.js").OnStep} step
 * @property {() => void} play
 * @property {(speed: number) => void} speed
 * @property {import("./candidates.js").OnChoose} candidate
 * @property {(sampling: import("./sampling.js").Sampling) => void} sampling
 * @property {(kind: Kind, look: Look) => void} pick
 * @property {(kind: Kind, weights: number[]) => void} force
 * @property {(index: number) => void} node
 * @property {() => void} goOn
 */
/**
 * @typedef {{path: number[], step: number, looks: Looks, speed: number, isPlaying: boolean, isOnStage: boolean}} Shown
 *   a step of a path
 */

export class Board {
  /** @type {string[][]} */
  prefixes = [];
  /** @type {number[] | null} */
  prefixOf = null;
  sourceShareOf = "";
  maskOf = "";
  /** @type {Float64Array[]} */
  maskRows = [];

  /** @param {Packet} packet of the first play
   * @param {Acts} on */
  constructor(packet, on) {
    const { words } = packet;
    this.packet = packet;
    this.transport = new Transport(words, { onStep: on.step, onPlay: on.play, onSpeed: on.speed });
    this.next = new NextWord(words, on.candidate, on.sampling);
    this.sourceShare = new SourceShareView(words, (step) => on.step(step, true));
    const strip = (/** @type {Kind} */ kind) =>
      new Strip(words, kind, {
        onPick: (layer, head) => on.pick(kind, { layer, head }),
        onForce: (weights) => on.force(kind, weights),
      });
    this.strips = { cross: strip("cross"), decoder_self: strip("decoder_self") };
    this.mask = new Mask(words, (step) => on.step(step, true));
    this.strips.decoder_self.columns.after(this.mask.root);
    this.tree = new Tree(words, on.node);
    this.goOn = h("button", { class: "primary go-on", onclick: on.goOn }, words.go_on);
    this.treeNote = h("span", { class: "aside" });
    const beam = h("header", {}, h("h3", {}, words.beam), this.treeNote, this.goOn);
    this.treeCard = h("section", { class: "card beam" }, beam, this.tree.root);
    const strips = h("div", { class: "strips" }, this.strips.cross.root, this.strips.decoder_self.root);
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
   * @type {(shown: Shown, colours: Colours) => void} */
  draw({ path, step, looks, speed, isPlaying, isOnStage }, colours) {
    const { packet } = this;
    const { nodes } = packet;
    const fed = nodes[path[step]];
    const said = path.length > 1 ? nodes[path[step + 1]] : null;
    this.transport.draw({ step, count: Math.max(1, path.length - 1), isPlaying, speed });
    if (fed.row < 0) return this.next.empty(packet.words.not_fed);
    this.next.draw({
      candidates: packet.candidates[fed.row],
      chosenId: said?.id ?? null,
      fed: fed.piece,
      said: said?.piece ?? null,
      ranks: packet.sampling ? packet.ranks(fed.row) : null,
      unsaid: packet.unsaid,
      vocabulary: packet.vocabulary,
      isFixed: step < packet.fixed,
    });
    this.strips.cross.root.hidden = !packet.source.length;
    if (packet.source.length) {
      const source = { row: fed.row, tokens: packet.source, focus: null, picture: packet.picture, strip: packet.strip };
      this.#strip("cross", looks.cross, source);
    }
    const prefix = this.#prefix(path, step);
    this.#strip("decoder_self", looks.decoder_self, {
      row: fed.row,
      tokens: prefix,
      focus: step,
      promptEnd: packet.prompt || -1,
    });
    this.#sourceShare(step, isOnStage);
    if (packet.isTree) this.#beam(path, step);
    else this.#mask(path, step, looks.decoder_self, colours.decoder_self);
  }

  /** The pieces fed until a step: the same array while the path stays, so that the strip keeps its columns.
   * @type {(path: number[], step: number) => string[]} */
  #prefix(path, step) {
    if (this.prefixOf !== path) {
      this.prefixOf = path;
      this.prefixes = [];
    }
    return (this.prefixes[step] ??= path.slice(0, step + 1).map((index) => this.packet.nodes[index].piece));
  }

  /** @param {Kind} kind @param {Look} look
   * @param {{row: number, tokens: string[], focus: number | null, promptEnd?: number, picture?: string, strip?: number}} of */
  #strip(kind, look, { row, tokens, focus, promptEnd = -1, picture = "", strip = 0 }) {
    const { packet } = this;
    const { layers, heads, first, isAveraged } = packet;
    look.layer = Math.min(look.layer, layers - 1);
    look.head = isAveraged || look.layer < 0 ? -1 : clamp(look.head, 0, heads - 1);
    const read = kind === "cross" ? packet.cross : packet.own;
    const sharpness = [];
    for (let layer = 0; layer < layers; layer += 1)
      for (let head = 0; head < heads; head += 1) sharpness.push(Math.max(...read(row, layer, isAveraged ? -1 : head)));
    this.strips[kind].draw({
      id: `${packet.key} ${row} ${look.layer} ${look.head}`,
      tokens,
      picture,
      strip,
      weights: read(row, look.layer, look.head),
      focus,
      promptEnd,
      canForce: look.head >= 0,
      picker: { layers, heads, first, look, sharpness, isAveraged },
    });
  }

  /** @type {(path: number[], step: number, look: Look, hue: string) => void} */
  #mask(path, step, look, hue) {
    const { packet } = this;
    const fed = path.slice(0, Math.max(1, path.length - 1)).map((index) => packet.nodes[index]);
    const key = `${packet.key} ${look.layer} ${look.head}`;
    if (this.maskOf !== key) {
      this.maskOf = key;
      this.maskRows = fed.map((node) => packet.own(node.row, look.layer, look.head));
    }
    const ink = getComputedStyle(this.mask.root).color;
    this.mask.draw({ tokens: fed.map((node) => node.piece), rows: this.maskRows, step, hue, ink });
  }

  /** @type {(step: number, isOnStage: boolean) => void} */
  #sourceShare(step, isOnStage) {
    const { packet } = this;
    this.sourceShare.root.hidden = !packet.source_share || !isOnStage;
    if (this.sourceShare.root.hidden) return;
    if (this.sourceShareOf !== packet.key) {
      this.sourceShareOf = packet.key;
      const pieces = packet.stage.slice(1).map((index) => packet.nodes[index].piece);
      this.sourceShare.fill(packet.source_share, pieces);
    }
    this.sourceShare.paint(step);
  }

  /** @type {(path: number[], step: number) => void} */
  #beam(path, step) {
    this.tree.paint(path, path[step + 1] ?? path[step]);
    const last = this.packet.nodes[path[path.length - 1]];
    const canGoOn =
      last.fate === "pruned" ||
      last.fate === "cut" ||
      (last.fate === "kept" && (last.row < 0 || !last.children.length));
    this.goOn.hidden = !canGoOn;
  }

  destroy() {
    this.tree.destroy();
  }
}
