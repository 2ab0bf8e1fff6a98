// The end of the page: six questions that each set up the page, and the share buttons.

import { copyText, h, prefersReducedMotion } from "../../shared/dom.js";
import { isChanged } from "../links/choices.js";
import { readLink, writeLink, addressOf, applicationAddress } from "../links/link.js";

/** @import { LoadedPage } from "../types.js" */

/** @param {LoadedPage} page */
export function drawBelow(page) {
  const { t } = page;
  if (page.isEmbedded) {
    const whole = `${location.pathname}${writeLink(page.choices, page.written.link)}`;
    page.below.replaceChildren(h("p", {}, h("a", { href: whole, target: "_blank", rel: "noopener" }, t.open_whole)));
    return;
  }
  page.below.replaceChildren(questions(page), share(page));
}

/** @param {LoadedPage} page */
function questions(page) {
  const { t, site, model } = page;
  const answerable = site.questions.filter(({ settings }) => model.name in settings);
  return h(
    "section",
    { class: "questions", "aria-label": t.questions },
    h("h2", {}, t.questions),
    h(
      "div",
      {},
      answerable.map(({ id, settings }) =>
        h(
          "article",
          {},
          h("h3", {}, t[`ask_${id}`]),
          h("p", {}, t[`ask_${id}_about`]),
          h(
            "button",
            { class: "site-quiet", "data-question": id, onclick: () => setPage(page, settings[model.name]) },
            t.ask_try,
          ),
        ),
      ),
    ),
  );
}

/** @param {LoadedPage} page */
function share(page) {
  const { t, written } = page;
  const status = h("span", { class: "site-hint", role: "status" });
  const linkOf = () => addressOf({ ...page.choices, language: "" }, written.link);
  const shared = () => {
    const example = page.site.sentences.find(({ text }) => text === page.choices.text);
    return example?.share && !isChanged(page.choices) && !page.choices.level
      ? new URL(example.share, document.baseURI).href
      : linkOf();
  };
  const copy = (/** @type {() => string} */ text) => async () => {
    status.textContent = (await copyText(text())) ? t.copied : text();
  };
  const frame = () =>
    `<iframe src="${linkOf()}${linkOf().includes("?") ? "&" : "?"}embed" title="Regard" width="100%" height="640" style="border:0" loading="lazy"></iframe>`;
  const button = (/** @type {string} */ name, /** @type {() => void} */ onclick) =>
    h("button", { class: "site-quiet", "data-name": name, onclick }, t[name]);
  const updateLink = () => (application.href = applicationAddress(page));
  const application = h(
    "a",
    { class: "site-quiet", href: written.application, onclick: updateLink },
    t.open_application,
  );
  return h(
    "section",
    { class: "share", "aria-label": t.share },
    h("h2", {}, t.share),
    h(
      "p",
      {},
      button("copy_link", copy(shared)),
      " ",
      button("copy_frame", copy(frame)),
      " ",
      written.application ? application : "",
      " ",
      status,
    ),
  );
}

/** Apply a question's link to the page. @param {LoadedPage} page @param {string} link */
function setPage(page, link) {
  const { language } = page.choices;
  page.choices = { ...readLink(link, page.written.link).choices, language };
  page.headText = "";
  page.remember(true);
  page.desk.restore(page.choices);
  page.level.open(page.choices.level);
  page.show();
  const behavior = /** @type {ScrollBehavior} */ (prefersReducedMotion() ? "auto" : "smooth");
  if (page.choices.level) page.levels.scrollIntoView({ block: "start", behavior });
  else window.scrollTo({ top: 0, behavior });
}
