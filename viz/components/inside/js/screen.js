/* One step of one head. Data comes as one packet; hover, pin and arithmetic stay in the browser. */

import { css } from "../../shared/colour.js";
import { h, isStill } from "../../shared/dom.js";
import { serveActs, tell, withdraw } from "../../shared/signals.js";
import { lineOf, litLines, nameOf, value, writeOut } from "./arithmetic.js";
import { Drawing, labelWidth, symbol } from "./blocks.js";
import { Motion } from "./motion.js";
import { brief, exact, readTheme, unpack } from "./numbers.js";

const instances = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  let self = instances.get(parentElement);
  if (!self) {
    self = { root: h("div", { class: "inside" }), pinned: null, all: false, isPlaying: false, moves: false };
    self.motion = new Motion(self, show);
    for (const name of ["pointerdown", "keydown"])
      self.root.addEventListener(name, (event) => !self.bar?.contains(event.target) && halt(self), { capture: true });
    parentElement.append(self.root);
    instances.set(parentElement, self);
    self.sizes = new ResizeObserver(() => {
      if (Math.abs(self.root.clientWidth - self.width) > 8) redraw(self);
    });
    self.sizes.observe(self.root);
  }
  self.send = setTriggerValue;
  self.header = unpack(data);
  document.documentElement.lang = self.header.language; // the stage says it too, perhaps after this is drawn
  self.pinned = null;
  self.all = false;
  redraw(self);
  self.leave ??= serveActs(({ do: what, side, index }) => {
    if (what === "pin") self.send("token", `${side}.${index}`);
  });
  return () => {
    self.motion.stop();
    self.leave();
    self.sizes.disconnect();
    instances.delete(parentElement);
    withdraw("shade", self);
    self.root.remove();
  };
}

/** Draw anew what may be moving; it then moves from the start. */
function redraw(self) {
  const goesOn = self.moves || self.isPlaying;
  self.motion.stop();
  self.bar = stepsOf(self);
  render(self);
  if (goesOn) setMoving(self);
}

/** Play and Next, above the numbers. */
function stepsOf(self) {
  const { header } = self;
  const { words, next } = header;
  self.player = h(
    "button",
    { type: "button", class: "play", onclick: () => (self.isPlaying ? halt(self) : setMoving(self, { goesOn: true })) },
    self.isPlaying ? words.pause : words.play,
  );
  const on = () => {
    self.moves = true;
    self.send("next", true);
  };
  const further = next && h("button", { type: "button", class: "next", onclick: on }, next);
  return h("div", { class: "steps" }, !isStill() && self.player, further);
}

