// A link before everything else on the page, seen when Tab reaches it: to the sentence, past the navigation.

import { h } from "../shared/dom.js";

const HIDDEN = { position: "fixed", insetInlineStart: "1rem", top: "-4rem", zIndex: "1000000" };
const LOOK = {
  padding: ".5rem 1rem",
  borderRadius: ".5rem",
  font: "600 1rem var(--st-font, sans-serif)",
  color: "#ffffff",
  background: "#6d28d9",
};

/** The link, which stands first in the document.
 * @param {() => HTMLElement} target what it gives the focus to */
export function skipLink(target) {
  const link = h("a", { href: "#stMain", style: { ...HIDDEN, ...LOOK } });
  link.addEventListener("focus", () => (link.style.top = ".6rem"));
  link.addEventListener("blur", () => (link.style.top = HIDDEN.top));
  link.addEventListener("click", (event) => {
    event.preventDefault();
    target().focus();
  });
  document.body.prepend(link);
  return link;
}
