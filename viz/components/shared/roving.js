// One Tab stop for a group of buttons; the arrows move inside it.

import { focusedIn } from "./dom.js";

/** @type {Record<string, number>} */
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity };

/** @param {HTMLElement} group @param {string} selector @returns {HTMLElement[]} */
const all = (group, selector) => [...group.querySelectorAll(selector)].map((each) => /** @type {HTMLElement} */ (each));

/** Those that can have the focus now: a group may fold some of its buttons away. @param {HTMLElement} each */
const isOpen = (each) => each.checkVisibility() && !("disabled" in each && each.disabled);

/** Let the arrows move through a group. Call `keepOneStop` whenever its buttons have been drawn.
 * @param {HTMLElement} group
 * @param {string} selector of the buttons */
export function rove(group, selector) {
  group.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    const items = all(group, selector).filter(isOpen);
    const at = items.indexOf(/** @type {HTMLElement} */ (event.composedPath()[0]));
    if (step === undefined || at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const isMirrored = getComputedStyle(group).direction === "rtl" && event.key.match(/Left|Right/);
    const to = Math.max(0, Math.min(items.length - 1, at + (isMirrored ? -step : step)));
    items[to].focus();
  });
  group.addEventListener("focusin", (event) => {
    const now = event.composedPath()[0];
    const items = all(group, selector);
    if (items.includes(/** @type {HTMLElement} */ (now)))
      items.forEach((each) => (each.tabIndex = each === now ? 0 : -1));
  });
}

/** Leave one button of a group in the order of Tab: the one that has the focus, the pressed one, or the first.
 * @param {HTMLElement} group @param {string} selector */
export function keepOneStop(group, selector) {
  const items = all(group, selector);
  const focused = focusedIn(group);
  const stop =
    items.find((each) => each === focused) ??
    items.find((each) => each.getAttribute("aria-pressed") === "true" && isOpen(each)) ??
    items.find(isOpen) ??
    items[0];
  items.forEach((each) => (each.tabIndex = each === stop ? 0 : -1));
}
