/* One step of one head. Python sends one packet; hover, pin and arithmetic stay in the browser. */

import { css } from "../../shared/colour.js";
import { closest, h, onInputCapture, prefersReducedMotion, runInTurn, setStyle } from "../../shared/dom.js";
import { handleActs, publish, withdraw } from "../../shared/signals.js";
import { streamlitComponent } from "../../shared/streamlit.js";
import { lineOf, nameOf, numberNode, operandLines, productText, writeOut } from "./arithmetic.js";
import { Drawing, labelWidth, symbolNode } from "./blocks.js";
import { Motion } from "./motion.js";
import { brief, exact, readTheme, unpack } from "./numbers.js";

/** @import { Block, Cell, Header, Placed } from "./numbers.js" */

/** Blocks that are drawn in one task. */
const BLOCKS_PER_TASK = 2;

/** A step in an element. */
export class StepView {
  /** @type {Record<string, Drawing>} */
  drawings = {};
  /** The cell that the reader has clicked. @type {[block: string, row: number, column: number] | null} */
  pinned = null;
  /** Whether all terms of a sum are written out. */
  all = false;
  /** Key of the arithmetic on screen, to skip redraws. */
  drawnKey = "";
  width = 0;
  /** Above the numbers. @type {HTMLElement | null} */
  toolbar = null;
  strip = h("div", { class: "strip" });
  line = h("p", { class: "line", "aria-live": "polite" });

  /** @param {HTMLElement} root @param {Header} header */
  constructor(root, header) {
    this.root = root;
    this.header = header;
    this.theme = readTheme(root, header);
    this.line.addEventListener("click", (event) => {
      if (!closest(event, "[data-all]")) return;
      this.all = true;
      showPinned(this);
    });
  }
}

/** A step on a page of Streamlit: it can be animated, and has a button to the next step. */
class StepPlayer extends StepView {
  isPlaying = false;
  /** Whether the next drawing is animated, because the reader went on from the step before. */
  isContinued = false;
  playButton = h("button", { class: "play", onclick: () => (this.isPlaying ? pause(this) : animate(this, true)) });
  motion = new Motion(this, show);
  sizes = new ResizeObserver(() => {
    if (Math.abs(this.root.clientWidth - this.width) > 8) redraw(this);
  });

  /** @param {HTMLElement} parent @param {Header} header @param {import("../../shared/streamlit.js").Send} send */
  constructor(parent, header, send) {
    super(h("div", { class: "inside" }), header);
    this.send = send;
    onInputCapture(this.root, (event) => {
      if (!this.toolbar || !event.composedPath().includes(this.toolbar)) pause(this);
    });
    parent.append(this.root);
    this.sizes.observe(this.root);
    this.removeHandler = handleActs((act) => {
      if (act.do === "pin") this.send("token", `${act.side}.${act.index}`);
    });
    redraw(this);
  }

  /** @param {Header} header */
  update(header) {
    Object.assign(this, { header, pinned: null, all: false });
    redraw(this);
  }

  requestNext() {
    this.isContinued = true;
    this.send("next", true);
  }

  destroy() {
    this.motion.stop();
    this.removeHandler();
    this.sizes.disconnect();
    withdraw("shade", this);
    this.root.remove();
  }
}

export default streamlitComponent((parent, header, send) => new StepPlayer(parent, header, send), { read: unpack });

/** Draw the step again; an animation starts from its beginning. @param {StepPlayer} view */
function redraw(view) {
  const isAnimated = view.isContinued || view.isPlaying;
  view.motion.stop();
  view.toolbar = toolbarOf(view);
  render(view);
  if (isAnimated) animate(view);
}

/** The buttons above the numbers. @param {StepPlayer} view */
function toolbarOf(view) {
  const { words, next } = view.header;
  view.playButton.textContent = view.isPlaying ? words.pause : words.play;
  const nextButton = next && h("button", { class: "next", onclick: () => view.requestNext() }, next);
  return h("div", { class: "steps" }, !prefersReducedMotion() && view.playButton, nextButton);
}

