// The first picture of the article: the whole model in space, on the reader's sentence. A light runs through it as the
// sentence is read and the translation is written; the reader turns it, and opens any of its heads.

import { h, prefersReducedMotion, oncePerFrame, pointIn, sizedContext } from "../../shared/dom.js";
import { weightsOfBase64 } from "../../shared/packet.js";
import { clamp, fill } from "../../shared/text.js";
import { tellingStep } from "../stage/scene.js";
import { paintSpace } from "./space_paint.js";
import { coloursOf, headUnder, planesOf, projection } from "./space_planes.js";

/** @import { Kind } from "../../engine/edits.js" */
/** @import { Scene } from "../stage/scene.js" */
/** @import { Colours, Head, Light, Maps, Model, Plane, View } from "./space_planes.js" */

/** Milliseconds in which the encoder reads, one step of the decoder takes at least and at most, and all of them. */
const [READ, FASTEST, SLOWEST, WRITE] = [1500, 240, 620, 4600];
const FLATTEN = 460;
const CLIMB = 0.72; // of a step, in which its light goes up
/** How it stands, how far it turns by itself while it writes, and how far it can be turned. */
const [YAW, PITCH, DRIFT] = [-0.5, 0.5, 0.45];
const [FARTHEST, LOWEST, HIGHEST] = [1, 0.16, 1.3];
const PER_PIXEL = 0.008;
const TURN = 0.12;
const CLICK = 5; // pixels up to which a press is no turning

/** The maps of a stored translation, as the site's builder writes them: bytes as base64.
 * @param {Record<Kind, Omit<Maps, "weights"> & {weights: string}>} stored @returns {Record<Kind, Maps>} */
export function mapsOfStored(stored) {
  const maps = Object.entries(stored).map(([kind, each]) => [
    kind,
    { ...each, weights: weightsOfBase64(each.weights) },
  ]);
  return /** @type {Record<Kind, Maps>} */ (Object.fromEntries(maps));
}

/** The maps of a translation that was computed in the page.
 * @param {import("../types.js").Trace} trace @returns {Record<Kind, Maps>} */
export function mapsOfTrace({ maps, about: { config }, source, target }) {
  const [n, m] = [source.ids.length, target.ids.length];
  const of = (/** @type {Kind} */ kind, /** @type {"encoder" | "decoder"} */ stack, rows = m, columns = n) => ({
    layers: config[`n_${stack}_layers`],
    heads: config[`n_${stack}_heads`],
    rows,
    columns,
    weights: maps[kind],
  });
  return {
    encoder_self: of("encoder_self", "encoder", n),
    decoder_self: of("decoder_self", "decoder", m, m),
    cross: of("cross", "decoder"),
  };
}

const isTouched = () => window.matchMedia("(pointer: coarse)").matches;

export class Space {
  canvas = h("canvas", { class: "space-canvas", tabindex: 0, role: "application" });
  said = h("p", { class: "space-said", role: "status" });
  /** @type {import("./space_planes.js").Place | null} */ place = null;
  /** @type {Model | null} */ model = null;
  /** @type {Plane[]} */ planes = [];
  /** @type {Colours | null} */ colours = null;
  /** @type {Head | null} the head that is pointed at, or chosen with the keyboard */ chosen = null;
  /** @type {Light | null} nothing at rest */ light = null;
  /** @type {View} */ view = { yaw: YAW, pitch: PITCH, flat: 0 };
  /** Whether it is in front; the sentence with its ribbons is, where it is not. */ isOpen = true;
  isTurned = false; // by the reader
  begun = 0;
  frame = 0;
  /** The movement that was begun last. */ turning = {};

  /** @param {Record<string, string>} t
   * @param {(head: Head) => string} linkOf the address where a head is shown */
  constructor(t, linkOf) {
    this.t = t;
    this.linkOf = linkOf;
    this.paintSoon = oncePerFrame(() => this.paint());
    this.again = h(
      "button",
      { class: "stage-tool", "aria-label": t.again, title: t.again, onclick: () => this.play() },
      "↻",
    );
    this.holder = h("div", { class: "space-holder" }, this.canvas);
    const below = h("div", { class: "space-below" }, this.said, prefersReducedMotion() ? null : this.again);
    this.root = h("section", { class: "space" }, this.holder, below);
    new ResizeObserver(this.paintSoon).observe(this.holder);
    this.#hear();
  }

