// The guided tour: five stops, each with a ring around an element and a task. A task counts as done when the address shows
// it. The progress is kept in sessionStorage, so that the tour can be left and resumed.

import { h } from "../shared/dom.js";
import { fill } from "../shared/text.js";

/** The words of the tour by language; filled in by Python.
 * @type {Record<string, Record<string, string>>} */
export const TOUR = {};

const GAP = 8;
const NARROW_SCREEN = 640;
const SEARCH_INTERVAL = 800; // milliseconds
const MOVES = ["wheel", "touchmove", "pointerdown", "keydown"];

/** A stop: the element that it points at, and whether its task is done, by the address at its start and now.
 * @type {{name: string, find: () => HTMLElement | null, isDone: (was: URLSearchParams, now: URLSearchParams) => boolean}[]} */
const STOPS = [
  { name: "word", find: () => queryDeep(".stage .target-row"), isDone: (was, now) => isNew("pins", was, now) },
  {
    name: "head",
    find: () => queryDeep(".regard .grid-scroller"),
    isDone: (was, now) => ["kind", "layer", "head"].some((name) => was.get(name) !== now.get(name)),
  },
  {
    name: "off",
    find: () => queryDeep('.regard [data-act="switch_off"]'),
    isDone: (was, now) => isNew("interventions", was, now),
  },
  {
    name: "step",
    find: () => queryDeep('.regard [data-act="open_head"]'),
    isDone: () => window.location.pathname.endsWith("/inside"),
  },
  {
    name: "own",
    find: () => queryDeep(".stage[data-editing] .editor") ?? queryDeep(".stage .edit"),
    isDone: (was, now) => (was.get("text") ?? was.get("long")) !== (now.get("text") ?? now.get("long")),
  },
];

/** @type {(name: string, was: URLSearchParams, now: URLSearchParams) => boolean} */
const isNew = (name, was, now) => Boolean(now.get(name)) && now.get(name) !== was.get(name);

/** The first visible element that a selector names in the page or in a component.
 * @param {string} selector
 * @returns {HTMLElement | null} */
function queryDeep(selector) {
  const roots = [document, ...[...document.querySelectorAll("*")].flatMap(({ shadowRoot }) => shadowRoot ?? [])];
  for (const root of roots)
    for (const match of root.querySelectorAll(selector))
      if (match instanceof HTMLElement && match.getClientRects().length) return match;
  return null;
}

/** @type {Tour | null} */
let running = null;

/** Begin the tour, or resume it.
 * @param {Element} styled an element with the page's colours */
export function startTour(styled) {
  const { stop = 0 } = loadProgress() ?? {};
  saveProgress({ stop: stop > STOPS.length - 1 ? 0 : stop, search: window.location.search, isOpen: true });
  resumeTour(styled);
  running?.focus();
}

/** Draw the tour if it is open; called after every run of a page.
 * @param {Element} styled an element with the page's colours */
export function resumeTour(styled) {
  if (!loadProgress()?.isOpen) return;
  running ??= new Tour();
  running.styled = styled;
  running.show();
}

class Tour {
  /** @type {Element} */ styled = document.body;
  /** @type {HTMLElement | null} */ target = null;
  /** Top of the target after scrolling, or null before that. @type {number | null} */ placedAt = null;
  /** Whether the reader has scrolled since the stop began; then the tour does not scroll. */ isMoved = false;
  searchedAt = -Infinity;
  frame = 0;
  /** Removes the window's listeners. */ life = new AbortController();

  constructor() {
    this.host = h("div", { class: "regard-tour" });
    const root = this.host.attachShadow({ mode: "open" });
    this.ring = h("div", { class: "ring", "aria-hidden": "true" });
    this.card = h("div", { class: "card", role: "dialog", "aria-live": "polite" });
    root.append(h("style", {}, SHEET), this.ring, this.card);
    document.body.append(this.host);
    const { signal } = this.life;
    window.addEventListener("keydown", ({ key }) => key === "Escape" && this.leave(), { capture: true, signal });
    for (const name of MOVES)
      window.addEventListener(name, () => (this.isMoved = true), { capture: true, passive: true, signal });
    this.follow();
  }

  get progress() {
    return loadProgress() ?? { stop: 0, search: "", isOpen: true };
  }

