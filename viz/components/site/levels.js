// Levels to look closer at the same sentence: one head, all heads, the whole model, and what breaks it.

import { h, isStill } from "../shared/dom.js";
import { VIEWS } from "./link.js";

export class Levels {
  /** @param {any} page */
  constructor(page) {
    this.page = page;
    this.nav = h("div", { class: "levels-nav", role: "tablist" });
    this.panel = h("div", { class: "levels-panel", role: "tabpanel", id: "level" });
    this.hint = h("p", { class: "site-hint levels-hint" });
    page.levels.replaceChildren(this.nav, this.panel);
    document.head.append(h("link", { rel: "stylesheet", href: "heads.css" })); // not needed by the first picture
    /** @type {any} what is drawn in the panel, where it has to follow the sentence */
    this.shown = null;
    this.view = "";
  }

  /** The words or the parts of the desk have changed. */
  arrange() {
    if (this.page.desk) this.open(this.view, { isAgain: true });
  }

  /**
   * @param {string} view
   * @param {{isAgain?: boolean, from?: Element | null}} [how] the element from which the panel grows
   */
  open(view, { isAgain = false, from = null } = {}) {
    const { page } = this;
    const { t, desk } = page;
    this.shown?.end?.();
    this.view = VIEWS.includes(view) ? view : "";
    page.choices.view = this.view;
    if (!isAgain) page.remember(false);
    page.main.dataset.view = this.view;
    this.nav.setAttribute("aria-label", t.levels);
    this.nav.replaceChildren(...VIEWS.map((each) => this.#tab(each)));
    const chosen = /** @type {HTMLElement} */ (this.nav.querySelector('[aria-selected="true"]'));
    this.nav.scrollLeft = chosen.offsetLeft - (this.nav.clientWidth - chosen.offsetWidth) / 2;
    this.hint.textContent = this.view ? t[`level_${this.view}_hint`] : "";
    const root = h("div", {});
    this.shown = null;
    if (this.view === "head" || this.view === "model") this.#closer(root);
    else if (this.view === "heads") root.append(desk.stage);
    else if (this.view === "break") this.#breaking(root);
    this.panel.hidden = !this.view;
    this.panel.replaceChildren(this.hint, root);
    if (this.view === "heads" && desk.trace) desk.explore({ isRestored: true });
    this.draw();
    if (!isAgain) this.#grow(from);
  }

  /** One head or the whole model. @param {HTMLElement} root */
  async #closer(root) {
    const { default: views } = await import("./closer.js");
    if (!root.isConnected) return; // another level was opened meanwhile
    this.shown = this.view === "head" ? new views.OneHeadView(root, this.page) : new views.ModelPlan(root, this.page);
    this.draw();
  }

  /** What becomes of the translation, and the controls of the desk, unfolded. @param {HTMLElement} root */
  #breaking(root) {
    const { compared, controls } = this.page.desk;
    root.classList.add("site-desk");
    root.append(compared, controls);
    /** @type {HTMLDetailsElement | null} */ (controls.querySelector(".site-changing"))?.setAttribute("open", "");
  }

  /** Follow the sentence, the word and the head. */
  draw() {
    if (this.page.stage.scene) this.shown?.draw();
  }

  /** @param {string} view */
  #tab(view) {
    const { t } = this.page;
    return h(
      "button",
      {
        type: "button",
        role: "tab",
        "aria-selected": String(view === this.view),
        "aria-controls": "level",
        tabindex: view === this.view ? 0 : -1,
        "data-view": view || "sentence",
        onclick: () =>
          this.open(view, {
            from: view === "head" ? this.page.heads.grid.querySelector('[aria-checked="true"]') : null,
          }),
        onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event, view),
      },
      t[`level_${view || "sentence"}`],
    );
  }

  /**
   * @param {KeyboardEvent} event
   * @param {string} view
   */
  #key(event, view) {
    const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!move) return;
    event.preventDefault();
    this.open(VIEWS[(VIEWS.indexOf(view) + move + VIEWS.length) % VIEWS.length]);
    /** @type {HTMLElement | null} */ (this.nav.querySelector('[aria-selected="true"]'))?.focus();
  }

  /** The panel grows out of what was pressed, or comes up. @param {Element | null} from */
  #grow(from) {
    if (isStill() || !this.view) return;
    const to = this.panel.getBoundingClientRect();
    const box = from?.getBoundingClientRect();
    const start = box
      ? `translate(${box.left - to.left}px, ${box.top - to.top}px) scale(${box.width / to.width}, ${box.height / Math.max(1, to.height)})`
      : "translateY(18px)";
    this.panel.animate(
      [
        { transform: start, opacity: box ? 0.4 : 0, transformOrigin: "0 0" },
        { transform: "none", opacity: 1, transformOrigin: "0 0" },
      ],
      { duration: box ? 360 : 200, easing: "cubic-bezier(.2,.8,.2,1)" },
    );
    const isBelow = to.top > window.innerHeight * 0.7;
    if (isBelow) this.nav.scrollIntoView({ block: "start", behavior: "smooth" });
  }
}
