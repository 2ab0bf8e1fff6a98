/* The sentence and its translation as tokens. It tells the views which token is pointed at, asks them to pin one that is
   clicked, and paints the shade that they tell (signals.js). */

import { watchHistory } from "../shared/address.js";
import { css, followTheme, isBright, isDark, mix, pageColour, parseColour } from "../shared/colour.js";
import { h, setStyle } from "../shared/dom.js";
import { keepFocus } from "../shared/keep_focus.js";
import { pictureOfText } from "../shared/pad/picture.js";
import { pendingRun } from "../shared/pending.js";
import { keepOneStop, rove } from "../shared/roving.js";
import { playArrival } from "../shared/stage/arrival.js";
import { SIDES, Stage } from "../shared/stage/stage.js";
import { surprise } from "../shared/surprise.js";
import { ask, dropWaiting, follow, tell, withdraw } from "../shared/signals.js";
import { explain } from "./glossary.js";
import { Tools, closeDialog } from "./menu.js";
import { Outcome } from "./outcome.js";
import { skipLink } from "./skip.js";
import { shareChange } from "./sharing.js";
import { gridItem, indexesOf, ribbonsOf, stripsItem, wordItems } from "./tokens.js";
import { resumeTour } from "./tour.js";
import { reachWideBoxes } from "./wide_boxes.js";
import { Editor } from "./writing.js";

/** @import { Given, Send, Shade } from "./types" */

const TOKENS = ".token";

/** @type {WeakMap<Element, SentenceHost>} */
const hosts = new WeakMap();

/** @param {{data: Given, parentElement: HTMLElement, setTriggerValue: Send}} given */
export default function ({ data, parentElement, setTriggerValue }) {
  let host = hosts.get(parentElement);
  if (!host) {
    host = new SentenceHost(data, setTriggerValue);
    parentElement.append(host.root);
    host.fit(host.root.clientWidth); // before anything is drawn, so that nothing is drawn for another width first
    hosts.set(parentElement, host);
  }
  host.send = pendingRun(setTriggerValue);
  document.documentElement.lang = data.language;
  host.update(data);
  return () => {
    host.end();
    hosts.delete(parentElement);
  };
}

