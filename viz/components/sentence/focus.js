// Aids for the keyboard on the whole page: a link past the navigation to the sentence, the focus after a Streamlit run, and
// boxes that are wider than the screen.

import { h } from "../shared/dom.js";
import { pend } from "../shared/pending.js";

const QUIET = 120; // milliseconds without a DOM change before the focus is restored
const WIDE_BOXES = '[class*="st-key-wide_"], .stMain .katex-display';
const ATTRIBUTES = ["tabindex", "role", "aria-label"];
const VISIBLE = { visibilityProperty: true };
const KEY_TARGETS = "a[href], button, input, select, textarea, [tabindex='0']";

const HIDDEN = { position: "fixed", insetInlineStart: "1rem", top: "-4rem", zIndex: "1000000" };
const LOOK = {
  padding: ".5rem 1rem",
  borderRadius: ".5rem",
  font: "600 1rem var(--st-font, sans-serif)",
  color: "#ffffff",
  background: "#6d28d9",
};

/** @param {() => HTMLElement} target the element to focus */
export function skipLink(target) {
  const link = h("a", { href: "#stMain", style: { ...HIDDEN, ...LOOK } });
  link.addEventListener("focus", () => (link.style.top = ".6rem"));
  link.addEventListener("blur", () => (link.style.top = HIDDEN.top));
  link.addEventListener("click", (event) => {
    event.preventDefault();
    target().focus();
  });
  document.body.prepend(link);
  return link;
}

const FOCUSABLE = "button:not(:disabled), input:not(:disabled), [tabindex='0']";

/** @type {{element: HTMLElement, key: string} | null} the element that had the focus last, and the key of its widget */
let last = null;

/** Watch the page.
 * @param {() => HTMLElement | null} home gets the focus where the widget is gone
 * @returns {() => void} disconnects */
export function keepFocus(home) {
  const life = new AbortController();
  const { signal } = life;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @type {(() => void) | undefined} */
  let endPending;
  document.addEventListener("focusin", ({ target }) => remember(/** @type {HTMLElement} */ (target)), { signal });
  // A click beside every focusable element gives the focus up.
  document.addEventListener("pointerdown", () => (last = null), { capture: true, signal });
  const changes = new MutationObserver(() => {
    if (!last || last.element.isConnected) return;
    clearTimeout(timer);
    endPending ??= pend("focus");
    timer = setTimeout(() => {
      restore(home);
      endPending?.();
      endPending = undefined;
    }, QUIET);
  });
  changes.observe(document.body, { childList: true, subtree: true });
  signal.addEventListener("abort", () => {
    changes.disconnect();
    clearTimeout(timer);
    endPending?.();
  });
  return () => life.abort();
}

/** @param {HTMLElement} element */
function remember(element) {
  const widget = element.closest('[class*="st-key-"]');
  const key = [...(widget?.classList ?? [])].find((name) => name.startsWith("st-key-")) ?? "";
  last = { element, key };
}

/** @param {() => HTMLElement | null} home */
function restore(home) {
  if (!last || last.element.isConnected) return;
  const { key } = last;
  last = null;
  if (document.activeElement !== document.body) return;
  const replacement = key ? document.querySelector(`.${CSS.escape(key)}`)?.querySelector(FOCUSABLE) : null;
  /** @type {HTMLElement | null} */ (replacement ?? home())?.focus({ preventScroll: true });
}

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
