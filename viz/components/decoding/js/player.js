/* The player: one path through the hypotheses, one step of it, and everything that shows that step. */

class Player {
  constructor(parent, packet, send) {
    this.send = send;
    this.root = make("div", "player");
    parent.append(this.root);
    this.speed = packet.speed;
    this.#build(packet.words);
    this.onKey = (event) => this.#key(event);
    this.onPoint = ({ detail }) => { if (detail.pinned && detail.side === "target" && this.isOnStage()) this.go(detail.index); };
    window.addEventListener("keydown", this.onKey);
    window.addEventListener("regard:point", this.onPoint);
    /* A stage that was drawn anew has lost its shading. */
    this.onStage = () => { if (!this.packet) return; const fed = this.packet.nodes[this.path[this.step]]; if (fed.row >= 0) this.#shade(fed.row); };
    window.addEventListener("regard:stage", this.onStage);
    this.sizes = new ResizeObserver(([entry]) => { this.root.dataset.width = entry.contentRect.width < 860 ? "narrow" : "wide"; });
    this.sizes.observe(this.root);
    this.update(packet);
  }

  #build(words) {
    this.transport = new Transport(words, {
      onStep: (step, isPlace) => { this.pause(); this.go(isPlace ? step : this.step + step); },
      onPlay: () => (this.timer ? this.pause() : this.start()),
      onSpeed: (speed) => { this.speed = speed; this.draw(); this.#report(); if (this.timer) { this.pause(); this.start(); } },
    });
    this.next = new NextWord(words, (id, piece, isChosen) => this.#choose(id, isChosen));
    this.leaning = new LeaningView(words, (step) => { this.pause(); this.go(step); });
    const strip = (kind) => new Strip(words, kind, {
      onPick: (layer, head) => { this.looks[kind] = { layer, head }; this.draw(); this.#report(); },
      onForce: (weights) => this.#act({ do: "force", kind, ...this.looks[kind], query: this.step, weights: weights.map((weight) => Number(weight.toFixed(4))) }),
    });
    this.strips = { cross: strip("cross"), decoder_self: strip("decoder_self") };
    this.mask = new Mask(words, (step) => { this.pause(); this.go(step); });
    this.strips.decoder_self.columns.after(this.mask.root);
    this.tree = new Tree(words, (index) => { this.pause(); this.choose(index); });
    this.goOn = make("button", "primary go-on", { type: "button" }, words.go_on);
    this.goOn.addEventListener("click", () => this.#act({ do: "fork", ids: idsTo(this.packet.nodes, this.path.at(-1)) }));
    this.treeNote = make("span", "aside");
    this.treeCard = make("section", "card beam", {}, make("header", "", {}, make("h3", "", {}, words.beam), this.treeNote, this.goOn), this.tree.root);
    this.left = make("div", "left", {}, this.next.root, this.leaning.root);
    this.right = make("div", "right", {}, this.treeCard, make("div", "strips", {}, this.strips.cross.root, this.strips.decoder_self.root));
    this.root.append(this.transport.root, make("div", "body", {}, this.left, this.right));
  }

  update(packet) {
    const isNew = !this.packet || this.packet.key !== packet.key;
    this.packet = packet;
    delete this.root.dataset.waiting;
    this.root.toggleAttribute("data-presenter", packet.presenter);
    if (isNew) {
      this.pause();
      this.path = packet.path;
      /* Chosen heads stay chosen when the sentence or what is in force changes. */
      this.looks ??= { cross: { ...packet.looks.cross }, decoder_self: { ...packet.looks.decoder_self } };
      this.step = clamp(packet.step, 0, Math.max(0, packet.path.length - 2));
    }
    this.treeCard.hidden = !packet.isTree;
    this.mask.root.hidden = packet.isTree;
    this.root.dataset.mode = packet.isTree ? "tree" : "single";
    if (packet.isTree && isNew) {
      this.tree.draw(packet.nodes, packet.presenter ? 1.2 : 0.72);
      this.treeNote.textContent = packet.treeNote;
      if (packet.nodes[packet.node]) this.choose(packet.node);
    }
    this.draw();
  }

  get count() { return Math.max(1, this.path.length - 1); }
  /* The translation that stands on the stage, which a fork or a chosen node leaves. */
  isOnStage() { return this.path.at(-1) === this.packet.stage.at(-1); }
  isFirstShown() { return this.path.at(-1) === this.packet.path.at(-1); }

  go(step) {
    const next = clamp(step, 0, this.count - 1);
    if (next === this.step) return;
    this.step = next;
    this.draw();
    if (!this.timer) this.#report();
  }

  /* A node chosen in the tree: the path to it, continued by its best descendants, at the step that predicts it. */
  choose(index) {
    const { nodes } = this.packet;
    const path = pathTo(nodes, index);
    for (let at = nodes[index]; at.children.length;) {
      const kept = at.children.filter((child) => child.fate !== "pruned");
      if (!kept.length) break;
      at = kept.find((child) => child.isBest) ?? kept.reduce((best, child) => (child.score > best.score ? child : best));
      path.push(at.index);
    }
    this.path = path;
    this.step = Math.max(0, nodes[index].depth - 1);
    this.draw();
    this.#report();
  }

  start() {
    if (this.step >= this.count - 1) { this.step = -1; this.go(0); }
    const tick = () => {
      if (this.step >= this.count - 1) { this.pause(); this.#report(); return; }
      this.go(this.step + 1);
      this.timer = setTimeout(tick, 1000 / this.speed);
    };
    this.timer = setTimeout(tick, 1000 / this.speed);
    this.draw();
  }

  pause() {
    if (!this.timer) return;
    clearTimeout(this.timer);
    this.timer = null;
    this.draw();
  }

  draw() {
    const { packet, path, step } = this;
    const { nodes } = packet;
    const fed = nodes[path[step]], said = path.length > 1 ? nodes[path[step + 1]] : null;
    const colours = packet.colours[isDark(this.root) ? "dark" : "light"];
    for (const [name, colour] of Object.entries(colours)) this.root.style.setProperty(`--${name.replace("_", "-")}`, colour);
    this.transport.draw({ step, count: this.count, isPlaying: Boolean(this.timer), speed: this.speed });
    if (fed.row < 0) { this.next.empty(packet.words.not_fed); return; }
    this.next.draw({ candidates: packet.candidates[fed.row], chosenId: said?.id ?? null, fed: fed.piece, said: said?.piece ?? null, vocabulary: packet.vocabulary, isFixed: step < packet.fixed });
    this.#drawStrip("cross", fed.row, packet.source, null);
    this.#drawStrip("decoder_self", fed.row, this.#prefix(step), step);
    if (!packet.isTree) this.#drawMask(colours);
    this.#drawLeaning(step);
    if (packet.isTree) {
      this.tree.paint(path, path[step + 1] ?? path[step]);
      const last = nodes[path.at(-1)];
      this.goOn.hidden = !(last.fate === "pruned" || last.fate === "cut" || (last.fate === "kept" && last.row < 0) || (last.fate === "kept" && !last.children.length));
    }
    this.#shade(fed.row);
  }

  #prefix(step) {
    /* The same array while the path stays, so that the strip keeps its columns. */
    if (this.prefixOf !== this.path) { this.prefixOf = this.path; this.prefixes = []; }
    return (this.prefixes[step] ??= this.path.slice(0, step + 1).map((index) => this.packet.nodes[index].piece));
  }

  #drawStrip(kind, row, tokens, focus) {
    const { packet } = this, look = this.looks[kind];
    look.layer = Math.min(look.layer, packet.layers - 1);
    look.head = packet.isAveraged || look.layer < 0 ? -1 : clamp(look.head, 0, packet.heads - 1);
    const read = kind === "cross" ? packet.cross : packet.own;
    const sharpness = [];
    for (let layer = 0; layer < packet.layers; layer += 1)
      for (let head = 0; head < packet.heads; head += 1) sharpness.push(Math.max(...read(row, layer, packet.isAveraged ? -1 : head)));
    this.strips[kind].draw({
      id: `${packet.key} ${row} ${look.layer} ${look.head}`, tokens, weights: read(row, look.layer, look.head), focus, canForce: look.head >= 0,
      picker: { layers: packet.layers, heads: packet.heads, first: packet.first, look, sharpness, isAveraged: packet.isAveraged },
    });
  }

  #drawMask(colours) {
    const { packet, path, step } = this, look = this.looks.decoder_self;
    const fed = path.slice(0, this.count).map((index) => packet.nodes[index]);
    const key = `${packet.key} ${look.layer} ${look.head}`;
    if (this.maskOf !== key) {
      this.maskOf = key;
      this.maskRows = fed.map((node) => packet.own(node.row, look.layer, look.head));
    }
    this.mask.draw({ tokens: fed.map((node) => node.piece), rows: this.maskRows, step, hue: colours.decoder_self, ink: getComputedStyle(this.root).color });
  }

  #drawLeaning(step) {
    const { packet } = this;
    const isShown = packet.leaning && this.isOnStage();
    this.leaning.root.hidden = !isShown;
    if (!isShown) return;
    if (this.leaningOf !== packet.key) {
      this.leaningOf = packet.key;
      this.leaning.fill(packet.leaning, packet.stage.slice(1).map((index) => packet.nodes[index].piece));
    }
    this.leaning.paint(step);
  }

  #shade(row) {
    const look = this.looks.cross, isMain = this.isOnStage();
    window.dispatchEvent(new CustomEvent("regard:shade", { detail: {
      kind: "cross", source: [...this.packet.cross(row, look.layer, look.head)], target: null,
      focus: isMain ? { side: "target", index: this.step } : null, from: isMain ? this.step + 1 : 0,
    } }));
  }

