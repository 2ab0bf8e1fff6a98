// Boxes that are wider than the screen scroll horizontally (viz/frame/frame.css). One without focusable content becomes
// focusable itself, so that the arrow keys can scroll it.

const WIDE_BOXES = '[class*="st-key-wide_"], .stMain .katex-display';
const KEY_TARGETS = "a[href], button, input, select, textarea, [tabindex='0']";
const ATTRIBUTES = ["tabindex", "role", "aria-label"];

/** Watch the page for such boxes.
 * @param {() => string} name their accessible name
 * @returns {() => void} disconnects */
export function reachWideBoxes(name) {
  /** @type {number | undefined} */
  let frame;
  const update = () => {
    frame = undefined;
    for (const box of document.querySelectorAll(WIDE_BOXES)) {
      sizes.observe(box);
      const isWide = box.scrollWidth > box.clientWidth && !containsFocusable(box);
      if (isWide && box.getAttribute("aria-label") !== name())
        ["0", "group", name()].forEach((value, place) => box.setAttribute(ATTRIBUTES[place], value));
      if (!isWide && box.hasAttribute("aria-label")) for (const attribute of ATTRIBUTES) box.removeAttribute(attribute);
    }
  };
  const schedule = () => (frame ??= requestAnimationFrame(update));
  const sizes = new ResizeObserver(schedule);
  const changes = new MutationObserver(schedule);
  changes.observe(document.body, { childList: true, subtree: true });
  schedule();
  return () => {
    changes.disconnect();
    sizes.disconnect();
    if (frame !== undefined) cancelAnimationFrame(frame);
  };
}

/** Whether a box contains a visible focusable element, also in shadow roots.
 * @param {Element} box
 * @returns {boolean} */
function containsFocusable(box) {
  const roots = [box, ...[...box.querySelectorAll("*")].flatMap(({ shadowRoot }) => shadowRoot ?? [])];
  return roots.some((root) =>
    [...root.querySelectorAll(KEY_TARGETS)].some((element) => element.checkVisibility(VISIBLE)),
  );
}

const VISIBLE = { visibilityProperty: true };