  /** @param {Scene} scene @param {Record<Kind, Maps>} maps
   * @param {[number, number]} head of the cross-attention that the article follows */
  show(scene, maps, head) {
    const n = scene.source.ids.length;
    const seen = scene.target.ids.map((_, step) => scene.weightsOf(...head).subarray(step * n, (step + 1) * n));
    const { pieces: source } = scene.source;
    const isOther = [source, scene.target.pieces].join() !== [this.model?.source, this.model?.target].join();
    this.model = { source, target: scene.target.pieces, step: tellingStep(scene, head), seen, maps };
    const isFirst = this.planes.length === 0;
    this.colours = null; // the planes are made again
    const { layers, heads } = maps.encoder_self;
    const about = { text: scene.text, translation: scene.translation, heads, encoder: layers, decoder: scene.layers };
    this.canvas.setAttribute("aria-label", fill(this.t.space_label, about));
    this.#say();
    if (isOther && !(isFirst && isTouched()))
      this.play(); // a phone has enough to do until the model has come
    else this.paint();
  }

  /** The planes of a model whose translation of another sentence has not come. @param {Record<Kind, Maps>} maps */
  wait(maps) {
    const empty = Object.entries(maps).map(([kind, each]) => [kind, { ...each, weights: each.weights.map(() => 0) }]);
    this.model = { source: [], target: [], step: 0, seen: [[]], maps: Object.fromEntries(empty) };
    this.#say();
    this.paint();
  }

  /** Another theme: other colours. */
  recolour() {
    this.colours = null;
    this.paintSoon();
  }

  /** Read and write the sentence from its beginning. */
  play() {
    this.stop();
    if (prefersReducedMotion() || !this.isOpen) return this.paint();
    this.begun = performance.now();
    return this.#advance(this.begun);
  }

  stop() {
    cancelAnimationFrame(this.frame);
    this.light = null;
  }

  /** @param {number} now */
  #advance(now) {
    const { model, view } = this;
    if (!model) return;
    const word = clamp(WRITE / model.target.length, FASTEST, SLOWEST);
    const passed = now - this.begun;
    const left = Math.max(0, 1 - passed / (READ + word * model.target.length));
    if (!this.isTurned) view.yaw = YAW - DRIFT * left ** 2;
    if (!left) this.light = null;
    else if (passed < READ) this.light = { stack: 0, at: (1.1 * passed) / READ, step: 0, written: 0 };
    else {
      const step = Math.floor((passed - READ) / word);
      const at = ((passed - READ) / word - step) / CLIMB;
      this.light = { stack: 1, at, step, written: step + Number(at >= 1) };
    }
    this.paint();
    if (left) this.frame = requestAnimationFrame((next) => this.#advance(next));
  }

  hide() {
    this.turning = {};
    this.stop();
    this.isOpen = false;
    this.root.hidden = true;
  }

  /** Come to the front, or sink into the plane of the sentence.
   * @param {boolean} isOpen
   * @returns {Promise<void>} settled once it has */
  async turnTo(isOpen) {
    const turning = (this.turning = {});
    const begun = performance.now();
    this.stop();
    this.isOpen = isOpen;
    this.root.hidden = false;
    for (let share = 0; share < 1 && this.model && !prefersReducedMotion();) {
      await new Promise(requestAnimationFrame);
      if (this.turning !== turning) return;
      share = Math.min(1, (performance.now() - begun) / FLATTEN);
      const flat = (isOpen ? 1 - share : share) ** 2;
      this.root.style.opacity = String(1 - flat);
      if (isTouched()) continue; // a phone has a frame for its scrolling, and none for the planes
      this.view.flat = flat;
      this.paint();
    }
    this.root.hidden = !isOpen;
    this.root.style.opacity = "";
    this.view.flat = 0;
    this.paintSoon();
  }

