// Lines on screen: all links at rest, one token's links while it is pointed at or pinned.

class LinesView {
  constructor(explorer, pane) {
    Object.assign(this, { explorer, pane });
    this.base = new Surface("lines-base", { tabindex: "0", role: "img" });
    this.over = new Surface("lines-over", { "aria-hidden": "true" });
    this.window = h("div", { class: "lines-window" }, this.base.canvas, this.over.canvas);
    this.space = h("div", { class: "lines-space" }, this.window, this.headings);
    this.scroller = h("div", { class: "lines-scroller" }, this.space);
    this.headings = h("div", { class: "line-headings", "aria-hidden": "true" }, h("span", {}), h("span", {}));
    this.remark = h("p", { class: "hint" });
    this.root = h("div", { class: "lines" }, this.scroller, this.remark);
    this.scroller.addEventListener("scroll", () => this.#draw());
    this.window.addEventListener("pointermove", (event) => this.#hover(event));
    this.window.addEventListener("pointerleave", () => explorer.point(null));
    this.window.addEventListener("click", (event) => {
      const hit = this.#hit(event);
      if (hit) explorer.pin(pane, hit.side, hit.unit);
    });
  }

  show() {
    const { explorer, pane } = this;
    const { state, theme, strings } = explorer;
    const { matrix } = pane;
    this.heads = state.heads.slice(0, SHOWN_HEADS);
    this.matrices = matrix.isSigned ? this.#signed(matrix) : this.heads.map((head) => matrixOf(pane.view, state, [head]));
    this.colours = matrix.isSigned ? [theme.colours.more, theme.colours.less]
      : this.heads.length === 1 ? [css(theme.hue(state.kind))] : theme.categories;
    const orientation = state.orientation === "auto" ? autoOrientation(pane.view, state) : state.orientation;
    const room = [this.root.clientWidth || 640, explorer.roomForView() - 40];
    this.layout = linesLayout(matrix, theme, { kind: state.kind, orientation, width: room[0] - 12, height: room[1] });
    this.links = linksOf(this.matrices, state);
    const height = Math.min(this.layout.height, room[1]);
    const width = Math.min(this.layout.width, room[0]);
    Object.assign(this.space.style, { width: `${this.layout.width}px`, height: `${this.layout.height}px` });
    Object.assign(this.window.style, { width: `${width}px`, height: `${height}px` });
    this.scroller.style.maxHeight = `${height + 2}px`;
    this.base.resize(width, height);
    this.over.resize(width, height);
    const isSelf = state.kind !== "cross";
    const [first, second] = this.headings.children;
    first.textContent = strings[isSelf ? "looks_from" : "source"];
    second.textContent = strings[isSelf ? "looks_at" : "target"];
    this.#placeHeadings(first, second);
    this.base.canvas.setAttribute("aria-label", explorer.describeMap(pane));
    this.#say();
    this.#draw();
  }

  /** Headings stand over their tokens, or before their row. */
  #placeHeadings(...headings) {
    headings.forEach((heading, at) => {
      const [x, y, width, height] = this.layout.ends[at].boxes[0];
      const place = !this.layout.isVertical ? { left: "0px", top: `${at ? y + height + 2 : 0}px`, right: "" }
        : at ? { left: `${x + 8}px`, top: "0px", right: "" } : { right: `${this.layout.width - x - width + 8}px`, top: "0px", left: "" };
      Object.assign(heading.style, place);
    });
  }

  /** Gains and losses as two sets of lines. */
  #signed(matrix) {
    return [1, -1].map((sign) => ({ ...matrix, values: matrix.values.map((value) => Math.max(0, sign * value) || 0), isSigned: false }));
  }

