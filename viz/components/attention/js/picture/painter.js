// Drawing calls with two targets: a canvas on screen, and an SVG document for slides and papers.

import { svg } from "../../../shared/dom.js";

/** @import { Curve, Font, Ink, Lettering, Painter, Theme } from "../types" */

const measuring = new OffscreenCanvas(1, 1).getContext("2d");

/** @type {(theme: Font, size: number, weight?: number) => string} */
function fontOf(theme, size, weight = 400) {
  return `${weight} ${size}px ${theme.font}`;
}

/** Look a value up in a cache, which is cleared when it has too many entries.
 * @template Value
 * @param {Map<string, Value>} cache
 * @param {string} key
 * @param {() => Value} compute
 */
function getOrCompute(cache, key, compute) {
  let value = cache.get(key);
  if (value === undefined) {
    if (cache.size > 8000) cache.clear();
    cache.set(key, (value = compute()));
  }
  return value;
}

/** @type {Map<string, number>} */
const widths = new Map();
/** @type {Map<string, string>} */
const fits = new Map();

/** Width of a text in pixels. @type {(theme: Font, text: string, size: number, weight?: number) => number} */
export function textWidth(theme, text, size, weight) {
  const font = fontOf(theme, size, weight);
  return getOrCompute(widths, `${font}|${text}`, () => {
    if (!measuring) return (text.length * size) / 2;
    measuring.font = font;
    return measuring.measureText(text).width;
  });
}

/** The text, cut with an ellipsis to fit a width.
 * @type {(theme: Font, text: string, size: number, width: number, weight?: number) => string} */
export function fitText(theme, text, size, width, weight) {
  if (textWidth(theme, text, size, weight) <= width) return text;
  return getOrCompute(fits, `${fontOf(theme, size, weight)}|${width}|${text}`, () =>
    cutText(theme, text, size, width, weight),
  );
}

/** @type {typeof fitText} */
function cutText(theme, text, size, width, weight) {
  const characters = [...text];
  let low = 0;
  let high = characters.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (textWidth(theme, characters.slice(0, middle).join("") + "…", size, weight) <= width) low = middle;
    else high = middle - 1;
  }
  return characters.slice(0, low).join("") + "…";
}

/** @implements {Painter} */
export class CanvasPainter {
  /** @param {CanvasRenderingContext2D} context @param {Theme} theme */
  constructor(context, theme) {
    this.context = context;
    this.theme = theme;
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height @param {Ink} ink */
  rect(x, y, width, height, { fill, stroke, radius = 0, lineWidth = 1, alpha = 1, dash }) {
    const { context } = this;
    context.globalAlpha = alpha;
    context.beginPath();
    if (radius) context.roundRect(x, y, width, height, radius);
    else context.rect(x, y, width, height);
    if (fill) {
      context.fillStyle = fill;
      context.fill();
    }
    if (stroke) {
      context.strokeStyle = stroke;
      context.lineWidth = lineWidth;
      context.setLineDash(dash ?? []);
      context.stroke();
      context.setLineDash([]);
    }
    context.globalAlpha = 1;
  }

  /** @param {string} text @param {number} x @param {number} y @param {Lettering} lettering */
  text(text, x, y, { size, weight, fill, align = "left", rotate = 0, alpha = 1, halo }) {
    const { context } = this;
    context.font = fontOf(this.theme, size ?? this.theme.size, weight);
    context.fillStyle = fill ?? this.theme.ink;
    context.textAlign = align;
    context.textBaseline = "middle";
    context.globalAlpha = alpha;
    context.save();
    context.translate(x, y);
    if (rotate) context.rotate((rotate * Math.PI) / 180);
    if (halo) {
      Object.assign(context, { strokeStyle: halo, lineWidth: 5, lineJoin: "round" });
      context.strokeText(text, 0, 0);
    }
    context.fillText(text, 0, 0);
    context.restore();
    context.globalAlpha = 1;
  }

  /** A cubic curve through [x0, y0, x1, y1, x2, y2, x3, y3]. @type {(points: Curve, ink: Ink) => void} */
  curve([x0, y0, ...rest], { stroke = "none", lineWidth = 1, alpha = 1 }) {
    const { context } = this;
    context.globalAlpha = alpha;
    context.strokeStyle = stroke;
    context.lineWidth = lineWidth;
    context.beginPath();
    context.moveTo(x0, y0);
    context.bezierCurveTo(...rest);
    context.stroke();
    context.globalAlpha = 1;
  }

  /** A canvas stretched over a rectangle, its pixels kept square-edged.
   * @type {Painter["image"]} */
  image(canvas, x, y, width, height) {
    this.context.imageSmoothingEnabled = false;
    this.context.drawImage(canvas, x, y, width, height);
  }

  /** @type {Painter["shift"]} */
  shift(x, y, draw) {
    this.context.save();
    this.context.translate(x, y);
    draw();
    this.context.restore();
  }

  /** @type {Painter["clip"]} */
  clip(x, y, width, height, draw) {
    this.context.save();
    this.context.beginPath();
    this.context.rect(x, y, width, height);
    this.context.clip();
    draw();
    this.context.restore();
  }
}

/** @param {number} value */
const twoDecimals = (value) => Number(value.toFixed(2));

/** Draws the same calls into SVG elements; text stays text. @implements {Painter} */
export class SvgPainter {
  /** @param {number} width @param {number} height @param {Theme} theme */
  constructor(width, height, theme) {
    this.theme = theme;
    const size = { width: twoDecimals(width), height: twoDecimals(height), viewBox: `0 0 ${width} ${height}` };
    this.root = svg("svg", { xmlns: "http://www.w3.org/2000/svg", ...size, "font-family": theme.font });
    /** @type {SVGElement} */
    this.parent = this.root;
    this.clips = 0;
  }

