// A pad to write a word on, with a mouse, a finger or a pen, or to drop a picture of one on; and canvases of written words. A
// pad has a text as its value (picture.js), so that a written word can take the place of a sentence everywhere.

import { h, context2d, pointIn, scaledContext } from "../dom.js";
import {
  greyOfFile,
  PICTURE_HEIGHT,
  PICTURE_WIDTH,
  fitInk,
  pictureOfText,
  textOfPicture,
  inkWidth,
} from "./picture.js";
import { PEN, PEN_ON_SCREEN, RUBBER, frameOf, frameOfPicture, rasterize, smoothStroke } from "./strokes.js";

/** @import { Stroke } from "./strokes.js" */

const MIN_MOVE = 0.004; // of the pad's height: a shorter move adds no point

export class Pad {
  isRubbing = false;
  /** @type {Stroke[]} */ strokes = [];
  /** The picture under the strokes. @type {Uint8Array | null} */ picture = null;
  /** The undo stack. @type {{strokes: Stroke[], picture: Uint8Array | null}[]} */ past = [];
  /** The unfinished stroke and its pointer id. @type {{id: number, stroke: Stroke} | null} */ moving = null;
  /** The value that was reported last. */ reported = "";

  /** @param {Record<string, string>} words
   * @param {{changed: (text: string) => void}} on called with the pad's value after each stroke */
  constructor(words, on) {
    this.t = words;
    this.on = on;
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
    this.setWords(words);
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
  setWords(words) {
    this.t = words;
    for (const [name, tool] of Object.entries(this.tools)) tool.textContent = words[`pad_${name}`];
    this.canvas.setAttribute("aria-label", words.pad);
    this.hint.textContent = words.pad_hint;
    this.#update();
  }

  /** Width of the pad divided by its height. */
  get across() {
    return Math.max(1, this.canvas.clientWidth) / Math.max(1, this.canvas.clientHeight);
  }

  /** The written word as text (picture.js); "" for an empty pad. */
  get value() {
    if (this.picture && !this.strokes.length) return textOfPicture(this.picture);
    const raster = this.strokes.length ? rasterize(this.strokes, this.#frame(this.strokes), this.picture) : null;
    return raster ? textOfPicture(raster) : "";
  }

  /** Put a written word on the pad; the undo stack is emptied. */
  set value(text) {
    if (text && text === this.reported) return; // the word is already here, as strokes
    Object.assign(this, { strokes: [], past: [], picture: pictureOfText(text), moving: null, reported: text });
    this.#update();
  }

  /** Take over the strokes and the undo stack of a pad that is removed. @param {Pad} pad */
  takeOver({ strokes, picture, past, reported }) {
    Object.assign(this, { strokes, picture, past, reported });
    this.#update();
  }

  focus() {
    this.canvas.focus();
  }

  /** Put a picture on the pad. @param {Blob} file */
  async show(file) {
    const grey = await greyOfFile(file);
    const picture = grey && fitInk(grey);
    this.status.textContent = picture ? "" : this.t.pad_no_picture;
    if (picture) this.#edit({ strokes: [], picture });
  }

  clear() {
    this.#rub(false);
    if (this.picture || this.strokes.length) this.#edit({ strokes: [], picture: null });
  }

  undo() {
    const before = this.past.pop();
    if (before) this.#change(before);
  }

  #chosen() {
    const [file] = this.file.files ?? [];
    if (file) void this.show(file);
    this.file.value = "";
  }

  /** @param {{strokes: Stroke[], picture: Uint8Array | null}} next */
  #edit(next) {
    this.past.push({ strokes: this.strokes, picture: this.picture });
    this.#change(next);
  }

  /** @param {{strokes: Stroke[], picture: Uint8Array | null}} next */
  #change(next) {
    Object.assign(this, next);
    this.#update();
    this.reported = this.value;
    this.on.changed(this.reported);
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
    const coalesced = event.getCoalescedEvents?.() ?? [];
    for (const move of coalesced.length ? coalesced : [event]) {
      const [point, last] = [this.#pointOf(move), points[points.length - 1]];
      if (Math.hypot(point.x - last.x, point.y - last.y) >= MIN_MOVE) points.push(point);
    }
    this.draw();
  }

