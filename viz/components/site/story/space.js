// The first picture of the article: a 3D view of the model's attention on the reader's sentence. A light runs through the
// encoder and then through the decoder, once per token; the reader can rotate the view and open any head.

import { h, prefersReducedMotion, oncePerFrame, pointIn, sizedContext } from "../../shared/dom.js";
import { weightsOfBase64 } from "../../shared/packet.js";
import { clamp, fill } from "../../shared/text.js";
import { clearestStep, weightsAt } from "../stage/scene.js";
import { paintSpace } from "./space_paint.js";
import { coloursOf, headUnder, planesOf, projection } from "./space_planes.js";

/** @import { Kind } from "../../engine/edits.js" */
/** @import { Scene } from "../stage/scene.js" */
/** @import { Colours, Head, Light, Maps, Model, Plane, View } from "./space_planes.js" */

/** Milliseconds of the encoder, of one decoder step (shortest and longest), and of all decoder steps. */
const [ENCODE_TIME, MIN_STEP_TIME, MAX_STEP_TIME, DECODE_TIME] = [1500, 240, 620, 4600];
const FLATTEN_TIME = 460;
const CLIMB = 0.72; // share of a step in which the light rises
/** Initial angles, rotation during the animation, and limits, in radians. */
const [YAW, PITCH, DRIFT] = [-0.5, 0.5, 0.45];
const [MAX_YAW, MIN_PITCH, MAX_PITCH] = [1, 0.16, 1.3];
const RADIANS_PER_PIXEL = 0.008;
const KEY_ROTATION = 0.12;
const CLICK = 5; // pixels; a longer drag rotates

/** Decode the attention maps of a stored translation: bytes as base64.
 * @param {Record<Kind, Omit<Maps, "weights"> & {weights: string}>} stored @returns {Record<Kind, Maps>} */
export function mapsOfStored(stored) {
  const maps = Object.entries(stored).map(([kind, map]) => [kind, { ...map, weights: weightsOfBase64(map.weights) }]);
  return /** @type {Record<Kind, Maps>} */ (Object.fromEntries(maps));
}

