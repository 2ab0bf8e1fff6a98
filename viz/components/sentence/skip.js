// The skip link: past the navigation to the sentence. It is the first element of the page and visible when focused.

import { h } from "../shared/dom.js";

const HIDDEN = { position: "fixed", insetInlineStart: "1rem", top: "-4rem", zIndex: "1000000" };
const LOOK = {
  padding: ".5rem 1rem",
  borderRadius: ".5rem",
  font: "600 1rem var(--st-font, sans-serif)",
  color: "#ffffff",
  background: "#6d28d9",
};

/** @param {() => HTMLElement} target the element to focus */
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
