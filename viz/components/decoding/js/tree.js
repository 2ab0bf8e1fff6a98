/* The beam as a tree: pan by dragging, zoom by wheel or pinch, click a node, fork from it. */

import { closest, h, svg } from "../../shared/dom.js";
import { clamp, fill, fixed, percent, spoken } from "../../shared/text.js";
import { layOut } from "./layout.js";

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
  /** The smallest scale at which it begins. */
  least = 1;
  scale = 1;
  x = 0;
  y = 0;
  isMoved = false;

  /** @param {Words} words @param {(index: number) => void} onNode */
  constructor(words, onNode) {
    this.words = words;
    this.onNode = onNode;
    this.root = h("div", { class: "tree" });
    this.svg = svg("svg", { role: "tree", "aria-label": words.tree });
    this.world = svg("g");
    this.svg.append(this.world);
    const tool = (/** @type {string} */ sign, /** @type {string} */ title, /** @type {() => void} */ onclick) =>
      h("button", { class: "tool", title, "aria-label": title, onclick }, sign);
    const tools = h(
      "div",
      { class: "tree-tools" },
      tool("−", words.zoom_out, () => this.zoom(1 / 1.3)),
      tool("+", words.zoom_in, () => this.zoom(1.3)),
      tool("⤢", words.fit, () => this.fit()),
    );
    this.root.append(this.svg, tools);
    this.#listen();
    this.sizes = new ResizeObserver(() => {
      if (!this.isMoved) this.home();
    });
    this.sizes.observe(this.root);
  }

  /** @type {(nodes: PlayNode[], least: number) => void} */
  draw(nodes, least) {
    this.least = least;
    this.nodes = nodes;
    this.size = layOut(nodes, this.words);
    const edges = svg("g", { class: "edges" }),
      marks = svg("g", { class: "nodes" });
    this.edges = new Map();
    this.marks = new Map();
    for (const node of nodes) {
      if (node.parentNode) {
        const about = { "data-fate": node.fate, "data-index": node.index, "data-best": node.isBest };
        const edge = svg("path", { d: this.#curve(node.parentNode, node), ...about });
        edges.append(edge);
        this.edges.set(node.index, edge);
      }
      const mark = this.#mark(node);
      marks.append(mark);
      this.marks.set(node.index, mark);
    }
    this.world.replaceChildren(edges, marks);
    this.isMoved = false;
    this.home();
  }

  /** The chosen path stands out; the token being predicted is framed.
   * @type {(path: number[], focus: number) => void} */
  paint(path, focus) {
    const chosen = new Set(path);
    for (const [index, mark] of this.marks) {
      mark.toggleAttribute("data-path", chosen.has(index));
      mark.toggleAttribute("data-focus", index === focus);
      mark.setAttribute("aria-selected", String(index === focus));
      mark.setAttribute("tabindex", index === focus ? "0" : "-1");
    }
    for (const [index, edge] of this.edges) edge.toggleAttribute("data-path", chosen.has(index));
    this.#reveal(this.nodes[focus]);
  }

  /** @param {number} index */
  focus(index) {
    this.marks.get(index)?.focus({ preventScroll: true });
  }

  home() {
    const box = this.root.getBoundingClientRect();
    if (!box.width || !this.size) return;
    this.scale = clamp(
      Math.min(box.width / (this.size.width + 48), box.height / this.size.height),
      this.least,
      Math.max(1, this.least),
    );
    const isLow = this.size.height * this.scale <= box.height;
    this.x = 24;
    this.y = isLow
      ? (box.height - this.size.height * this.scale) / 2 - this.size.top * this.scale
      : Math.min(box.height * 0.35, 30 - this.size.top * this.scale);
    this.#place();
  }

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
    const box = this.root.getBoundingClientRect();
    const x = atX ?? box.width / 2,
      y = atY ?? box.height / 2;
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
    const left = node.x * this.scale + this.x,
      right = left + node.width * this.scale,
      y = node.y * this.scale + this.y;
    const margin = Math.min(90, box.width / 5);
    if (right > box.width - margin) this.x -= right - (box.width - margin);
    if (left < 12) this.x += 12 - left + margin;
    if (y < 24) this.y += 24 - y;
    if (y > box.height - 24) this.y -= y - (box.height - 24);
    this.#place();
  }

  /** @type {(from: PlayNode, to: PlayNode) => string} */
  #curve(from, to) {
    const x0 = from.x + from.width,
      x1 = to.x,
      bend = Math.max(10, (x1 - x0) / 2);
    return `M${x0} ${from.y}C${x0 + bend} ${from.y} ${x1 - bend} ${to.y} ${x1} ${to.y}`;
  }

  /** @param {PlayNode} node */
  #mark(node) {
    const [half, rx, x, y] = node.isSmall ? [9, 4, 5, 4] : [13, 6, 9, 5];
    const said = fill(this.words.node, {
      piece: spoken(node.piece, this.words),
      probability: percent(Math.exp(node.logProb)),
      score: fixed(node.score, 3),
      normalised: fixed(node.normalised, 3),
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
        "aria-label": said,
        tabindex: "-1",
      },
      svg("rect", { x: 0, y: -half, width: node.width, height: 2 * half, rx }),
      svg("text", { x, y }, node.label, node.note && svg("tspan", { class: "note", dx: 7 }, node.note)),
      svg("title", {}, said),
    );
  }

  #listen() {
    /** @type {Map<number, PointerEvent>} */
    const pointers = new Map();
    let isDragged = false,
      spread = 0;
    const nodeOf = (/** @type {Event} */ event) => {
      const mark = closest(event, ".node");
      return mark ? Number(mark.dataset.index) : null;
    };
    this.svg.addEventListener("pointerdown", (event) => {
      pointers.set(event.pointerId, event);
      isDragged = false;
    });
    this.svg.addEventListener("pointermove", (event) => {
      const before = pointers.get(event.pointerId);
      if (!before) return;
      if (pointers.size === 2) {
        const [a, b] = [...pointers.values()];
        const now = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
        if (spread) this.zoom(now / spread);
        spread = now;
      } else {
        const dx = event.clientX - before.clientX,
          dy = event.clientY - before.clientY;
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
      const index = nodeOf(event);
      if (index !== null && !isDragged) this.onNode(index);
    });
    this.svg.addEventListener("keydown", (event) => {
      const index = nodeOf(event);
      if (index === null || !["Enter", " "].includes(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
      this.onNode(index);
    });
    this.svg.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey && !event.metaKey) return; /* a plain wheel scrolls the page */
        event.preventDefault();
        const box = this.root.getBoundingClientRect();
        this.zoom(Math.exp(-event.deltaY / 300), event.clientX - box.left, event.clientY - box.top);
      },
      { passive: false },
    );
  }

  destroy() {
    this.sizes.disconnect();
  }
}
