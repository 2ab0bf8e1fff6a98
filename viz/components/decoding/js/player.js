// The player: a path through the hypotheses and a step of it, which the reader changes and the board shows.

import { applyPalette } from "../../shared/colour.js";
import { h } from "../../shared/dom.js";
import { handleActs, publish, withdraw } from "../../shared/signals.js";
import { streamlitComponent } from "../../shared/streamlit.js";
import { clamp } from "../../shared/text.js";
import { Board } from "./board.js";
import { idsTo, pathTo, unpack } from "./unpack.js";

/** @import { Send } from "../../shared/streamlit.js" */
/** @import { Packet, PlayNode } from "./unpack.js" */

const TYPING =
  "input, textarea, select, [contenteditable], [role=slider], [role=tree], [role=dialog], [role=tablist], [role=radiogroup]";
/** @type {Record<string, number>} */
const KEY_STEPS = { ArrowLeft: -1, ArrowRight: 1 };

export default streamlitComponent((parent, packet, send) => new Player(parent, packet, send), { read: unpack });

export class Player {
  /** @type {number[]} */
  path = [];
  step = 0;
  /** @type {ReturnType<typeof setTimeout> | null} */
  timer = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  reportTimer;

  /** @param {HTMLElement} parent @param {Packet} packet @param {Send} send */
  constructor(parent, packet, send) {
    this.send = send;
    this.packet = packet;
    this.selections = packet.selections; // they stay when the sentence or the interventions change
    this.root = h("div", { class: "player" });
    parent.append(this.root);
    this.speed = packet.speed;
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.#key(event);
    window.addEventListener("keydown", this.onKey);
    this.sizes = new ResizeObserver(([entry]) => this.#fit(entry.contentRect.width));
    this.sizes.observe(this.root);
    this.#fit(this.root.clientWidth); // before the first drawing, so that it has the right size
    this.board = this.#buildBoard();
    this.#show(true);
    this.removeHandler = handleActs((act) => {
      if (act.do === "pin" && act.side === "target" && this.isOnStage()) this.go(act.index);
    });
  }

  /** Choose the layout. @param {number} width in pixels */
  #fit(width) {
    this.root.dataset.width = width < 860 ? "narrow" : "wide";
  }

