// The focus stays where the reader was when a run of the page takes away what had it: on what stands there now, else on
// the sentence.

import { pend } from "./pending.js";

const SETTLES = 120; // milliseconds without a change of the page
const FOCUSABLE = "button:not(:disabled), input:not(:disabled), [tabindex='0']";

/** @type {{element: HTMLElement, key: string} | null} what had the focus last, and the key of its widget */
let last = null;

/** Watch the page; the first call counts.
 * @param {() => HTMLElement | null} home what gets the focus where nothing stands in the place of what had it
 * @returns {() => void} ends it */
export function keepFocus(home) {
  const life = new AbortController();
  const { signal } = life;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;
  /** @type {(() => void) | undefined} */
  let settled;
  document.addEventListener("focusin", ({ target }) => note(/** @type {HTMLElement} */ (target)), { signal });
  // Who clicks beside everything has let go of it.
  document.addEventListener("pointerdown", () => (last = null), { capture: true, signal });
  const changes = new MutationObserver(() => {
    if (!last || last.element.isConnected) return;
    clearTimeout(waiting);
    settled ??= pend("focus");
    waiting = setTimeout(() => {
      restore(home);
      settled?.();
      settled = undefined;
    }, SETTLES);
  });
  changes.observe(document.body, { childList: true, subtree: true });
  signal.addEventListener("abort", () => {
    changes.disconnect();
    clearTimeout(waiting);
    settled?.();
  });
  return () => life.abort();
}

/** @param {HTMLElement} element */
function note(element) {
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
  const again = key ? document.querySelector(`.${CSS.escape(key)}`)?.querySelector(FOCUSABLE) : null;
  /** @type {HTMLElement | null} */ (again ?? home())?.focus({ preventScroll: true });
}
