// All heads of the kind: layers down, heads across.

import { h, sizedContext } from "../../shared/dom.js";
import { fill } from "../../shared/text.js";
import { cellColour } from "./frames.js";

const GAP = 6;
const MARGIN = 22;

export class Grid {
  constructor(onchoose) {
    this.canvas = h("canvas", { class: "grid", tabindex: "0", role: "application" });
    this.onchoose = onchoose;
    this.canvas.addEventListener("click", (event) => this.click(event));
    this.canvas.addEventListener("keydown", (event) => this.key(event));
  }

  draw(film, frame, chosen, isChange, width, ink, soft, font) {
    this.film = film;
    this.chosen = chosen;
    const size = Math.max(18, Math.min(72, (width - MARGIN - GAP) / film.heads - GAP));
    this.size = size;
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
        this.cell(context, frame, isChange, layer, head, MARGIN + head * (size + GAP), y);
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

  cell(context, frame, isChange, layer, head, x, y) {
    const rows = frame.queries.length;
    const columns = frame.keys.length;
    context.fillStyle = this.film.panel;
    context.fillRect(x, y, this.size, this.size);
    for (let query = 0; query < rows; query++) {
      const top = y + (query * this.size) / rows;
      for (let key = 0; key < columns; key++) {
        const colour = cellColour(this.film, frame, isChange, layer, head, query, key);
        if (colour === null) continue;
        context.fillStyle = colour;
        context.fillRect(x + (key * this.size) / columns, top, this.size / columns + 0.4, this.size / rows + 0.4);
      }
    }
  }

  click(event) {
    const box = this.canvas.getBoundingClientRect();
    const head = Math.floor((event.clientX - box.left - MARGIN) / (this.size + GAP));
    const layer = Math.floor((event.clientY - box.top - MARGIN) / (this.size + GAP));
    if (layer >= 0 && layer < this.film.layers && head >= 0 && head < this.film.heads) this.onchoose([layer, head]);
  }

  key(event) {
    const move = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (!move) return;
    event.preventDefault();
    const layer = Math.max(0, Math.min(this.film.layers - 1, this.chosen[0] + move[0]));
    const head = Math.max(0, Math.min(this.film.heads - 1, this.chosen[1] + move[1]));
    this.onchoose([layer, head]);
  }
}