/** The attention maps of a translation that was computed in the page.
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

const isTouchScreen = () => window.matchMedia("(pointer: coarse)").matches;

export class Space {
  canvas = h("canvas", { class: "space-canvas", tabindex: 0, role: "application" });
  status = h("p", { class: "space-said", role: "status" });
  /** @type {import("./space_planes.js").Place | null} */ place = null;
  /** @type {Model | null} */ model = null;
  /** @type {Plane[]} */ planes = [];
  /** @type {Colours | null} */ colours = null;
  /** @type {Head | null} the head under the pointer, or chosen with the keyboard */ chosen = null;
  /** @type {Light | null} null without animation */ light = null;
  /** @type {View} */ view = { yaw: YAW, pitch: PITCH, flat: 0 };
  /** Whether it is shown in place of the stage. */ isOpen = true;
  isTurned = false; // whether the reader has rotated it
  started = 0;
  frame = 0;
  /** Token of the latest fade. */ fading = {};

  /** @param {Record<string, string>} t
   * @param {(head: Head) => string} linkOf the address of a head's view */
  constructor(t, linkOf) {
    this.t = t;
    this.linkOf = linkOf;
    this.paintSoon = oncePerFrame(() => this.paint());
    this.playButton = h(
      "button",
      { class: "stage-tool", "aria-label": t.again, title: t.again, onclick: () => this.play() },
      "↻",
    );
    this.holder = h("div", { class: "space-holder" }, this.canvas);
    const below = h("div", { class: "space-below" }, this.status, prefersReducedMotion() ? null : this.playButton);
    this.root = h("section", { class: "space" }, this.holder, below);
    new ResizeObserver(this.paintSoon).observe(this.holder);
    this.#listen();
  }

  /** @param {Scene} scene @param {Record<Kind, Maps>} maps
   * @param {[number, number]} head the article's cross-attention head */
  show(scene, maps, head) {
    const seen = scene.target.ids.map((_, step) => weightsAt(scene, head, step));
    const { pieces: source } = scene.source;
    const isOther = [source, scene.target.pieces].join() !== [this.model?.source, this.model?.target].join();
    this.model = { source, target: scene.target.pieces, step: clearestStep(scene, head), seen, maps };
    const isFirst = this.planes.length === 0;
    this.colours = null; // rebuilds the planes
    const { layers, heads } = maps.encoder_self;
    const about = { text: scene.text, translation: scene.translation, heads, encoder: layers, decoder: scene.layers };
    this.canvas.setAttribute("aria-label", fill(this.t.space_label, about));
    this.#describe();
    if (isOther && !(isFirst && isTouchScreen()))
      this.play(); // not on a phone while the model is loading
    else this.paint();
  }

  /** Show empty planes until a translation arrives. @param {Record<Kind, Maps>} maps */
  wait(maps) {
    const empty = Object.entries(maps).map(([kind, map]) => [kind, { ...map, weights: map.weights.map(() => 0) }]);
    this.model = { source: [], target: [], step: 0, seen: [[]], maps: Object.fromEntries(empty) };
    this.#describe();
    this.paint();
  }

  /** Read the colours of another theme. */
  recolour() {
    this.colours = null;
    this.paintSoon();
  }

  /** Play the animation from its start. */
  play() {
    this.stop();
    if (prefersReducedMotion() || !this.isOpen) return this.paint();
    this.started = performance.now();
    return this.#advance(this.started);
  }

  stop() {
    cancelAnimationFrame(this.frame);
    this.light = null;
  }

  /** @param {number} now */
  #advance(now) {
    const { model, view } = this;
    if (!model) return;
    const word = clamp(DECODE_TIME / model.target.length, MIN_STEP_TIME, MAX_STEP_TIME);
    const passed = now - this.started;
    const remaining = Math.max(0, 1 - passed / (ENCODE_TIME + word * model.target.length));
    if (!this.isTurned) view.yaw = YAW - DRIFT * remaining ** 2;
    if (!remaining) this.light = null;
    else if (passed < ENCODE_TIME) this.light = { stack: 0, at: (1.1 * passed) / ENCODE_TIME, step: 0, written: 0 };
    else {
      const step = Math.floor((passed - ENCODE_TIME) / word);
      const at = ((passed - ENCODE_TIME) / word - step) / CLIMB;
      this.light = { stack: 1, at, step, written: step + Number(at >= 1) };
    }
    this.paint();
    if (remaining) this.frame = requestAnimationFrame((next) => this.#advance(next));
  }

  hide() {
    this.fading = {};
    this.stop();
    this.isOpen = false;
    this.root.hidden = true;
  }

  /** Fade in, or flatten and fade out.
   * @param {boolean} isOpen
   * @returns {Promise<void>} resolves afterwards */
  async fade(isOpen) {
    const fading = (this.fading = {});
    const started = performance.now();
    this.stop();
    this.isOpen = isOpen;
    this.root.hidden = false;
    for (let share = 0; share < 1 && this.model && !prefersReducedMotion();) {
      await new Promise(requestAnimationFrame);
      if (this.fading !== fading) return;
      share = Math.min(1, (performance.now() - started) / FLATTEN_TIME);
      const flat = (isOpen ? 1 - share : share) ** 2;
      this.root.style.opacity = String(1 - flat);
      if (isTouchScreen()) continue; // too slow on a phone while it scrolls
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

  #listen() {
    const { canvas } = this;
    /** @type {{x: number, y: number, far: number} | null} last position and length of the drag */
    let drag = null;
    canvas.addEventListener("pointerdown", ({ clientX: x, clientY: y }) => (drag = { x, y, far: 0 }));
    canvas.addEventListener("pointermove", (event) => {
      if (!drag) return this.#choose(this.#headAt(event));
      const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
      drag = { x: event.clientX, y: event.clientY, far: drag.far + Math.abs(x) + Math.abs(y) };
      if (drag.far < CLICK) return undefined;
      canvas.setPointerCapture(event.pointerId);
      return this.#rotate(x * RADIANS_PER_PIXEL, event.pointerType === "mouse" ? y * RADIANS_PER_PIXEL : 0);
    });
    for (const name of ["pointercancel", "pointerleave"])
      canvas.addEventListener(name, () => {
        drag = null;
        this.#choose(null);
      });
    canvas.addEventListener("click", (event) => {
      const isClick = drag !== null && drag.far < CLICK;
      drag = null;
      const head = isClick ? this.#headAt(event) : null;
      if (!head) return;
      this.#choose(head);
      this.#open();
    });
    canvas.addEventListener("blur", () => this.#choose(null));
    canvas.addEventListener("keydown", (event) => this.#key(event));
  }

  /** @param {MouseEvent} event */
  #headAt(event) {
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
    else this.#rotate(KEY_ROTATION * move[0], KEY_ROTATION * move[1]);
  }

  /** Choose the next head of the plane, or the same head of the next plane. @param {number[]} move */
  #step([along, up]) {
    const at = this.planes.findIndex(({ kind, layer }) => kind === this.chosen?.kind && layer === this.chosen.layer);
    const plane = this.planes[clamp(at + up, 0, this.planes.length - 1)];
    const head = clamp((this.chosen?.head ?? 0) + (this.chosen ? along : 0), 0, plane.maps.heads - 1);
    this.#choose({ kind: plane.kind, layer: plane.layer, head });
  }

  /** @param {number} yaw @param {number} pitch */
  #rotate(yaw, pitch) {
    const { view } = this;
    this.isTurned = true;
    view.yaw = clamp(view.yaw + yaw, -MAX_YAW, MAX_YAW);
    view.pitch = clamp(view.pitch + pitch, MIN_PITCH, MAX_PITCH);
    this.paintSoon();
  }

  /** @param {Head | null} head */
  #choose(head) {
    if (JSON.stringify(head) === JSON.stringify(this.chosen)) return;
    this.chosen = head;
    this.canvas.classList.toggle("space-pointed", head !== null);
    this.#describe();
    this.paintSoon();
  }

  #describe() {
    const { t, chosen } = this;
    if (!chosen) return this.status.replaceChildren(t.space_says);
    const { kind, layer, head } = chosen;
    const name = { encoder_self: t.plan_self, decoder_self: t.plan_masked, cross: t.plan_cross }[kind];
    const stack = kind === "encoder_self" ? t.plan_encoder : t.plan_decoder;
    const words = fill(t.space_head, { stack, kind: name, layer, head });
    return this.status.replaceChildren(h("a", { href: this.linkOf(chosen) }, words));
  }

  #open() {
    this.status.querySelector("a")?.click();
  }
}
