// Clicks on elements that are redrawn between mousedown and mouseup. The browser sends such an element no click: an answer
// of the server that arrives in that moment would lose it.

const PRESSED = "button, a, summary, [role], [tabindex]";

/** @typedef {{ target: Element, tag: string, name: string | null }} Press */

/** The element under the mouse; a redrawn element with the same tag and name counts as the same. A cell of a grid is
 * identified by its place, because its name contains its value.
 * @type {(event: MouseEvent) => Press | null} */
function pressOf(event) {
  const target = event.composedPath()[0];
  if (!(target instanceof Element)) return null;
  const part = /** @type {HTMLElement} */ (target.closest(PRESSED) ?? target);
  const name = part.dataset.cell ?? part.getAttribute("aria-label") ?? part.textContent;
  return { target, tag: part.tagName, name };
}

/** Dispatch the click where an element was redrawn, in the page and in all its shadow roots. Each component calls this;
 * only the first call counts.
 * @param {Window & {keepsPresses?: boolean}} page */
export function keepPresses(page) {
  if (page.keepsPresses) return;
  page.keepsPresses = true;
  /** @type {Press | null} */
  let pressed = null;
  page.addEventListener("mousedown", (event) => (pressed = event.button ? null : pressOf(event)), true);
  page.addEventListener(
    "mouseup",
    (event) => {
      const [before, now] = [pressed, pressOf(event)];
      pressed = null;
      if (!before || !now || before.target.isConnected || before.tag !== now.tag || before.name !== now.name) return;
      const { clientX, clientY } = event;
      const at = { bubbles: true, cancelable: true, composed: true, detail: 1, clientX, clientY };
      now.target.dispatchEvent(new MouseEvent("click", at));
    },
    true,
  );
}