  #buildBoard() {
    const board = new Board(this.packet, {
      step: (step, isPlace) => {
        this.pause();
        this.go(isPlace ? step : this.step + step);
      },
      play: () => this.toggle(),
      speed: (speed) => this.#run(speed),
      candidate: (id, piece, isChosen) => this.#choose(id, isChosen),
      sampling: (sampling) => this.#act({ do: "sampling", ...sampling }),
      pick: (kind, selection) => {
        this.selections[kind] = selection;
        this.draw();
        this.#report();
      },
      force: (kind, weights) =>
        this.#act({
          do: "force",
          kind,
          ...this.selections[kind],
          query: this.step,
          weights: weights.map((weight) => Number(weight.toFixed(4))),
        }),
      node: (index) => {
        this.pause();
        this.choose(index);
      },
      fork: () => this.#act({ do: "fork", ids: idsTo(this.packet.nodes, this.path[this.path.length - 1]) }),
    });
    this.root.replaceChildren(...board.parts);
    return board;
  }

  /** @param {Packet} packet */
  update(packet) {
    const isNew = this.packet.key !== packet.key;
    const hasNewWords = JSON.stringify(this.packet.words) !== JSON.stringify(packet.words);
    this.packet = packet;
    if (hasNewWords) {
      this.board.destroy();
      this.board = this.#buildBoard();
    }
    this.#show(isNew, isNew || hasNewWords);
  }

  /** Show the packet: a new play from its step, the same play at the reader's step.
   * @type {(isNew: boolean, isUndrawn?: boolean) => void} `isUndrawn`: the board has not drawn the play */
  #show(isNew, isUndrawn = isNew) {
    const { packet } = this;
    delete this.root.dataset.waiting;
    this.root.toggleAttribute("data-presenter", packet.presenter);
    this.root.dataset.mode = packet.isTree ? "tree" : "single";
    if (isNew) {
      this.#stop();
      this.path = packet.path;
      this.step = clamp(packet.step, 0, Math.max(0, packet.path.length - 2));
    }
    this.board.load(packet, isUndrawn);
    if (packet.isTree && isNew && packet.nodes[packet.node]) this.choose(packet.node);
    else this.draw();
  }

  get count() {
    return Math.max(1, this.path.length - 1);
  }

  /** Whether the path is the translation on the stage, not a fork or a selected node. */
  isOnStage() {
    return this.path.at(-1) === this.packet.stage.at(-1);
  }

  /** @param {number} step */
  go(step) {
    const next = clamp(step, 0, this.count - 1);
    if (next === this.step) return;
    this.step = next;
    this.draw();
    if (!this.timer) this.#report();
  }

  /** Select a node of the tree: the path to it and its best descendants, at the step that predicts it.
   * @param {number} index */
  choose(index) {
    const { nodes } = this.packet;
    const path = pathTo(nodes, index);
    const bestChildOf = (/** @type {PlayNode} */ { children }) => {
      const candidates = children.filter(({ fate }) => fate !== "pruned");
      return candidates.find(({ isBest }) => isBest) ?? candidates.sort((a, b) => b.score - a.score)[0];
    };
    for (let node = bestChildOf(nodes[index]); node; node = bestChildOf(node)) path.push(node.index);
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

  toggle() {
    if (this.timer) this.pause();
    else this.start();
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
    const { path, step, selections, speed } = this;
    const colours = applyPalette(this.root, this.packet.colours);
    const state = { path, step, selections, speed, isPlaying: Boolean(this.timer), isOnStage: this.isOnStage() };
    this.board.draw(state, colours);
    this.#shadeStage();
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

  /** Shade the stage by the step's cross-attention, or by a decoder-only model's attention to the prompt. */
  #shadeStage() {
    const { packet, step } = this;
    const { row } = packet.nodes[this.path[step]];
    if (row < 0) return;
    const hasSource = packet.source.length > 0;
    const kind = hasSource ? "cross" : "decoder_self";
    const { layer, head } = this.selections[kind];
    const isOnStage = this.isOnStage();
    const index = step - packet.prompt; // of the predicted token in the target
    /** @type {import("../../sentence/types").Shade} */
    const shade = {
      kind,
      source: [...packet[kind](row, layer, head)].slice(0, hasSource ? undefined : packet.prompt + 1),
      focus: isOnStage && index >= 0 ? { side: "target", indexes: [index] } : null,
      from: isOnStage ? Math.max(0, index + 1) : 0,
    };
    publish("shade", shade, this);
  }

  /** @type {(id: number, isChosen: boolean) => void} */
  #choose(id, isChosen) {
    this.pause();
    if (isChosen) return this.go(this.step + 1);
    const fed = this.packet.nodes[this.path[this.step]];
    const child = fed.children.find((node) => node.id === id);
    if (child && child.fate !== "pruned") return this.choose(child.index);
    this.#act({ do: this.packet.isTree ? "fork" : "prefix", ids: [...idsTo(this.packet.nodes, fed.index), id] });
  }

  /** Request an act from the page. @param {object} act */
  #act(act) {
    this.pause();
    this.root.dataset.waiting = "";
    clearTimeout(this.reportTimer);
    this.send("act", { ...act, at: this.#place() });
  }

  /** Report the reader's step for the link when they stop there. */
  #report() {
    clearTimeout(this.reportTimer);
    this.reportTimer = setTimeout(() => this.send("at", this.#place()), 500);
  }

  #place() {
    const [cross, own] = [this.selections.cross, this.selections.decoder_self].map(({ layer, head }) => [layer, head]);
    const { step, speed, path, packet } = this;
    return { step, node: path.at(-1) === packet.path.at(-1) ? -1 : path[step + 1], cross, own, speed };
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const target = event.composedPath()[0];
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (target instanceof Element && target.closest(TYPING)) return;
    const isButton = target instanceof Element && target.closest("button, a");
    const step = event.shiftKey ? undefined : KEY_STEPS[event.key];
    if (event.key === " " && !isButton) this.toggle();
    else if (step) {
      this.pause();
      this.go(this.step + step);
    } else return;
    event.preventDefault();
  }

  destroy() {
    this.pause();
    clearTimeout(this.reportTimer);
    window.removeEventListener("keydown", this.onKey);
    this.removeHandler();
    withdraw("shade", this);
    this.sizes.disconnect();
    this.board.destroy();
    this.root.remove();
  }
}
