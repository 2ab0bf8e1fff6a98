/* Source or prefix: a two-part bar under each word, measured by removing each. */

class LeaningView {
  constructor(words, onStep) {
    this.words = words;
    this.root = make("section", "card leaning");
    this.list = make("div", "leans", { role: "list" });
    const legend = make("p", "remark legend", {},
      make("span", "key source", {}, words.lean_source), make("span", "key prefix", {}, words.lean_prefix));
    this.root.append(make("header", "", {}, make("h3", "", {}, words.leaning), make("span", "aside", {}, words.leaning_unit)), this.list, legend, make("p", "remark", {}, words.leaning_how));
    this.list.addEventListener("click", (event) => {
      const bar = event.target.closest("button");
      if (bar) onStep(Number(bar.dataset.step));
    });
  }

  fill(leaning, pieces) {
    this.root.hidden = !leaning;
    if (!leaning) return;
    this.list.replaceChildren(...leaning.map(([share, source, prefix], step) => {
      const title = fill(this.words.lean_help, { piece: bare(pieces[step]), share: percent(share), source: fixed(source), prefix: fixed(prefix) });
      const bar = make("button", "lean", { type: "button", "data-step": step, title, "aria-label": title },
        make("span", "two"), make("span", "piece", {}, bare(pieces[step])));
      bar.style.setProperty("--share", share.toFixed(4));
      return make("div", "", { role: "listitem" }, bar);
    }));
    this.list.toggleAttribute("data-many", leaning.length > 16);
  }

  paint(step) {
    [...this.list.children].forEach((item, index) => {
      item.firstChild.toggleAttribute("data-focus", index === step);
      item.firstChild.toggleAttribute("data-later", index > step);
    });
  }
}
