// One head large, with its tokens, and a number for the cell pointed at.

import { h, context2d, sizedContext } from "../../shared/dom.js";
import { fill, fixed } from "../../shared/text.js";
import { cellColour, changeAt, weightAt } from "./frames.js";

/** @import { Frame, Look, Scene } from "./types" */

export class HeadMap {
  /** @type {Scene | undefined} what is drawn */ scene;
  /** Where its first cell is, and how large cells are, in pixels. */
  place = { left: 0, top: 0, row: 0, column: 0 };

  constructor() {
    this.canvas = h("canvas", { class: "map", role: "img" });
    this.reading = h("div", { class: "reading", "aria-live": "off" });
    this.canvas.addEventListener("pointermove", (event) => this.point(event));
    this.canvas.addEventListener(
      "pointerleave",
      () => (this.reading.textContent = this.scene?.film.words.map_how ?? ""),
    );
  }

  /** @type {(scene: Scene, width: number, look: Look) => void} */
  draw(scene, width, { ink, soft, font }) {
    this.scene = scene;
    const { film, frame, chosen } = scene;
    const rows = frame.queries.length;
    const columns = frame.keys.length;
    const context = context2d(this.canvas);
    context.font = `13px ${font}`;
    const longest = Math.max(...frame.queries.map((token) => context.measureText(token).width));
    const left = Math.min(longest + 10, width * 0.28);
    const column = Math.max(4, Math.min(64, (width - left - 2) / columns));
    const row = Math.max(8, Math.min(30, 300 / rows));
    const isSteep = frame.keys.some((token) => context.measureText(token).width > column - 6);
    const top = isSteep ? 62 : 24;
    this.place = { left, top, row, column };
    sizedContext(this.canvas, width, top + rows * row + 2);
    context.font = `13px ${font}`;
    context.textBaseline = "middle";
    context.fillStyle = ink;
    this.labels(context, frame, isSteep);
    for (let query = 0; query < rows; query++) {
      for (let key = 0; key < columns; key++) this.cell(context, scene, query, key, soft);
    }
    const place = { layer: chosen[0] + film.first, head: chosen[1] + film.first, step: frame.step };
    this.canvas.setAttribute("aria-label", fill(film.words.map_label, place));
    if (!this.reading.textContent) this.reading.textContent = film.words.map_how;
  }

  /** @type {(context: CanvasRenderingContext2D, frame: Frame, isSteep: boolean) => void} */
  labels(context, frame, isSteep) {
    const { left, top, row, column } = this.place;
    context.textAlign = "right";
    frame.queries.forEach((token, query) => {
      context.globalAlpha = frame.then[0][query] < 0 ? 1 : 0.75;
      context.fillText(fitted(context, token, left - 8), left - 6, top + (query + 0.5) * row);
    });
    context.globalAlpha = 0.75;
    frame.keys.forEach((token, key) => {
      const x = left + (key + 0.5) * column;
      if (isSteep) {
        context.save();
        context.translate(x, top - 6);
        context.rotate(-Math.PI / 4);
        context.textAlign = "left";
        context.fillText(fitted(context, token, 72), 0, 0);
        context.restore();
      } else {
        context.textAlign = "center";
        context.fillText(token, x, top / 2);
      }
    });
    context.globalAlpha = 1;
  }

  /** @type {(context: CanvasRenderingContext2D, scene: Scene, query: number, key: number, soft: string) => void} */
  cell(context, scene, query, key, soft) {
    const { left, top, row, column } = this.place;
    const colour = cellColour(scene, scene.chosen, query, key);
    const [x, y] = [left + key * column, top + query * row];
    if (colour === null) {
      // A token that the first step did not have: nothing to compare with.
      context.strokeStyle = soft;
      context.globalAlpha = 0.3;
      context.beginPath();
      context.moveTo(x + column * 0.3, y + row * 0.7);
      context.lineTo(x + column * 0.7, y + row * 0.3);
      context.stroke();
      context.globalAlpha = 1;
      return;
    }
    context.fillStyle = colour;
    context.beginPath();
    context.roundRect(x + 1, y + 1, Math.max(1, column - 2), row - 2, 3);
    context.fill();
  }

  /** @param {PointerEvent} event */
  point(event) {
    if (!this.scene) return;
    const box = this.canvas.getBoundingClientRect();
    const { left, top, row, column } = this.place;
    const key = Math.floor((event.clientX - box.left - left) / column);
    const query = Math.floor((event.clientY - box.top - top) / row);
    const { film, frame, chosen, isChange } = this.scene;
    if (key < 0 || query < 0 || key >= frame.keys.length || query >= frame.queries.length) return;
    const value = (isChange ? changeAt : weightAt)(film, frame, chosen, query, key);
    const number = value === null ? "–" : `${isChange && value > 0 ? "+" : ""}${fixed(value)}`;
    this.reading.textContent = `${frame.queries[query]} → ${frame.keys[key]}   ${number}`;
  }
}

/** Text that fits a width, cut with an ellipsis.
 * @type {(context: CanvasRenderingContext2D, text: string, width: number) => string} */
function fitted(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  const letters = [...text];
  while (letters.length > 1 && context.measureText(`${letters.join("")}…`).width > width) letters.pop();
  return `${letters.join("")}…`;
}
