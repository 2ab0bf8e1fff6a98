// Tracks the current paragraph by scrolling, focus and links, highlights the parts of the picture that it names, and updates
// the links of the article.

import { prefersReducedMotion } from "../../shared/dom.js";

/** Screens on which the picture is above the text. */
export const NARROW = "(max-width: 900px)";

/** Call `onParagraph` when another paragraph reaches the middle of the area that the picture leaves free.
 * @param {HTMLElement} article @param {(paragraph: HTMLElement) => void} onParagraph */
export function followReading(article, onParagraph) {
  /** @type {NodeListOf<HTMLElement>} */
  const paragraphs = article.querySelectorAll("p[data-part]");
  /** @type {HTMLElement | null} */
  let current = null;
  const begin = (/** @type {HTMLElement} */ paragraph) => {
    if (paragraph === current) return;
    current?.removeAttribute("aria-current");
    current = paragraph;
    current.setAttribute("aria-current", "true");
    onParagraph(current);
  };
  const inside = new Set();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries)
        if (isIntersecting) inside.add(target);
        else inside.delete(target);
      const first = window.scrollY ? [...paragraphs].find((paragraph) => inside.has(paragraph)) : paragraphs[0];
      if (first) begin(first);
    },
    { root: document, rootMargin: bandOf() }, // relative to this document, also in an iframe
  );
  for (const paragraph of paragraphs) observer.observe(paragraph);
  article.addEventListener("focusin", ({ target }) => {
    const focused = /** @type {HTMLElement} */ (target);
    const paragraph = /** @type {HTMLElement | null | undefined} */ (
      focused.closest("p[data-part]") ?? focused.closest("section")?.querySelector("p[data-part]")
    );
    if (!paragraph) return;
    if (focused.matches(":focus-visible")) paragraph.scrollIntoView({ block: "start", behavior: "instant" });
    begin(paragraph);
  });
  begin(paragraphs[0]);
}

/** The root margin that leaves one line of the screen; on a phone the picture takes the upper half. */
function bandOf() {
  return window.matchMedia(NARROW).matches ? "-64% 0px -35% 0px" : "-45% 0px -54% 0px";
}

/** Pixels between a highlighted part and the edge of the picture. */
const EDGE = 10;

/** Highlight the parts that a paragraph names.
 * @param {HTMLElement} view
 * @param {string} part names, separated by spaces */
export function light(view, part) {
  const names = part.split(" ");
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (view.querySelectorAll("[data-of]"))) {
    const parts = String(element.dataset.of).split(" ");
    element.toggleAttribute(
      "data-lit",
      names.some((name) => parts.includes(name)),
    );
  }
}

/** If the picture overflows its holder, as on a phone, scroll it to the highlighted parts.
 * @param {HTMLElement} picture */
export function scrollToLit(picture) {
  const lit = [...picture.querySelectorAll("[data-lit]")].map((part) => part.getBoundingClientRect());
  if (!lit.length || picture.scrollHeight <= picture.clientHeight) return;
  const place = picture.getBoundingClientRect();
  const above = Math.min(...lit.map(({ top }) => top)) - EDGE - place.top;
  const below = Math.max(...lit.map(({ bottom }) => bottom)) + EDGE - place.bottom;
  const by = below > 0 ? Math.min(below, above) : Math.min(0, above);
  if (by) picture.scrollBy({ top: by, behavior: prefersReducedMotion() ? "instant" : "smooth" });
}

/** Put the reader's sentence into the links to the page with the model and to the article's other languages.
 * @param {HTMLElement} root
 * @param {string} text "" for the opening sentence */
export function updateLinks(root, text) {
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const links = root.querySelectorAll("a[data-level], a.site-link");
  for (const link of links) {
    const address = new URL(link.href, location.href);
    if (text) address.searchParams.set("text", text);
    else address.searchParams.delete("text");
    link.href = address.href;
  }
}

/** Let Enter on a heading's link focus the picture, whose controls come before the text in Tab order.
 * @param {HTMLElement} article @param {HTMLElement} picture */
export function focusPictureOnEnter(article, picture) {
  picture.tabIndex = -1;
  article.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest("h2 a");
    if (!link || event.detail) return; // a mouse click follows the link
    event.preventDefault();
    history.replaceState(null, "", `${location.pathname}${location.search}${link.getAttribute("href")}`);
    picture.focus({ preventScroll: true });
  });
}
