// The explorer on the whole screen.

/**
 * In an exported page the explorer covers the window; in the application navigation and sentence stay visible.
 * @param {import("./explorer.js").Explorer} explorer
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