  show() {
    const styles = getComputedStyle(this.styled);
    for (const name of ["text-color", "background-color", "primary-color", "border-color", "font"])
      this.host.style.setProperty(`--${name}`, styles.getPropertyValue(`--st-${name}`));
    const { stop } = this.progress;
    const words = TOUR[document.documentElement.lang] ?? TOUR.en;
    const name = STOPS[stop]?.name ?? "done";
    const hadFocus = this.hasFocus;
    this.card.setAttribute("aria-label", words.title);
    /** @type {(text: string, act: () => void, kind?: string) => HTMLElement} */
    const button = (text, act, kind = "") => h("button", { class: kind, onclick: act }, text);
    this.card.replaceChildren(
      h(
        "header",
        {},
        h("span", {}, stop < STOPS.length ? `${stop + 1} / ${STOPS.length}` : ""),
        h(
          "button",
          { class: "leave", "aria-label": words.leave, title: words.leave, onclick: () => this.leave() },
          "✕",
        ),
      ),
      h("strong", {}, words[name]),
      h("p", {}, fill(words[`${name}_${this.#hasPulse(name) ? "pulsing" : "text"}`])),
      h(
        "footer",
        {},
        stop > 0 && button(words.back, () => this.go(stop - 1)),
        stop < STOPS.length
          ? button(words.next, () => this.go(stop + 1), "main")
          : button(words.finish, () => this.finish(), "main"),
      ),
    );
    if (hadFocus) this.focus();
    this.target = null;
    this.searchedAt = -Infinity;
    this.placedAt = null;
    this.isMoved = false;
  }

  get hasFocus() {
    return this.card.matches(":focus-within");
  }

  /** Focus the card's main button, also after its buttons were redrawn. */
  focus() {
    const main = this.card.querySelector("button.main");
    if (main instanceof HTMLElement) main.focus({ preventScroll: true });
  }

  /** @param {string} name */
  #hasPulse(name) {
    return name === "head" && Boolean(queryDeep(".regard[data-matter]"));
  }

  /** @param {number} stop */
  go(stop) {
    saveProgress({ stop, search: window.location.search, isOpen: true });
    this.show();
  }

  leave() {
    saveProgress({ ...this.progress, isOpen: false });
    this.end();
  }

  finish() {
    saveProgress({ stop: 0, search: "", isOpen: false });
    this.end();
  }

  end() {
    if (this.hasFocus) queryDeep(".stage .tour")?.focus({ preventScroll: true });
    running = null;
    this.life.abort();
    cancelAnimationFrame(this.frame);
    this.host.remove();
  }

  /** In each frame: move the ring to its target, and go on when the task is done. */
  follow() {
    this.frame = requestAnimationFrame(() => this.follow());
    const { stop, search } = this.progress;
    const current = STOPS[stop];
    if (current?.isDone(new URLSearchParams(search), new URLSearchParams(window.location.search)))
      return this.go(stop + 1);
    this.#findTarget(current);
    const box = this.target?.getBoundingClientRect();
    this.ring.hidden = !box;
    if (box) {
      const { style } = this.ring;
      Object.assign(style, { left: `${box.left - GAP}px`, top: `${box.top - GAP}px` });
      Object.assign(style, { width: `${box.width + 2 * GAP}px`, height: `${box.height + 2 * GAP}px` });
    }
    this.#place(box);
    return undefined;
  }

  /** Search for a target that has left the page; rarely, because a search goes through every shadow root.
   * @param {{find: () => HTMLElement | null} | undefined} stop */
  #findTarget(stop) {
    const now = performance.now();
    if (this.target?.isConnected && this.target.getClientRects().length && now - this.searchedAt < SEARCH_INTERVAL)
      return;
    if (now - this.searchedAt < SEARCH_INTERVAL / 4) return;
    this.searchedAt = now;
    this.target = stop?.find() ?? null;
  }

  /** Scroll the target onto the screen, again whenever the page's loading moves it, until the reader scrolls.
   * @param {DOMRect | undefined} box
   * @param {number} room the height above the card
   * @param {boolean} isNarrow
   * @returns {DOMRect | undefined} its box afterwards */
  #scrollTo(box, room, isNarrow) {
    if (!box || box.top === this.placedAt || (this.placedAt !== null && this.isMoved)) return box;
    if (box.top < 60 || box.bottom > room)
      this.target?.scrollIntoView({ block: box.height > room - 80 || isNarrow ? "start" : "center" });
    const now = this.target?.getBoundingClientRect();
    this.placedAt = now?.top ?? null;
    return now;
  }

  /** Place the card where it does not cover the target; on a phone at the lower edge, below the target.
   * @param {DOMRect | undefined} target */
  #place(target) {
    const { innerWidth, innerHeight } = window;
    const isNarrow = innerWidth < NARROW_SCREEN;
    this.card.toggleAttribute("data-narrow", isNarrow);
    const { width, height } = this.card.getBoundingClientRect();
    const box = this.#scrollTo(target, innerHeight - (isNarrow ? height + 2 * GAP : 0), isNarrow);
    const [right, bottom] = [innerWidth - width - 2 * GAP, innerHeight - height - 2 * GAP];
    const places = isNarrow
      ? [
          [GAP, innerHeight - height - GAP],
          [GAP, GAP],
        ]
      : [
          [right, bottom],
          [2 * GAP, bottom],
          [right, 70],
          [2 * GAP, 70],
        ];
    const covers = (/** @type {number[]} */ [x, y]) =>
      box && x < box.right + GAP && x + width > box.left - GAP && y < box.bottom + GAP && y + height > box.top - GAP;
    const [left, top] = places.find((place) => !covers(place)) ?? places[0];
    Object.assign(this.card.style, { left: `${left}px`, top: `${top}px` });
  }
}

