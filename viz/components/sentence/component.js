/* The sentence and its translation as tokens. It publishes the token under the pointer, requests a pin for a clicked
   token, and paints the attention weights that the views publish (signals.js). */

import { watchHistory } from "../shared/address.js";
import { css, followTheme, isBright, isDark, mix, pageColour, parseColour } from "../shared/colour.js";
import { h, setStyle } from "../shared/dom.js";
import { keepFocus, skipLink, reachWideBoxes } from "./focus.js";
import { pictureOfText } from "../shared/pad/picture.js";
import { keepOneStop, rove } from "../shared/roving.js";
import { playArrival } from "../shared/stage/arrival.js";
import { SIDES, Stage } from "../shared/stage/stage.js";
import { surprise } from "../shared/diff.js";
import { streamlitComponent } from "../shared/streamlit.js";
import { dropQueuedAct, publish, requestAct, subscribe, withdraw } from "../shared/signals.js";
import { explain, Tools, closeDialog } from "./menu.js";
import { Outcome, shareChange } from "./outcome.js";
import { gridItem, indexesOf, ribbonsOf, stripsItem, wordItems } from "./tokens.js";
import { resumeTour } from "./tour.js";
import { Editor } from "./writing.js";

/** @import { Send } from "../shared/streamlit.js" */
/** @import { StageData, Shade } from "./types" */

const TOKENS = ".token";

export default streamlitComponent(
  (parent, /** @type {StageData} */ data, send) => new SentenceHost(parent, data, send),
);

class SentenceHost {
  root = h("div", { class: "stage" });
  sourceSide = h("div", { class: "side" });
  words = h("div", { class: "words", role: "list" });
  edit = h("button", { class: "edit", onclick: () => this.editor.open() });
  sourceRow = h("div", { class: "row source-row" }, this.words, this.edit);
  targetSide = h("div", { class: "side target-side" });
  targetRow = h("div", { class: "row target-row", role: "list" });
  outcome = new Outcome({
    switchOff: ([layer, head]) => this.send("act", { name: "switch_off", layer, head }),
    undo: () => this.send("act", { name: "undo" }),
    editSentence: () => this.editor.open(),
    share: (button) => shareChange(this.data, { root: this.root, liveRegion: this.liveRegion, button }),
    moveFocus: () => this.edit.focus({ preventScroll: true }),
  });
  liveRegion = h("div", { class: "said", "aria-live": "polite" });
  notice = h("p", { class: "notice", role: "status" });
  /** Removes the document's listeners. */ life = new AbortController();
  tools = new Tools(this.liveRegion, this.life.signal);
  hue = "";
  /** @type {Shade} */ shade = {};
  /** @type {StageData | null} the data on screen */ drawn = null;
  /** @type {{page: string, search: string} | null} the entry of another page that Back or Forward went to */
  returned = null;

