/* The beam as a tree, with panning by drag, zoom by wheel or pinch, and nodes to select. */

import { closest, h, pointIn, svg } from "../../shared/dom.js";
import { clamp, fill, formatFixed, percent, spoken } from "../../shared/text.js";
import { layOut } from "./layout.js";
import { toolButton } from "./transport.js";

/** @import { PlayNode, Words } from "./unpack.js" */

export class Tree {
  /** @type {PlayNode[]} */
  nodes = [];
  /** @type {Map<number, SVGElement>} */
  edges = new Map();
  /** @type {Map<number, SVGElement>} */
  marks = new Map();
  /** @type {ReturnType<typeof layOut> | null} */
  size = null;
  /** The smallest initial scale. */
  minScale = 1;
  scale = 1;
  x = 0;
  y = 0;
  isMoved = false;

  /** @param {Words} words @param {(index: number) => void} onNode */
  constructor(words, onNode) {
    this.words = words;
    this.onNode = onNode;
    this.world = svg("g");
    this.svg = svg("svg", { role: "tree", "aria-label": words.tree }, this.world);
    const tools = [
      toolButton("−", words.zoom_out, () => this.zoom(1 / 1.3)),
      toolButton("+", words.zoom_in, () => this.zoom(1.3)),
      toolButton("⤢", words.fit, () => this.fit()),
    ];
    this.root = h("div", { class: "tree" }, this.svg, h("div", { class: "tree-tools" }, tools));
    this.#listen();
    this.sizes = new ResizeObserver(() => {
      if (!this.isMoved) this.home();
    });
    this.sizes.observe(this.root);
  }