const SHEET = `
:host { position: fixed; inset: 0; z-index: 1000000; pointer-events: none; font-family: var(--font); color: var(--text-color); }
* { box-sizing: border-box; }
.ring { position: fixed; border: 2.5px solid var(--primary-color); border-radius: 12px; box-shadow: 0 0 0 5px color-mix(in srgb, var(--primary-color) 22%, transparent); animation: call 1.4s ease-in-out infinite alternate; }
.ring[hidden] { display: none; }
@keyframes call { to { box-shadow: 0 0 0 9px color-mix(in srgb, var(--primary-color) 10%, transparent); } }
.card { position: fixed; pointer-events: auto; width: 20rem; max-width: calc(100vw - 16px); padding: .8rem 1rem .9rem; border-radius: 12px; border: 1px solid var(--border-color); background: var(--background-color); box-shadow: 0 10px 34px rgb(0 0 0 / 22%); font-size: .95rem; line-height: 1.45; }
.card[data-narrow] { width: calc(100vw - 16px); padding: .5rem .8rem .6rem; font-size: .9rem; }
header, footer { display: flex; align-items: center; justify-content: space-between; gap: .5rem; }
header { font-size: .8rem; color: color-mix(in srgb, var(--text-color) 66%, var(--background-color)); }
p { margin: .25rem 0 .6rem; }
footer { justify-content: flex-end; }
button { font: inherit; color: inherit; background: none; border: 1px solid var(--border-color); border-radius: 8px; padding: .25rem .8rem; cursor: pointer; min-height: 2rem; }
button.main { background: var(--primary-color); border-color: var(--primary-color); color: light-dark(#fff, #121317); font-weight: 600; }
button.leave { border: 0; padding: .1rem .4rem; }
button:focus-visible { outline: 2px solid var(--primary-color); outline-offset: 2px; }
@media (prefers-reduced-motion: reduce) { .ring { animation: none; } }
`;

const STORAGE_KEY = "regard.tour";

/** @typedef {{stop: number, search: string, isOpen: boolean}} Progress in sessionStorage, or in this module where the
 * browser blocks it */

/** @type {string | null} */
let stored = null;

/** @returns {Progress | null} */
function loadProgress() {
  try {
    return JSON.parse(window.sessionStorage.getItem(STORAGE_KEY) ?? "null");
  } catch {
    return JSON.parse(stored ?? "null");
  }
}

/** @param {Progress} progress */
function saveProgress(progress) {
  stored = JSON.stringify(progress);
  try {
    window.sessionStorage.setItem(STORAGE_KEY, stored);
  } catch {
    // `stored` remains
  }
}
