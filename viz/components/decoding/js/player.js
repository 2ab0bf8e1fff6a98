// The player: one path through the hypotheses and one step of it, moved by the reader and shown on a board.

import { applyPalette } from "../../shared/colour.js";
import { h } from "../../shared/dom.js";
import { handleActs, publish, withdraw } from "../../shared/signals.js";
import { clamp } from "../../shared/text.js";
import { Board } from "./board.js";
import { idsTo, pathTo } from "./unpack.js";

/** @import { Packet } from "./unpack.js" */

const TYPING =
  "input, textarea, select, [contenteditable], [role=slider], [role=tree], [role=dialog], [role=tablist], [role=radiogroup]";

/** @typedef {(name: string, value: unknown) => void} Send */

export class Player {
  /** @type {number[]} */
  path = [];
  step = 0;
  /** @type {ReturnType<typeof setTimeout> | null} */
  timer = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  reporting;

  /** @param {HTMLElement} parent @param {Packet} packet @param {Send} send */
  constructor(parent, packet, send) {
    this.send = send;
    this.packet = packet;
    // Chosen heads stay chosen when the sentence or the interventions change.
    this.looks = { cross: { ...packet.looks.cross }, decoder_self: { ...packet.looks.decoder_self } };
    this.root = h("div", { class: "player" });
    parent.append(this.root);
    this.speed = packet.speed;
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.#key(event);
    window.addEventListener("keydown", this.onKey);
    this.sizes = new ResizeObserver(([entry]) => this.#fit(entry.contentRect.width));
    this.sizes.observe(this.root);
    this.#fit(this.root.clientWidth); // before anything is drawn, so that nothing moves
    this.board = this.#built();
    this.#begin(true);
    this.leave = handleActs((act) => {
      if (act.do === "pin" && act.side === "target" && this.isOnStage()) this.go(act.index);
    });
  }

  /** Stand as there is room for. @param {number} width in pixels */
  #fit(width) {
    this.root.dataset.width = width < 860 ? "narrow" : "wide";
  }

