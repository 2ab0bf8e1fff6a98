// A pad to write a word on, with a mouse, a finger or a pen, or to drop a picture of one on. It speaks of what is on it as
// text (picture.js), so that whatever holds a sentence can hold a written word.

import { h, penOf, pointIn } from "../dom.js";
import { greyOfFile } from "./photo.js";
import { PICTURE_HEIGHT, PICTURE_WIDTH, fitted, pictureOfText, textOfPicture } from "./picture.js";
import { PEN, PEN_ON_SCREEN, RUBBER, drawn, frameOf, frameOfPicture, smoothed } from "./strokes.js";

/** @import { Stroke } from "./strokes.js" */

const LEAST_MOVE = 0.004; // of the pad's height: a shorter way adds no point

export class Pad {
  /** @param {Record<string, string>} words
   * @param {{changed: (text: string) => void}} on told of what is on the pad after each stroke, empty for nothing */
  constructor(words, on) {
    this.t = words;
    this.on = on;
    /** @type {Stroke[]} */
    this.strokes = [];
    /** What was on the pad before the strokes. @type {Uint8Array | null} */
    this.picture = null;
    /** What Undo returns to. @type {{strokes: Stroke[], picture: Uint8Array | null}[]} */
    this.past = [];
    /** The stroke that is being written, and its pointer. @type {{id: number, stroke: Stroke} | null} */
    this.moving = null;
    this.isRubbing = false;
    /** What was told last. */
    this.shown = "";
    this.canvas = h("canvas", { class: "pad-paper", tabindex: 0, role: "img" });
    this.hint = h("span", { class: "pad-hint", "aria-hidden": "true" });
    this.file = h("input", { type: "file", accept: "image/*", hidden: true, onchange: () => this.#chosen() });
    const button = (/** @type {string} */ name, /** @type {() => void} */ onclick) =>
      h("button", { class: "pad-tool", "data-name": name, onclick });
    this.tools = {
      undo: button("pad-undo", () => this.undo()),
      rub: button("pad-rub", () => this.#rub(!this.isRubbing)),
      clear: button("pad-clear", () => this.clear()),
      choose: button("pad-choose", () => this.file.click()),
    };
    this.status = h("span", { class: "pad-status", role: "status" });
    this.root = h(
      "div",
      { class: "pad" },
      h("div", { class: "pad-room" }, this.canvas, this.hint),
      h("div", { class: "pad-tools", role: "toolbar" }, ...Object.values(this.tools), this.status, this.file),
    );
    this.#listen();
    this.speak(words);
    this.sizes = new ResizeObserver(() => this.draw());
    this.sizes.observe(this.canvas);
  }

  #listen() {
    const { canvas, root } = this;
    canvas.addEventListener("pointerdown", (event) => this.#begin(event));
    canvas.addEventListener("pointermove", (event) => this.#go(event));
    for (const name of /** @type {const} */ (["pointerup", "pointercancel"]))
      canvas.addEventListener(name, (event) => this.#end(event));
    root.addEventListener("dragover", (event) => event.preventDefault());
    root.addEventListener("drop", (event) => {
      event.preventDefault();
      const [file] = event.dataTransfer?.files ?? [];
      if (file) void this.show(file);
    });
  }

  /** @param {Record<string, string>} words */
  speak(words) {
    this.t = words;
    for (const [name, tool] of Object.entries(this.tools)) tool.textContent = words[`pad_${name}`];
    this.canvas.setAttribute("aria-label", words.pad);
    this.hint.textContent = words.pad_hint;
    this.#update();
  }

  /** Width of the pad, in its heights. */
  get across() {
    return Math.max(1, this.canvas.clientWidth) / Math.max(1, this.canvas.clientHeight);
  }

  /** What is on the pad, as text; empty for nothing. */
  get value() {
    if (this.picture && !this.strokes.length) return textOfPicture(this.picture);
    const found = this.strokes.length ? drawn(this.strokes, this.#frame(this.strokes), this.picture) : null;
    return found ? textOfPicture(found) : "";
  }

  /** Put a written word on the pad; there is nothing to undo. */
  set value(text) {
    if (text && text === this.shown) return; // what was written stays as strokes
    Object.assign(this, { strokes: [], past: [], picture: pictureOfText(text), moving: null, shown: text });
    this.#update();
  }

  /** Go on with what is on another pad, which is taken away. @param {Pad} other */
  take({ strokes, picture, past, shown }) {
    Object.assign(this, { strokes, picture, past, shown });
    this.#update();
  }

  focus() {
    this.canvas.focus();
  }

  /** Put a picture on the pad. @param {Blob} file */
  async show(file) {
    const grey = await greyOfFile(file);
    const picture = grey && fitted(grey);
    this.status.textContent = picture ? "" : this.t.pad_no_picture;
    if (picture) this.#act({ strokes: [], picture });
  }

  clear() {
    this.#rub(false);
    if (this.picture || this.strokes.length) this.#act({ strokes: [], picture: null });
  }

  undo() {
    const before = this.past.pop();
    if (before) this.#tell(before);
  }

  #chosen() {
    const [file] = this.file.files ?? [];
    if (file) void this.show(file);
    this.file.value = "";
  }

  /** @param {{strokes: Stroke[], picture: Uint8Array | null}} next */
  #act(next) {
    this.past.push({ strokes: this.strokes, picture: this.picture });
    this.#tell(next);
  }

  /** @param {{strokes: Stroke[], picture: Uint8Array | null}} next */
  #tell(next) {
    Object.assign(this, next);
    this.#update();
    this.shown = this.value;
    this.on.changed(this.shown);
  }

  /** @param {boolean} isRubbing */
  #rub(isRubbing) {
    this.isRubbing = isRubbing;
    this.#update();
  }

  /** @param {Stroke[]} strokes */
  #frame(strokes) {
    return this.picture ? frameOfPicture(this.picture, this.across) : frameOf(strokes);
  }

  /** @param {PointerEvent} event */
  #begin(event) {
    if (this.moving || event.button !== 0) return;
    event.preventDefault();
    this.canvas.setPointerCapture(event.pointerId);
    this.moving = { id: event.pointerId, stroke: { points: [this.#pointOf(event)], isRubber: this.isRubbing } };
    this.status.textContent = "";
    this.draw();
  }

  /** @param {PointerEvent} event */
  #go(event) {
    if (event.pointerId !== this.moving?.id) return;
    const { points } = this.moving.stroke;
    const passed = event.getCoalescedEvents?.() ?? [];
    for (const each of passed.length ? passed : [event]) {
      const [point, last] = [this.#pointOf(each), points[points.length - 1]];
      if (Math.hypot(point.x - last.x, point.y - last.y) >= LEAST_MOVE) points.push(point);
    }
    this.draw();
  }

  /** @param {PointerEvent} event */
  #end(event) {
    if (event.pointerId !== this.moving?.id) return;
    const { stroke } = this.moving;
    this.moving = null;
    this.#act({ strokes: [...this.strokes, stroke], picture: this.picture });
  }

  /** @param {PointerEvent} event */
  #pointOf(event) {
    const [x, y] = pointIn(event, this.canvas);
    const { clientHeight: height } = this.canvas;
    return { x: x / height, y: y / height };
  }

  #update() {
    const { tools, strokes, picture, past, isRubbing } = this;
    const isEmpty = !strokes.length && !picture;
    this.hint.hidden = !isEmpty;
    tools.undo.disabled = !past.length;
    tools.clear.disabled = isEmpty;
    tools.rub.disabled = isEmpty;
    tools.rub.setAttribute("aria-pressed", String(isRubbing && !isEmpty));
    this.canvas.toggleAttribute("data-rubbing", isRubbing && !isEmpty);
    this.draw();
  }

