// Levels to look closer at the same sentence, in its own place on the screen: one head, all heads, the whole model, and
// what breaks it.

import { childrenOf, h, prefersReducedMotion, afterPaint } from "../shared/dom.js";
import { flyFrom, placesOf } from "../shared/flight.js";
import { LEVELS } from "./links/choices.js";
import { withTerms } from "../shared/terms.js";
import { sayGone } from "./version.js";

/** @import { Desk } from "./desk/desk.js" */
/** @import { Page } from "./page.js" */
/** @import { LoadedPage, Rest, Site } from "./types.js" */

/** @typedef {{draw: () => void, wait: () => void, end: () => void, sourceRow?: HTMLElement | null}} View what follows the
 *   sentence in the panel; `sourceRow` has its words */

export class Levels {
  /** @param {Page & {desk: Desk, site: Site, rest: Rest}} page */
  constructor(page) {
    /** @type {LoadedPage} */
    this.page = Object.assign(page, { level: this });
    this.nav = h("div", { class: "levels-nav", role: "tablist" });
    this.panel = h("div", { class: "levels-panel", role: "tabpanel", id: "level" });
    this.hint = h("p", { class: "site-hint levels-hint" });
    page.nav.replaceChildren(this.nav);
    page.levels.replaceChildren(this.panel);
    const sheet = new URL("../heads.css", import.meta.url).href; // not needed by the first picture
    document.head.append(h("link", { rel: "stylesheet", href: sheet }));
    page.stage.root.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Escape" && this.view && !event.defaultPrevented) this.close();
    });
    /** @type {View | null} what is drawn in the panel, where it has to follow the sentence */
    this.shown = null;
    this.view = "";
    /** The words of the tabs. @type {Record<string, string> | null} */
    this.spoken = null;
    /** Whether the browser itself brings back the part of the page that was on the screen. */
    this.isPlaced = false;
    /** Where the words of the sentence stood before the level was opened. @type {DOMRect[]} */
    this.places = [];
  }

  /** The words or the parts of the desk have changed. */
  arrange() {
    this.open(this.view, { isAgain: true });
  }

  /** Back to the sentence; the focus stays on what opens a level. */
  close() {
    this.choose("");
    this.#chosen?.focus();
  }

  /** The reader opens a level; Back returns. @param {string} view */
  choose(view) {
    const isOther = view !== this.view;
    this.open(view);
    this.page.remember(isOther);
  }

  /** @param {string} view
   * @param {{isAgain?: boolean, isRestored?: boolean}} [how] whether the same level is drawn again, and whether Back or
   *   Forward has led here */
  open(view, { isAgain = false, isRestored = false } = {}) {
    const { page } = this;
    this.isPlaced = isRestored;
    const { t, desk } = page;
    const before = this.view;
    const isMoving = !isAgain && !prefersReducedMotion(); // measured before anything is changed: nothing is laid out twice
    this.places = isMoving && [before, view].includes("model") ? placesOf(this.#sentence) : [];
    const chosen = page.heads.grid.querySelector('[aria-checked="true"]');
    const square = isMoving && view === "head" ? chosen?.getBoundingClientRect() : undefined;
    this.shown?.end();
    this.view = LEVELS.includes(view) ? view : "";
    this.#drawTabs(); // before the page changes: the browser then asks whether the one with the focus is still there
    page.choices.level = this.view;
    page.main.dataset.view = this.view;
    this.hint.replaceChildren(...(this.view ? withTerms(t[`level_${this.view}_hint`], page.glossary) : []));
    const root = h("div", {});
    this.shown = null;
    if (this.view === "head" || this.view === "model") this.#closer(root, isAgain);
    else if (this.view === "heads") root.append(desk.stage);
    else if (this.view === "break") this.#breaking(root);
    this.panel.hidden = !this.view;
    this.panel.replaceChildren(this.hint, root);
    if (this.view === "heads" && desk.trace) desk.explore({ isRestored: true });
    this.draw();
    if (!isAgain && this.view !== before) this.#come(before, square);
  }

  /** The new level takes its place: in the next frame, which lays the page out anyway.
   * @param {string} before the level that was left
   * @param {DOMRect | undefined} square of the head that grows */
  #come(before, square) {
    const { view } = this;
    requestAnimationFrame(() => {
      if (this.view !== view) return;
      this.reveal();
      const to = this.panel.getBoundingClientRect(); // read before anything moves
      const { stage } = this.page;
      if (before === "model") flyFrom(stage.view.rows.source, this.places).then(() => stage.measureAgain());
      this.#grow(to, square);
    });
  }

  /** The row of the sentence's words that is on the screen. */
  get #sentence() {
    return this.shown?.sourceRow ?? this.page.stage.view.rows.source;
  }

  get #chosen() {
    return /** @type {HTMLElement | null} */ (this.nav.querySelector('[aria-selected="true"]'));
  }

  /** One head or the whole model. @param {HTMLElement} root @param {boolean} isAgain */
  async #closer(root, isAgain) {
    const code = this.view === "head" ? import("./head_entry.js") : import("./model_entry.js");
    const { default: View } = await code.catch((failure) => sayGone(this.page.t, failure));
    await afterPaint(); // the panel is there first: its parts would hold it up
    if (!root.isConnected) return; // another level was opened meanwhile
    this.shown = new View(root, this.page);
    this.draw();
    if (isAgain) return;
    await afterPaint();
    if (root.isConnected) this.reveal();
  }

  /** The controls of the desk, unfolded. @param {HTMLElement} root */
  #breaking(root) {
    const { desk } = this.page;
    const { controls } = desk;
    root.classList.add("site-desk");
    root.append(controls);
    if (desk.trace) desk.drawControls(true);
    /** @type {HTMLDetailsElement | null} */ (controls.querySelector(".site-changing"))?.setAttribute("open", "");
  }

  /** Follow the sentence, the word and the head. */
  draw() {
    if (this.page.stage.scene) this.shown?.draw();
    else this.shown?.wait();
  }

  /** The tabs of this language. They stay, because one of them has the focus. */
  #drawTabs() {
    const { t } = this.page;
    if (this.spoken !== t) {
      this.spoken = t;
      this.nav.setAttribute("aria-label", t.levels);
      this.nav.replaceChildren(...LEVELS.map((each) => this.#tab(each)));
    }
    for (const [place, tab] of childrenOf(this.nav).entries()) {
      const isChosen = LEVELS[place] === this.view;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
    }
  }

  /** @param {string} view */
  #tab(view) {
    const { t } = this.page;
    return h(
      "button",
      {
        role: "tab",
        "aria-controls": "level",
        "data-view": view || "sentence",
        onclick: () => this.choose(view),
        onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event, view),
      },
      t[`level_${view || "sentence"}`],
    );
  }

  /** @param {KeyboardEvent} event @param {string} view */
  #key(event, view) {
    const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!move) return;
    event.preventDefault();
    this.choose(LEVELS[(LEVELS.indexOf(view) + move + LEVELS.length) % LEVELS.length]);
    this.#chosen?.focus();
  }

  /** The panel grows out of a head's square; the whole model comes from nearer, as when one steps back. */
  #grow(/** @type {DOMRect} */ to, /** @type {DOMRect | undefined} */ square) {
    if (prefersReducedMotion() || !this.view) return;
    const isFromSquare = square !== undefined && square.width > 0;
    const start = isFromSquare
      ? `translate(${square.left - to.left}px, ${square.top - to.top}px) scale(${square.width / to.width}, ${square.height / Math.max(1, to.height)})`
      : this.view === "model"
        ? "scale(1.25)"
        : "translateY(18px)";
    const transformOrigin = this.view === "model" ? "20% 100%" : "0 0";
    this.panel.animate(
      [
        { transform: start, opacity: isFromSquare ? 0.4 : 0, transformOrigin },
        { transform: "none", opacity: 1, transformOrigin },
      ],
      { duration: isFromSquare || this.view === "model" ? 360 : 200, easing: "cubic-bezier(.2,.8,.2,1)" },
    );
  }

  /**
   * Bring the sentence and its levels onto the screen where the tabs are not on it: those stay where they are. The plan
   * of the whole model, which is read at a glance, gets the screen where it would end below it. After Back the browser
   * places the page: a second movement would carry a part away between a press and its release, and the click be lost.
   */
  reveal() {
    if (this.isPlaced) return;
    const { root } = this.page.stage;
    const { top, bottom } = root.getBoundingClientRect();
    const { nav } = this.page;
    const isBar = getComputedStyle(nav).position === "fixed"; // on a phone the levels are at the foot of the screen
    const tabs = nav.getBoundingClientRect();
    const isWhole = this.view !== "model" || this.panel.getBoundingClientRect().bottom <= window.innerHeight;
    if (!isBar && isWhole && tabs.top >= 0 && tabs.bottom <= window.innerHeight) return;
    if (top >= 0 && bottom <= window.innerHeight - (isBar ? nav.offsetHeight : 0)) return;
    root.scrollIntoView({ block: "start", behavior: prefersReducedMotion() ? "auto" : "smooth" });
  }
}
