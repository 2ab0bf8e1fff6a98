// Browsers load no modules into a page opened from disk (file:), so show how to open it. This script is inlined before the
// content; on other protocols the stylesheet reserves space for what the modules draw.

document.documentElement.classList.toggle("scripted", location.protocol !== "file:");
if (location.protocol === "file:") {
  const notices = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".from-disk")]);
  const preferred = navigator.languages.map((code) => code.split("-")[0]);
  const match = preferred.map((code) => notices.find(({ lang }) => lang === code)).find(Boolean) ?? notices[0];
  notices.forEach((notice) => (notice.hidden = notice !== match));
}
