/* Source or prefix: a two-part bar under each word, measured by removing each. */

import { closest, h } from "../../shared/dom.js";
import { bare, fill, fixed, percent } from "../../shared/text.js";

export class LeaningView {
  constructor(words, onStep) {
    this.words = words;
    this.root = h("section", { class: "card leaning" });
    this.list = h("div", { class: "leans", role: "list" });
    const legend = h(
      "p",
      { class: "remark legend" },
      h("span", { class: "key source" }, words.lean_source),
      h("span", { class: "key prefix" }, words.lean_prefix),
    );
    this.root.append(
      h("header", {}, h("h3", {}, words.leaning), h("span", { class: "aside" }, words.leaning_unit)),
      this.list,
      legend,
      h("p", { class: "remark" }, words.leaning_how),
    );
    this.list.addEventListener("click", (event) => {
      const bar = closest(event, "button");
      if (bar) onStep(Number(bar.dataset.step));
    });
  }

  fill(leaning, pieces) {
    this.root.hidden = !leaning;
    if (!leaning) return;
    this.list.replaceChildren(
      ...leaning.map(([share, source, prefix], step) => {
        const title = fill(this.words.lean_help, {
          piece: bare(pieces[step]),
          share: percent(share),
          source: fixed(source),
          prefix: fixed(prefix),
        });
        const bar = h(
          "button",
          { class: "lean", type: "button", "data-step": step, title, "aria-label": title },
          h("span", { class: "two" }),
          h("span", { class: "piece" }, bare(pieces[step])),
        );
        bar.style.setProperty("--share", share.toFixed(4));
        return h("div", { role: "listitem" }, bar);
      }),
    );
    this.list.toggleAttribute("data-many", leaning.length > 16);
  }

  paint(step) {
    [...this.list.children].forEach(({ firstElementChild: bar }, index) => {
      bar.toggleAttribute("data-focus", index === step);
      bar.toggleAttribute("data-later", index > step);
    });
  }
}
