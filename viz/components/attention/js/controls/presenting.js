// The explorer on the whole screen, and its first drawing on a page in motion.

import { oneByOne } from "../../../shared/dom.js";

/**
 * In an exported page the explorer covers the window; in the application navigation and sentence stay visible.
 * @param {import("../explorer.js").Explorer} explorer
 */
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

/**
 * The first drawing, with a task for each part: what moves on the page meanwhile goes on.
 * @param {import("../explorer.js").Explorer} explorer
 */
export async function drawGradually(explorer) {
  const { root } = explorer;
  explorer.isGradual = root.hidden = true;
  root.style.visibility = "hidden"; // there is nothing to point at or to read out yet
  const cards = [explorer.toolbar.root, explorer.grid.root, explorer.card.root];
  for (const card of cards) card.style.display = "none";
  const measure = () => {
    root.hidden = false;
    explorer.measure();
  };
  const appear = cards.map((card) => () => (card.style.display = "")); // each is laid out in a frame of its own
  await oneByOne([measure, ...appear, () => explorer.refreshTheme()], () => root.isConnected);
  explorer.isGradual = false;
  root.style.visibility = "";
  if (root.isConnected) explorer.bridge.begin();
}
