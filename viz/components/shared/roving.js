// Roving tabindex: one Tab stop for a group of buttons; the arrow keys move inside it.

import { focusedIn } from "./dom.js";

/** @type {Record<string, number>} */
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity };

/** @param {HTMLElement} group @param {string} selector @returns {HTMLElement[]} */
const itemsOf = (group, selector) => /** @type {HTMLElement[]} */ ([...group.querySelectorAll(selector)]);

/** Whether a button can have the focus: it is neither hidden nor disabled. @param {HTMLElement} item */
const isFocusable = (item) => item.checkVisibility() && !("disabled" in item && item.disabled);

/** Let the arrow keys move the focus through a group. Call `keepOneStop` after its buttons are drawn.
 * @param {HTMLElement} group
 * @param {string} selector of the buttons */
export function rove(group, selector) {
  group.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    const items = itemsOf(group, selector).filter(isFocusable);
    const at = items.indexOf(/** @type {HTMLElement} */ (event.composedPath()[0]));
    if (step === undefined || at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const isMirrored = getComputedStyle(group).direction === "rtl" && event.key.match(/Left|Right/);
    const to = Math.max(0, Math.min(items.length - 1, at + (isMirrored ? -step : step)));
    items[to].focus();
  });
  group.addEventListener("focusin", (event) => {
    const focused = event.composedPath()[0];
    const items = itemsOf(group, selector);
    if (items.includes(/** @type {HTMLElement} */ (focused)))
      items.forEach((item) => (item.tabIndex = item === focused ? 0 : -1));
  });
}

/** Leave one button of a group in the order of Tab: the one that has the focus, the pressed one, or the first.
 * @param {HTMLElement} group @param {string} selector */
export function keepOneStop(group, selector) {
  const items = itemsOf(group, selector);
  const focused = focusedIn(group);
  const stop =
    items.find((item) => item === focused) ??
    items.find((item) => item.getAttribute("aria-pressed") === "true" && isFocusable(item)) ??
    items.find(isFocusable) ??
    items[0];
  items.forEach((item) => (item.tabIndex = item === stop ? 0 : -1));
}
