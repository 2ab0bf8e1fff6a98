// The animation of a step: the query slides over the keys, products are summed, the softmax settles. Any input ends it.

import { h, prefersReducedMotion, sleep, context2d } from "../../shared/dom.js";

/** @import { Drawing } from "./blocks.js" */
/** @import { Block, Cell, Dot, Rule, Softmax } from "./numbers.js" */
/** @import { StepView } from "./screen.js" */
/** @typedef {() => boolean} IsOver */

export const KEY_PACE = 420; // milliseconds a key
const LINE_DURATION = 3200; // milliseconds for a line of many numbers
const SOFTMAX_DURATION = 1100; // milliseconds

/** A copy of one row of a block that slides over the rows of another. */
export class Ghost {
  /** @type {HTMLCanvasElement | null} */
  node = null;
  at = "none";

  /** @param {HTMLElement} root its containing block */
  constructor(root) {
    this.root = root;
  }

  end() {
    this.node?.remove();
    this.node = null;
  }

  /**
   * Slide a row over a row of another drawing.
   * @param {Drawing} from the drawing with the copied row
   * @param {number} row
   * @param {Drawing} over the drawing that it slides over
   * @param {number} target the row there
   */
  slide(from, row, over, target) {
    if (prefersReducedMotion()) return;
    const { root } = this;
    const base = root.getBoundingClientRect();
    const start = from.canvas.getBoundingClientRect();
    const end = over.canvas.getBoundingClientRect();
    if (!this.node) {
      const ratio = from.canvas.height / (from.lines * from.h);
      this.node = h("canvas", { class: "ghost", width: from.canvas.width, height: Math.round(from.h * ratio) });
      from.base ??= from.cells();
      context2d(this.node).drawImage(from.base, 0, -row * from.h * ratio);
      Object.assign(this.node.style, {
        left: `${start.left - base.left}px`,
        top: `${start.top - base.top + row * from.h}px`,
        width: `${start.width}px`,
        height: `${from.h}px`,
      });
      root.append(this.node);
      this.at = "none";
    }
    const next = `translate(${end.left - start.left}px, ${end.top - start.top + target * over.h - row * from.h}px)`;
    this.node.animate([{ transform: this.at }, { transform: next }], {
      duration: KEY_PACE * 0.7,
      easing: "ease-in-out",
      fill: "forwards",
    });
    this.at = next;
  }
}

export class Motion {
  turn = 0;
  /** @type {(() => void) | null} */
  restore = null;

  /** @param {StepView} view
   * @param {(view: StepView, block: Block, cell: Cell) => void} show highlights a cell and writes its arithmetic out */
  constructor(view, show) {
    this.view = view;
    this.show = show;
    this.ghost = new Ghost(view.root);
  }

  /** End the motion and restore the numbers. */
  stop() {
    this.turn += 1;
    this.ghost.end();
    this.restore?.();
    this.restore = null;
  }

  /** Animate the step; whether the animation was completed. */
  async play() {
    this.stop();
    const { turn } = this;
    const isOver = () => turn !== this.turn || !this.view.root.isConnected;
    const { header } = this.view;
    const [name, row, column] = header.focus;
    const block = header.find[name];
    const rule = header.rules.find(({ of }) => of === name);
    if (!block) return true;
    if (rule?.how === "softmax") await this.#settle(block, rule, isOver);
    else if (name === "mixed" && rule?.how === "dot") await this.#sum(block, rule, [row, column], isOver);
    else await this.#walk(block, rule, [row, column], isOver);
    if (isOver()) return false;
    this.stop();
    this.show(this.view, block, [row, column]);
    return true;
  }

  /** Step through the numbers of a line; if rows are multiplied, one slides over the others.
   * @type {(block: Block, rule: Rule | undefined, cell: Cell, isOver: IsOver) => Promise<void>} */
  async #walk(block, rule, [row, column], isOver) {
    const { drawings, header } = this.view;
    const isColumn = block.shape[1] === 1;
    const n = isColumn ? block.shape[0] : block.shape[1];
    const slides = header.product && rule?.how === "dot" ? rule : null;
    const pace = slides ? KEY_PACE : Math.min(KEY_PACE / 2, LINE_DURATION / n);
    for (let i = 0; i < n; i++) {
      this.show(this.view, block, isColumn ? [i, column] : [row, i]);
      if (slides) {
        const { left, right } = slides;
        this.ghost.slide(drawings[left.block], left.at === "first" ? 0 : row, drawings[right.block], i);
      }
      await sleep(pace);
      if (isOver()) return;
    }
  }

  /** Add up the weighted values, key by key.
   * @type {(block: Block, rule: Dot, cell: Cell, isOver: IsOver) => Promise<void>} */
  async #sum(block, rule, [row, column], isOver) {
    const { drawings, header } = this.view;
    const [weights, values] = [header.find[rule.left.block], header.find[rule.right.block]];
    const n = values.shape[0];
    const weightOf = (/** @type {number} */ i, /** @type {number} */ key) =>
      rule.left.line === "row" ? weights.at(i, key) : weights.at(key, 0);
    const sums = Array.from({ length: block.shape[0] }, () => new Float64Array(block.shape[1]));
    this.#replace(block.name, (i, j) => sums[i][j]);
    const pace = Math.min(KEY_PACE, LINE_DURATION / n);
    for (let key = 0; key < n; key++) {
      sums.forEach((sum, i) => sum.forEach((_, j) => (sum[j] += weightOf(i, key) * values.at(key, j))));
      drawings[values.name].light(null, [["row", key]]);
      drawings[weights.name].light(rule.left.line === "row" ? [row, key] : [key, 0], []);
      drawings[block.name].light([row, column], []);
      drawings[block.name].redraw();
      await sleep(pace);
      if (isOver()) return;
    }
  }

  /** From equal weights to the softmax: exp(t · score), t from 0 to 1.
   * @type {(block: Block, rule: Softmax, isOver: IsOver) => Promise<void>} */
  async #settle(block, rule, isOver) {
    const { drawings, header } = this.view;
    const scores = header.find[rule.parts[0]];
    const [rows, columns] = block.shape;
    const isColumn = rule.over === "column";
    let sharpness = 0;
    /** @type {Float64Array[]} */
    let lines = [];
    const spread = () => {
      lines = Array.from({ length: isColumn ? columns : rows }, (_, line) => {
        const lineScores = Float64Array.from({ length: isColumn ? rows : columns }, (_, i) =>
          isColumn ? scores.at(i, line) : scores.at(line, i),
        );
        const top = Math.max(...lineScores);
        const powers = lineScores.map((x) => (x === -Infinity ? 0 : Math.exp(sharpness * (x - top))));
        const total = powers.reduce((sum, x) => sum + x, 0);
        return powers.map((x) => (total ? x / total : 0));
      });
    };
    this.#replace(block.name, (i, j) => (isColumn ? lines[j][i] : lines[i][j]));
    const start = performance.now();
    while (sharpness < 1) {
      const progress = Math.min(1, (performance.now() - start) / SOFTMAX_DURATION);
      sharpness = progress * progress * (3 - 2 * progress);
      spread();
      drawings[block.name].redraw();
      await new Promise((resolve) => requestAnimationFrame(resolve));
      if (isOver()) return;
    }
  }

  /** Replace the numbers that a block draws until the motion ends. @type {(name: string, at: Block["at"]) => void} */
  #replace(name, at) {
    const drawing = this.view.drawings[name];
    const { block } = drawing; // on a narrow screen a copy, which takes the whole width
    const original = block.at;
    block.at = at;
    this.restore = () => {
      block.at = original;
      drawing.redraw();
    };
  }
}