/** Animate the step; while the reader plays, the next step follows.
 * @type {(view: StepPlayer, isPlaying?: boolean) => Promise<void>} */
async function animate(view, isPlaying = view.isPlaying) {
  view.isContinued = false;
  if (prefersReducedMotion()) return;
  view.isPlaying = isPlaying;
  view.playButton.textContent = isPlaying ? view.header.words.pause : view.header.words.play;
  view.root.dataset.moving = "";
  const isDone = await view.motion.play();
  if (!isDone) return;
  delete view.root.dataset.moving;
  if (!view.isPlaying) return;
  if (!view.header.next) return pause(view);
  view.requestNext();
}

/** Stop the animation. @param {StepPlayer} view */
function pause(view) {
  view.isPlaying = false;
  view.isContinued = false;
  delete view.root.dataset.moving;
  view.motion.stop();
  view.playButton.textContent = view.header.words.play;
}

/** Draw `view.header` into `view.root`. @param {StepView} view */
export function render(view) {
  const { parts, finish } = drawing(view);
  for (const part of parts) part();
  finish();
}

/** Draw with a few blocks in each task if they are below each other, because a phone would be late with all of them.
 * @param {StepView} view @param {() => boolean} isWanted */
export async function renderInParts(view, isWanted) {
  const { parts, finish } = drawing(view);
  if (!view.root.hasAttribute("data-narrow")) for (const part of parts.splice(0)) part();
  await runInTurn(parts, isWanted);
  if (isWanted()) finish();
}

/** Begin a drawing.
 * @param {StepView} view
 * @returns {{parts: (() => void)[], finish: () => void}} each part adds some blocks */
function drawing(view) {
  const { root, header } = view;
  view.width = root.clientWidth;
  const theme = readTheme(root, header);
  view.theme = theme;
  root.style.setProperty("--hue", theme.hueText);
  root.toggleAttribute("data-presenter", header.presenter);
  const isNarrow = view.width < 640;
  root.toggleAttribute("data-narrow", isNarrow);
  const width = isNarrow ? Math.max(280, view.width) : view.width - 24;
  /** @type {import("./blocks.js").CellListeners} */
  const listeners = {
    point: (block, cell) => show(view, block, cell),
    leave: () => showPinned(view),
    pin: (block, cell) => {
      view.pinned = [block.name, ...cell];
      view.all = false;
      showPinned(view);
    },
    unpin: () => {
      view.pinned = null;
      showPinned(view);
    },
  };
  const grid = h("div", { class: "grid" });
  view.drawings = {};
  const placed = header.blocks.filter((block) => block.place !== null);
  shareLabelRoom(placed, theme);
  root.replaceChildren(...[view.toolbar, view.line, grid].filter((part) => part !== null));
  const add = (/** @type {Placed} */ block) => {
    const fitted = isNarrow ? { ...block, share: 1 } : block;
    view.drawings[block.name] = new Drawing(fitted, theme, width, listeners);
    grid.append(view.drawings[block.name].root);
  };
  const finish = () => {
    for (const { text, place } of header.signs) {
      const sign = h("div", { class: "sign", style: { gridArea: place.join(" / ") } }, text);
      const next = isNarrow ? blockAfter(placed, place) : null;
      if (next) view.drawings[next.name].root.firstElementChild?.prepend(sign);
      else grid.append(sign);
    }
    view.strip.replaceChildren();
    if (header.product) placeStrip(view, header.product[1].block, grid);
    view.drawnKey = "";
    showPinned(view);
    publish("shade", header.shade, view);
  };
  const starts = Array.from({ length: Math.ceil(placed.length / BLOCKS_PER_TASK) }, (_, i) => i * BLOCKS_PER_TASK);
  return { parts: starts.map((start) => () => placed.slice(start, start + BLOCKS_PER_TASK).forEach(add)), finish };
}

/** The block after a sign in reading order; if blocks are below each other, the sign begins that block.
 * @type {(blocks: Placed[], place: Cell) => Placed | undefined} */