  /** @template {keyof SVGElementTagNameMap} Tag
   * @param {Tag} tag @param {Record<string, string | number | null | undefined>} attributes */
  #add(tag, attributes) {
    const values = Object.entries(attributes).map(([name, value]) => [
      name,
      typeof value === "number" ? twoDecimals(value) : value,
    ]);
    return this.parent.appendChild(svg(tag, Object.fromEntries(values)));
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height @param {Ink} ink */
  rect(x, y, width, height, { fill = "none", stroke, radius, lineWidth = 1, alpha = 1, dash }) {
    this.#add("rect", {
      x,
      y,
      width,
      height,
      fill,
      stroke,
      rx: radius || null,
      "stroke-width": stroke ? lineWidth : null,
      "stroke-dasharray": dash?.join(" "),
      opacity: alpha === 1 ? null : alpha,
    });
  }

  /** @param {string} text @param {number} x @param {number} y @param {Lettering} lettering */
  text(text, x, y, { size, weight, fill, align = "left", rotate = 0, alpha = 1, halo }) {
    const node = this.#add("text", {
      x,
      y,
      "font-size": size ?? this.theme.size,
      "font-weight": weight,
      fill: fill ?? this.theme.ink,
      "text-anchor": align === "center" ? "middle" : align === "right" ? "end" : "start",
      "dominant-baseline": "central",
      transform: rotate ? `rotate(${rotate} ${x.toFixed(2)} ${y.toFixed(2)})` : null,
      opacity: alpha === 1 ? null : alpha,
      ...(halo && { stroke: halo, "stroke-width": 5, "stroke-linejoin": "round", "paint-order": "stroke" }),
    });
    node.textContent = text;
  }

  /** @type {(points: Curve, ink: Ink) => void} */
  curve(points, { stroke, lineWidth = 1, alpha = 1 }) {
    const [x0, y0, ...rest] = points.map(twoDecimals);
    this.#add("path", {
      d: `M${x0} ${y0}C${rest.join(" ")}`,
      fill: "none",
      stroke,
      "stroke-width": lineWidth,
      "stroke-opacity": alpha === 1 ? null : alpha,
    });
  }

  /** @type {(canvas: HTMLCanvasElement, x: number, y: number, width: number, height: number) => void} */
  image(canvas, x, y, width, height) {
    this.#add("image", {
      x,
      y,
      width,
      height,
      href: canvas.toDataURL("image/png"),
      preserveAspectRatio: "none",
      style: "image-rendering:pixelated",
    });
  }

  /** @type {Painter["shift"]} */
  shift(x, y, draw) {
    const outer = this.parent;
    this.parent = this.#add("g", { transform: `translate(${x} ${y})` });
    draw();
    this.parent = outer;
  }

  /** @type {Painter["clip"]} */
  clip(x, y, width, height, draw) {
    const id = `clip${this.clips++}`;
    const outer = this.parent;
    this.parent = this.#add("clipPath", { id });
    this.#add("rect", { x, y, width, height });
    this.parent = outer;
    this.parent = this.#add("g", { "clip-path": `url(#${id})` });
    draw();
    this.parent = outer;
  }

  toString() {
    return new XMLSerializer().serializeToString(this.root);
  }
}
