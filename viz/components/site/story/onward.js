// Ways on from the text: to other pages with the reader's sentence, and with the keyboard into the picture.

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
