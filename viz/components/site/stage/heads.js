// Thumbnails of all heads of the stage's kind of attention: choose one, switch it off, and measure which ones matter.

import { parseColour } from "../../shared/colour.js";
import { ARROWS, h, oncePerFrame, context2d } from "../../shared/dom.js";
import { fill } from "../../shared/text.js";
import { nameOf } from "../links/choices.js";
import { withTerms } from "../../shared/terms.js";

/** @import { Trace } from "../types.js" */
/** @import { Scene } from "./scene.js" */

export class Heads {
  /** @type {Scene | null} */ scene = null;
  /** @type {[number, number]} */ head = [0, 0];
  /** @type {string[]} names of the heads that are off */ off = [];
  /** @type {Map<string, HTMLButtonElement>} by the heads' names */ squares = new Map();
  /** The colour of the weights. */ ink = "";
  /** The running measurement of all heads of a trace. @type {{trace: Trace} | null} */ run = null;

  /** @param {Record<string, string>} words
   * @param {{chosen: (head: [number, number]) => void, switched: (head: [number, number]) => void, opened: () => void,
   *   matter: () => void}} on */
  constructor(words, on) {
    this.on = on;
    this.t = words;
    /** @type {{head: number[], seen: string, word: string} | null} the source word that a head picks for a target word */
    this.role = null;
    /** @type {Map<string, number>} change of the translation's log-probability without a head, in nats */
    this.effects = new Map();
    /** Explains the squares. */
    this.caption = h("p", { class: "site-hint heads-caption" });
    this.grid = h("div", { class: "heads-grid", role: "radiogroup" });
    this.name = h("span", { class: "heads-name" });
    this.power = h("button", { class: "site-quiet heads-power", onclick: () => on.switched(this.head) });
    this.numbers = h("button", { class: "site-quiet heads-numbers", onclick: () => on.opened() });
    this.matter = h("button", { class: "site-quiet heads-matter", onclick: () => on.matter() });
    this.note = h("p", { class: "site-hint", role: "status" });
    this.root = h(
      "section",
      { class: "heads" },
      h("div", { class: "heads-top" }, this.name, this.numbers, this.power),
      this.caption,
      this.grid,
      h("div", { class: "heads-below" }, this.matter, this.note),
    );
    this.inFrame = oncePerFrame(() => this.#paintAll());
    this.grid.addEventListener("keydown", (event) => this.#key(event));
  }

  /** @param {Scene} scene
   * @param {{head: [number, number], off: string[], role?: {head: number[], seen: string, word: string} | null,
   *   words?: Record<string, string>, glossary?: import("../../shared/terms.js").Glossary}} how */
  draw(scene, { head, off, role = null, words = this.t, glossary = {} }) {
    const hasFocus = this.grid.contains(document.activeElement);
    const isOther = scene.layers !== this.scene?.layers || scene.heads !== this.scene.heads || words !== this.t;
    const isRepainted = isOther || scene !== this.scene;
    Object.assign(this, { scene, head, off, role, t: words });
    const { t } = this;
    if (isOther) {
      this.caption.replaceChildren(...withTerms(t.heads_caption, glossary));
      this.#build(scene);
    }
    for (const [name, square] of this.squares) this.#update(name, square);
    if (isRepainted) this.inFrame();
    const isOff = off.includes(nameOf(head));
    this.name.textContent = this.#labelOf(head);
    this.power.textContent = isOff ? t.head_on : t.head_off;
    this.power.setAttribute("aria-pressed", String(isOff));
    this.power.dataset.name = "power";
    this.numbers.textContent = t.head_numbers;
    this.#labelMatter();
    if (hasFocus) this.squares.get(nameOf(head))?.focus();
  }

  /** The label of a head, with its role where it was measured. @param {number[]} place */
  #labelOf(place) {
    const { t, role } = this;
    const [layer, head] = place;
    const name = fill(t.this_head, { layer, head });
    return role && nameOf(role.head) === nameOf(place)
      ? fill(t.head_picks, { name, seen: role.seen, said: role.word })
      : name;
  }

  /** Set the running measurement, or null at its end. @param {{trace: Trace} | null} run */
  setRun(run) {
    this.run = run;
    this.#labelMatter();
  }

  #labelMatter() {
    this.matter.textContent = this.run ? this.t.matter_stop : this.t.matter;
  }