  #choose(id, isChosen) {
    this.pause();
    if (isChosen) { this.go(this.step + 1); return; }
    const fed = this.packet.nodes[this.path[this.step]];
    const child = fed.children.find((node) => node.id === id);
    if (child && child.fate !== "pruned") { this.choose(child.index); return; }
    this.#act({ do: this.packet.isTree ? "fork" : "prefix", ids: [...idsTo(this.packet.nodes, fed.index), id] });
  }

  #act(what) {
    this.pause();
    this.root.dataset.waiting = "";
    clearTimeout(this.reporting);
    this.send("act", { ...what, at: this.#place() });
  }

  /* Where the reader is, once they rest there: it belongs in the link. */
  #report() {
    clearTimeout(this.reporting);
    this.reporting = setTimeout(() => this.send("at", this.#place()), 500);
  }

  #place() {
    const { cross, decoder_self: own } = this.looks;
    return { step: this.step, node: this.isFirstShown() ? -1 : this.path[this.step + 1], cross: [cross.layer, cross.head], own: [own.layer, own.head], speed: this.speed };
  }

  #key(event) {
    const target = event.composedPath()[0];
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (target instanceof Element && target.closest("input, textarea, select, [contenteditable], [role=slider], [role=tree], [role=dialog], [role=tablist], [role=radiogroup]")) return;
    const isButton = target instanceof Element && target.closest("button, a");
    if (event.key === " " && !isButton) { if (this.timer) this.pause(); else this.start(); }
    else if (event.key === "ArrowRight" && !event.shiftKey) { this.pause(); this.go(this.step + 1); }
    else if (event.key === "ArrowLeft" && !event.shiftKey) { this.pause(); this.go(this.step - 1); }
    else return;
    event.preventDefault();
  }

  destroy() {
    this.pause();
    clearTimeout(this.reporting);
    window.removeEventListener("keydown", this.onKey);
    window.removeEventListener("regard:point", this.onPoint);
    window.removeEventListener("regard:stage", this.onStage);
    this.sizes.disconnect();
    this.tree.destroy();
    this.root.remove();
  }
}
