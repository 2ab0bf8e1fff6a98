// One head, grown large: the query slides over the keys, products add up, ÷ √d, softmax, weighted values.

import { Ghost, KEY_PACE } from "../inside/js/motion.js";
import { Shown, render, renderInParts, show } from "../inside/js/screen.js";
import { brief } from "../inside/js/numbers.js";
import { h, prefersReducedMotion, onInputCapture, afterPaint, sleep } from "../shared/dom.js";
import { bare } from "../shared/text.js";

/** @import { Placed } from "../inside/js/numbers.js" */
/** @import { LoadedPage } from "./types.js" */

export class OneHeadView {
  /** @param {HTMLElement} root @param {LoadedPage} page */
  constructor(root, page) {
    this.page = page;
    this.turn = 0;
    this.width = 0;
    /** What is shown. @type {string | undefined} */
    this.name = undefined;
    this.isNew = true;
    this.said = h("p", { class: "inside-said", role: "status" });
    this.again = h("button", { class: "site-quiet", onclick: () => this.play() }, page.t.inside_play);
    this.holder = h("div", { class: "inside-holder" });
    const shadow = this.holder.attachShadow({ mode: "open" });
    const sheet = new URL("../inside/component.css", import.meta.url).href;
    this.root = h("div", { class: "inside" });
    /** @type {Shown | null} */
    this.self = null;
    /** The drawing that was begun last, and when the first one has all its parts. */
    this.drawing = {};
    this.rendered = Promise.resolve();
    this.ghost = new Ghost(this.root);
    onInputCapture(this.root, () => this.pauseByReader());
    shadow.append(h("link", { rel: "stylesheet", href: sheet, onload: () => this.#render() }), this.root);
    this.sizes = new ResizeObserver(() => {
      if (this.self && Math.abs(this.holder.clientWidth - this.width) > 8) this.#render();
    });
    this.sizes.observe(this.holder);
    root.append(h("div", { class: "inside-top" }, this.again, this.said), this.holder);
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
    if (this.self) this.said.textContent = this.page.t.inside_hint;
  }

  /** The numbers on screen are of another sentence or model: say that the new ones are awaited. */
  wait() {
    this.name = undefined;
    this.stop();
    this.said.textContent = this.page.t.loading;
  }

  /** Ask the worker for the head and the word that are chosen, and show them.
   * @param {boolean} [isAgain] whether what failed is asked for once more */
  async draw(isAgain = false) {
    const { page } = this;
    const { head, step } = page.place;
    const { trace } = page.desk;
    const name = [trace?.id, page.choices.text, head, step, page.language].join();
    if (name === this.name || (name === this.failed && !isAgain)) return;
    if (!page.isLive || !trace || !head) {
      this.said.textContent = page.t.loading;
      return;
    }
    this.name = name;
    this.stop();
    const place = { kind: trace.main, layer: head[0], head: head[1] };
    const found = await page.desk.runner.inside(trace, place, trace.first + step).catch(() => null);
    if (this.name !== name || !this.holder.isConnected) return; // another level was opened meanwhile
    if (!found) return this.#fail(name);
    const header = headerOf(found, trace, step, page);
    this.self ??= new Shown(this.root, header);
    Object.assign(this.self, { header, pinned: null });
    await afterPaint(); // while the panel grows, no task may be long
    if (this.name !== name) return;
    await this.#render();
    if (this.name !== name || !this.holder.isConnected) return;
    if (this.isNew) page.level.reveal();
    this.isNew = false;
    if (!prefersReducedMotion()) this.play();
  }

  /** The worker has failed: the button of the steps asks it again. @param {string} name */
  #fail(name) {
    this.failed = name;
    this.name = undefined;
    this.said.textContent = this.page.t.failed_again;
  }

  async #render() {
    const { self } = this;
    if (!self || !this.holder.clientWidth) return;
    this.width = this.holder.clientWidth;
    const drawing = (this.drawing = {});
    const isLast = () => this.drawing === drawing; // another width or word may have come
    if (this.isNew) this.rendered = renderInParts(self, isLast);
    else render(self); // the panel keeps its height
    await this.rendered;
    if (isLast()) this.said.textContent = this.page.t.inside_hint;
  }

  /** The head's own order: scores, division, softmax, mixing. A touch ends it. */
  async play() {
    const { self } = this;
    if (!self || this.name === undefined) return this.draw(true);
    this.stop();
    const { turn } = this;
    await afterPaint();
    await this.rendered;
    const grown = this.page.levels
      .getAnimations({ subtree: true })
      .map((/** @type {Animation} */ each) => each.finished);
    await Promise.allSettled(grown); // measured while it grows, everything would be in the wrong place
    const isOver = () => turn !== this.turn || !this.holder.isConnected || !self.drawings.scores;
    if (isOver()) return;
    const { t } = this.page;
    const { find } = self.header;
    const n = find.scores.shape[0];
    /** @type {[name: string, count: number, words: string][]} */
    const acts = [
      ["scores", n, "inside_scores"],
      ["scaled", n, "inside_scaled"],
      ["weights", n, "inside_weights"],
      ["mixed", find.mixed.shape[1], "inside_mixed"],
    ];
    for (const [name, count, words] of acts) {
      this.said.textContent = t[words];
      if (name !== "scores") this.ghost.end();
      for (let i = 0; i < count; i++) {
        show(self, find[name], name === "mixed" ? [0, i] : [i, 0]);
        const { query, key } = self.drawings;
        if (name === "scores") this.ghost.slide(query, 0, key, i);
        await sleep(name === "scores" ? KEY_PACE : name === "mixed" ? KEY_PACE / 5 : KEY_PACE / 2.5);
        if (isOver()) return;
      }
    }
    this.ghost.end();
    this.said.textContent = t.inside_hint;
  }
}

/** The blocks of one step of one head, as viz/components/inside packs them.
 * @param {import("../engine/one_head.js").OneHead} found @param {import("./types.js").Trace} trace
 * @param {number} step @param {LoadedPage} page @returns {import("../inside/js/numbers.js").Header} */
function headerOf(found, trace, step, page) {
  const words = page.site.strings[page.language].inside;
  const [n, k] = [found.weights.length, found.query.length];
  const keys = trace.source.pieces.slice(0, n).map(bare); // a decoder-only model sees the text so far
  const said = [bare(trace.target.pieces[step])];
  const raw = found.scores.map((score) => score * Math.sqrt(k));
  const isWide = page.main.clientWidth > 900;
  const [wide, narrow] = isWide ? [0.52, 0.13] : [1, 1];
  /** @type {(name: string, symbol: string, title: string, values: Float32Array, shape: [number, number],
   *   place: [number, number], more: {share: number} & Partial<Placed>) => Placed} */
  const block = (name, symbol, title, values, shape, place, more) => {
    const at = (/** @type {number} */ row, /** @type {number} */ column) => values[row * shape[1] + column];
    const usual = { rows: [], columns: [], scale: /** @type {const} */ ("signed"), fold: 0 };
    return { ...usual, name, symbol, title, values, shape, place, at, ...more };
  };
  const [one, all] = [said, keys].map((rows) => ({ share: wide, rows }));
  const column = { share: narrow, rows: isWide ? [] : keys };
  const root = `÷ √${k} = ÷ ${brief(Math.sqrt(k))}`;
  const bars = { scale: /** @type {const} */ ("weight"), bars: true, share: isWide ? 0.18 : 1 };
  const blocks = [
    block("query", "q", words.query, found.query, [1, k], [1, 1], one),
    block("key", "K", words.keys, found.key, [n, k], [2, 1], all),
    block("scores", "s", words.scores, raw, [n, 1], [2, 2], { ...column, numbers: true }),
    block("scaled", "s′", root, found.scores, [n, 1], [2, 3], { ...column, numbers: true }),
    block("weights", "a", "softmax", found.weights, [n, 1], [2, 4], { ...column, ...bars }),
    block("value", "V", words.values, found.value, [n, k], [3, 1], all),
    block("mixed", "z", words.mixed, found.mixed, [1, k], [4, 1], one),
  ];
  const best = found.weights.indexOf(Math.max(...found.weights));
  return {
    blocks,
    find: Object.fromEntries(blocks.map((each) => [each.name, each])),
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