  paint() {
    const { model, canvas, holder, light, chosen, view, t } = this;
    const { clientWidth: width, clientHeight: height } = holder;
    if (!model || !width) return;
    this.colours ??= this.#colour(model);
    const { planes, colours } = this;
    const flat = { ...view, pitch: view.pitch + (Math.PI / 2 - view.pitch) * view.flat };
    const { place, scale } = projection(planes, flat, width, height);
    this.place = place;
    const pen = sizedContext(canvas, width, height);
    paintSpace(pen, { model, planes, place, scale, colours, light, chosen, width, height, t });
    this.root.dataset.drawn ??= String(Math.round(performance.now()));
  }

  /** @param {Model} model */
  #colour(model) {
    const colours = coloursOf(this.root);
    this.planes = planesOf(model, colours);
    return colours;
  }

  #hear() {
    const { canvas } = this;
    /** @type {{x: number, y: number, far: number} | null} where it is held */
    let held = null;
    canvas.addEventListener("pointerdown", ({ clientX: x, clientY: y }) => (held = { x, y, far: 0 }));
    canvas.addEventListener("pointermove", (event) => {
      if (!held) return this.#choose(this.#under(event));
      const [x, y] = [event.clientX - held.x, event.clientY - held.y];
      held = { x: event.clientX, y: event.clientY, far: held.far + Math.abs(x) + Math.abs(y) };
      if (held.far < CLICK) return undefined;
      canvas.setPointerCapture(event.pointerId);
      return this.#turn(x * PER_PIXEL, event.pointerType === "mouse" ? y * PER_PIXEL : 0);
    });
    for (const name of ["pointercancel", "pointerleave"])
      canvas.addEventListener(name, () => {
        held = null;
        this.#choose(null);
      });
    canvas.addEventListener("click", (event) => {
      const isClick = held !== null && held.far < CLICK;
      held = null;
      const head = isClick ? this.#under(event) : null;
      if (!head) return;
      this.#choose(head);
      this.#open();
    });
    canvas.addEventListener("blur", () => this.#choose(null));
    canvas.addEventListener("keydown", (event) => this.#key(event));
  }

  /** @param {MouseEvent} event */
  #under(event) {
    return this.place ? headUnder(this.planes, this.place, pointIn(event, this.canvas)) : null;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const move = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    const isEnter = event.key === "Enter" && this.chosen !== null;
    if (event.ctrlKey || event.metaKey || event.altKey || !(move || isEnter)) return;
    event.preventDefault();
    if (!move) this.#open();
    else if (event.shiftKey) this.#step(move);
    else this.#turn(TURN * move[0], TURN * move[1]);
  }

  /** Choose the next head of a plane, or the same one of the next plane. @param {number[]} move */
  #step([along, up]) {
    const at = this.planes.findIndex(({ kind, layer }) => kind === this.chosen?.kind && layer === this.chosen.layer);
    const plane = this.planes[clamp(at + up, 0, this.planes.length - 1)];
    const head = clamp((this.chosen?.head ?? 0) + (this.chosen ? along : 0), 0, plane.maps.heads - 1);
    this.#choose({ kind: plane.kind, layer: plane.layer, head });
  }

  /** @param {number} yaw @param {number} pitch */
  #turn(yaw, pitch) {
    const { view } = this;
    this.isTurned = true;
    view.yaw = clamp(view.yaw + yaw, -FARTHEST, FARTHEST);
    view.pitch = clamp(view.pitch + pitch, LOWEST, HIGHEST);
    this.paintSoon();
  }

  /** @param {Head | null} head */
  #choose(head) {
    if (JSON.stringify(head) === JSON.stringify(this.chosen)) return;
    this.chosen = head;
    this.canvas.classList.toggle("space-pointed", head !== null);
    this.#say();
    this.paintSoon();
  }

  #say() {
    const { t, chosen } = this;
    if (!chosen) return this.said.replaceChildren(t.space_says);
    const { kind, layer, head } = chosen;
    const name = { encoder_self: t.plan_self, decoder_self: t.plan_masked, cross: t.plan_cross }[kind];
    const stack = kind === "encoder_self" ? t.plan_encoder : t.plan_decoder;
    const words = fill(t.space_head, { stack, kind: name, layer, head });
    return this.said.replaceChildren(h("a", { href: this.linkOf(chosen) }, words));
  }

  #open() {
    this.said.querySelector("a")?.click();
  }
}