export function blockAfter(blocks, [row, column]) {
  return blocks
    .filter(({ place }) => place[0] > row || (place[0] === row && place[1] > column))
    .sort((a, b) => a.place[0] - b.place[0] || a.place[1] - b.place[1])[0];
}

/** Align the cells of the blocks in one column of the grid.
 * @type {(blocks: Placed[], theme: StepView["theme"]) => void} */
function shareLabelRoom(blocks, theme) {
  for (const block of blocks) delete block.labelRoom;
  const widths = new Map();
  for (const block of blocks) {
    const width = labelWidth(block, theme.presenter ? 1.35 : 1);
    widths.set(block.place[1], Math.max(widths.get(block.place[1]) ?? 0, width));
  }
  for (const block of blocks) if (block.rows.length && !block.fold) block.labelRoom = widths.get(block.place[1]);
}

/** Place the bars of the product under the keys, below each column one bar.
 * @type {(view: StepView, name: string, grid: HTMLElement) => void} */
function placeStrip({ drawings, strip }, name, grid) {
  const { block, labels, across, w } = drawings[name];
  setStyle(strip, {
    gridArea: `${block.place[0] + 1} / ${block.place[1]}`,
    marginInlineStart: `${labels}px`,
    width: `${Math.max(240, across * w)}px`,
  });
  grid.append(strip);
}

/** Show the cell that the reader has clicked, or the step's default. @param {StepView} view */
function showPinned(view) {
  const [name, row, column] = view.pinned ?? view.header.focus;
  const block = view.header.find[name];
  if (block) show(view, block, [Math.min(row, block.shape[0] - 1), Math.min(column, block.shape[1] - 1)]);
}

/** Highlight a cell and its operands, and write its arithmetic out.
 * @type {(view: StepView, block: Block, cell: Cell) => void} */
export function show(view, block, cell) {
  const key = [block.name, ...cell, view.all].join();
  if (key === view.drawnKey) return;
  view.drawnKey = key;
  const { header } = view;
  const rule = header.rules.find(({ of }) => of === block.name);
  const lines = operandLines(rule, cell);
  for (const [name, drawing] of Object.entries(view.drawings)) {
    const isPart = rule && rule.how !== "dot" && rule.parts.includes(name);
    const isFocus = name === block.name || (isPart && drawing.block.shape.join() === block.shape.join());
    drawing.light(
      isFocus ? cell : null,
      lines.filter(([operand]) => operand === name).map(([, line, index]) => [line, index]),
    );
  }
  const result = block.at(...cell);
  const terms = rule ? [...writeOut(header, rule, cell, view.all), " = "] : [];
  const total = h("b", { class: "result", title: exact(result) }, rule ? brief(result) : exact(result));
  view.line.replaceChildren(nameOf(block, cell), " = ", ...terms, total);
  if (header.product && rule?.how === "dot") drawProduct(view, header.product, block, cell);
}

/** The terms of the score: the element-wise product of the two lines, a bar for each dimension.
 * @type {(view: StepView, product: NonNullable<Header["product"]>, block: Block, cell: Cell) => void} */
function drawProduct({ header, theme, strip }, product, block, cell) {
  const [left, right] = product.map((operand) => lineOf(header, operand, cell));
  const products = left.map((x, i) => x * right[i]);
  const maximum = Math.max(...products.map(Math.abs), 1e-9);
  const bars = products.map((x, i) => {
    const background = css(x < 0 ? theme.less : theme.more);
    const style = { height: `${(Math.abs(x) / maximum) * 50}%`, [x < 0 ? "top" : "bottom"]: "50%", background };
    return h("div", { class: "bar", title: productText(i, left[i], right[i]) }, h("i", { style }));
  });
  const sum = products.reduce((total, x) => total + x, 0);
  const caption = [
    symbolNode("q ⊙ k"),
    ` ${header.words.product_caption} `,
    nameOf(block, cell),
    " = ",
    numberNode(sum),
  ];
  strip.replaceChildren(h("p", { class: "caption" }, caption), h("div", { class: "bars" }, bars));
}