  /** @param {HTMLElement} parent @param {StageData} data @param {Send} send */
  constructor(parent, data, send) {
    this.data = data;
    this.send = send;
    this.editor = new Editor(this.root, data, {
      submitted: (text, placeholder) => this.#submit(text, placeholder),
      moveFocus: () => this.edit.focus({ preventScroll: true }),
      signal: this.life.signal,
    });
    this.root.append(
      this.sourceSide,
      this.sourceRow,
      this.editor.root,
      this.tools.root,
      this.targetSide,
      this.targetRow,
      this.outcome.root,
      this.notice,
      this.liveRegion,
    );
    this.stage = new Stage(this.root, { source: this.words, target: this.targetRow }, () => this.hue, {
      point: ({ side, place }) => publish("point", { side, index: place }, this),
      leave: () => publish("point", null, this),
      press: ({ side, place }, { shiftKey }) => requestAct({ do: "pin", side, index: place, isAdded: shiftKey }),
    });
    this.skip = skipLink(() => this.home);
    for (const row of [this.words, this.targetRow]) {
      rove(row, TOKENS);
      row.addEventListener("keydown", ({ key }) => key === "Escape" && requestAct({ do: "release" }));
    }
    // A click beside the words, or a double click on a word, opens the editor.
    this.sourceRow.addEventListener("click", ({ target }) => {
      if (target === this.sourceRow || target === this.words) this.editor.open();
    });
    this.words.addEventListener("dblclick", () => this.editor.open());
    for (const name of /** @type {const} */ (["dragover", "drop"]))
      this.root.addEventListener(name, (event) => this.editor.drop(event));
    document.addEventListener("pointerover", explain, this.life);
    document.addEventListener("keydown", closeDialog, this.life);
    const sizes = new ResizeObserver(([{ contentRect }]) => {
      this.fit(contentRect.width);
      this.#drawRibbons();
    });
    sizes.observe(this.root);
    this.cleanups = [
      subscribe("shade", (shade) => {
        this.shade = shade ?? {};
        if (this.drawn) this.paint();
      }),
      subscribe("changing", (changing) => this.outcome.offer(changing)),
      watchHistory((search, isOtherPage) => {
        // After Back during a request the page may send the data that are on screen, which Streamlit does not pass on.
        if (this.drawn && "waiting" in this.root.dataset) this.update(this.drawn);
        const page = pageNow();
        if (!isOtherPage) this.send("address", search);
        else this.returned = page === this.drawn?.page ? null : { page, search };
      }),
      keepFocus(() => this.home),
      reachWideBoxes(() => this.data.words.scrolls),
      followTheme(),
      () => withdraw("point", this),
      () => sizes.disconnect(),
      () => cancelAnimationFrame(this.stage.frame),
    ];
    parent.append(this.root);
    this.fit(this.root.clientWidth); // before the first drawing, so that it has the right size
    this.update(data);
  }

  /** Where the focus goes from elsewhere: a token of the sentence, the editor, or on a page that hides both a tool.
   * @returns {HTMLElement} */
  get home() {
    if (this.data.is_hidden) return this.tools.root.querySelector("button") ?? this.root;
    return this.root.querySelector(".token[tabindex='0']") ?? this.editor.input;
  }

  /** Choose the layout for a width. @param {number} width in pixels */
  fit(width) {
    this.root.dataset.width = width < 640 ? "narrow" : width < 1000 ? "medium" : "wide";
  }

  destroy() {
    this.life.abort();
    for (const cleanup of this.cleanups) cleanup();
    this.skip.remove();
    this.root.remove();
  }

  /** Draw the data that the page has sent. @param {StageData} data */
  update(data) {
    // Sent earlier, the address would count as a request of the previous page, and lead back to it.
    if (this.returned && data.page === pageNow()) {
      if (data.page === this.returned.page) this.send("address", this.returned.search);
      this.returned = null;
    }
    if (textsOf(data) !== textsOf(this.drawn)) dropQueuedAct();
    this.data = this.drawn = data;
    const { root } = this;
    delete root.dataset.waiting;
    const longest = Math.max(data.reads_pictures || data.grid ? 0 : data.source.length, data.target.length);
    root.dataset.size = longest > 60 ? "small" : longest > 22 ? "medium" : "large";
    root.toggleAttribute("data-presenter", data.presenter);
    root.toggleAttribute("data-empty", !data.source.length);
    root.toggleAttribute("data-hidden", data.is_hidden);
    for (const part of [this.targetSide, this.targetRow]) part.hidden = !data.target_label; // encoder-only models have none
    this.#setWords(data);
    this.tools.draw(data);
    this.#fill(data);
    this.editor.draw(data);
    this.liveRegion.textContent = this.outcome.draw(data) ?? data.announcement;
    if (!data.is_hidden && !this.editor.isWriting) {
      if (data.source.length) this.editor.close();
      else this.editor.open(false);
    }
    this.paint();
    resumeTour(root);
    void arrive(this);
  }

