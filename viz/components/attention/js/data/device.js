// A page without Streamlit: its colours follow the device, and what is printed is light.

/** Draw an explorer again when the device turns dark or light, and in light colours while the page is printed.
 * @param {() => import("../explorer.js").Explorer | null} current the explorer on the page at that time */
export function followDevice(current) {
  /** @type {(() => void)[] | null} how to undo what was done for paper */
  let undo = null;
  const draw = () => current()?.refreshTheme({ isPrinting: undo !== null });
  const end = () => {
    undo?.forEach((each) => each());
    undo = null;
    draw();
  };
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => undo ?? draw());
  window.addEventListener("beforeprint", () => {
    if (undo) end();
    undo = [];
    draw();
    undo = [...(current()?.root.querySelectorAll("canvas") ?? [])].map(pictured);
  });
  window.addEventListener("afterprint", end);
}

/** Put a copy in a canvas's place; what is returned puts it back. Chromium prints nothing of a canvas that was cleared
 * and drawn anew just before.
 * @param {HTMLCanvasElement} canvas */
function pictured(canvas) {
  const copy = /** @type {HTMLCanvasElement} */ (canvas.cloneNode());
  copy.getContext("2d")?.drawImage(canvas, 0, 0);
  canvas.replaceWith(copy);
  return () => copy.replaceWith(canvas);
}
