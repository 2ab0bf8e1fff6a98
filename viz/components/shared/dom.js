// Elements from calls, never from markup, so that a token can never become one.

import { keepPresses } from "./press.js";

if (typeof window === "object") keepPresses(window);

/** @typedef {string | number | Node | null | undefined | false} Child */
/** @typedef {{hear(event: Event): void}["hear"]} Listener may name the kind of event that it is called with */
/** @typedef {Partial<CSSStyleDeclaration> & {[name: `--${string}`]: string | number}} Style custom properties too */
/** @typedef {string | number | boolean | null | undefined | Listener | Style} Property */

/**
 * An element with attributes, listeners ("onclick") and children; strings become text. A button submits no form unless
 * it says so.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, Property>} [properties] null, undefined and false leave an attribute out; true sets it empty
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  if (tag === "button") node.setAttribute("type", "button");
  return filled(node, properties, children);
}

/** The same in SVG.
 * @template {keyof SVGElementTagNameMap} Tag @param {Tag} tag @param {Record<string, Property>} [properties]
 * @param {...(Child | Child[])} children @returns {SVGElementTagNameMap[Tag]} */
export const svg = (tag, properties = {}, ...children) =>
  filled(document.createElementNS("http://www.w3.org/2000/svg", tag), properties, children);

/** @template {HTMLElement | SVGElement} Made
 * @param {Made} node @param {Record<string, Property>} properties @param {(Child | Child[])[]} children */
function filled(node, properties, children) {
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

/** What draws on a canvas. Only a canvas that has already given a context of another kind has none.
 * @param {HTMLCanvasElement} canvas */
export const penOf = (canvas) => /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));

/** Size a canvas in CSS pixels so that it is sharp on every screen; returns a cleared context in CSS pixels.
 * @param {HTMLCanvasElement} canvas @param {number} width @param {number} height */
export function sizedContext(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  const [across, down] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
  if (canvas.width !== across || canvas.height !== down) {
    canvas.width = across;
    canvas.height = down;
  }
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = penOf(canvas);
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

/** Do something before the reader does anything in an element, with the pointer or with a key.
 * @param {HTMLElement} root @param {(event: Event) => void} act */
export function onTouch(root, act) {
  for (const name of ["pointerdown", "keydown"]) root.addEventListener(name, act, { capture: true });
}

/** What has the focus in the document or the shadow root of an element. @param {Node} node */
export const focusedIn = (node) =>
  /** @type {HTMLElement | null} */ (/** @type {ShadowRoot} */ (node.getRootNode()).activeElement ?? null);

/** Focus the first place of an element that can have the focus, where what had it has gone.
 * @param {HTMLElement | undefined} root */
export const focusFirst = (root) =>
  /** @type {HTMLElement | null | undefined} */ (root?.querySelector("button, [tabindex='0']"))?.focus();

/** Give the focus back to the part of an element with a name, once it is drawn anew.
 * @param {ParentNode} root @param {string | null | undefined} name its data-name */
export const focusNamed = (root, name) =>
  name && /** @type {HTMLElement | null} */ (root.querySelector(`[data-name="${name}"]`))?.focus();

/** Copy a text; whether it was copied. @param {string} text */
export const copied = async (text) =>
  (await navigator.clipboard
    ?.writeText(text)
    .then(() => true)
    .catch(() => false)) ?? false;

/** @param {number} milliseconds */
export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Settled once what was changed before is on the screen; soon in a page that is not, because it has no frames. */
export const painted = () =>
  Promise.race([new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))), pause(500)]);

/** What follows is a task of its own: the browser may paint and hear the reader before it. */
export const nextTask = () => pause(0);

/** Do each part in a task of its own, with the screen painted in between, as long as it is wanted.
 * @param {(() => unknown)[]} parts @param {() => boolean} isWanted */
export async function oneByOne(parts, isWanted) {
  for (const part of parts) {
    await painted();
    if (!isWanted()) return;
    await part();
  }
}

/** A function that does something once in the next frame, however often it is called before. @param {() => void} act */
export function nextFrame(act) {
  let isAsked = false;
  return () => {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(() => {
      isAsked = false;
      act();
    });
  };
}

/** @type {MediaQueryList | undefined} */
let stillness;

/** Whether the reader has asked for no motion. */
export const isStill = () => (stillness ??= window.matchMedia("(prefers-reduced-motion: reduce)")).matches;
