// Colour scales: each runs from the panel's colour to its ink, so that in both modes more ink means more attention.

import { css, isBright, luminance, mix, pageColour, parseColour } from "../../../shared/colour.js";
import { getOrCreate } from "../../../shared/text.js";

/** @import { Rgb } from "../../../shared/colour.js" */
/** @import { Kind, Palette, State, Theme } from "../types" */

const VIRIDIS = ["#440154", "#414487", "#2a788e", "#22a884", "#7ad151", "#fde725"];
const CIVIDIS = ["#00224e", "#35456c", "#666970", "#948e77", "#c8b866", "#fee838"];
const CATEGORIES = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#8F7F00", "#555555"];
const DARK_CATEGORIES = ["#56B4E9", "#E69F00", "#3CCB9C", "#E59BC4", "#F0E442", "#FF8A4C", "#9BB7FF", "#FFFFFF"];

/** @typedef {State["palette"]} PaletteName */

/** 256 colours through evenly spaced stops, computed on first access. */
export class Ramp {
  /** @type {Rgb[] | undefined} */ #colours;
  /** @type {string[] | undefined} */ #styles;
  /** @type {Uint32Array | undefined} */ #words;

  /** @param {Rgb[]} stops */
  constructor(stops) {
    this.stops = stops;
  }

  get colours() {
    const { stops } = this;
    return (this.#colours ??= Array.from({ length: 256 }, (_, i) => {
      const place = (i / 255) * (stops.length - 1);
      const below = Math.min(Math.floor(place), stops.length - 2);
      return mix(stops[below], stops[below + 1], place - below);
    }));
  }

  /** The colours as the pixels of an image. */
  get words() {
    return (this.#words ??= Uint32Array.from(
      this.colours,
      ([r, g, b]) => ((255 << 24) | (Math.round(b) << 16) | (Math.round(g) << 8) | Math.round(r)) >>> 0,
    ));
  }

  /** @param {number} ink */
  at(ink) {
    this.#styles ??= this.colours.map((colour) => css(colour));
    return this.#styles[Math.round(Math.min(1, Math.max(0, ink)) * 255)];
  }

  /** Dark or light text, whichever is readable on this ink.
   * @type {(ink: number, theme: Pick<Theme, "isDark" | "onHue" | "ink">) => string} */
  textAt(ink, theme) {
    const bright = isBright(this.colours[Math.round(Math.min(1, Math.max(0, ink)) * 255)]);
    return bright === theme.isDark ? theme.onHue : theme.ink;
  }
}

/** Ramps are cached, because every new sentence reads the theme again. */
const rampOf = memo((/** @type {Rgb[]} */ stops) => new Ramp(stops));

/** The stops of a palette, palest end first in light mode, darkest first in dark mode.
 * @type {(name: PaletteName, theme: {isDark: boolean, panelRgb: Rgb}, hue: Rgb) => Rgb[]} */
function paletteStops(name, theme, hue) {
  if (name === "hue") return [theme.panelRgb, hue];
  if (name === "grey") return [theme.panelRgb, theme.isDark ? [236, 236, 241] : [26, 26, 36]];
  const stops = (name === "viridis" ? VIRIDIS : CIVIDIS).map(parseColour);
  return theme.isDark ? stops : stops.reverse();
}

/** The colours of the page's theme that drawing needs; `paper` replaces the panel when exporting.
 * @param {CSSStyleDeclaration} styles
 * @param {{light: Palette, dark: Palette}} palettes
 * @param {boolean} presenting
 * @param {string} [paper]
 */
export function readTheme(styles, palettes, presenting, paper) {
  const style = (/** @type {string} */ name, /** @type {string} */ fallback) =>
    styles.getPropertyValue(name).trim() || fallback;
  const isDark = !paper && luminance(pageColour(styles)) < 0.2;
  const colours = palettes[isDark ? "dark" : "light"];
  const panel = parseColour(paper ?? colours.panel);
  const ink = parseColour(paper ? colours.ink : style("--st-text-color", colours.ink));
  const scale = presenting ? 24 / 13 : 1;
  return {
    isDark,
    colours,
    panel: css(panel),
    panelRgb: panel,
    ink: css(ink),
    soft: presenting ? css(mix(panel, ink, 0.82)) : colours.ink_soft,
    line: colours.line,
    onHue: isDark ? "#121317" : "#ffffff",
    grey: mix(panel, ink, 0.55),
    font: style("--st-font", "sans-serif").replaceAll('"', "'") + ", 'Noto Sans', 'Noto Sans CJK SC', sans-serif",
    size: 13 * scale,
    small: 11 * scale,
    categories: isDark ? DARK_CATEGORIES : CATEGORIES,
    hue: (/** @type {Kind} */ kind) => parseColour(colours.kinds[kind]),
    ramp: memo((/** @type {PaletteName} */ name, /** @type {Kind} */ kind) =>
      rampOf(paletteStops(name, { isDark, panelRgb: panel }, parseColour(colours.kinds[kind]))),
    ),
    greys: rampOf([panel, mix(panel, ink, 0.45)]),
    differences: rampOf([parseColour(colours.less), panel, parseColour(colours.more)]),
  };
}

/** Memoize a function by its arguments.
 * @template {unknown[]} Arguments
 * @template Result
 * @param {(...args: Arguments) => Result} compute
 * @returns {(...args: Arguments) => Result}
 */
function memo(compute) {
  /** @type {Map<string, Result>} */
  const results = new Map();
  return (...args) => getOrCreate(results, args.join("|"), () => compute(...args));
}
