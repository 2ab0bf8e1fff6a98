/* One step of one head. Data comes as one packet; hover, pin and arithmetic stay in the browser. */

import { css } from "../../shared/colour.js";
import { closest, h, prefersReducedMotion, runInTurn, onInputCapture } from "../../shared/dom.js";
import { pendingRun } from "../../shared/pending.js";
import { handleActs, publish, withdraw } from "../../shared/signals.js";
import { lineOf, litLines, nameOf, value, writeOut } from "./arithmetic.js";
import { Drawing, labelWidth, symbol } from "./blocks.js";
import { Motion } from "./motion.js";
import { brief, exact, readTheme, unpack } from "./numbers.js";

/** @import { Block, Cell, Header, Placed } from "./numbers.js" */
/** @typedef {(name: string, value: unknown) => void} Send */

/** Blocks that are drawn in one task. */
const AT_ONCE = 2;

/** What a packet shows in an element. */
export class Shown {
  /** @type {Record<string, Drawing>} */
  drawings = {};
  /** What the reader has clicked. @type {[block: string, row: number, column: number] | null} */
  pinned = null;
  /** Whether all terms of a sum are written out. */
  all = false;
  /** The cell whose arithmetic is written out. */
  asked = "";
  width = 0;
  /** What stands above the numbers. @type {HTMLElement | null} */
  bar = null;
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
      rest(this);
    });
  }
}

/** The same on a page of Streamlit, where it can move and go on to the next step. */
class Played extends Shown {
  isPlaying = false;
  moves = false;
  player = h("button", { class: "play" });
  motion = new Motion(this, show);
  sizes = new ResizeObserver(() => {
    if (Math.abs(this.root.clientWidth - this.width) > 8) redraw(this);
  });

  /** @param {HTMLElement} parent @param {Header} header @param {Send} send */
  constructor(parent, header, send) {
    super(h("div", { class: "inside" }), header);
    this.send = send;
    this.player.addEventListener("click", () => (this.isPlaying ? halt(this) : setMoving(this, { goesOn: true })));
    onInputCapture(this.root, (event) => {
      if (!this.bar || !event.composedPath().includes(this.bar)) halt(this);
    });
    parent.append(this.root);
    this.sizes.observe(this.root);
    this.leave = handleActs((act) => {
      if (act.do === "pin") this.send("token", `${act.side}.${act.index}`);
    });
  }
}

/** @type {WeakMap<Element, Played>} */
const instances = new WeakMap();

/** @param {{data: Uint8Array, parentElement: HTMLElement, setTriggerValue: Send}} given */
export default function ({ data, parentElement, setTriggerValue }) {
  const header = unpack(data);
  const send = pendingRun(setTriggerValue);
  const self = instances.get(parentElement) ?? new Played(parentElement, header, send);
  instances.set(parentElement, self);
  Object.assign(self, { header, send, pinned: null, all: false });
  document.documentElement.lang = header.language; // the stage says it too, perhaps after this is drawn
  redraw(self);
  return () => {
    self.motion.stop();
    self.leave();
    self.sizes.disconnect();
    instances.delete(parentElement);
    withdraw("shade", self);
    self.root.remove();
  };
}

/** Draw anew what may be moving; it then moves from the start. @param {Played} self */
function redraw(self) {
  const goesOn = self.moves || self.isPlaying;
  self.motion.stop();
  self.bar = stepsOf(self);
  render(self);
  if (goesOn) setMoving(self);
}

/** Play and Next, above the numbers. @param {Played} self */
function stepsOf(self) {
  const { words, next } = self.header;
  self.player.textContent = self.isPlaying ? words.pause : words.play;
  const on = () => {
    self.moves = true;
    self.send("next", true);
  };
  const further = next && h("button", { class: "next", onclick: on }, next);
  return h("div", { class: "steps" }, !prefersReducedMotion() && self.player, further);
}

/** Let the step move; where the reader plays, the next one follows.
 * @type {(self: Played, how?: {goesOn?: boolean}) => Promise<void>} */
