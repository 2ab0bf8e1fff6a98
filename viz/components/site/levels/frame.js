// The page's header and footer, and the arrangement of its parts.

import { h } from "../../shared/dom.js";
import { fill } from "../../shared/text.js";
import { textOrPicture } from "../../shared/pad/pad.js";

/** @import { Page } from "../page.js" */

/** The page's header and footer, in its language. @param {Page} page */
export function drawFrame(page) {
  const { t, written } = page;
  const links = Object.entries(written.languages).map(([code, name]) =>
    h(
      "button",
      {
        lang: code,
        class: "site-link",
        "aria-pressed": String(code === page.language),
        onclick: () => page.changeLanguage(code),
      },
      /** @type {string} */ (name),
    ),
  );
  const story = written.story[page.language];
  page.header.replaceChildren(
    h("h1", {}, h("a", { href: "./", class: "page-home" }, "Regard")),
    h("p", {}, t.tagline, " ", story && h("a", { href: story, class: "page-door" }, t.story_door)),
    h("nav", { "aria-label": t.language }, links),
  );
  const readmes = written.readmes.length ? fill(t.about_sets, { files: written.readmes.join(", ") }) : "";
  const source = written.source && h("a", { href: written.source }, t.source_code);
  page.foot.replaceChildren(h("span", {}, [t.about, readmes].filter(Boolean).join(" ")), " ", source || "");
}

/** Append all parts of the page. @param {Page} page @param {Element} root */
export function layOut(page, root) {
  const bar = h("div", { class: "page-bar" }, page.nav, page.choosing);
  page.stage.view.layOut([page.news], [page.heads.root, page.levels]);
  page.stage.view.outcome.append(page.actions.root);
  page.main.append(page.editor, page.unsupported, bar, page.stage.root, page.below);
  root.replaceChildren(page.header, page.main, page.foot);
  drawFrame(page);
}

/** Append the desk's parts to the page. @param {Page} page @param {import("../desk/desk.js").Desk} desk */
export function arrangeDesk(page, desk) {
  if (page.first) page.first.hadFocus = document.activeElement === page.first.input;
  page.editor.replaceChildren(desk.form, desk.bar, desk.status);
  page.choosing.replaceChildren(
    h("div", { class: "site-choices" }, desk.picker, desk.examples),
    modalityButton(page) ?? "",
  );
  page.news.replaceChildren(desk.chips);
  page.level?.arrange();
}

/** The button that switches between the handwriting model and the others.
 * @param {Page} page
 * @returns {HTMLElement | null} null if all models have the same modality */
function modalityButton(page) {
  const { t, written, isPicture } = page;
  const other = written.models.find(({ reads }) => (reads === "picture") !== isPicture);
  if (!other) return null;
  const opening = written.openings[other.name];
  return h(
    "button",
    { class: "page-door", onclick: () => page.desk?.switchModel(other.name) },
    isPicture ? "" : textOrPicture({ text: opening.text, says: opening.translation }),
    h("span", {}, isPicture ? t.door_back : t.door),
  );
}
