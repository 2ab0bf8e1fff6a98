// The paragraph that is being read: scrolling, the keyboard and a link to it move it on, the picture shows the parts that it
// points at, and ways lead on from it.

import { prefersReducedMotion } from "../../shared/dom.js";

/** Screens on which the picture stands above the text. */
export const NARROW = "(max-width: 900px)";

/** Tell which paragraph is in the middle of what the picture leaves free, whenever it is another one.
 * @param {HTMLElement} article @param {(paragraph: HTMLElement) => void} read */
export function followReading(article, read) {
  /** @type {NodeListOf<HTMLElement>} */
  const paragraphs = article.querySelectorAll("p[data-part]");
  /** @type {HTMLElement | null} */
  let now = null;
  const begin = (/** @type {HTMLElement} */ paragraph) => {
    if (paragraph === now) return;
    now?.removeAttribute("aria-current");
    now = paragraph;
    now.setAttribute("aria-current", "true");
    read(now);
  };
  const inside = new Set();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries)
        if (isIntersecting) inside.add(target);
        else inside.delete(target);
      const first = window.scrollY ? [...paragraphs].find((each) => inside.has(each)) : paragraphs[0];
      if (first) begin(first);
    },
    { root: document, rootMargin: bandOf() }, // the line is this page's, in a frame too
  );
  for (const each of paragraphs) observer.observe(each);
  article.addEventListener("focusin", ({ target }) => {
    const focused = /** @type {HTMLElement} */ (target);
    const around = /** @type {HTMLElement | null | undefined} */ (
      focused.closest("p[data-part]") ?? focused.closest("section")?.querySelector("p[data-part]")
    );
    if (!around) return;
    if (focused.matches(":focus-visible")) around.scrollIntoView({ block: "start", behavior: "instant" });
    begin(around);
  });
  begin(paragraphs[0]);
}

/** A line across the screen; on a phone the picture takes the upper half. */
function bandOf() {
  return window.matchMedia(NARROW).matches ? "-64% 0px -35% 0px" : "-45% 0px -54% 0px";
}

/** Pixels between such a part and the edge of its place. */
const EDGE = 10;

/** Bring out the parts that a paragraph names.
 * @param {HTMLElement} view
 * @param {string} part one or several, with spaces between */
export function light(view, part) {
  const wanted = part.split(" ");
  for (const each of /** @type {NodeListOf<HTMLElement>} */ (view.querySelectorAll("[data-of]"))) {
    const parts = String(each.dataset.of).split(" ");
    each.toggleAttribute(
      "data-lit",
      wanted.some((name) => parts.includes(name)),
    );
  }
}

/** Where the picture is larger than its place, as on a phone, scroll it to the parts that are brought out.
 * @param {HTMLElement} picture */
export function showLit(picture) {
  const lit = [...picture.querySelectorAll("[data-lit]")].map((each) => each.getBoundingClientRect());
  if (!lit.length || picture.scrollHeight <= picture.clientHeight) return;
  const place = picture.getBoundingClientRect();
  const above = Math.min(...lit.map(({ top }) => top)) - EDGE - place.top;
  const below = Math.max(...lit.map(({ bottom }) => bottom)) + EDGE - place.bottom;
  const by = below > 0 ? Math.min(below, above) : Math.min(0, above);
  if (by) picture.scrollBy({ top: by, behavior: prefersReducedMotion() ? "instant" : "smooth" });
}

/** Let the links to the page with the model, and to the article in other languages, take the reader's sentence along.
 * @param {HTMLElement} root
 * @param {string} text nothing for the opening sentence */
export function takeAlong(root, text) {
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const links = root.querySelectorAll("a[data-level], a.site-link");
  for (const link of links) {
    const address = new URL(link.href, location.href);
    if (text) address.searchParams.set("text", text);
    else address.searchParams.delete("text");
    link.href = address.href;
  }
}

/** Enter on a heading leads into the picture of its screen, whose controls stand before the text in the page.
 * @param {HTMLElement} article @param {HTMLElement} picture */
export function leadInside(article, picture) {
  picture.tabIndex = -1;
  article.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest("h2 a");
    if (!link || event.detail) return; // a click with the mouse is a jump as everywhere
    event.preventDefault();
    history.replaceState(null, "", `${location.pathname}${location.search}${link.getAttribute("href")}`);
    picture.focus({ preventScroll: true });
  });
}
