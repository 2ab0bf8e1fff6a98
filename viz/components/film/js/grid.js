// All heads of the kind: layers down, heads across.

import { h, sizedContext } from "../../shared/dom.js";
import { fill } from "../../shared/text.js";
import { cellColour } from "./frames.js";

const GAP = 6;
const MARGIN = 22;

/** @import { Head, Look, Scene } from "./types" */

/** @type {Record<string, Head>} */
const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export class Grid {
  /** @type {Head} */ chosen = [0, 0];
  layers = 0;
  heads = 0;
  size = 0; // pixels, of a head

  /** @param {(head: Head) => void} onchoose */
  constructor(onchoose) {
    this.canvas = h("canvas", { class: "grid", tabindex: "0", role: "application" });
    this.onchoose = onchoose;
    this.canvas.addEventListener("click", (event) => this.click(event));
    this.canvas.addEventListener("keydown", (event) => this.key(event));
  }

  /** @type {(scene: Scene, width: number, look: Look) => void} */
  draw(scene, width, { soft, font }) {
    const { film, chosen } = scene;
    const size = Math.max(18, Math.min(72, (width - MARGIN - GAP) / film.heads - GAP));
    Object.assign(this, { chosen, layers: film.layers, heads: film.heads, size });
    const context = sizedContext(this.canvas, width, MARGIN + film.layers * (size + GAP));
    context.font = `12px ${font}`;
    context.textBaseline = "middle";
    context.textAlign = "center";
    for (let head = 0; head < film.heads; head++) {
      context.fillStyle = soft;
      context.fillText(String(head + film.first), MARGIN + head * (size + GAP) + size / 2, MARGIN / 2);
    }
    for (let layer = 0; layer < film.layers; layer++) {
      const y = MARGIN + layer * (size + GAP);
      context.fillStyle = soft;
      context.fillText(String(layer + film.first), MARGIN / 2 - 2, y + size / 2);
      for (let head = 0; head < film.heads; head++) {
        this.cell(context, scene, [layer, head], MARGIN + head * (size + GAP), y);
        const isChosen = layer === chosen[0] && head === chosen[1];
        context.strokeStyle = isChosen ? film.hue : soft;
        context.globalAlpha = isChosen ? 1 : 0.35;
        context.lineWidth = isChosen ? 2.5 : 1;
        context.strokeRect(MARGIN + head * (size + GAP) - 1, y - 1, size + 2, size + 2);
        context.globalAlpha = 1;
      }
    }
    const label = fill(film.words.grid_label, { layer: chosen[0] + film.first, head: chosen[1] + film.first });
    this.canvas.setAttribute("aria-label", label);
  }

  /** @type {(context: CanvasRenderingContext2D, scene: Scene, head: Head, x: number, y: number) => void} */
  cell(context, scene, head, x, y) {
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
  click(event) {
    const box = this.canvas.getBoundingClientRect();
    const head = Math.floor((event.clientX - box.left - MARGIN) / (this.size + GAP));
    const layer = Math.floor((event.clientY - box.top - MARGIN) / (this.size + GAP));
    if (layer >= 0 && layer < this.layers && head >= 0 && head < this.heads) this.onchoose([layer, head]);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const move = MOVES[event.key];
    if (!move) return;
    event.preventDefault();
    const layer = Math.max(0, Math.min(this.layers - 1, this.chosen[0] + move[0]));
    const head = Math.max(0, Math.min(this.heads - 1, this.chosen[1] + move[1]));
    this.onchoose([layer, head]);
  }
}