/** Let the step move; where the reader plays, the next one follows. */
async function setMoving(self, { goesOn = self.isPlaying } = {}) {
  self.moves = false;
  if (isStill()) return;
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

/** End the motion. */
function halt(self) {
  self.isPlaying = false;
  self.moves = false;
  delete self.root.dataset.moving;
  self.motion.stop();
  self.player.textContent = self.header.words.play;
}

/** Draw what `self.header` holds into `self.root`. */
export function render(self) {
  const { root, header } = self;
  self.width = root.clientWidth;
  const theme = readTheme(root, header);
  self.theme = theme;
  root.style.setProperty("--hue", theme.hueText);
  root.toggleAttribute("data-presenter", header.presenter);
  const isNarrow = self.width < 640;
  root.toggleAttribute("data-narrow", isNarrow);
  const width = isNarrow ? Math.max(280, self.width) : self.width - 24;
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
  shareLabelRoom(
    header.blocks.filter((block) => block.place),
    theme,
  );
  for (const block of header.blocks) {
    if (!block.place) continue;
    const fitted = isNarrow ? { ...block, share: 1 } : block;
    const drawing = new Drawing(fitted, header, theme, width, on);
    self.drawings[block.name] = drawing;
    grid.append(drawing.root);
  }
  for (const sign of header.signs) {
    const shown = h("div", { class: "sign" }, sign.text);
    shown.style.gridArea = sign.place.join(" / ");
    const next = isNarrow ? blockAfter(header.blocks, sign.place) : null;
    if (next) self.drawings[next.name].root.firstChild.prepend(shown);
    else grid.append(shown);
  }
  self.strip = h("div", { class: "strip" });
  self.line = h("p", { class: "line" });
  self.line.setAttribute("aria-live", "polite");
  self.line.addEventListener("click", (event) => {
    if (event.target.dataset?.all) {
      self.all = true;
      self.shown = null;
      rest(self);
    }
  });
  if (header.product) placeStrip(self, grid);
  root.replaceChildren(...[self.bar, self.line, grid].filter(Boolean));
  self.shown = null;
  rest(self);
  tell("shade", header.shade, self);
}

/** The block after a sign, line by line; where blocks are below each other, the sign starts that block. */
export function blockAfter(blocks, [row, column]) {
  const isAfter = ({ place }) => place && (place[0] > row || (place[0] === row && place[1] > column));
  const order = (a, b) => a.place[0] - b.place[0] || a.place[1] - b.place[1];
  return blocks.filter(isAfter).sort(order)[0];
}

/** Blocks in one column of the grid keep their cells in line. */
function shareLabelRoom(blocks, theme) {
  for (const block of blocks) delete block.labelRoom;
  const widths = new Map();
  for (const block of blocks) {
    const width = labelWidth(block, theme.presenter ? 1.35 : 1);
    widths.set(block.place[1], Math.max(widths.get(block.place[1]) ?? 0, width));
  }
  for (const block of blocks) if (block.rows.length && !block.fold) block.labelRoom = widths.get(block.place[1]);
}

/** Under the keys, one bar below each of their columns. */
function placeStrip(self, grid) {
  const keys = self.drawings[self.header.product[1].block];
  self.strip.style.gridArea = `${keys.block.place[0] + 1} / ${keys.block.place[1]}`;
  self.strip.style.marginInlineStart = `${keys.labels}px`;
  self.strip.style.width = `${Math.max(240, keys.across * keys.w)}px`;
  grid.append(self.strip);
}

function rest(self) {
  const [name, row, column] = self.pinned ?? self.header.focus;
  const block = self.header.find[name];
  if (block) show(self, block, [Math.min(row, block.shape[0] - 1), Math.min(column, block.shape[1] - 1)]);
}

/** Light a cell and what it is computed from, and write its arithmetic out. */
export function show(self, block, cell) {
  const asked = [block.name, ...cell, self.all].join();
  if (asked === self.shown) return;
  self.shown = asked;
  const { header } = self;
  const rule = header.rules.find((each) => each.of === block.name);
  const lit = litLines(rule, cell);
  for (const [name, drawing] of Object.entries(self.drawings)) {
    const same = rule && ["sum", "divide", "mask", "norm", "softmax"].includes(rule.how) && rule.parts.includes(name);
    const isFocus = name === block.name || (same && sameShape(drawing.block, block));
    drawing.light(
      isFocus ? cell : null,
      lit.filter(([each]) => each === name).map(([, line, index]) => [line, index]),
    );
  }
  const result = block.at(...cell);
  const nodes = [nameOf(block, cell), " = "];
  if (rule) nodes.push(...writeOut(header, rule, cell, self.all), " = ");
  const total = h("b", { class: "result" }, rule ? brief(result) : exact(result));
  total.title = exact(result);
  self.line.replaceChildren(...nodes, total);
  if (header.product) drawProduct(self, block, cell);
}

function sameShape(a, b) {
  return a.shape[0] === b.shape[0] && a.shape[1] === b.shape[1];
}

/** The element-wise product of the two lines, one bar a dimension: where the score comes from. */
function drawProduct(self, block, cell) {
  const { header, theme } = self;
  const rule = header.rules.find((each) => each.of === block.name && each.how === "dot");
  if (!rule) return;
  const [left, right] = header.product.map((operand) => lineOf(header, operand, cell));
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
