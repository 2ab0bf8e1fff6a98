// What is wider than a small screen scrolls by itself (viz/frame/frame.css). While it does, and nothing in it can have the
// focus, it can have it itself, so that the arrow keys scroll it.

const WIDE_BOXES = '[class*="st-key-wide_"], .stMain .katex-display';
const REACHED_BY_KEY = "a[href], button, input, select, textarea, [tabindex='0']";
const FOR_KEYS = ["tabindex", "role", "aria-label"];

/** Watch the page.
 * @param {() => string} name what such a box is called
 * @returns {() => void} ends it */
export function reachWideBoxes(name) {
  /** @type {number | undefined} */
  let frame;
  const look = () => {
    frame = undefined;
    for (const box of document.querySelectorAll(WIDE_BOXES)) {
      sizes.observe(box);
      const isWide = box.scrollWidth > box.clientWidth && !holdsFocusable(box);
      if (isWide && box.getAttribute("aria-label") !== name())
        ["0", "group", name()].forEach((value, place) => box.setAttribute(FOR_KEYS[place], value));
      if (!isWide && box.hasAttribute("aria-label")) for (const each of FOR_KEYS) box.removeAttribute(each);
    }
  };
  const later = () => (frame ??= requestAnimationFrame(look));
  const sizes = new ResizeObserver(later);
  const changes = new MutationObserver(later);
  changes.observe(document.body, { childList: true, subtree: true });
  later();
  return () => {
    changes.disconnect();
    sizes.disconnect();
    if (frame !== undefined) cancelAnimationFrame(frame);
  };
}

/** Whether a key reaches something in a box, in a component of it too.
 * @param {Element} box
 * @returns {boolean} */
function holdsFocusable(box) {
  const roots = [box, ...[...box.querySelectorAll("*")].flatMap(({ shadowRoot }) => shadowRoot ?? [])];
  return roots.some((root) =>
    [...root.querySelectorAll(REACHED_BY_KEY)].some((each) => each.checkVisibility(IN_SIGHT)),
  );
}

const IN_SIGHT = { visibilityProperty: true };
