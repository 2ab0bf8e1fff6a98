// DOM helpers. Elements are built by calls, never from markup, so that a token cannot be parsed as HTML.

/** The step of each arrow key in a grid: rows and columns. @type {Record<string, [number, number]>} */
export const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const PRESSED = "button, a, summary, [role], [tabindex]";

if (typeof window === "object") keepPresses(window);

/** @typedef {string | number | Node | null | undefined | false} Child */
/** @typedef {{listen(event: Event): void}["listen"]} Listener a method type: its parameter may be a subtype of Event */
/** @typedef {Partial<CSSStyleDeclaration> & {[name: `--${string}`]: string | number}} Style custom properties too */
/** @typedef {string | number | boolean | null | undefined | Listener | Style} Property */

/**
 * An element with attributes, listeners ("onclick") and children; strings become text nodes. Buttons are of type
 * "button" unless `properties` says otherwise, so that they submit no form.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, Property>} [properties] null, undefined and false leave an attribute out; true sets it empty
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  if (tag === "button") node.setAttribute("type", "button");
  return populate(node, properties, children);
}

/** An SVG element, built as `h` builds an HTML element.
 * @template {keyof SVGElementTagNameMap} Tag @param {Tag} tag @param {Record<string, Property>} [properties]
 * @param {...(Child | Child[])} children @returns {SVGElementTagNameMap[Tag]} */
export const svg = (tag, properties = {}, ...children) =>
  populate(document.createElementNS("http://www.w3.org/2000/svg", tag), properties, children);

/** @template {HTMLElement | SVGElement} Element_
 * @param {Element_} node @param {Record<string, Property>} properties @param {(Child | Child[])[]} children */
function populate(node, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else if (typeof value === "object") setStyle(node, value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat())
    if (child !== null && child !== undefined && child !== false)
      node.append(child instanceof Node ? child : String(child));
  return node;
}

/** @param {HTMLElement | SVGElement} node @param {Style} values */
export function setStyle({ style }, values) {
  for (const [name, value] of Object.entries(values))
    if (name.startsWith("--")) style.setProperty(name, String(value));
    else Object.assign(style, { [name]: value });
}

/** The 2D context of a canvas; never null, because no canvas here has a context of another kind.
 * @param {HTMLCanvasElement} canvas */
export const context2d = (canvas) => /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));

/** Size a canvas in CSS pixels so that it is sharp on every screen; returns a cleared context in CSS pixels.
 * @param {HTMLCanvasElement} canvas @param {number} width @param {number} height */
export function sizedContext(canvas, width, height) {
  Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  return scaledContext(canvas, width, height);
}

/** The same for a canvas with its size from a style sheet.
 * @param {HTMLCanvasElement} canvas @param {number} width @param {number} height */
export function scaledContext(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  const [across, down] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
  if (canvas.width !== across || canvas.height !== down) {
    canvas.width = across;
    canvas.height = down;
  }
  const context = context2d(canvas);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

/** Pointer position inside an element, in its own pixels.
 * @param {MouseEvent} event @param {Element} element @returns {[number, number]} */
export function pointIn(event, element) {
  const box = element.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

/** The children of an element that `h` built. @param {Element} node */
export const childrenOf = (node) => /** @type {HTMLElement[]} */ ([...node.children]);

/** The element around an event's target that a selector names, or null.
 * @param {Event} event @param {string} selector @returns {HTMLElement | null} */
export const closest = (event, selector) => /** @type {Element} */ (event.target).closest?.(selector) ?? null;

/** Call `act` in the capture phase of every pointerdown and keydown inside an element.
 * @param {HTMLElement} root @param {(event: Event) => void} act */
export function onInputCapture(root, act) {
  for (const name of ["pointerdown", "keydown"]) root.addEventListener(name, act, { capture: true });
}

/** What has the focus in the document or the shadow root of an element. @param {Node} node */
export const focusedIn = (node) =>
  /** @type {HTMLElement | null} */ (/** @type {ShadowRoot} */ (node.getRootNode()).activeElement ?? null);

/** Focus the first focusable child, after the element that had the focus was removed.
 * @param {HTMLElement | undefined} root */
export const focusFirst = (root) =>
  /** @type {HTMLElement | null | undefined} */ (root?.querySelector("button, [tabindex='0']"))?.focus();

/** Focus the part with this data-name again after a redraw.
 * @param {ParentNode} root @param {string | null | undefined} name its data-name */
export const focusNamed = (root, name) =>
  name && /** @type {HTMLElement | null} */ (root.querySelector(`[data-name="${name}"]`))?.focus();

/** Save a file to the device. @param {Blob} file @param {string} name */
export function saveFile(file, name) {
  const href = URL.createObjectURL(file);
  h("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

/** Copy a text to the clipboard. @param {string} text @returns {Promise<boolean>} whether it was copied */
export const copyText = async (text) =>
  (await navigator.clipboard
    ?.writeText(text)
    .then(() => true)
    .catch(() => false)) ?? false;

/** @param {number} milliseconds */
export const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Resolves after the next paint; after half a second in a hidden page, which gets no frames. */
export const afterPaint = () =>
  Promise.race([new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))), sleep(500)]);

/** Yields to the browser: painting and input events may run before the code that follows. */
export const nextTask = () => sleep(0);

/** Run each part in its own task, with a paint in between, until `isWanted` returns false.
 * @param {(() => unknown)[]} parts @param {() => boolean} isWanted */
export async function runInTurn(parts, isWanted) {
  for (const part of parts) {
    await afterPaint();
    if (!isWanted()) return;
    await part();
  }
}

/** Throttle `act` to one call per animation frame. @param {() => void} act */
export function oncePerFrame(act) {
  let isScheduled = false;
  return () => {
    if (isScheduled) return;
    isScheduled = true;
    requestAnimationFrame(() => {
      isScheduled = false;
      act();
    });
  };
}

/** @type {MediaQueryList | undefined} */
let reducedMotion;

export const prefersReducedMotion = () =>
  (reducedMotion ??= window.matchMedia("(prefers-reduced-motion: reduce)")).matches;

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
