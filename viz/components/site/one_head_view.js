// The level with one head: the query slides over the keys, dot products, ÷ √d, softmax, weighted values.

import { Ghost, KEY_PACE } from "../inside/js/motion.js";
import { StepView, render, renderInParts, show } from "../inside/js/screen.js";
import { brief } from "../inside/js/numbers.js";
import { h, prefersReducedMotion, onInputCapture, afterPaint, sleep } from "../shared/dom.js";
import { bare } from "../shared/text.js";

/** @import { Placed } from "../inside/js/numbers.js" */
/** @import { LoadedPage } from "./types.js" */

class OneHeadView {
  turn = 0;
  width = 0;
  isNew = true;
  /** Key of the displayed step, to skip redraws. @type {string | undefined} */ name = undefined;
  /** @type {StepView | null} */ screen = null;
  /** Token of the latest drawing. */ drawing = {};
  /** Resolves when the first drawing is complete. */ rendered = Promise.resolve();

  /** @param {HTMLElement} root @param {LoadedPage} page */
  constructor(root, page) {
    this.page = page;
    this.status = h("p", { class: "inside-said", role: "status" });
    this.playButton = h("button", { class: "site-quiet", onclick: () => this.play() }, page.t.inside_play);
    this.holder = h("div", { class: "inside-holder" });
    const shadow = this.holder.attachShadow({ mode: "open" });
    const sheet = new URL("../inside/component.css", import.meta.url).href;
    this.root = h("div", { class: "inside" });
    this.ghost = new Ghost(this.root);
    onInputCapture(this.root, () => this.pauseByReader());
    shadow.append(h("link", { rel: "stylesheet", href: sheet, onload: () => this.#render() }), this.root);
    this.sizes = new ResizeObserver(() => {
      if (this.screen && Math.abs(this.holder.clientWidth - this.width) > 8) this.#render();
    });
    this.sizes.observe(this.holder);
    root.append(h("div", { class: "inside-top" }, this.playButton, this.status), this.holder);
  }

  end() {
    this.stop();
    this.sizes.disconnect();
  }

  stop() {
    this.turn += 1;
    this.ghost.end();
  }

  /** Stop the animation because the reader touched it, and show the hint. */
  pauseByReader() {
    this.stop();
    if (this.screen) this.status.textContent = this.page.t.inside_hint;
  }

  /** Show that the numbers of another sentence or model are loading. */
  wait() {
    this.name = undefined;
    this.stop();
    this.status.textContent = this.page.t.loading;
  }

  /** Request the chosen head and step from the worker, and draw them.
   * @param {boolean} [isAgain] whether to repeat a failed request */
  async draw(isAgain = false) {
    const { page } = this;
    const { head, step } = page.place;
    const { trace } = page.desk;
    const name = [trace?.id, page.choices.text, head, step, page.language].join();
    if (name === this.name || (name === this.failed && !isAgain)) return;
    if (!page.isLive || !trace || !head) {
      this.status.textContent = page.t.loading;
      return;
    }
    this.name = name;
    this.stop();
    const place = { kind: trace.main, layer: head[0], head: head[1] };
    const result = await page.desk.runner.inside(trace, place, trace.first + step).catch(() => null);
    if (this.name !== name || !this.holder.isConnected) return; // another level has been opened meanwhile
    if (!result) return this.#fail(name);
    const header = headerOf(result, trace, step, page);
    this.screen ??= new StepView(this.root, header);
    Object.assign(this.screen, { header, pinned: null });
    await afterPaint(); // long tasks would delay the panel's animation
    if (this.name !== name) return;
    await this.#render();
    if (this.name !== name || !this.holder.isConnected) return;
    if (this.isNew) page.level.reveal();
    this.isNew = false;
    if (!prefersReducedMotion()) this.play();
  }

  /** Show the worker's failure; the play button repeats the request. @param {string} name */
  #fail(name) {
    this.failed = name;
    this.name = undefined;
    this.status.textContent = this.page.t.failed_again;
  }

  async #render() {
    const { screen } = this;
    if (!screen || !this.holder.clientWidth) return;
    this.width = this.holder.clientWidth;
    const drawing = (this.drawing = {});
    const isLast = () => this.drawing === drawing; // false after a resize or another step
    if (this.isNew) this.rendered = renderInParts(screen, isLast);
    else render(screen); // the panel keeps its height
    await this.rendered;
    if (isLast()) this.status.textContent = this.page.t.inside_hint;
  }

  /** Animate the computation: scores, scaling, softmax, weighted values. Any input ends it. */
  async play() {
    const { screen } = this;
    if (!screen || this.name === undefined) return this.draw(true);
    this.stop();
    const { turn } = this;
    await afterPaint();
    await this.rendered;
    const animations = this.page.levels
      .getAnimations({ subtree: true })
      .map((/** @type {Animation} */ animation) => animation.finished);
    await Promise.allSettled(animations); // positions are measured after the panel has its final size
    const isOver = () => turn !== this.turn || !this.holder.isConnected || !screen.drawings.scores;
    if (isOver()) return;
    const { t } = this.page;
    const { find } = screen.header;
    const n = find.scores.shape[0];
    /** @type {[name: string, count: number, words: string][]} */
    const phases = [
      ["scores", n, "inside_scores"],
      ["scaled", n, "inside_scaled"],
      ["weights", n, "inside_weights"],
      ["mixed", find.mixed.shape[1], "inside_mixed"],
    ];
    for (const [name, count, words] of phases) {
      this.status.textContent = t[words];
      if (name !== "scores") this.ghost.end();
      for (let i = 0; i < count; i++) {
        show(screen, find[name], name === "mixed" ? [0, i] : [i, 0]);
        const { query, key } = screen.drawings;
        if (name === "scores") this.ghost.slide(query, 0, key, i);
        await sleep(name === "scores" ? KEY_PACE : name === "mixed" ? KEY_PACE / 5 : KEY_PACE / 2.5);
        if (isOver()) return;
      }
    }
    this.ghost.end();
    this.status.textContent = t.inside_hint;
  }
}

/** The blocks of one step of one head, as viz/components/inside packs them.
 * @param {import("../engine/inspect.js").OneHead} result @param {import("./types.js").Trace} trace
 * @param {number} step @param {LoadedPage} page @returns {import("../inside/js/numbers.js").Header} */
function headerOf(result, trace, step, page) {
  const words = page.site.strings[page.language].inside;
  const [n, k] = [result.weights.length, result.query.length];
  const keys = trace.source.pieces.slice(0, n).map(bare); // a decoder-only model attends to the text so far
  const target = [bare(trace.target.pieces[step])];
  const raw = result.scores.map((score) => score * Math.sqrt(k));
  const isWide = page.main.clientWidth > 900;
  const [wide, narrow] = isWide ? [0.52, 0.13] : [1, 1];
  /** @type {(name: string, symbol: string, title: string, values: Float32Array, shape: [number, number],
   *   place: [number, number], more: {share: number} & Partial<Placed>) => Placed} */
  const block = (name, symbol, title, values, shape, place, more) => {
    const at = (/** @type {number} */ row, /** @type {number} */ column) => values[row * shape[1] + column];
    const defaults = { rows: [], columns: [], scale: /** @type {const} */ ("signed"), fold: 0 };
    return { ...defaults, name, symbol, title, values, shape, place, at, ...more };
  };
  const [vector, matrix] = [target, keys].map((rows) => ({ share: wide, rows }));
  const column = { share: narrow, rows: isWide ? [] : keys };
  const root = `÷ √${k} = ÷ ${brief(Math.sqrt(k))}`;
  const bars = { scale: /** @type {const} */ ("weight"), bars: true, share: isWide ? 0.18 : 1 };
  const blocks = [
    block("query", "q", words.query, result.query, [1, k], [1, 1], vector),
    block("key", "K", words.keys, result.key, [n, k], [2, 1], matrix),
    block("scores", "s", words.scores, raw, [n, 1], [2, 2], { ...column, numbers: true }),
    block("scaled", "s′", root, result.scores, [n, 1], [2, 3], { ...column, numbers: true }),
    block("weights", "a", "softmax", result.weights, [n, 1], [2, 4], { ...column, ...bars }),
    block("value", "V", words.values, result.value, [n, k], [3, 1], matrix),
    block("mixed", "z", words.mixed, result.mixed, [1, k], [4, 1], vector),
  ];
  const best = result.weights.indexOf(Math.max(...result.weights));
  return {
    blocks,
    find: Object.fromEntries(blocks.map((placed) => [placed.name, placed])),
    signs: [],
    rules: [
      {
        of: "scores",
        how: "dot",
        left: { block: "query", line: "row", at: "first" },
        right: { block: "key", line: "row", at: "row" },
      },
      { of: "scaled", how: "divide", parts: ["scores"], factor: Math.sqrt(k) },
      { of: "weights", how: "softmax", parts: ["scaled"], over: "column" },
      {
        of: "mixed",
        how: "dot",
        left: { block: "weights", line: "column", at: "first" },
        right: { block: "value", line: "column", at: "column" },
      },
    ],
    focus: ["scores", best, 0],
    product: null,
    palettes: page.site.palettes,
    kind: trace.main,
    language: page.language,
    presenter: false,
    words,
    shade: null,
  };
}

export default OneHeadView;
