/* Nadaraya-Watson regression, live: weights exp(-(q-k)²/2w²) over their sum, and the weighted average. */

import { isDark } from "../shared/colour.js";
import { h, prefersReducedMotion, context2d } from "../shared/dom.js";
import { streamlitComponent } from "../shared/streamlit.js";
import { clamp, fill, formatFixed } from "../shared/text.js";

/** @typedef {"ink" | "soft" | "line" | "accent" | "warm" | "panel"} Hue */
/** @typedef {[x: number, y: number]} Point */

/**
 * @typedef {object} Data as viz/components/kernel sends it
 * @property {number[]} keys
 * @property {number[]} values one for each key
 * @property {Point[]} truth the true curve
 * @property {number[]} widths the learned width at each step
 * @property {number[]} losses one for each width
 * @property {number} width
 * @property {string} language
 * @property {Record<string, string>} words
 * @property {Record<"light" | "dark", Record<Hue, string>>} palettes
 */

/** @typedef {ReturnType<typeof build>} Drawing */

/** @type {Record<string, number>} */
const KEY_STEPS = { ArrowLeft: -0.05, ArrowRight: 0.05 };

export default streamlitComponent((parent, /** @type {Data} */ first) => {
  const self = build(parent, first);
  const update = (/** @type {Data} */ data) => {
    const sampleKey = JSON.stringify([data.keys, data.values, data.width]);
    self.data = data;
    if (sampleKey !== self.sampleKey) {
      Object.assign(self, { sampleKey, width: data.width, query: 2.5 });
      stop(self);
    }
    label(self);
    draw(self);
  };
  update(first);
  const destroy = () => {
    self.sizes.disconnect();
    stop(self);
    self.root.remove();
  };
  return { update, destroy };
});

/** @param {HTMLElement} parent @param {Data} data */
function build(parent, data) {
  const self = {
    root: h("div", { class: "kernel" }),
    summary: h("p", { class: "said", "aria-live": "polite" }),
    plot: h("canvas", { class: "plot", tabindex: 0, role: "slider", "aria-valuemin": 0, "aria-valuemax": 5 }),
    leftCaption: h("figcaption"),
    map: h("canvas", { class: "map" }),
    rightCaption: h("figcaption"),
    labelText: h("span"),
    slider: h("input", { type: "range", min: "-3.2", max: "2.3", step: "0.01" }),
    shownWidth: h("span"),
    learn: h("button", {}),
    sizes: new ResizeObserver(() => draw(self)),
    data,
    sampleKey: "",
    width: data.width,
    query: 2.5,
    isDragging: false,
    /** @type {ReturnType<typeof setInterval> | undefined} */
    timer: undefined,
    /** Of the replay of gradient descent. @type {number | undefined} */
    step: undefined,
  };
  self.root.append(
    self.summary,
    h("figure", {}, self.leftCaption, self.plot),
    h("figure", {}, self.rightCaption, self.map),
    h("div", { class: "tools" }, h("label", {}, self.labelText, self.slider, self.shownWidth), self.learn),
  );
  parent.append(self.root);
  self.slider.addEventListener("input", () => {
    stop(self);
    self.width = Math.exp(Number(self.slider.value));
    draw(self);
  });
  self.learn.addEventListener("click", () => learn(self));
  const move = (/** @type {PointerEvent} */ event) => {
    const box = self.plot.getBoundingClientRect();
    self.query = clamp(toX(self, event.clientX - box.left), 0, 5);
    draw(self);
  };
  self.plot.addEventListener("pointerdown", (event) => {
    self.plot.setPointerCapture(event.pointerId);
    self.isDragging = true;
    move(event);
  });
  self.plot.addEventListener("pointermove", (event) => {
    if (self.isDragging) move(event);
  });
  self.plot.addEventListener("pointerup", () => {
    self.isDragging = false;
  });
  self.plot.addEventListener("keydown", (event) => {
    const step = KEY_STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    self.query = clamp(self.query + step, 0, 5);
    draw(self);
  });
  self.sizes.observe(self.root);
  return self;
}

/** @param {Drawing} self */
function label(self) {
  const { words } = self.data;
  self.leftCaption.textContent = words.kernel_plot;
  self.rightCaption.textContent = words.kernel_map;
  self.labelText.textContent = words.kernel_width;
  self.learn.textContent = words.kernel_learn;
  self.plot.setAttribute("aria-label", words.kernel_query);
}

/** @type {(self: Drawing, query: number) => number[]} */
function weightsOf(self, query) {
  const scores = self.data.keys.map((key) => -((query - key) ** 2) / (2 * self.width ** 2));
  const maximum = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - maximum));
  const total = powers.reduce((sum, x) => sum + x, 0);
  return powers.map((x) => x / total);
}

/** @type {(self: Drawing, weights: number[]) => number} */
function average(self, weights) {
  return weights.reduce((sum, w, i) => sum + w * self.data.values[i], 0);
}

const EDGE = { left: 34, right: 10, top: 8, bottom: 30 };
const [LOW, HIGH] = [-1.5, 6.5];

/** @type {(self: Drawing, pixel: number) => number} */
function toX(self, pixel) {
  return ((pixel - EDGE.left) / (self.plot.clientWidth - EDGE.left - EDGE.right)) * 5;
}

/** @param {HTMLCanvasElement} canvas */
function prepare(canvas) {
  const scale = window.devicePixelRatio || 1;
  const { clientWidth: width, clientHeight: height } = canvas;
  canvas.width = Math.max(1, width * scale);
  canvas.height = Math.max(1, height * scale);
  const pen = context2d(canvas);
  pen.scale(scale, scale);
  return { pen, width, height };
}