async function setMoving(self, { goesOn = self.isPlaying } = {}) {
  self.moves = false;
  if (prefersReducedMotion()) return;
  self.isPlaying = goesOn;
  self.player.textContent = goesOn ? self.header.words.pause : self.header.words.play;
  self.root.dataset.moving = "";
  const isDone = await self.motion.play();
  if (!isDone) return;
  delete self.root.dataset.moving;
  if (!self.isPlaying) return;
  if (!self.header.next) return halt(self);
  self.moves = true;
  self.send("next", true);
}

/** End the motion. @param {Played} self */
function halt(self) {
  self.isPlaying = false;
  self.moves = false;
  delete self.root.dataset.moving;
  self.motion.stop();
  self.player.textContent = self.header.words.play;
}

/** Draw what `self.header` holds into `self.root`. @param {Shown} self */
export function render(self) {
  const { parts, end } = drawn(self);
  for (const part of parts) part();
  end();
}

/** The same, with a few blocks in each task, where they stand below each other: on a phone all of them would be late.
 * @param {Shown} self @param {() => boolean} isWanted */
export async function renderInParts(self, isWanted) {
  const { parts, end } = drawn(self);
  if (!self.root.hasAttribute("data-narrow")) for (const part of parts.splice(0)) part();
  await runInTurn(parts, isWanted);
  if (isWanted()) end();
}

/** Begin a drawing.
 * @param {Shown} self
 * @returns {{parts: (() => void)[], end: () => void}} each part adds some blocks */
function drawn(self) {
  const { root, header } = self;
  self.width = root.clientWidth;
  const theme = readTheme(root, header);
  self.theme = theme;
  root.style.setProperty("--hue", theme.hueText);
  root.toggleAttribute("data-presenter", header.presenter);
  const isNarrow = self.width < 640;
  root.toggleAttribute("data-narrow", isNarrow);
  const width = isNarrow ? Math.max(280, self.width) : self.width - 24;
  /** @type {import("./blocks.js").Acts} */
  const on = {
    point: (block, cell) => show(self, block, cell),
    leave: () => rest(self),
    keep: (block, cell) => {
      self.pinned = [block.name, ...cell];
      self.all = false;
      rest(self);
    },
    release: () => {
      self.pinned = null;
      rest(self);
    },
  };
  const grid = h("div", { class: "grid" });
  self.drawings = {};
  const placed = header.blocks.filter((block) => block.place !== null);
  shareLabelRoom(placed, theme);
  root.replaceChildren(...[self.bar, self.line, grid].filter((part) => part !== null));
  const add = (/** @type {Placed[]} */ blocks) => {
    for (const block of blocks) {
      const fitted = isNarrow ? { ...block, share: 1 } : block;
      const drawing = new Drawing(fitted, theme, width, on);
      self.drawings[block.name] = drawing;
      grid.append(drawing.root);
    }
  };
  const end = () => {
    for (const sign of header.signs) {
      const shown = h("div", { class: "sign" }, sign.text);
      shown.style.gridArea = sign.place.join(" / ");
      const next = isNarrow ? blockAfter(placed, sign.place) : null;
      if (next) self.drawings[next.name].root.firstElementChild?.prepend(shown);
      else grid.append(shown);
    }
    self.strip.replaceChildren();
    if (header.product) placeStrip(self, header.product[1].block, grid);
    self.asked = "";
    rest(self);
    publish("shade", header.shade, self);
  };
  const firsts = Array.from({ length: Math.ceil(placed.length / AT_ONCE) }, (_, i) => i * AT_ONCE);
  return { parts: firsts.map((first) => () => add(placed.slice(first, first + AT_ONCE))), end };
}

/** The block after a sign, line by line; where blocks are below each other, the sign starts that block.
 * @type {(blocks: Placed[], place: Cell) => Placed | undefined} */
export function blockAfter(blocks, [row, column]) {
  return blocks
    .filter(({ place }) => place[0] > row || (place[0] === row && place[1] > column))
    .sort((a, b) => a.place[0] - b.place[0] || a.place[1] - b.place[1])[0];
}

/** Blocks in one column of the grid keep their cells in line.
 * @type {(blocks: Placed[], theme: Shown["theme"]) => void} */
