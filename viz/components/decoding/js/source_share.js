/* Source or prefix: a two-part bar under each word, measured by removing each. */

import { closest, h } from "../../shared/dom.js";
import { fill, fixed, percent, spoken } from "../../shared/text.js";

/** @import { SourceShare, Words } from "./unpack.js" */

export class SourceShareView {
  /** @param {Words} words @param {(step: number) => void} onStep */
  constructor(words, onStep) {
    this.words = words;
    this.root = h("section", { class: "card source-share" });
    this.list = h("div", { class: "shares", role: "list" });
    const legend = h(
      "p",
      { class: "remark legend" },
      h("span", { class: "key source" }, words.source_share_source),
      h("span", { class: "key prefix" }, words.source_share_prefix),
    );
    this.root.append(
      h("header", {}, h("h3", {}, words.source_share), h("span", { class: "aside" }, words.source_share_unit)),
      this.list,
      legend,
      h("p", { class: "remark" }, words.source_share_how),
    );
    this.list.addEventListener("click", (event) => {
      const bar = closest(event, "button");
      if (bar) onStep(Number(bar.dataset.step));
    });
  }

  /** @type {(steps: SourceShare[] | null, pieces: string[]) => void} */
  fill(steps, pieces) {
    this.root.hidden = !steps;
    if (!steps) return;
    this.list.replaceChildren(
      ...steps.map(([share, source, prefix], step) => {
        const title = fill(this.words.source_share_help, {
          piece: spoken(pieces[step], this.words),
          share: percent(share),
          source: fixed(source),
          prefix: fixed(prefix),
        });
        const style = { "--share": share.toFixed(4) };
        const bar = h(
          "button",
          { class: "share", "data-step": step, title, "aria-label": title, style },
          h("span", { class: "two" }),
          h("span", { class: "piece" }, spoken(pieces[step], this.words)),
        );
        return h("div", { role: "listitem" }, bar);
      }),
    );
    this.list.toggleAttribute("data-many", steps.length > 16);
  }

  /** @param {number} step */
  paint(step) {
    [...this.list.children].forEach(({ firstElementChild: bar }, index) => {
      bar?.toggleAttribute("data-focus", index === step);
      bar?.toggleAttribute("data-later", index > step);
    });
  }
}
