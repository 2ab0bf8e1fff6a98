// Colours as [red, green, blue] from 0 to 255, and whether the page is dark.

/** @typedef {number[]} Rgb */

/** "#rrggbb" or "rgb(…)" as numbers; a middle grey for anything else. @param {string} text @returns {Rgb} */
export function parseColour(text) {
  const hex = /^#([0-9a-f]{6})/i.exec(text.trim());
  if (hex) return [0, 2, 4].map((at) => parseInt(hex[1].slice(at, at + 2), 16));
  const numbers = text.match(/[\d.]+/g);
  return numbers && numbers.length >= 3 ? numbers.slice(0, 3).map(Number) : [127, 127, 127];
}

/** A colour between two; share 0 is the first.
 * @param {Rgb} low @param {Rgb} high @param {number} share @returns {Rgb} */
export function mix(low, high, share) {
  return low.map((channel, i) => channel + (high[i] - channel) * share);
}

/** @param {Rgb} colour @param {number} [alpha] */
export function css([r, g, b], alpha = 1) {
  const channels = [r, g, b].map(Math.round).join(",");
  return alpha === 1 ? `rgb(${channels})` : `rgba(${channels},${alpha.toFixed(3)})`;
}

/** Relative luminance (WCAG 2), 0 black to 1 white. @param {Rgb} colour */
export function luminance(colour) {
  const [r, g, b] = colour.map((channel) => {
    const x = channel / 255;
    return x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Whether dark text is easier to read on a colour than light text. At this luminance both have the same contrast.
 * @param {Rgb} colour */
export function isBright(colour) {
  return luminance(colour) > 0.19;
}

/** The page's background, as Streamlit names it; white outside of it.
 * @param {CSSStyleDeclaration} styles @returns {Rgb} */
export function pageColour(styles) {
  return parseColour(styles.getPropertyValue("--st-background-color").trim() || "#ffffff");
}

/** Whether the page of an element is dark. @param {Element} element */
export function isDark(element) {
  return luminance(pageColour(getComputedStyle(element))) < 0.2;
}

/** Copy Streamlit's colour scheme to the whole document: Streamlit sets light or dark on its root element only, and
 * popovers and menus are outside of it. The server learns of a change of theme only with the next run.
 * @returns {() => void} disconnects the observer */
export function followTheme() {
  const page = document.querySelector(".stApp");
  if (!page) return () => {};
  const follow = () => {
    document.documentElement.style.colorScheme = getComputedStyle(page).colorScheme;
  };
  const changes = new MutationObserver(follow);
  changes.observe(page, { attributes: true, attributeFilter: ["class"] });
  follow();
  return () => changes.disconnect();
}

/** Set the palette that Python sent for the page's mode as custom properties ("ink_soft" as --ink-soft).
 * @template {object} Palette @param {HTMLElement} element @param {{light: Palette, dark: Palette}} palettes
 * @returns {Palette} */
export function applyPalette(element, palettes) {
  const palette = palettes[isDark(element) ? "dark" : "light"];
  for (const [name, colour] of Object.entries(palette))
    if (typeof colour === "string") element.style.setProperty(`--${name.replaceAll("_", "-")}`, colour);
  return palette;
}
