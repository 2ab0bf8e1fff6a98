// Below the levels: six questions that each set the page above, and how to share it.

import { h, isStill } from "../shared/dom.js";
import { toLink, unchanged } from "./link.js";

/** @param {any} page */
export function drawBelow(page) {
  const { t } = page;
  if (page.isEmbedded) {
    const whole = `${location.pathname}${toLink(page.choices)}`;
    page.below.replaceChildren(h("p", {}, h("a", { href: whole, target: "_blank", rel: "noopener" }, t.open_whole)));
    return;
  }
  page.below.replaceChildren(questions(page), share(page));
}

/** @param {any} page */
function questions(page) {
  const { t, site, model } = page;
  const asked = site.questions.filter((/** @type {any} */ { models }) => !models || models.includes(model.name));
  return h(
    "section",
    { class: "questions", "aria-label": t.questions },
    h("h2", {}, t.questions),
    h(
      "div",
      {},
      asked.map((/** @type {any} */ { id, settings }) =>
        h(
          "article",
          {},
          h("h3", {}, t[`ask_${id}`]),
          h("p", {}, t[`ask_${id}_about`]),
          h(
            "button",
            {
              type: "button",
              class: "site-quiet",
              "data-question": id,
              onclick: () => setPage(page, settings[model.name] ?? settings[""] ?? unchanged()),
            },
            t.ask_try,
          ),
        ),
      ),
    ),
  );
}

/** @param {any} page */
function share(page) {
  const { t, written } = page;
  const said = h("span", { class: "site-hint", role: "status" });
  const linkOf = () => new URL(`./${toLink({ ...page.choices, language: "" })}`, location.href).href;
  const shared = () => {
    const found = page.site.sentences.find((/** @type {any} */ { text }) => text === page.choices.text);
    const isPlain =
      toLink({ ...page.choices, language: "", heads: [], kind: "cross", view: "" }) ===
      toLink({ ...page.choices, ...unchanged(), language: "", heads: [], kind: "cross", view: "" });
    return found && isPlain && !page.choices.view ? new URL(found.share, document.baseURI).href : linkOf();
  };
  const copy = (/** @type {() => string} */ text) => async () => {
    const isCopied = await navigator.clipboard.writeText(text()).then(
      () => true,
      () => false,
    );
    said.textContent = isCopied ? t.copied : text();
  };
  const frame = () =>
    `<iframe src="${linkOf()}${linkOf().includes("?") ? "&" : "?"}embed" title="Regard" width="100%" height="640" style="border:0" loading="lazy"></iframe>`;
  const button = (/** @type {string} */ name, /** @type {any} */ onclick) =>
    h("button", { type: "button", class: "site-quiet", "data-name": name, onclick }, t[name]);
  const application =
    written.application &&
    h(
      "a",
      {
        class: "site-quiet",
        href: written.application,
        onclick: (/** @type {any} */ { target }) => (target.href = applicationLink(page)),
      },
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
      application || "",
      " ",
      said,
    ),
  );
}

/**
 * The same choices in the application, on the page that is like the open level.
 * @param {any} page
 */
function applicationLink({ choices, model, written }) {
  const { text, language, kind, heads, said, temperature, seed } = choices;
  const given = new URLSearchParams({ text, model: model.name });
  if (language) given.set("language", language);
  if (kind !== "cross") given.set("kind", kind);
  if (heads.length) {
    given.set("layer", String(heads[0][0]));
    given.set("head", String(heads[0][1]));
  }
  if (said.length) given.set("prefix", said.join("."));
  if (temperature) {
    given.set("method", "sample");
    given.set("temperature", String(temperature));
    given.set("seed", String(seed));
  }
  const changes = changesOf(choices);
  if (changes) given.set("interventions", changes);
  const base = written.application.replace(/\/?$/, "/");
  return `${base}${PAGES[/** @type {"head"} */ (choices.view)] ?? ""}?${given}`;
}

/** Pages of the application by levels of this one. */
const PAGES = { head: "inside", model: "overview" };

const LETTERS = { encoder_self: "e", decoder_self: "d", cross: "x" };

/**
 * Interventions as model/intervention_text.py writes them.
 * @param {import("./link.js").Choices} choices
 */
function changesOf({ off, hidden, positions, forced }) {
  const place = (/** @type {any} */ { kind, layer, head }) =>
    `${LETTERS[/** @type {"cross"} */ (kind)]}.${layer}.${head}`;
  const weights = (/** @type {number[]} */ keys) =>
    Array.from({ length: Math.max(...keys) + 1 }, (_, key) => Number(keys.includes(key))).join(",");
  return [
    ...off.map((head) => `off:${place(head)}`),
    ...forced.map((row) => `force:${place(row)}.${row.query}=${weights(row.keys)}`),
    hidden === null ? "" : `block:x.${hidden}...`,
    positions ? `move:${positions}.0` : "",
  ]
    .filter(Boolean)
    .join(" ");
}

/**
 * Set the page to what a question shows.
 * @param {any} page
 * @param {any} setting choices that differ from none
 */
function setPage(page, setting) {
  Object.assign(page.choices, unchanged(), { heads: [], kind: "cross", view: "", ...setting });
  page.stops.end();
  page.headText = "";
  page.remember(true);
  page.desk.take(page.choices);
  page.level.open(page.choices.view);
  page.show();
  const behavior = /** @type {ScrollBehavior} */ (isStill() ? "auto" : "smooth");
  if (page.choices.view) page.levels.scrollIntoView({ block: "start", behavior });
  else window.scrollTo({ top: 0, behavior });
}
