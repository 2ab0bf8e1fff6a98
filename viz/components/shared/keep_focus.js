// Restores the focus when a Streamlit run removes the focused element: to the same widget, else to the sentence.

import { pend } from "./pending.js";

const QUIET = 120; // milliseconds without a DOM change before the focus is restored
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