  /** @type {(nodes: PlayNode[], minScale: number) => void} */
  draw(nodes, minScale) {
    this.minScale = minScale;
    this.nodes = nodes;
    this.size = layOut(nodes, this.words);
    this.edges = new Map(nodes.filter(({ parentNode }) => parentNode).map((node) => [node.index, this.#edge(node)]));
    this.marks = new Map(nodes.map((node) => [node.index, this.#mark(node)]));
    const edges = svg("g", { class: "edges" }, [...this.edges.values()]);
    this.world.replaceChildren(edges, svg("g", { class: "nodes" }, [...this.marks.values()]));
    this.isMoved = false;
    this.home();
  }

  /** Highlight the selected path, and frame the predicted token.
   * @type {(path: number[], focus: number) => void} */
  paint(path, focus) {
    const onPath = new Set(path);
    for (const [index, mark] of this.marks) {
      mark.toggleAttribute("data-path", onPath.has(index));
      mark.toggleAttribute("data-focus", index === focus);
      mark.setAttribute("aria-selected", String(index === focus));
      mark.setAttribute("tabindex", index === focus ? "0" : "-1");
    }
    for (const [index, edge] of this.edges) edge.toggleAttribute("data-path", onPath.has(index));
    this.#reveal(this.nodes[focus]);
  }

  /** Show the beginning of the tree, as much as fits at a readable scale. */
  home() {
    const box = this.root.getBoundingClientRect();
    if (!box.width || !this.size) return;
    const { width, height, top } = this.size;
    const { minScale } = this;
    this.scale = clamp(Math.min(box.width / (width + 48), box.height / height), minScale, Math.max(1, minScale));
    const isLow = height * this.scale <= box.height;
    this.x = 24;
    this.y = isLow
      ? (box.height - height * this.scale) / 2 - top * this.scale
      : Math.min(box.height * 0.35, 30 - top * this.scale);
    this.#place();
  }

  /** Show the whole tree. */
  fit() {
    if (!this.size) return;
    const box = this.root.getBoundingClientRect();
    const { width, height, top } = this.size;
    this.scale = clamp(Math.min(box.width / (width + 48), box.height / height), 0.15, 1.5);
    this.x = (box.width - width * this.scale) / 2;
    this.y = (box.height - height * this.scale) / 2 - top * this.scale;
    this.isMoved = true;
    this.#place();
  }

  /** @type {(factor: number, atX?: number, atY?: number) => void} */
  zoom(factor, atX, atY) {
    const { width, height } = this.root.getBoundingClientRect();
    const [x, y] = [atX ?? width / 2, atY ?? height / 2];
    const scale = clamp(this.scale * factor, 0.15, 3);
    this.x = x - ((x - this.x) * scale) / this.scale;
    this.y = y - ((y - this.y) * scale) / this.scale;
    this.scale = scale;
    this.isMoved = true;
    this.#place();
  }

  #place() {
    this.world.setAttribute("transform", `translate(${this.x} ${this.y}) scale(${this.scale})`);
  }

  /** @param {PlayNode | undefined} node */
  #reveal(node) {
    const box = this.root.getBoundingClientRect();
    if (!box.width || !node) return;
    const left = node.x * this.scale + this.x;
    const right = left + node.width * this.scale;
    const y = node.y * this.scale + this.y;
    const margin = Math.min(90, box.width / 5);
    if (right > box.width - margin) this.x -= right - (box.width - margin);
    if (left < 12) this.x += 12 - left + margin;
    if (y < 24) this.y += 24 - y;
    if (y > box.height - 24) this.y -= y - (box.height - 24);
    this.#place();
  }

  /** The curve from a node's parent. @param {PlayNode} node */
  #edge({ parentNode, x: x1, y: y1, fate, index, isBest }) {
    const [x0, y0] = parentNode ? [parentNode.x + parentNode.width, parentNode.y] : [x1, y1];
    const bend = Math.max(10, (x1 - x0) / 2);
    const d = `M${x0} ${y0}C${x0 + bend} ${y0} ${x1 - bend} ${y1} ${x1} ${y1}`;
    return svg("path", { d, "data-fate": fate, "data-index": index, "data-best": isBest });
  }

  /** @param {PlayNode} node */
  #mark(node) {
    const [half, rx, x, y] = node.isSmall ? [9, 4, 5, 4] : [13, 6, 9, 5];
    const label = fill(this.words.node, {
      piece: spoken(node.piece, this.words),
      probability: percent(Math.exp(node.logProb)),
      score: formatFixed(node.score, 3),
      normalised: formatFixed(node.normalised, 3),
      fate: this.words[`fate_${node.fate}`],
    });
    return svg(
      "g",
      {
        class: "node",
        role: "treeitem",
        transform: `translate(${node.x} ${node.y})`,
        "data-fate": node.fate,
        "data-index": node.index,
        "data-best": node.isBest,
        "data-fork": node.search > 0,
        "aria-label": label,
        tabindex: "-1",
      },
      svg("rect", { x: 0, y: -half, width: node.width, height: 2 * half, rx }),
      svg("text", { x, y }, node.label, node.note && svg("tspan", { class: "note", dx: 7 }, node.note)),
      svg("title", {}, label),
    );
  }

  #listen() {
    /** @type {Map<number, PointerEvent>} */
    const pointers = new Map();
    let isDragged = false;
    let spread = 0; // distance of two fingers
    /** The index of an event's node, or NaN. @param {Event} event */
    const indexOf = (event) => Number(closest(event, ".node")?.dataset.index);
    this.svg.addEventListener("pointerdown", (event) => {
      pointers.set(event.pointerId, event);
      isDragged = false;
    });
    this.svg.addEventListener("pointermove", (event) => {
      const before = pointers.get(event.pointerId);
      if (!before) return;
      if (pointers.size === 2) {
        const [a, b] = [...pointers.values()];
        const distance = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
        if (spread) this.zoom(distance / spread);
        spread = distance;
      } else {
        const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
        if (!isDragged && Math.hypot(dx, dy) < 4) return;
        if (!isDragged) this.svg.setPointerCapture(event.pointerId);
        isDragged = true;
        this.isMoved = true;
        this.x += dx;
        this.y += dy;
        this.#place();
      }
      pointers.set(event.pointerId, event);
    });
    for (const name of /** @type {const} */ (["pointerup", "pointercancel"]))
      this.svg.addEventListener(name, (event) => {
        pointers.delete(event.pointerId);
        spread = 0;
      });
    this.svg.addEventListener("click", (event) => {
      const index = indexOf(event);
      if (index >= 0 && !isDragged) this.onNode(index);
    });
    this.svg.addEventListener("keydown", (event) => {
      const index = indexOf(event);
      if (!(index >= 0) || !["Enter", " "].includes(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
      this.onNode(index);
    });
    this.svg.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey && !event.metaKey) return; /* a plain wheel scrolls the page */
        event.preventDefault();
        this.zoom(Math.exp(-event.deltaY / 300), ...pointIn(event, this.root));
      },
      { passive: false },
    );
  }

  destroy() {
    this.sizes.disconnect();
  }
}
