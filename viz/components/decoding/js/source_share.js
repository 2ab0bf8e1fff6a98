/* Source or prefix: a two-part bar for each token, from the effects of removing either. */

import { h } from "../../shared/dom.js";
import { fill, formatFixed, percent, spoken } from "../../shared/text.js";

/** @import { SourceShare, Words } from "./unpack.js" */

export class SourceShareView {
  /** @param {Words} words @param {(step: number) => void} onStep */
  constructor(words, onStep) {
    this.words = words;
    this.onStep = onStep;
    this.list = h("div", { class: "shares", role: "list" });
    const keys = ["source", "prefix"].map((key) => h("span", { class: `key ${key}` }, words[`source_share_${key}`]));
    this.root = h(
      "section",
      { class: "card source-share" },
      h("header", {}, h("h3", {}, words.source_share), h("span", { class: "aside" }, words.source_share_unit)),
      this.list,
      h("p", { class: "remark legend" }, keys),
      h("p", { class: "remark" }, words.source_share_how),
    );
  }

  /** @type {(steps: SourceShare[], pieces: string[]) => void} */
  fill(steps, pieces) {
    const bars = steps.map(([share, source, prefix], step) => {
      const piece = spoken(pieces[step], this.words);
      const values = { piece, share: percent(share), source: formatFixed(source), prefix: formatFixed(prefix) };
      const title = fill(this.words.source_share_help, values);
      const style = { "--share": share.toFixed(4) };
      const onclick = () => this.onStep(step);
      const parts = [h("span", { class: "two" }), h("span", { class: "piece" }, piece)];
      const bar = h("button", { class: "share", "data-step": step, title, "aria-label": title, style, onclick }, parts);
      return h("div", { role: "listitem" }, bar);
    });
    this.list.replaceChildren(...bars);
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
