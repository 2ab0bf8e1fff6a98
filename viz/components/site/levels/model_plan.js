// The level with the whole model: encoder layers light up in turn, the encoder output flows into every cross-attention, and
// the decoder runs once per token.

import { h, prefersReducedMotion, sleep, svg } from "../../shared/dom.js";
import { flyFrom } from "../../shared/flight.js";
import { PlanWalk } from "../../shared/plan_walk.js";
import { fill, spoken } from "../../shared/text.js";
import { weightsAt } from "../stage/scene.js";
import { buildPlan } from "./plan_picture.js";

const PARTS = ["self", "cross", "ff"]; // of a decoder layer; a decoder-only model has no cross-attention
const WORD = 300; // milliseconds of the loop from the output to the input

/**
 * @typedef {object} PlanPage the part of the page that the plan uses
 * @property {import("../stage/player.js").StagePlayer} stage
 * @property {{strings: Record<string, {overview: Record<string, string>}>}} site words of the application's Overview page
 * @property {string} language
 * @property {Record<string, string>} t
 * @property {Pick<import("../desk/desk.js").Desk, "about"> | null} desk
 * @property {{places: DOMRect[]}} level old boxes of the sentence's words
 * @property {boolean} [isBeside] whether it is above a text on a phone
 * @property {{story: Record<string, string>}} [written] the article's address by language
 * @property {{text: string}} choices
 */

export class ModelPlan extends PlanWalk {
  width = 0;
  /** Filled in by the picture. @type {Record<string, SVGGElement>} */ boxes = {};
  /** @type {SVGElement[]} */ bridges = [];
  /** @type {HTMLElement | null} */ sourceRow = null;
  /** @type {HTMLElement | null} */ targetRow = null;
  /** Resolves when all parts are drawn. */ built = Promise.resolve();
  /** Key of the drawn translation. @type {string | undefined} */ name = undefined;

  /** @param {HTMLElement} root @param {PlanPage} page */
  constructor(root, page) {
    super(h("div", { class: "plan" }), { button: "site-quiet", status: "inside-said" });
    this.page = page;
    this.loop = svg("path", {});
    this.output = svg("text", {});
    this.isNarrow = this.hasFlown = false;
    this.root = root;
    root.append(h("div", { class: "inside-top" }, this.button, this.status), this.holder);
    this.sizes = new ResizeObserver(() => {
      if (Math.abs(this.holder.clientWidth - (this.width ?? 0)) > 4) buildPlan(this);
    });
    this.sizes.observe(this.holder);
  }

  end() {
    this.stop();
    this.sizes.disconnect();
  }

  /** The words of the application's Overview page. */
  get words() {
    return this.page.site.strings[this.page.language].overview;
  }

  /** Show that the translation is loading. */
  wait() {
    this.label();
    this.status.textContent = this.page.t.loading;
  }

  draw() {
    const { scene, step } = this.page.stage;
    if (!scene) return this.wait();
    const name = [scene.text, scene.translation, this.page.language].join("\n");
    if (name !== this.name) {
      const isFirst = this.name === undefined;
      this.name = name;
      this.stop();
      this.status.textContent = ""; // the walk writes its own status
      buildPlan(this);
      if (isFirst && !prefersReducedMotion()) return void this.#begin();
    }
    if (!this.isPlaying) this.follow(step);
    return undefined;
  }

  /** Play when all of the plan is drawn. */
  async #begin() {
    const { name } = this;
    await this.built;
    if (this.name === name && this.holder.isConnected) this.play();
  }

  /** Animate the sentence from its old place to the bottom of the plan. */
  fly() {
    this.hasFlown = true;
    if (this.sourceRow) flyFrom(this.sourceRow, this.page.level.places);
  }

  /** Draw the decoder's tokens, output and heads at a step. @param {number} step */
  follow(step) {
    const { scene } = this.page.stage;
    if (!this.targetRow || !scene) return;
    const fed = scene.first
      ? scene.source.pieces.slice(0, scene.first + step + 1)
      : ["<s>", ...scene.target.pieces.slice(0, step)];
    this.targetRow.replaceChildren(
      ...fed.map((piece, place) =>
        h("span", { class: place === fed.length - 1 ? "plan-last" : "" }, spoken(piece, this.page.t)),
      ),
    );
    const chosen = scene.candidates[step].find(([id]) => id === scene.target.ids[step]);
    this.output.textContent = `→ ${spoken(chosen?.[1] ?? scene.target.pieces[step], this.page.t)}`;
    const box = scene.main === "cross" ? "cross" : "decoder";
    /** @type {NodeListOf<SVGElement>} */
    const squares = this.holder.querySelectorAll(`.${box} .plan-head[data-head]`);
    for (const square of squares) {
      const [layer, , head] = String(square.dataset.head).slice(1).split(".");
      const row = weightsAt(scene, [Number(layer), Number(head)], step);
      square.style.fillOpacity = String(0.12 + 0.88 * Math.max(...row));
    }
  }

  /** Animate from the first layer to the last token. */
  async play() {
    const { scene } = this.page.stage;
    if (!scene) return undefined; // its translation is awaited
    const isOver = this.begin();
    const { page } = this;
    const { t } = page;
    await this.built; // its boxes light up
    if (isOver()) return undefined;
    if (prefersReducedMotion()) return this.#steps(isOver);
    const stacks = this.#stacks();
    this.follow(0);
    if (stacks.encoder.length) {
      this.status.textContent = this.words.says_encoder;
      await this.encode(stacks, isOver);
      if (isOver()) return;
      this.status.textContent = this.words.says_bridge;
      await this.cross(stacks);
    }
    for (let step = 0; step < scene.target.ids.length && !isOver(); step++) {
      this.status.textContent = fill(t.plan_says_loop, { word: spoken(scene.target.pieces[step], t), n: step + 1 });
      this.follow(step);
      await this.decode(stacks, isOver);
      if (isOver()) return;
      page.stage.go(step);
      this.output.animate(
        [
          { opacity: 0, transform: "translateY(10px)" },
          { opacity: 1, transform: "none" },
        ],
        { duration: 200 },
      );
      this.run(this.loop, WORD);
      await sleep(WORD);
    }
    if (isOver()) return;
    this.stop();
    this.status.textContent = t.plan_says_end;
    return undefined;
  }

  /** The boxes in the order of the walk. */
  #stacks() {
    const layers = (/** @type {string} */ stack, /** @type {string[]} */ ...parts) => {
      const rows = [];
      for (let layer = 0; this.boxes[`${stack}${layer}.self`]; layer++)
        rows.push(parts.flatMap((part) => this.boxes[`${stack}${layer}.${part}`] ?? []));
      return rows;
    };
    return { encoder: layers("e", "self", "ff"), decoder: layers("d", ...PARTS), bridges: this.bridges };
  }

  /** With reduced motion: one step per second. @param {() => boolean} isOver */
  async #steps(isOver) {
    const { page } = this;
    this.status.textContent = page.t.plan_says_still;
    for (let step = 0; step <= page.stage.last && !isOver(); step++) {
      page.stage.go(step);
      this.follow(step);
      await sleep(1000);
    }
    if (!isOver()) this.stop();
  }
}

export default ModelPlan;
