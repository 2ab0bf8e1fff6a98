// Presenter mode, theme and size of the explorer, its gradual first drawing, and printing.

import { css } from "../../../shared/colour.js";
import { runInTurn } from "../../../shared/dom.js";
import { readTheme } from "../picture/colour.js";

/** @import { Explorer } from "../explorer.js" */

/** The theme of the page, or of white paper.
 * @type {(explorer: Pick<Explorer, "root" | "packet" | "isPresenting">, isOnPaper?: boolean) =>
 *   import("../types").Theme} */
export function themeOf({ root, packet, isPresenting }, isOnPaper = false) {
  return readTheme(getComputedStyle(root), packet.palettes, isPresenting, isOnPaper ? "#ffffff" : undefined);
}

/** Set the theme's colours as custom properties. @param {Explorer} explorer */
export function colourRoot({ root, theme, state }) {
  const { onHue, panel, line, soft } = theme;
  const colours = { hue: css(theme.hue(state.kind)), "on-hue": onHue, panel, line, soft };
  for (const [name, colour] of Object.entries(colours)) root.style.setProperty(`--${name}`, colour);
  root.dataset.kind = state.kind;
}

/** Follow the width and the theme of the page. @type {(explorer: Explorer) => () => void} returns a function that ends it */
export function followPage(explorer) {
  const resizer = new ResizeObserver(() => explorer.resized());
  resizer.observe(explorer.root);
  const themer = new MutationObserver(() => explorer.refreshTheme());
  themer.observe(document.documentElement, { attributes: true, attributeFilter: ["class", "style", "data-theme"] });
  return () => {
    resizer.disconnect();
    themer.disconnect();
  };
}

/** In an exported page the explorer covers the window; in the application navigation and sentence stay visible.
 * @param {Explorer} explorer */
export function fillScreen({ root, isPresenting, packet }) {
  root.classList.toggle("presenting", isPresenting);
  const isCovering = isPresenting && !packet.isMounted;
  if (isCovering === root.hasAttribute("popover")) return;
  if (isCovering) {
    root.setAttribute("popover", "manual");
    root.showPopover?.();
  } else {
    root.removeAttribute("popover");
  }
}

/** The first drawing, with a task for each part, so that animations on the page stay smooth.
 * @param {Explorer} explorer */
export async function drawGradually(explorer) {
  const { root } = explorer;
  explorer.isGradual = root.hidden = true;
  explorer.isBegun = false;
  root.style.visibility = "hidden"; // nothing to point at or to read aloud yet
  const cardsOf = ({ toolbar, grid, card } = explorer.parts) => [toolbar.root, grid.root, card.root];
  const make = () => {
    for (const card of cardsOf()) card.style.display = "none";
  };
  const measure = () => {
    root.hidden = false;
    explorer.measure();
  };
  // One card is laid out per frame.
  const appear = [0, 1, 2].map((place) => () => (cardsOf()[place].style.display = ""));
  const begin = () => {
    explorer.isBegun = true;
    return explorer.refreshTheme();
  };
  await runInTurn([() => explorer.panes, make, measure, ...appear, begin], () => root.isConnected);
  // An explorer that was removed meanwhile is drawn when it is shown again.
  explorer.isBegun = true;
  explorer.isGradual = root.hidden = false;
  for (const card of cardsOf()) card.style.display = "";
  root.style.visibility = "";
  if (root.isConnected) explorer.bridge.begin();
}

/** Redraw an explorer when the device's colour scheme changes, and in light colours while the page is printed.
 * @param {() => import("../explorer.js").Explorer | null} current returns the explorer on the page */
export function followDevice(current) {
  /** @type {(() => void)[] | null} restore the canvases after printing */
  let undo = null;
  const draw = () => current()?.refreshTheme({ isPrinting: undo !== null });
  const end = () => {
    undo?.forEach((restore) => restore());
    undo = null;
    draw();
  };
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => undo ?? draw());
  window.addEventListener("beforeprint", () => {
    if (undo) end();
    undo = [];
    draw();
    undo = [...(current()?.root.querySelectorAll("canvas") ?? [])].map(replaceByCopy);
  });
  window.addEventListener("afterprint", end);
}

/** Replace a canvas by a copy; returns a function that restores it. Chromium prints a canvas empty that was cleared and
 * redrawn just before.
 * @param {HTMLCanvasElement} canvas */
function replaceByCopy(canvas) {
  const copy = /** @type {HTMLCanvasElement} */ (canvas.cloneNode());
  copy.getContext("2d")?.drawImage(canvas, 0, 0);
  canvas.replaceWith(copy);
  return () => copy.replaceWith(canvas);
}