export class SentenceHost {
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
    own: () => this.editor.open(),
    share: (pressed) => shareChange(this.data, { root: this.root, said: this.said, pressed }),
    leave: () => this.edit.focus({ preventScroll: true }),
  });
  said = h("div", { class: "said", "aria-live": "polite" });
  notice = h("p", { class: "notice", role: "status" });
  /** Ends what listens to the document. */ life = new AbortController();
  tools = new Tools(this.said, this.life.signal);
  hue = "";
  /** @type {Shade} */ shade = {};
  /** @type {Given | null} what is on screen */ drawn = null;
  /** @type {{page: string, search: string} | null} what was gone back to on another page than the one that is drawn */
  returned = null;

  /** @param {Given} data @param {Send} send */
  constructor(data, send) {
    this.data = data;
    this.send = send;
    this.editor = new Editor(this.root, data, {
      sent: (text, shown) => this.#wait(text, shown),
      leave: () => this.edit.focus({ preventScroll: true }),
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
      this.said,
    );
    this.stage = new Stage(this.root, { source: this.words, target: this.targetRow }, () => this.hue, {
      point: ({ side, place }) => tell("point", { side, index: place }, this),
      leave: () => tell("point", null, this),
      press: ({ side, place }, { shiftKey }) => ask({ do: "pin", side, index: place, isAdded: shiftKey }),
    });
    this.skip = skipLink(() => this.home);
    for (const row of [this.words, this.targetRow]) {
      rove(row, TOKENS);
      row.addEventListener("keydown", ({ key }) => key === "Escape" && ask({ do: "release" }));
    }
    // The box is the sentence itself: a click beside its words writes another, and so does a double click on one.
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
    this.leave = [
      follow("shade", (shade) => {
        this.shade = shade ?? {};
        if (this.drawn) this.paint();
      }),
      follow("changing", (found) => this.outcome.offer(found)),
      watchHistory((search, isOtherPage) => {
        // Gone back before an answer came, the page may send what is on screen already, which Streamlit does not pass on.
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
  }

  /** What gets the focus from elsewhere: a word of the sentence, or the box in which it is written; a tool without them.
   * @returns {HTMLElement} */
  get home() {
    if (this.data.is_hidden) return this.tools.root.querySelector("button") ?? this.root;
    return this.root.querySelector(".token[tabindex='0']") ?? this.editor.input;
  }

  /** Stand as there is room for. @param {number} width in pixels */
  fit(width) {
    this.root.dataset.width = width < 640 ? "narrow" : width < 1000 ? "medium" : "wide";
  }

  end() {
    this.life.abort();
    for (const leave of this.leave) leave();
    this.skip.remove();
    this.root.remove();
  }

  /** Draw what the page has sent. @param {Given} data */
  update(data) {
    // Sent earlier, it would count as a request of the page before, and lead back to that page.
    if (this.returned && data.page === pageNow()) {
      if (data.page === this.returned.page) this.send("address", this.returned.search);
      this.returned = null;
    }
    if (textsOf(data) !== textsOf(this.drawn)) dropWaiting();
    this.data = this.drawn = data;
    const { root } = this;
    delete root.dataset.waiting;
    const longest = Math.max(data.reads_pictures || data.grid ? 0 : data.source.length, data.target.length);
    root.dataset.size = longest > 60 ? "small" : longest > 22 ? "medium" : "large";
    root.toggleAttribute("data-presenter", data.presenter);
    root.toggleAttribute("data-empty", !data.source.length);
    root.toggleAttribute("data-hidden", data.is_hidden);
    for (const part of [this.targetSide, this.targetRow]) part.hidden = !data.target_label; // of an encoder-only model
    this.#name(data);
    this.tools.draw(data);
    this.#fill(data);
    this.editor.draw(data);
    this.said.textContent = this.outcome.draw(data) ?? data.said;
    if (!data.is_hidden && !this.editor.isWriting) {
      if (data.source.length) this.editor.close();
      else this.editor.open(false);
    }
    this.paint();
    resumeTour(root);
    void arrive(this);
  }

  /** Show what is sent until its answer arrives. @param {string} text @param {string | Node} shown */
  #wait(text, shown) {
    this.data = { ...this.data, text };
    this.root.dataset.waiting = "";
    this.words.replaceChildren(h("span", { style: { fontSize: "var(--token)" } }, shown));
    if (!this.targetRow.children.length) this.targetRow.replaceChildren(h("div", { class: "skeleton" }));
    this.send("text", text);
  }

  /** Name the parts in the page's language. @param {Given} data */
  #name({ words, source_label, target_label, is_hidden, notice }) {
    this.sourceSide.textContent = source_label;
    this.targetSide.textContent = target_label;
    this.edit.textContent = words.another;
    this.skip.textContent = words[is_hidden ? "skip_page" : "skip"];
    this.words.setAttribute("aria-label", words.source_row);
    this.targetRow.setAttribute("aria-label", words.target_row);
    this.notice.textContent = notice;
  }

  /** @param {Given} data */
  #fill({ text, source, target, grid, reads_files, source_language, target_language }) {
    const { stage, words, targetRow } = this;
    const picture = pictureOfText(text);
    words.toggleAttribute("data-picture", Boolean(picture));
    words.toggleAttribute("data-grid", Boolean(grid));
    words.dir = grid || picture ? "ltr" : "auto";
    targetRow.dir = "auto";
    if (source_language && !grid && !picture) words.lang = source_language;
    if (target_language) targetRow.lang = target_language;
    if (grid) stage.fill("source", [gridItem(source, grid, reads_files)]);
    else if (picture) stage.fill("source", [stripsItem(source, picture, getComputedStyle(words).color)]);
    else stage.fill("source", wordItems("source", source));
    stage.fill("target", wordItems("target", target));
    for (const row of [words, targetRow]) keepOneStop(row, TOKENS);
  }

  /** Show what a view tells. */
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
      // Among hundreds of patches each weight is small: the colour compares them with the largest.
      const most = side === "source" && data.grid ? Math.max(1e-9, ...weights) : 1;
      if (side === "source") this.words.toggleAttribute("data-looked", Boolean(data.grid && most > 1e-9));
      stage.mark(side, (place, token) => {
        const weight = Math.max(0, Math.min(1, (weights[place] ?? 0) / most));
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
    this.stage.change(isNarrow ? [] : ribbonsOf(this.shade, Boolean(this.data.grid)));
  }
}

/** The page that the browser's address names; "" is the first. */
const pageNow = () => window.location.pathname.replace(/.*\//, "");

/** @param {Given | null} given */
const textsOf = (given) => JSON.stringify([given?.source, given?.target].map((side) => side?.map(({ text }) => text)));

const READ = 1500; // milliseconds in which the sentence and the button that is pressed can be read

/** On a first visit the offered change is made by itself. @param {SentenceHost} host */
function arrive(host) {
  const { data } = host;
  const told = data.surprise && surprise(data.surprise.text, data.surprise.changing);
  if (!told || data.page || data.presenter || window.parent !== window) return undefined;
  return playArrival({
    button: host.root.querySelector(".way-surprise"),
    milliseconds: READ,
    isWanted: () => host.data.text === data.text && Boolean(host.data.surprise),
    switchOff: () => host.send("act", { name: "switch_off", layer: told.layer, head: told.head, unasked: true }),
  });
}
