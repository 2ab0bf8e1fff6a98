// The entropy of the chosen head at each step; faint curves for all other heads.

import { h, pointIn, sizedContext } from "../../shared/dom.js";
import { fill, formatFixed } from "../../shared/text.js";

/** @import { Frame, Look, Scene } from "./types" */

const LEFT = 34;
const RIGHT = 10;

export class Entropy {
  /** @type {Frame[]} */ frames = [];
  lastStep = 1;
  width = 0;

  /** @param {(at: number) => void} onstep */
  constructor(onstep) {
    const onclick = (/** @type {MouseEvent} */ event) => {
      const step = ((pointIn(event, this.canvas)[0] - LEFT) / (this.width - LEFT - RIGHT)) * this.lastStep;
      const distances = this.frames.map((frame) => Math.abs(frame.step - step));
      onstep(distances.indexOf(Math.min(...distances)));
    };
    this.canvas = h("canvas", { class: "entropy", role: "img", onclick });
  }

  /** @type {(scene: Scene, width: number, look: Look) => void} */
  draw({ film, frame: now, chosen: [layer, head] }, width, { ink, soft, font }) {
    const lastStep = Math.max(film.last, film.frames[film.frames.length - 1].step, 1);
    Object.assign(this, { frames: film.frames, lastStep, width });
    const height = 110;
    const [top, bottom] = [8, height - 20];
    const context = sizedContext(this.canvas, width, height);
    const highest = Math.max(0.5, ...film.frames.flatMap((frame) => frame.entropy.flat()));
    const x = (/** @type {number} */ step) => LEFT + (step / lastStep) * (width - LEFT - RIGHT);
    const y = (/** @type {number} */ bits) => bottom - (bits / highest) * (bottom - top);
    Object.assign(context, { font: `11px ${font}`, fillStyle: soft, textBaseline: "middle", textAlign: "right" });
    [0, highest].forEach((bits) => context.fillText(formatFixed(bits, bits ? 1 : 0), LEFT - 6, y(bits)));
    context.textAlign = "left";
    context.fillText("0", x(0), height - 8);
    context.textAlign = "right";
    context.fillText(String(lastStep), width - RIGHT, height - 8);
    context.strokeStyle = soft;
    context.globalAlpha = 0.3;
    context.strokeRect(LEFT, top, width - LEFT - RIGHT, bottom - top);
    context.strokeStyle = film.hue;
    const curve = (/** @type {number} */ layer, /** @type {number} */ head) => {
      context.beginPath();
      film.frames.forEach((frame, i) => context[i ? "lineTo" : "moveTo"](x(frame.step), y(frame.entropy[layer][head])));
      context.stroke();
    };
    context.lineWidth = 1;
    context.globalAlpha = 0.14;
    for (let layer = 0; layer < film.layers; layer++) for (let head = 0; head < film.heads; head++) curve(layer, head);
    context.globalAlpha = 1;
    context.lineWidth = 2.2;
    curve(layer, head);
    const bits = now.entropy[layer][head];
    context.strokeStyle = ink;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(x(now.step), top);
    context.lineTo(x(now.step), bottom);
    context.stroke();
    context.fillStyle = film.hue;
    context.beginPath();
    context.arc(x(now.step), y(bits), 4, 0, 7);
    context.fill();
    this.canvas.setAttribute("aria-label", fill(film.words.entropy_label, { bits: formatFixed(bits), step: now.step }));
  }
}
