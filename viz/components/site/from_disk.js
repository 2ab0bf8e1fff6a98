// A browser loads no modules into a page opened from disk, so say how to open it. This script is inside the page.

if (location.protocol === "file:") {
  const said = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".from-disk")]);
  const wished = navigator.languages.map((code) => code.split("-")[0]);
  const own = wished.map((code) => said.find(({ lang }) => lang === code)).find(Boolean) ?? said[0];
  said.forEach((each) => (each.hidden = each !== own));
}