  #say() {
    const { strings, state } = this.explorer;
    const drawn = this.links.reduce((sum, list) => sum + list.length, 0);
    const cells = this.matrices.reduce((sum, matrix) => sum + matrix.rows * matrix.columns, 0);
    const parts = [];
    if (drawn >= LINES.most - this.links.length) parts.push(fill(strings.lines_capped, { drawn: drawn.toLocaleString(), cells: cells.toLocaleString() }));
    if (state.heads.length > SHOWN_HEADS) parts.push(fill(strings.heads_capped, { shown: SHOWN_HEADS, count: state.heads.length }));
    this.remark.textContent = parts.join(" ");
  }

  get region() {
    return [this.scroller.scrollLeft, this.scroller.scrollTop, this.base.width, this.base.height];
  }

  #draw() {
    if (!this.layout) return;
    const { region } = this;
    this.base.clear();
    this.base.context.translate(-region[0], -region[1]);
    paintLinks(this.base.context, this.layout, this.links, this.colours, region);
    this.point();
  }

  /** One token's links with their weights, everything else faded. */
  point() {
    if (!this.layout) return;
    const { explorer, pane, layout, region } = this;
    const { theme, state } = explorer;
    const focus = pane.focus();
    this.base.canvas.classList.toggle("faded", Boolean(focus));
    this.over.clear();
    this.over.context.translate(-region[0], -region[1]);
    const painter = new CanvasPainter(this.over.context, theme);
    if (!focus) return paintLineTokens(painter, layout, theme, { region });
    const units = new Set(focus.units);
    const own = this.links.map((list) => list.filter(([row, column]) => units.has(focus.side === "q" ? row : column)));
    paintLinks(this.over.context, layout, own, this.colours, region);
    const profiles = this.matrices.map((matrix) => profileOf(matrix, focus.side, focus.units, state.together));
    const across = focus.side === "q" ? "k" : "q";
    const peak = state.scale === "common" ? 1 : Math.max(1e-9, ...profiles.flatMap((profile) => Math.max(...profile)));
    const hue = css(theme.hue(state.kind));
    paintLineTokens(painter, layout, theme, {
      region,
      shade: (side, unit) => (side !== across ? [] : profiles.map((profile, at) => [this.colours[at], clamp(profile[unit] / peak, 0, 1) * (profiles.length > 1 ? 0.42 : 0.85)])),
      marks: (side, unit) => side === focus.side && units.has(unit) && hue,
    });
    this.#numbers(painter, across, profiles, peak);
  }

  /** The weights beside the tokens that receive them. */
  #numbers(painter, across, profiles, peak) {
    const { theme } = this.explorer;
    const { layout } = this;
    const end = endOf(layout, across);
    const isLeft = end === layout.ends[0];
    end.boxes.forEach(([x, y, width, height], unit) => {
      const values = profiles.map((profile) => profile[unit]);
      if (Math.max(...values) < Math.max(0.005, peak * 0.02)) return;
      const text = values.map((value) => cellNumber(value) || "·").join("  ");
      const options = { size: theme.small, fill: theme.soft };
      if (!layout.isVertical) painter.text(text, x + width / 2, isLeft ? y - 8 : y + height + 7, { ...options, align: "center" });
      else {
        const room = textWidth(theme, text, theme.small) + 8;
        painter.rect(isLeft ? x + width + 2 : x - room - 2, y + height / 2 - theme.small * 0.7, room, theme.small * 1.4, { fill: theme.panel, alpha: 0.85, radius: 3 });
        painter.text(text, isLeft ? x + width + 6 : x - 6, y + height / 2, { ...options, align: isLeft ? "left" : "right" });
      }
    });
  }

  #hit(event) {
    const [px, py] = pointIn(event, this.window);
    const [x, y] = [px + this.region[0], py + this.region[1]];
    for (const { side, boxes } of this.layout.ends) {
      const unit = boxes.findIndex(([left, top, width, height]) => x >= left && x <= left + width && y >= top && y <= top + height + 2);
      if (unit >= 0) return { side, unit };
    }
    return null;
  }

  #hover(event) {
    const hit = this.#hit(event);
    this.window.style.cursor = hit ? "pointer" : "";
    if (!hit) return this.explorer.point(null);
    this.explorer.point({ pane: this.pane, row: hit.side === "q" ? hit.unit : null, column: hit.side === "k" ? hit.unit : null });
  }
}