  /** Send a text, and show a placeholder until its translation arrives. @param {string} text @param {string | Node} placeholder */
  #submit(text, placeholder) {
    this.data = { ...this.data, text };
    this.root.dataset.waiting = "";
    this.words.replaceChildren(h("span", { style: { fontSize: "var(--token)" } }, placeholder));
    if (!this.targetRow.children.length) this.targetRow.replaceChildren(h("div", { class: "skeleton" }));
    this.send("text", text);
  }

  /** Set the labels in the page's language. @param {StageData} data */
  #setWords({ words, source_label, target_label, is_hidden, notice }) {
    this.sourceSide.textContent = source_label;
    this.targetSide.textContent = target_label;
    this.edit.textContent = words.another;
    this.skip.textContent = words[is_hidden ? "skip_page" : "skip"];
    this.words.setAttribute("aria-label", words.source_row);
    this.targetRow.setAttribute("aria-label", words.target_row);
    this.notice.textContent = notice;
  }

  /** @param {StageData} data */
  #fill({ text, strip, source, target, grid, reads_files, source_language, target_language }) {
    const { stage, words, targetRow } = this;
    const picture = pictureOfText(text);
    words.toggleAttribute("data-picture", Boolean(picture));
    words.toggleAttribute("data-grid", Boolean(grid));
    words.dir = grid || picture ? "ltr" : "auto";
    targetRow.dir = "auto";
    if (source_language && !grid && !picture) words.lang = source_language;
    if (target_language) targetRow.lang = target_language;
    if (grid) stage.fill("source", [gridItem(source, grid, reads_files)]);
    else if (picture) stage.fill("source", [stripsItem(source, picture, strip, getComputedStyle(words).color)]);
    else stage.fill("source", wordItems("source", source));
    stage.fill("target", wordItems("target", target));
    for (const row of [words, targetRow]) keepOneStop(row, TOKENS);
  }

  /** Paint the weights that a view has published. */
  paint() {
    const { shade, data, root, stage } = this;
    const dark = isDark(root);
    const colours = data.colours[dark ? "dark" : "light"];
    const page = pageColour(getComputedStyle(root));
    const hue = parseColour(colours[shade.kind ?? data.kind]);
    this.hue = css(hue);
    setStyle(root, { "--hue": this.hue, "--warm": colours.warm });
    const focused = shade.focus && indexesOf(shade.focus);
    for (const side of SIDES) {
      const weights = shade[side] ?? [];
      // Weights of hundreds of patches are small: they are scaled by the largest.
      const maximum = side === "source" && data.grid ? Math.max(1e-9, ...weights) : 1;
      if (side === "source") this.words.toggleAttribute("data-looked", Boolean(data.grid && maximum > 1e-9));
      stage.mark(side, (place, token) => {
        const weight = Math.max(0, Math.min(1, (weights[place] ?? 0) / maximum));
        token.toggleAttribute("data-strong", isBright(mix(page, hue, weight)) === dark);
        token.toggleAttribute("data-focus", shade.focus?.side === side && Boolean(focused?.includes(place)));
        const isLater = side === "target" && shade.from != null && place >= shade.from;
        return { isPressed: Boolean(shade.pinned?.[side].includes(place)), isLater, weight };
      });
    }
    this.#drawRibbons();
  }

  #drawRibbons() {
    const isNarrow = this.root.dataset.width === "narrow";
    this.stage.animate(isNarrow ? [] : ribbonsOf(this.shade, Boolean(this.data.grid)));
  }
}

/** The name of the page in the address; "" is the first page. */
const pageNow = () => window.location.pathname.replace(/.*\//, "");

/** @param {StageData | null} data */
const textsOf = (data) => JSON.stringify([data?.source, data?.target].map((side) => side?.map(({ text }) => text)));

const READING_TIME = 1500; // milliseconds before the head is switched off

/** On a first visit, switch the offered head off automatically. @param {SentenceHost} host */
function arrive(host) {
  const { data } = host;
  const offer = data.surprise && surprise(data.surprise.text, data.surprise.changing);
  if (!offer || data.page || data.presenter || window.parent !== window) return undefined;
  return playArrival({
    button: host.root.querySelector(".way-surprise"),
    milliseconds: READING_TIME,
    isWanted: () => host.data.text === data.text && Boolean(host.data.surprise),
    switchOff: () => host.send("act", { name: "switch_off", layer: offer.layer, head: offer.head, unasked: true }),
  });
}