  /** Empty the squares until weights arrive. */
  wait() {
    this.scene = null;
    this.setRun(null);
    this.clearEffects();
    for (const square of this.squares.values()) square.querySelector("canvas")?.setAttribute("width", "0");
  }

  /** Drop the effects, which were measured on another translation. */
  clearEffects() {
    this.effects = new Map();
    this.note.textContent = "";
  }

  /** Build a square for each head. @param {Scene} scene */
  #build(scene) {
    const { t } = this;
    const places = Array.from({ length: scene.layers * scene.heads }, (_, i) => [
      Math.floor(i / scene.heads),
      i % scene.heads,
    ]);
    this.squares = new Map(places.map((place) => [nameOf(place), this.#square(place)]));
    this.grid.setAttribute("aria-label", t.heads_of_cross);
    this.grid.style.setProperty("--heads", String(scene.heads));
    this.grid.replaceChildren(...this.squares.values());
  }

  /** @param {number[]} place */
  #square([layer, head]) {
    const label = fill(this.t.this_head, { layer, head });
    return h(
      "button",
      {
        class: "heads-square",
        role: "radio",
        "data-head": nameOf([layer, head]),
        "data-first": head === 0, // of its layer
        "aria-label": label,
        title: label,
        onclick: () => this.on.chosen([layer, head]),
      },
      h("canvas", { "aria-hidden": "true" }),
    );
  }

  /** @param {string} name @param {HTMLElement} square */
  #update(name, square) {
    const isChosen = name === nameOf(this.head);
    const effect = this.effects.get(name);
    square.setAttribute("aria-checked", String(isChosen));
    square.tabIndex = isChosen ? 0 : -1;
    square.toggleAttribute("data-off", this.off.includes(name));
    square.toggleAttribute("data-measured", effect !== undefined);
    const share = effect === undefined ? 0 : Math.min(1, Math.max(0, -effect / this.maxEffect));
    square.style.setProperty("--effect", String(share));
  }

  /** The effect that fills a square completely, in nats. */
  get maxEffect() {
    return Math.max(1, ...[...this.effects.values()].map((effect) => -effect));
  }

  /** Paint the squares, one layer per frame: all in one frame would delay the ribbons. */
  async #paintAll() {
    const { squares, scene } = this;
    this.ink = getComputedStyle(document.documentElement).getPropertyValue("--cross");
    for (const [name, square] of squares) {
      if (name.endsWith(".0")) await new Promise(requestAnimationFrame);
      if (this.squares !== squares || this.scene !== scene) return; // a later call paints the new ones
      this.#paint(name, square.querySelector("canvas"));
    }
  }

  /** @param {string} name @param {HTMLCanvasElement | null} canvas */
  #paint(name, canvas) {
    const { scene } = this;
    if (!scene || !canvas) return;
    canvas.width = scene.source.ids.length;
    canvas.height = scene.target.ids.length;
    const context = context2d(canvas);
    const image = context.createImageData(canvas.width, canvas.height);
    const [r, g, b] = parseColour(this.ink);
    const [layer, head] = name.split(".").map(Number);
    scene.weightsOf(layer, head).forEach((weight, i) => image.data.set([r, g, b, Math.round(255 * weight)], 4 * i));
    context.putImageData(image, 0, 0);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { scene, head } = this;
    const move = ARROWS[event.key];
    if (!move || !scene) return;
    event.preventDefault();
    const next = [head[0] + move[0], head[1] + move[1]];
    if (next[0] < 0 || next[1] < 0 || next[0] >= scene.layers || next[1] >= scene.heads) return;
    this.on.chosen(/** @type {[number, number]} */ (next));
  }
}
