// The dialog "Share this change": the change as an animation, its link, and buttons to save a picture or the animation.

import { copyText, h, prefersReducedMotion, context2d, saveFile } from "../dom.js";
import { fill } from "../text.js";
import { loopFile, stillOf } from "./loop_file.js";
import { HEIGHT, LoopPicture, SECONDS, WIDTH } from "./loop_picture.js";

/** @import { Scene } from "./loop_picture.js" */

/**
 * @typedef {object} Change
 * @property {Scene} before
 * @property {Scene} after
 * @property {[number, number]} head whose ribbons are shown
 * @property {boolean} isOff whether the change has switched it off
 * @property {string} title the effect of the change, in a line
 * @property {string} foot the name of the page
 * @property {string} link to the page with the change
 */

export class ShareDialog {
  /** @param {Record<string, string>} t @param {Change} change */
  constructor(t, change) {
    this.t = t;
    this.change = change;
    this.canvas = canvasOf();
    for (const [name, value] of Object.entries({ class: "share-loop", role: "img", "aria-label": change.title }))
      this.canvas.setAttribute(name, value);
    this.link = h("input", { type: "text", readonly: true, value: change.link, "aria-label": t.share_link });
    this.status = h("p", { class: "share-said", role: "status" });
    const button = (/** @type {string} */ name, /** @type {() => void} */ onclick) =>
      h("button", { "data-name": name, onclick }, t[name]);
    this.loop = button("save_loop", () => this.#saveLoop());
    const send = button("share_send", () => this.#send());
    send.hidden = !navigator.share;
    this.root = h(
      "dialog",
      { class: "share-dialog", "aria-label": t.share_change },
      h("h2", {}, t.share_change),
      this.canvas,
      h(
        "div",
        { class: "share-link" },
        this.link,
        button("share_copy", () => this.#copy()),
      ),
      h(
        "div",
        { class: "share-ways" },
        button("save_picture", () => this.#savePicture()),
        this.loop,
        send,
      ),
      this.status,
      h("button", { class: "share-close", onclick: () => this.root.close() }, t.close),
    );
    this.root.addEventListener("close", () => this.root.remove());
  }

  /** @param {HTMLElement} parent whose styles it inherits */
  open(parent = document.body) {
    parent.append(this.root);
    this.root.showModal();
    this.root.querySelector("button")?.focus();
    const picture = this.#pictureOn(this.canvas);
    if (prefersReducedMotion()) return picture.paintStill();
    const started = performance.now();
    const go = (/** @type {number} */ now) => {
      if (!this.root.isConnected) return;
      picture.paint(((now - started) / 1000) % SECONDS);
      requestAnimationFrame(go);
    };
    return go(started);
  }

  async #copy() {
    const isCopied = await copyText(this.change.link);
    if (!isCopied) this.link.select();
    this.status.textContent = isCopied ? this.t.share_copied : this.t.copy_it;
  }

  async #savePicture() {
    const picture = await stillOf(this.#stillCanvas(), "image/png");
    if (picture) saveFile(picture, "regard.png");
  }

  /** The complete change on a second canvas: the dialog's canvas continues its animation. */
  #stillCanvas() {
    const canvas = canvasOf();
    this.#pictureOn(canvas).paintStill();
    return canvas;
  }

  /** @param {HTMLCanvasElement} canvas */
  #pictureOn(canvas) {
    return new LoopPicture(context2d(canvas), this.root, this.change);
  }

  async #saveLoop() {
    const { t, loop } = this;
    const canvas = canvasOf();
    loop.disabled = true;
    const file = await loopFile(canvas, this.#pictureOn(canvas), (share) => {
      this.status.textContent = fill(t.making_loop, { n: Math.round(100 * share) });
    });
    loop.disabled = false;
    this.status.textContent = file
      ? fill(t.made_loop, { name: file.name, size: Math.ceil(file.size / 1000) })
      : t.no_loop;
    if (file) saveFile(file, file.name);
  }

  /** Open the device's share menu, with the picture if it takes files. */
  async #send() {
    const { title, link } = this.change;
    const picture = await stillOf(this.#stillCanvas(), "image/png");
    const files = picture ? [new File([picture], "regard.png", { type: "image/png" })] : [];
    const canShareFiles = navigator.canShare?.({ files }) ?? false;
    await navigator.share({ title, text: title, url: link, ...(canShareFiles && { files }) }).catch(() => undefined);
  }
}

const canvasOf = () => h("canvas", { width: WIDTH, height: HEIGHT });
