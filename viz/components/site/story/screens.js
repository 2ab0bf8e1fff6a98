// The screens of the article: which paragraph is current (by scrolling, focus and links), its picture and the parts that it
// names, and the links of the article.

import { prefersReducedMotion, h } from "../../shared/dom.js";

/** @import { StagePlayer } from "../stage/player.js" */
/** @import { Space } from "./space.js" */
/** @import { ModelPlan } from "../levels/model_plan.js" */
/** @import { Story } from "./story.js" */
/** @import { Computed, Deferred } from "./types.js" */

/** Pixels between a highlighted part and the edge of the picture. */
const EDGE = 10;

/** Screens on which the picture is above the text. */
export const NARROW = "(max-width: 900px)";

/** Call `onParagraph` when another paragraph reaches the middle of the area that the picture leaves free.
 * @param {HTMLElement} article @param {(paragraph: HTMLElement) => void} onParagraph */
export function followReading(article, onParagraph) {
  /** @type {NodeListOf<HTMLElement>} */
  const paragraphs = article.querySelectorAll("p[data-part]");
  /** @type {HTMLElement | null} */
  let current = null;
  const begin = (/** @type {HTMLElement} */ paragraph) => {
    if (paragraph === current) return;
    current?.removeAttribute("aria-current");
    current = paragraph;
    current.setAttribute("aria-current", "true");
    onParagraph(current);
  };
  const inside = new Set();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries)
        if (isIntersecting) inside.add(target);
        else inside.delete(target);
      const first = window.scrollY ? [...paragraphs].find((paragraph) => inside.has(paragraph)) : paragraphs[0];
      if (first) begin(first);
    },
    { root: document, rootMargin: bandOf() }, // relative to this document, also in an iframe
  );
  for (const paragraph of paragraphs) observer.observe(paragraph);
  article.addEventListener("focusin", ({ target }) => {
    const focused = /** @type {HTMLElement} */ (target);
    const paragraph = /** @type {HTMLElement | null | undefined} */ (
      focused.closest("p[data-part]") ?? focused.closest("section")?.querySelector("p[data-part]")
    );
    if (!paragraph) return;
    if (focused.matches(":focus-visible")) paragraph.scrollIntoView({ block: "start", behavior: "instant" });
    begin(paragraph);
  });
  begin(paragraphs[0]);
}

/** The root margin that leaves one line of the screen; on a phone the picture takes the upper half. */
function bandOf() {
  return window.matchMedia(NARROW).matches ? "-64% 0px -35% 0px" : "-45% 0px -54% 0px";
}

/** Highlight the parts that a paragraph names.
 * @param {HTMLElement} view
 * @param {string} part names, separated by spaces */
export function light(view, part) {
  const names = part.split(" ");
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (view.querySelectorAll("[data-of]"))) {
    const parts = String(element.dataset.of).split(" ");
    element.toggleAttribute(
      "data-lit",
      names.some((name) => parts.includes(name)),
    );
  }
}

/** If the picture overflows its holder, as on a phone, scroll it to the highlighted parts.
 * @param {HTMLElement} picture */
export function scrollToLit(picture) {
  const lit = [...picture.querySelectorAll("[data-lit]")].map((part) => part.getBoundingClientRect());
  if (!lit.length || picture.scrollHeight <= picture.clientHeight) return;
  const place = picture.getBoundingClientRect();
  const above = Math.min(...lit.map(({ top }) => top)) - EDGE - place.top;
  const below = Math.max(...lit.map(({ bottom }) => bottom)) + EDGE - place.bottom;
  const by = below > 0 ? Math.min(below, above) : Math.min(0, above);
  if (by) picture.scrollBy({ top: by, behavior: prefersReducedMotion() ? "instant" : "smooth" });
}

/** Put the reader's sentence into the links to the page with the model and to the article's other languages.
 * @param {HTMLElement} root
 * @param {string} text "" for the opening sentence */
export function updateLinks(root, text) {
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const links = root.querySelectorAll("a[data-level], a.site-link");
  for (const link of links) {
    const address = new URL(link.href, location.href);
    if (text) address.searchParams.set("text", text);
    else address.searchParams.delete("text");
    link.href = address.href;
  }
}

/** Let Enter on a heading's link focus the picture, whose controls come before the text in Tab order.
 * @param {HTMLElement} article @param {HTMLElement} picture */
export function focusPictureOnEnter(article, picture) {
  picture.tabIndex = -1;
  article.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest("h2 a");
    if (!link || event.detail) return; // a mouse click follows the link
    event.preventDefault();
    history.replaceState(null, "", `${location.pathname}${location.search}${link.getAttribute("href")}`);
    picture.focus({ preventScroll: true });
  });
}

export class Front {
  /** @type {"space" | "stage" | ""} */
  shown = "space";
  hasPlayed = false; // whether the stage has played its translation

  /** @param {Space} space @param {StagePlayer} stage */
  constructor(space, stage) {
    this.space = space;
    this.stage = stage;
    stage.root.hidden = true;
  }

  /** @param {"space" | "stage" | ""} what "" while another picture is shown */
  async show(what) {
    const { shown: before, space, stage } = this;
    if (what === before) return undefined;
    this.shown = what;
    stage.root.hidden = what !== "stage" || before === "space"; // hidden until the 3D model has faded out
    if (what === "space") return space.fade(true);
    if (before === "space" && what) await space.fade(false);
    else space.hide();
    if (this.shown !== what) return undefined; // another paragraph has become current
    stage.root.hidden = !what;
    if (!what) return undefined;
    stage.measureSoon();
    if (this.hasPlayed || stage.before) return undefined;
    this.hasPlayed = true;
    return stage.play();
  }
}

/** The parts of the current screen's picture.
 * @param {Story} story @param {Deferred} deferred @param {Computed} computed @returns {Iterable<Element | null>} */
export function partsOfScreen({ screen, t, written, pieces, bars, choices }, deferred, computed) {
  const { trace, at } = computed;
  if (screen === "pieces" && pieces) {
    pieces.draw(trace, at.key);
    return [pieces.root];
  }
  if (screen === "next" && bars) {
    bars.draw({ ...computed, step: at.step }, choices);
    return [bars.root];
  }
  const around = { t, theme: deferred.themeOf(written.setup.palettes) };
  if (screen === "embedding") return deferred.drawEmbedding(computed, around);
  if (screen === "query") return deferred.drawHead(computed, around);
  if (screen === "softmax") return deferred.drawSoftmax(computed, around);
  if (screen === "units") return deferred.drawUnits(computed, around);
  return [];
}

/** The plan of the whole model, as on the page with the model. @param {Story} story */
export function planIn({ view, stage, written, language, t, desk, choices, Plan }) {
  const root = h("div", { class: "story-plan" });
  view.append(root);
  const site = { strings: { [language]: { overview: written.plan } } };
  const isBeside = window.matchMedia(NARROW).matches; // on a phone, with the text
  const page = { stage, site, language, t, desk, level: { places: [] }, isBeside, choices };
  const plan = new /** @type {typeof ModelPlan} */ (Plan)(root, page);
  plan.draw();
  return plan;
}