  #built() {
    const board = new Board(this.packet, {
      step: (step, isPlace) => {
        this.pause();
        this.go(isPlace ? step : this.step + step);
      },
      play: () => (this.timer ? this.pause() : this.start()),
      speed: (speed) => this.#run(speed),
      candidate: (id, piece, isChosen) => this.#choose(id, isChosen),
      sampling: (sampling) => this.#act({ do: "sampling", ...sampling }),
      pick: (kind, look) => {
        this.looks[kind] = look;
        this.draw();
        this.#report();
      },
      force: (kind, weights) =>
        this.#act({
          do: "force",
          kind,
          ...this.looks[kind],
          query: this.step,
          weights: weights.map((weight) => Number(weight.toFixed(4))),
        }),
      node: (index) => {
        this.pause();
        this.choose(index);
      },
      goOn: () => this.#act({ do: "fork", ids: idsTo(this.packet.nodes, this.path[this.path.length - 1]) }),
    });
    this.root.replaceChildren(...board.parts);
    return board;
  }

  /** @param {Packet} packet */
  update(packet) {
    const isNew = this.packet.key !== packet.key;
    const isOtherLanguage = JSON.stringify(this.packet.words) !== JSON.stringify(packet.words);
    this.packet = packet;
    if (isOtherLanguage) {
      this.board.destroy();
      this.board = this.#built();
    }
    this.#begin(isNew, isNew || isOtherLanguage);
  }

  /** Show the packet: another play from its step, the same one where the reader is.
   * @type {(isNew: boolean, isUnknown?: boolean) => void} `isUnknown`: the board has not drawn it */
  #begin(isNew, isUnknown = isNew) {
    const { packet } = this;
    delete this.root.dataset.waiting;
    this.root.toggleAttribute("data-presenter", packet.presenter);
    this.root.dataset.mode = packet.isTree ? "tree" : "single";
    if (isNew) {
      this.#stop();
      this.path = packet.path;
      this.step = clamp(packet.step, 0, Math.max(0, packet.path.length - 2));
    }
    this.board.load(packet, isUnknown);
    if (packet.isTree && isNew && packet.nodes[packet.node]) this.choose(packet.node);
    else this.draw();
  }

  get count() {
    return Math.max(1, this.path.length - 1);
  }

  /** The translation on the stage, from which a fork or a chosen node departs. */
  isOnStage() {
    return this.path.at(-1) === this.packet.stage.at(-1);
  }

  isFirstShown() {
    return this.path.at(-1) === this.packet.path.at(-1);
  }

  /** @param {number} step */
  go(step) {
    const next = clamp(step, 0, this.count - 1);
    if (next === this.step) return;
    this.step = next;
    this.draw();
    if (!this.timer) this.#report();
  }

  /** A node chosen in the tree: the path to it, continued by its best descendants, at the step that predicts it.
   * @param {number} index */
  choose(index) {
    const { nodes } = this.packet;
    const path = pathTo(nodes, index);
    for (let at = nodes[index]; at.children.length;) {
      const kept = at.children.filter((child) => child.fate !== "pruned");
      if (!kept.length) break;
      at =
        kept.find((child) => child.isBest) ?? kept.reduce((best, child) => (child.score > best.score ? child : best));
      path.push(at.index);
    }
    this.path = path;
    this.step = Math.max(0, nodes[index].depth - 1);
    this.draw();
    this.#report();
  }

  start() {
    if (this.step >= this.count - 1) {
      this.step = -1;
      this.go(0);
    }
    const tick = () => {
      if (this.step >= this.count - 1) {
        this.pause();
        this.#report();
        return;
      }
      this.go(this.step + 1);
      this.timer = setTimeout(tick, 1000 / this.speed);
    };
    this.timer = setTimeout(tick, 1000 / this.speed);
    this.draw();
  }

  pause() {
    if (!this.timer) return;
    this.#stop();
    this.draw();
  }

  #stop() {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
  }

  draw() {
    const { path, step, looks, speed } = this;
    const colours = applyPalette(this.root, this.packet.colours);
    const shown = { path, step, looks, speed, isPlaying: Boolean(this.timer), isOnStage: this.isOnStage() };
    this.board.draw(shown, colours);
    this.#shade();
  }

  /** @param {number} speed */
  #run(speed) {
    this.speed = speed;
    this.draw();
    this.#report();
    if (!this.timer) return;
    this.pause();
    this.start();
  }

  /** Shade the stage by the step's cross-attention, or by what a decoder-only model's step attends to in the prompt. */
  #shade() {
    const { row } = this.packet.nodes[this.path[this.step]];
    if (row < 0) return;
    const hasSource = this.packet.source.length > 0;
    const look = hasSource ? this.looks.cross : this.looks.decoder_self;
    const weights = hasSource ? this.packet.cross : this.packet.own;
    const isMain = this.isOnStage();
    const written = this.step - this.packet.prompt;
    /** @type {import("../../sentence/types").Shade} */
    const shade = {
      kind: hasSource ? "cross" : "decoder_self",
      source: [...weights(row, look.layer, look.head)].slice(0, hasSource ? undefined : this.packet.prompt + 1),
      focus: isMain && written >= 0 ? { side: "target", indexes: [written] } : null,
      from: isMain ? Math.max(0, written + 1) : 0,
    };
    publish("shade", shade, this);
  }

  /** @type {(id: number, isChosen: boolean) => void} */
  #choose(id, isChosen) {
    this.pause();
    if (isChosen) {
      this.go(this.step + 1);
      return;
    }
    const fed = this.packet.nodes[this.path[this.step]];
    const child = fed.children.find((node) => node.id === id);
    if (child && child.fate !== "pruned") {
      this.choose(child.index);
      return;
    }
    this.#act({ do: this.packet.isTree ? "fork" : "prefix", ids: [...idsTo(this.packet.nodes, fed.index), id] });
  }

  /** @param {object} what */
  #act(what) {
    this.pause();
    this.root.dataset.waiting = "";
    clearTimeout(this.reporting);
    this.send("act", { ...what, at: this.#place() });
  }

  /** Report the reader's step for the link when they stop there. */
  #report() {
    clearTimeout(this.reporting);
    this.reporting = setTimeout(() => this.send("at", this.#place()), 500);
  }

  #place() {
    const { cross, decoder_self: own } = this.looks;
    return {
      step: this.step,
      node: this.isFirstShown() ? -1 : this.path[this.step + 1],
      cross: [cross.layer, cross.head],
      own: [own.layer, own.head],
      speed: this.speed,
    };
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const target = event.composedPath()[0];
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (target instanceof Element && target.closest(TYPING)) return;
    const isButton = target instanceof Element && target.closest("button, a");
    if (event.key === " " && !isButton) {
      if (this.timer) this.pause();
      else this.start();
    } else if (event.key === "ArrowRight" && !event.shiftKey) {
      this.pause();
      this.go(this.step + 1);
    } else if (event.key === "ArrowLeft" && !event.shiftKey) {
      this.pause();
      this.go(this.step - 1);
    } else return;
    event.preventDefault();
  }

  destroy() {
    this.pause();
    clearTimeout(this.reporting);
    window.removeEventListener("keydown", this.onKey);
    this.leave();
    withdraw("shade", this);
    this.sizes.disconnect();
    this.board.destroy();
    this.root.remove();
  }
}
