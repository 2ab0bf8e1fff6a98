// For a page without Streamlit: its colours follow the device, and printing uses light colours.

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