  /** @param {PointerEvent} event */
  #end(event) {
    if (event.pointerId !== this.moving?.id) return;
    const { stroke } = this.moving;
    this.moving = null;
    this.#edit({ strokes: [...this.strokes, stroke], picture: this.picture });
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
    const context = scaledContext(this.canvas, width, height);
    const ink = getComputedStyle(this.canvas).color;
    const strokes = this.moving ? [...this.strokes, this.moving.stroke] : this.strokes;
    if (!strokes.length && !this.picture) return;
    const { scale, x: offsetX, y: offsetY } = this.#frame(strokes);
    const unit = height / scale; // a pixel of the picture on the screen
    if (this.picture) {
      const size = [-offsetX, -offsetY, PICTURE_WIDTH, PICTURE_HEIGHT].map((pixels) => pixels * unit);
      context.drawImage(tintPicture(this.picture, ink), size[0], size[1], size[2], size[3]);
    }
    Object.assign(context, { strokeStyle: ink, lineCap: "round", lineJoin: "round" });
    const pen = this.picture ? PEN * unit : PEN_ON_SCREEN * height;
    for (const { points, isRubber } of strokes) {
      context.globalCompositeOperation = isRubber ? "destination-out" : "source-over";
      context.lineWidth = isRubber ? RUBBER * unit : pen;
      context.beginPath();
      const line = smoothStroke(points);
      context.moveTo(line[0].x * height, line[0].y * height);
      for (const { x, y } of line) context.lineTo(x * height, y * height);
      context.stroke();
    }
    context.globalCompositeOperation = "source-over";
  }
}

/** A picture in a colour, on a transparent canvas.
 * @param {Uint8Array} picture (32 × 384)
 * @param {string} colour */
export function tintPicture(picture, colour) {
  const [width, height] = [PICTURE_WIDTH, PICTURE_HEIGHT];
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  const context = context2d(canvas);
  const image = context.createImageData(width, height);
  picture.forEach((value, i) => (image.data[4 * i + 3] = value));
  context.putImageData(image, 0, 0);
  Object.assign(context, { globalCompositeOperation: "source-in", fillStyle: colour });
  context.fillRect(0, 0, width, height);
  return canvas;
}

/** The text, or a canvas if it encodes a picture.
 * @param {{text: string, says?: string}} source `says` is the written word, the canvas's accessible name
 * @returns {string | HTMLCanvasElement} */
export function textOrPicture({ text, says = "" }) {
  const picture = pictureOfText(text);
  return picture ? croppedCanvas(picture, 0, inkWidth(picture) + 4, says) : text;
}

/** One strip of a picture.
 * @type {(picture: Uint8Array, place: number, strip: number, label: string) => HTMLCanvasElement} */
export const stripCanvas = (picture, place, strip, label) => croppedCanvas(picture, place * strip, strip, label);

/** @param {Uint8Array} picture @param {number} left @param {number} width @param {string} label */
function croppedCanvas(picture, left, width, label) {
  const styles = getComputedStyle(document.documentElement);
  const colour = styles.getPropertyValue("--ink") || styles.getPropertyValue("--st-text-color") || "#777";
  return cropPicture(picture, colour, left, width, { class: "pad-drawn", role: "img", "aria-label": label });
}

/** A part of a picture in a colour, on a canvas.
 * @param {Uint8Array} picture @param {string} colour @param {number} left @param {number} width
 * @param {Record<string, string>} [attributes] */
export function cropPicture(picture, colour, left, width, attributes = {}) {
  const canvas = h("canvas", { width, height: PICTURE_HEIGHT, ...attributes });
  context2d(canvas).drawImage(tintPicture(picture, colour), -left, 0);
  return canvas;
}