/** @param {Drawing} self */
function draw(self) {
  if (!self.root.clientWidth) return;
  const colour = self.data.palettes[isDark(self.root) ? "dark" : "light"];
  const weights = weightsOf(self, self.query);
  const prediction = average(self, weights);
  drawPlot(self, colour, weights, prediction);
  drawMap(self, colour);
  self.slider.value = String(Math.log(self.width));
  self.shownWidth.textContent = formatFixed(self.width, self.width < 0.1 ? 3 : 2);
  self.plot.setAttribute("aria-valuenow", self.query.toFixed(2));
  const effectiveCount = 1 / weights.reduce((sum, w) => sum + w * w, 0);
  const values = {
    query: formatFixed(self.query),
    answer: formatFixed(prediction),
    points: formatFixed(effectiveCount, 1),
    width: self.shownWidth.textContent,
    step: self.step ?? "",
    loss: self.step === undefined ? "" : formatFixed(self.data.losses[self.step], 3),
  };
  const template = self.step === undefined ? self.data.words.kernel_said : self.data.words.kernel_learning;
  self.summary.textContent = fill(template, values);
  self.root.dataset.answer = String(prediction);
  self.root.dataset.width = String(self.width);
}

/** @type {(self: Drawing, colour: Record<Hue, string>, weights: number[], prediction: number) => void} */
function drawPlot(self, colour, weights, prediction) {
  const { pen, width, height } = prepare(self.plot);
  const x = (/** @type {number} */ value) => EDGE.left + (value / 5) * (width - EDGE.left - EDGE.right);
  const y = (/** @type {number} */ value) =>
    EDGE.top + ((HIGH - value) / (HIGH - LOW)) * (height - EDGE.top - EDGE.bottom);
  /** @type {(style: string, lineWidth: number, ...points: Point[]) => void} */
  const path = (strokeStyle, lineWidth, ...points) => {
    Object.assign(pen, { strokeStyle, lineWidth });
    pen.beginPath();
    points.forEach(([a, b], i) => (i ? pen.lineTo(x(a), y(b)) : pen.moveTo(x(a), y(b))));
    pen.stroke();
  };
  pen.font = `12px ${getComputedStyle(self.root).fontFamily}`;
  pen.fillStyle = colour.soft;
  pen.textAlign = "center";
  for (let tick = 0; tick <= 5; tick++) pen.fillText(String(tick), x(tick), height - 12);
  pen.textAlign = "right";
  for (let tick = 0; tick <= 6; tick += 2) {
    pen.fillText(String(tick), EDGE.left - 8, y(tick) + 4);
    path(colour.line, 1, [0, tick], [5, tick]);
  }
  path(colour.soft, 1, ...self.data.truth);
  const queries = Array.from({ length: 201 }, (_, i) => i / 40);
  path(
    colour.accent,
    2.5,
    ...queries.map((query) => /** @type {Point} */ ([query, average(self, weightsOf(self, query))])),
  );
  const maximum = Math.max(...weights);
  self.data.keys.forEach((key, i) => {
    const share = weights[i] / maximum;
    pen.globalAlpha = 0.25 + 0.75 * share;
    pen.fillStyle = colour.ink;
    pen.beginPath();
    pen.arc(x(key), y(self.data.values[i]), 2.5 + 5 * Math.sqrt(share), 0, 7);
    pen.fill();
    pen.fillStyle = colour.warm;
    pen.fillRect(x(key) - 1.5, y(LOW) - 46 * share, 3, 46 * share);
  });
  pen.globalAlpha = 1;
  pen.setLineDash([4, 4]);
  path(colour.accent, 1.5, [self.query, LOW], [self.query, HIGH]);
  pen.setLineDash([]);
  pen.fillStyle = colour.accent;
  pen.beginPath();
  pen.arc(x(self.query), y(prediction), 7, 0, 7);
  pen.fill();
}

/** The map of weights: queries from 0 to 5 in rows, the points in columns. A larger weight has more ink.
 * @param {Drawing} self @param {Record<Hue, string>} colour */
function drawMap(self, colour) {
  const { pen, width, height } = prepare(self.map);
  const [rows, columns] = [50, self.data.keys.length];
  pen.fillStyle = colour.accent;
  for (let row = 0; row < rows; row++) {
    const weights = weightsOf(self, (row / (rows - 1)) * 5);
    weights.forEach((weight, column) => {
      pen.globalAlpha = Math.min(1, weight * 4) ** 0.7;
      pen.fillRect((column * width) / columns, (row * height) / rows, width / columns - 0.5, height / rows - 0.5);
    });
  }
  pen.globalAlpha = 1;
  pen.strokeStyle = colour.ink;
  pen.strokeRect(0.5, (self.query / 5) * (rows - 1) * (height / rows), width - 1, height / rows);
}

/** Replay gradient descent, a step every 80 ms; at once if the reader prefers no motion. @param {Drawing} self */
function learn(self) {
  stop(self);
  const { widths } = self.data;
  let step = prefersReducedMotion() ? widths.length - 1 : 0;
  const advance = () => {
    self.step = step;
    self.width = widths[step];
    draw(self);
    if (step < widths.length - 1) step += 1;
    else clearInterval(self.timer);
  };
  advance();
  self.timer = setInterval(advance, 80);
}

/** @param {Drawing} self */
function stop(self) {
  clearInterval(self.timer);
  self.step = undefined;
}
