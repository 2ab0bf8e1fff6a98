// The attention maps of one frame: all heads small in a grid, and one head large with its tokens.

import { css, mix, parseColour } from "../../shared/colour.js";
import { ARROWS, context2d, h, pointIn, sizedContext } from "../../shared/dom.js";
import { clamp, fill, formatFixed } from "../../shared/text.js";

/** @import { Frame, Head, Look, Packet, Scene } from "./types" */

const GAP = 6;
const MARGIN = 22;

/** A colour between two that are written as "#rrggbb". @type {(low: string, high: string, share: number) => string} */
const blend = (low, high, share) => css(mix(parseColour(low), parseColour(high), share));

/** Weight of one cell, 0 to 1.
 * @type {(film: Packet, frame: Frame, head: Head, query: number, key: number) => number} */
function weightAt(film, frame, [layer, head], query, key) {
  const rows = frame.queries.length;
  const columns = frame.keys.length;
  return film.bytes[frame.offset + ((layer * film.heads + head) * rows + query) * columns + key] / 255;
}

/** Change of one cell since the first frame, -1 to 1; null if the first frame has no such cell.
 * @type {(film: Packet, frame: Frame, head: Head, query: number, key: number) => number | null} */
function changeAt(film, frame, head, query, key) {
  const firstQuery = frame.then[0][query];
  const firstKey = frame.then[1][key];
  if (firstQuery < 0 || firstKey < 0) return null;
  return weightAt(film, frame, head, query, key) - weightAt(film, film.frames[0], head, firstQuery, firstKey);
}

/** Colour of one cell. The square root spreads small weights, of which attention mostly consists.
 * @type {(scene: Scene, head: Head, query: number, key: number) => string | null} */
function cellColour({ film, frame, isChange }, head, query, key) {
  if (!isChange) return blend(film.panel, film.hue, Math.sqrt(weightAt(film, frame, head, query, key)));
  const change = changeAt(film, frame, head, query, key);
  if (change === null) return null;
  return blend(film.panel, change < 0 ? film.less : film.more, Math.sqrt(Math.abs(change)));
}

/** All heads of the kind: layers down, heads across. */
export class Grid {
  /** @type {Head} */ chosen = [0, 0];
  layers = 0;
  heads = 0;
  size = 0; // pixels, of a head

  /** @param {(head: Head) => void} onchoose */
  constructor(onchoose) {
    this.canvas = h("canvas", {
      class: "grid",
      tabindex: "0",
      role: "application",
      onclick: (/** @type {MouseEvent} */ event) => this.#click(event),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event),
    });
    this.onchoose = onchoose;
  }

  /** @type {(scene: Scene, width: number, look: Look) => void} */
  draw(scene, width, { soft, font }) {
    const { film, chosen } = scene;
    const size = clamp((width - MARGIN - GAP) / film.heads - GAP, 18, 72);
    Object.assign(this, { chosen, layers: film.layers, heads: film.heads, size });
    const context = sizedContext(this.canvas, width, MARGIN + film.layers * (size + GAP));
    Object.assign(context, { font: `12px ${font}`, textBaseline: "middle", textAlign: "center", fillStyle: soft });
    const placeOf = (/** @type {number} */ index) => MARGIN + index * (size + GAP);
    for (let head = 0; head < film.heads; head++)
      context.fillText(String(head + film.first), placeOf(head) + size / 2, MARGIN / 2);
    for (let layer = 0; layer < film.layers; layer++) {
      context.fillStyle = soft;
      context.fillText(String(layer + film.first), MARGIN / 2 - 2, placeOf(layer) + size / 2);
      for (let head = 0; head < film.heads; head++) {
        const [x, y] = [placeOf(head), placeOf(layer)];
        this.#thumbnail(context, scene, [layer, head], x, y);
        const isChosen = layer === chosen[0] && head === chosen[1];
        context.strokeStyle = isChosen ? film.hue : soft;
        context.globalAlpha = isChosen ? 1 : 0.35;
        context.lineWidth = isChosen ? 2.5 : 1;
        context.strokeRect(x - 1, y - 1, size + 2, size + 2);
        context.globalAlpha = 1;
      }
    }
    const label = fill(film.words.grid_label, { layer: chosen[0] + film.first, head: chosen[1] + film.first });
    this.canvas.setAttribute("aria-label", label);
  }

  /** @type {(context: CanvasRenderingContext2D, scene: Scene, head: Head, x: number, y: number) => void} */
  #thumbnail(context, scene, head, x, y) {
    const rows = scene.frame.queries.length;
    const columns = scene.frame.keys.length;
    context.fillStyle = scene.film.panel;
    context.fillRect(x, y, this.size, this.size);
    for (let query = 0; query < rows; query++) {
      const top = y + (query * this.size) / rows;
      for (let key = 0; key < columns; key++) {
        const colour = cellColour(scene, head, query, key);
        if (colour === null) continue;
        context.fillStyle = colour;
        context.fillRect(x + (key * this.size) / columns, top, this.size / columns + 0.4, this.size / rows + 0.4);
      }
    }
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const [head, layer] = pointIn(event, this.canvas).map((pixel) => Math.floor((pixel - MARGIN) / (this.size + GAP)));
    if (layer >= 0 && layer < this.layers && head >= 0 && head < this.heads) this.onchoose([layer, head]);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const move = ARROWS[event.key];
    if (!move) return;
    event.preventDefault();
    const [layer, head] = this.chosen;
    this.onchoose([clamp(layer + move[0], 0, this.layers - 1), clamp(head + move[1], 0, this.heads - 1)]);
  }
}

