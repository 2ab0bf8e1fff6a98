// A press that outlives what was pressed. What is drawn anew between the press and the release of a mouse gets no click
// from the browser: an answer of the server that arrives in that moment would swallow it.

const PRESSED = "button, a, summary, [role], [tabindex]";

/** @typedef {{ target: Element, tag: string, name: string | null }} Press */

/** What a mouse is on: a part that is drawn anew with the same name is the same part. A cell of a grid is known by its
 * place, because its name has its number.
 * @type {(event: MouseEvent) => Press | null} */
function pressOf(event) {
  const target = event.composedPath()[0];
  if (!(target instanceof Element)) return null;
  const part = /** @type {HTMLElement} */ (target.closest(PRESSED) ?? target);
  const name = part.dataset.cell ?? part.getAttribute("aria-label") ?? part.textContent;
  return { target, tag: part.tagName, name };
}

/** Give presses on what was drawn anew their click, in the whole page and in all its shadow roots. Each component asks
 * for it; the first is heard.
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
