// A browser loads no modules into a page opened from disk, so say how to open it. This script is inside the page, before
// what it shows: elsewhere the style keeps places for what modules draw.

document.documentElement.classList.toggle("scripted", location.protocol !== "file:");
if (location.protocol === "file:") {
  const said = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".from-disk")]);
  const wished = navigator.languages.map((code) => code.split("-")[0]);
  const own = wished.map((code) => said.find(({ lang }) => lang === code)).find(Boolean) ?? said[0];
  said.forEach((each) => (each.hidden = each !== own));
}
