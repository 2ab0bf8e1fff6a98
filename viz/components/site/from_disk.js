// A browser loads no modules into a page that is opened from disk: say what opens it. This stands in the page itself.

if (location.protocol === "file:") {
  const said = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".from-disk")]);
  const wished = navigator.languages.map((code) => code.split("-")[0]);
  const own = wished.map((code) => said.find(({ lang }) => lang === code)).find(Boolean) ?? said[0];
  said.forEach((each) => (each.hidden = each !== own));
}
