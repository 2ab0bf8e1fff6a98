// The paragraph that is being read: scrolling, the keyboard and a link to it move it on.

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