  draw() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width) return;
    this.hint.hidden ||= this.moving !== null;
    const ratio = window.devicePixelRatio || 1;
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio))
      Object.assign(this.canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
    const context = penOf(this.canvas);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const ink = getComputedStyle(this.canvas).color;
    const strokes = this.moving ? [...this.strokes, this.moving.stroke] : this.strokes;
    if (!strokes.length && !this.picture) return;
    const { scale, x: right, y: down } = this.#frame(strokes);
    const unit = height / scale; // a pixel of the picture on the screen
    if (this.picture) {
      const size = [-right, -down, PICTURE_WIDTH, PICTURE_HEIGHT].map((each) => each * unit);
      context.drawImage(tinted(this.picture, ink), size[0], size[1], size[2], size[3]);
    }
    Object.assign(context, { strokeStyle: ink, lineCap: "round", lineJoin: "round" });
    const pen = this.picture ? PEN * unit : PEN_ON_SCREEN * height;
    for (const { points, isRubber } of strokes) {
      context.globalCompositeOperation = isRubber ? "destination-out" : "source-over";
      context.lineWidth = isRubber ? RUBBER * unit : pen;
      context.beginPath();
      const line = smoothed(points);
      context.moveTo(line[0].x * height, line[0].y * height);
      for (const { x, y } of line) context.lineTo(x * height, y * height);
      context.stroke();
    }
    context.globalCompositeOperation = "source-over";
  }
}

/** A picture in a colour, on nothing.
 * @param {Uint8Array} picture (32 × 384)
 * @param {string} colour */
export function tinted(picture, colour) {
  const [width, height] = [PICTURE_WIDTH, PICTURE_HEIGHT];
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  const context = penOf(canvas);
  const image = context.createImageData(width, height);
  picture.forEach((value, i) => (image.data[4 * i + 3] = value));
  context.putImageData(image, 0, 0);
  Object.assign(context, { globalCompositeOperation: "source-in", fillStyle: colour });
  context.fillRect(0, 0, width, height);
  return canvas;
}