function shareLabelRoom(blocks, theme) {
  for (const block of blocks) delete block.labelRoom;
  const widths = new Map();
  for (const block of blocks) {
    const width = labelWidth(block, theme.presenter ? 1.35 : 1);
    widths.set(block.place[1], Math.max(widths.get(block.place[1]) ?? 0, width));
  }
  for (const block of blocks) if (block.rows.length && !block.fold) block.labelRoom = widths.get(block.place[1]);
}

/** Under the keys, one bar below each of their columns.
 * @type {(self: Shown, name: string, grid: HTMLElement) => void} */
function placeStrip(self, name, grid) {
  const keys = self.drawings[name];
  self.strip.style.gridArea = `${keys.block.place[0] + 1} / ${keys.block.place[1]}`;
  self.strip.style.marginInlineStart = `${keys.labels}px`;
  self.strip.style.width = `${Math.max(240, keys.across * keys.w)}px`;
  grid.append(self.strip);
}

/** Show the cell that the reader has clicked, or the step's own. @param {Shown} self */
function rest(self) {
  const [name, row, column] = self.pinned ?? self.header.focus;
  const block = self.header.find[name];
  if (block) show(self, block, [Math.min(row, block.shape[0] - 1), Math.min(column, block.shape[1] - 1)]);
}

/** Light a cell and what it is computed from, and write its arithmetic out.
 * @type {(self: Shown, block: Block, cell: Cell) => void} */
export function show(self, block, cell) {
  const asked = [block.name, ...cell, self.all].join();
  if (asked === self.asked) return;
  self.asked = asked;
  const { header } = self;
  const rule = header.rules.find((each) => each.of === block.name);
  const lit = litLines(rule, cell);
  for (const [name, drawing] of Object.entries(self.drawings)) {
    const same = rule && rule.how !== "dot" && rule.parts.includes(name);
    const isFocus = name === block.name || (same && sameShape(drawing.block, block));
    drawing.light(
      isFocus ? cell : null,
      lit.filter(([each]) => each === name).map(([, line, index]) => [line, index]),
    );
  }
  const result = block.at(...cell);
  /** @type {(string | Node)[]} */
  const nodes = [nameOf(block, cell), " = "];
  if (rule) nodes.push(...writeOut(header, rule, cell, self.all), " = ");
  const total = h("b", { class: "result" }, rule ? brief(result) : exact(result));
  total.title = exact(result);
  self.line.replaceChildren(...nodes, total);
  if (header.product) drawProduct(self, header.product, block, cell);
}

/** @type {(a: Block, b: Block) => boolean} */
function sameShape(a, b) {
  return a.shape[0] === b.shape[0] && a.shape[1] === b.shape[1];
}

/** The element-wise product of the two lines, one bar a dimension: where the score comes from.
 * @type {(self: Shown, product: NonNullable<Header["product"]>, block: Block, cell: Cell) => void} */
function drawProduct(self, product, block, cell) {
  const { header, theme } = self;
  if (!header.rules.some((each) => each.of === block.name && each.how === "dot")) return;
  const [left, right] = product.map((operand) => lineOf(header, operand, cell));
  const products = left.map((x, i) => x * right[i]);
  const most = Math.max(...products.map(Math.abs), 1e-9);
  const bars = h("div", { class: "bars" });
  products.forEach((x, i) => {
    const column = h("div", { class: "bar" });
    column.title = `${i}: ${exact(left[i])} × ${exact(right[i])} = ${exact(x)}`;
    const fill = h("i");
    fill.style.height = `${(Math.abs(x) / most) * 50}%`;
    fill.style[x < 0 ? "top" : "bottom"] = "50%";
    fill.style.background = css(x < 0 ? theme.less : theme.more);
    column.append(fill);
    bars.append(column);
  });
  const caption = h("p", { class: "caption" });
  const sum = products.reduce((total, x) => total + x, 0);
  caption.append(symbol("q ⊙ k"), ` ${header.words.product_caption} `, nameOf(block, cell), " = ", value(sum));
  self.strip.replaceChildren(caption, bars);
}
