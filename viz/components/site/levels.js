// Tabs with closer views of the same sentence: one head, all heads, the whole model, and experiments that break it.

import { childrenOf, h, prefersReducedMotion, afterPaint } from "../shared/dom.js";
import { flyFrom, placesOf } from "../shared/flight.js";
import { LEVELS } from "./links/choices.js";
import { withTerms } from "../shared/terms.js";
import { throwWithReload } from "./version.js";

/** @import { Desk } from "./desk/desk.js" */
/** @import { Page } from "./page.js" */
/** @import { LoadedPage, Deferred, Site } from "./types.js" */

/** @typedef {{draw: () => void, wait: () => void, end: () => void, sourceRow?: HTMLElement | null}} View a panel's content
 *   that is redrawn with the sentence; `sourceRow` has its words */

export class Levels {
  /** @type {View | null} the panel's content, if it is redrawn with the sentence */ content = null;
  /** The texts of the tabs. @type {Record<string, string> | null} */ tabWords = null;
  /** Whether the browser restores the scroll position. */ isPlaced = false;
  /** Boxes of the sentence's words before the level was opened. @type {DOMRect[]} */ places = [];

  /** @param {Page & {desk: Desk, site: Site, deferred: Deferred}} page */
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
    this.view = "";
  }

  /** Draw the level again after the language or the desk's parts have changed. */
  arrange() {
    this.open(this.view, { isAgain: true });
  }

  /** Back to the sentence; the focus goes to its tab. */
  close() {
    this.choose("");
    this.#selectedTab?.focus();
  }

  /** Open a level by a click: it becomes a history entry. @param {string} view */
  choose(view) {
    const isOther = view !== this.view;
    this.open(view);
    this.page.remember(isOther);
  }

  /** @param {string} view
   * @param {{isAgain?: boolean, isRestored?: boolean}} [how] whether the same level is redrawn, and whether Back or
   *   Forward led here */
  open(view, { isAgain = false, isRestored = false } = {}) {
    const { page } = this;
    this.isPlaced = isRestored;
    const { t, desk } = page;
    const before = this.view;
    const isMoving = !isAgain && !prefersReducedMotion(); // measured before any change, to avoid a second layout
    this.places = isMoving && [before, view].includes("model") ? placesOf(this.#sentence) : [];
    const chosen = page.heads.grid.querySelector('[aria-checked="true"]');
    const square = isMoving && view === "head" ? chosen?.getBoundingClientRect() : undefined;
    this.content?.end();
    this.view = LEVELS.includes(view) ? view : "";
    this.#drawTabs(); // before the page changes: the browser then checks whether the focused tab still exists
    page.choices.level = this.view;
    page.main.dataset.view = this.view;
    this.hint.replaceChildren(...(this.view ? withTerms(t[`level_${this.view}_hint`], page.glossary) : []));
    const root = h("div", {});
    this.content = null;
    if (this.view === "head" || this.view === "model") this.#drawCloser(root, isAgain);
    else if (this.view === "heads") root.append(desk.stage);
    else if (this.view === "break") this.#drawExperiments(root);
    this.panel.hidden = !this.view;
    this.panel.replaceChildren(this.hint, root);
    if (this.view === "heads" && desk.trace) desk.explore({ isRestored: true });
    this.draw();
    if (!isAgain && this.view !== before) this.#animateIn(before, square);
  }

  /** Animate the new level in the next frame, which lays the page out anyway.
   * @param {string} before the previous level
   * @param {DOMRect | undefined} square of the head from which the panel grows */
  #animateIn(before, square) {
    const { view } = this;
    requestAnimationFrame(() => {
      if (this.view !== view) return;
      this.reveal();
      const to = this.panel.getBoundingClientRect(); // measured before any animation
      const { stage } = this.page;
      if (before === "model") flyFrom(stage.view.rows.source, this.places).then(() => stage.measureAgain());
      this.#grow(to, square);
    });
  }

  /** The row of the sentence's words that is on the screen. */
  get #sentence() {
    return this.content?.sourceRow ?? this.page.stage.view.rows.source;
  }

  get #selectedTab() {
    return /** @type {HTMLElement | null} */ (this.nav.querySelector('[aria-selected="true"]'));
  }

  /** One head or the whole model. @param {HTMLElement} root @param {boolean} isAgain */
  async #drawCloser(root, isAgain) {
    const code = this.view === "head" ? import("./one_head_view.js") : import("./levels/model_plan.js");
    const { default: View } = await code.catch((failure) => throwWithReload(this.page.t, failure));
    await afterPaint(); // paint the empty panel first
    if (!root.isConnected) return; // another level has been opened meanwhile
    this.content = new View(root, this.page);
    this.draw();
    if (isAgain) return;
    await afterPaint();
    if (root.isConnected) this.reveal();
  }

  /** The desk's experiments, unfolded. @param {HTMLElement} root */
  #drawExperiments(root) {
    const { desk } = this.page;
    const { controls } = desk;
    root.classList.add("site-desk");
    root.append(controls);
    if (desk.trace) desk.drawControls(true);
    /** @type {HTMLDetailsElement | null} */ (controls.querySelector(".site-changing"))?.setAttribute("open", "");
  }

  /** Redraw for the present sentence, step and head. */
  draw() {
    if (this.page.stage.scene) this.content?.draw();
    else this.content?.wait();
  }

  /** Draw the tabs; they are rebuilt only in another language, because one of them may have the focus. */
  #drawTabs() {
    const { t } = this.page;
    if (this.tabWords !== t) {
      this.tabWords = t;
      this.nav.setAttribute("aria-label", t.levels);
      this.nav.replaceChildren(...LEVELS.map((level) => this.#tab(level)));
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
    this.#selectedTab?.focus();
  }

  /** The panel grows out of a head's square; the whole model zooms out. */
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
   * Scroll to the sentence unless the tabs are on the screen; for the plan of the whole model also if it ends below the
   * screen. After Back the browser restores the scroll position: a second scroll could move a button between mousedown
   * and mouseup, and its click would be lost.
   */
  reveal() {
    if (this.isPlaced) return;
    const { root } = this.page.stage;
    const { top, bottom } = root.getBoundingClientRect();
    const { nav } = this.page;
    const isBar = getComputedStyle(nav).position === "fixed"; // on a phone the tabs are a bar at the foot of the screen
    const tabs = nav.getBoundingClientRect();
    const fits = this.view !== "model" || this.panel.getBoundingClientRect().bottom <= window.innerHeight;
    if (!isBar && fits && tabs.top >= 0 && tabs.bottom <= window.innerHeight) return;
    if (top >= 0 && bottom <= window.innerHeight - (isBar ? nav.offsetHeight : 0)) return;
    root.scrollIntoView({ block: "start", behavior: prefersReducedMotion() ? "auto" : "smooth" });
  }
}