/** One head large, and the number of the cell under the pointer. */
export class HeadMap {
  /** @type {Scene | undefined} the drawn one */ scene;
  /** The first cell's place and the size of cells, in pixels. */
  place = { left: 0, top: 0, row: 0, column: 0 };

  constructor() {
    this.reading = h("div", { class: "reading", "aria-live": "off" });
    this.canvas = h("canvas", {
      class: "map",
      role: "img",
      onpointermove: (/** @type {PointerEvent} */ event) => this.#point(event),
      onpointerleave: () => (this.reading.textContent = this.scene?.film.words.map_how ?? ""),
    });
  }

  /** @type {(scene: Scene, width: number, look: Look) => void} */
  draw(scene, width, { ink, soft, font }) {
    this.scene = scene;
    const { film, frame, chosen } = scene;
    const rows = frame.queries.length;
    const columns = frame.keys.length;
    const context = context2d(this.canvas);
    context.font = `13px ${font}`;
    const widthOf = (/** @type {string} */ token) => context.measureText(token).width;
    const left = Math.min(Math.max(...frame.queries.map(widthOf)) + 10, width * 0.28);
    const column = clamp((width - left - 2) / columns, 4, 64);
    const row = clamp(300 / rows, 8, 30);
    const isSteep = frame.keys.some((token) => widthOf(token) > column - 6);
    const top = isSteep ? 62 : 24;
    this.place = { left, top, row, column };
    sizedContext(this.canvas, width, top + rows * row + 2);
    Object.assign(context, { font: `13px ${font}`, textBaseline: "middle", fillStyle: ink });
    this.#labels(context, frame, isSteep);
    for (let query = 0; query < rows; query++) {
      for (let key = 0; key < columns; key++) this.#cell(context, scene, query, key, soft);
    }
    const place = { layer: chosen[0] + film.first, head: chosen[1] + film.first, step: frame.step };
    this.canvas.setAttribute("aria-label", fill(film.words.map_label, place));
    if (!this.reading.textContent) this.reading.textContent = film.words.map_how;
  }

  /** @type {(context: CanvasRenderingContext2D, frame: Frame, isSteep: boolean) => void} */
  #labels(context, frame, isSteep) {
    const { left, top, row, column } = this.place;
    context.textAlign = "right";
    frame.queries.forEach((token, query) => {
      context.globalAlpha = frame.then[0][query] < 0 ? 1 : 0.75;
      context.fillText(truncateText(context, token, left - 8), left - 6, top + (query + 0.5) * row);
    });
    context.globalAlpha = 0.75;
    frame.keys.forEach((token, key) => {
      const x = left + (key + 0.5) * column;
      if (isSteep) {
        context.save();
        context.translate(x, top - 6);
        context.rotate(-Math.PI / 4);
        context.textAlign = "left";
        context.fillText(truncateText(context, token, 72), 0, 0);
        context.restore();
      } else {
        context.textAlign = "center";
        context.fillText(token, x, top / 2);
      }
    });
    context.globalAlpha = 1;
  }

  /** @type {(context: CanvasRenderingContext2D, scene: Scene, query: number, key: number, soft: string) => void} */
  #cell(context, scene, query, key, soft) {
    const { left, top, row, column } = this.place;
    const colour = cellColour(scene, scene.chosen, query, key);
    const [x, y] = [left + key * column, top + query * row];
    context.beginPath();
    if (colour === null) {
      // The first frame does not have this token.
      context.strokeStyle = soft;
      context.globalAlpha = 0.3;
      context.moveTo(x + column * 0.3, y + row * 0.7);
      context.lineTo(x + column * 0.7, y + row * 0.3);
      context.stroke();
      context.globalAlpha = 1;
      return;
    }
    context.fillStyle = colour;
    context.roundRect(x + 1, y + 1, Math.max(1, column - 2), row - 2, 3);
    context.fill();
  }

  /** @param {PointerEvent} event */
  #point(event) {
    if (!this.scene) return;
    const [x, y] = pointIn(event, this.canvas);
    const { left, top, row, column } = this.place;
    const key = Math.floor((x - left) / column);
    const query = Math.floor((y - top) / row);
    const { film, frame, chosen, isChange } = this.scene;
    if (key < 0 || query < 0 || key >= frame.keys.length || query >= frame.queries.length) return;
    const value = (isChange ? changeAt : weightAt)(film, frame, chosen, query, key);
    const number = value === null ? "–" : `${isChange && value > 0 ? "+" : ""}${formatFixed(value)}`;
    this.reading.textContent = `${frame.queries[query]} → ${frame.keys[key]}   ${number}`;
  }
}

/** Text that fits a width, cut with an ellipsis.
 * @type {(context: CanvasRenderingContext2D, text: string, width: number) => string} */
function truncateText(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  const letters = [...text];
  while (letters.length > 1 && context.measureText(`${letters.join("")}…`).width > width) letters.pop();
  return `${letters.join("")}…`;
}
