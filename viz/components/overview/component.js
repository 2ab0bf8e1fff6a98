// The map of the model: boxes, the flow between them, and the heads as small squares that can be opened.

import { applyPalette } from "../shared/colour.js";
import { h, prefersReducedMotion, svg } from "../shared/dom.js";
import { PlanWalk } from "../shared/plan_walk.js";
import { handleActs, publish, withdraw } from "../shared/signals.js";
import { streamlitComponent } from "../shared/streamlit.js";
import { fill, formatFixed } from "../shared/text.js";
import { isNarrow, planLayout, widthOf, wrapName } from "./layout.js";

/** @import { Stacks } from "../shared/plan_walk.js" */
/** @import { Box, Layout, MapData, PlacedToken } from "./types" */

const LINE = 12;

export default streamlitComponent((parent, /** @type {MapData} */ data, send) => new Overview(parent, data, send));

class Overview {
  root = h("div", { class: "overview" });
  note = h("p", { class: "note", role: "status" });
  drawnAt = -1; // pixels wide

  /** @param {HTMLElement} parent @param {MapData} data @param {import("../shared/streamlit.js").Send} send */
  constructor(parent, data, send) {
    this.data = data;
    this.send = send;
    this.run = new Run(this);
    parent.append(this.root);
    this.sizes = new ResizeObserver(() => {
      if (this.root.clientWidth !== this.drawnAt) draw(this);
    });
    this.sizes.observe(this.root);
    this.removeHandler = handleActs((act) => {
      if (act.do === "pin") this.send("word", [act.side, act.index]);
    });
    this.update(data);
  }

  /** Draw the map, and mark the followed word in the sentence above. @param {MapData} data */
  update(data) {
    this.data = data;
    draw(this);
    const [side, index] = data.followed;
    publish("shade", { kind: data.kind, source: [], target: [], focus: { side, indexes: [index] } }, this);
  }

  destroy() {
    this.sizes.disconnect();
    this.run.stop();
    this.removeHandler();
    withdraw("shade", this);
    this.root.remove();
  }
}

/** @param {Overview} map */
function draw(map) {
  const { words, colours } = map.data;
  applyPalette(map.root, colours);
  map.drawnAt = map.root.clientWidth;
  map.root.toggleAttribute("data-narrow", isNarrow(map.drawnAt));
  const layout = planLayout(map.data, map.drawnAt);
  map.root.style.setProperty("--unit", String(layout.unit));
  const picture = svg(
    "svg",
    { viewBox: `0 0 ${layout.width} ${layout.height}`, role: "group", "aria-label": words.label },
    layout.paths.map(([flow, d]) => svg("path", { class: flow, d })),
    layout.texts.map(([kind, x, y, text]) => svg("text", { class: kind, x, y }, text)),
    layout.boxes.map((box) => drawBox(map, box, layout.unit)),
    layout.tokens.map((token) => drawToken(map, token)),
    drawCandidates(layout),
  );
  map.note.textContent = words.hint;
  map.run.stop();
  const run = h("div", { class: "run" }, map.run.button, map.run.status);
  map.root.replaceChildren(run, h("div", { class: "scroll" }, picture), map.note);
}

/** @type {(map: Overview, box: Box, unit: number) => SVGElement} */
function drawBox(map, box, unit) {
  const { words } = map.data;
  const text = 12 * unit;
  const lines = wrapName(words[box.words], box.width - 12, text);
  const baseline = box.heads.length ? 14 : box.height / 2 + 4 - ((lines.length - 1) * LINE) / 2;
  const group = button(
    map,
    { class: `box ${box.kind}`, "data-box": box.name, "aria-label": words[box.words] },
    () => map.send("open", box.name),
    () => words[`about_${box.words}`],
    svg("rect", { x: box.x, y: box.y, width: box.width, height: box.height, rx: 6 }),
    ...lines.map((line, place) => svg("text", { x: box.x + 6, y: box.y + baseline + place * LINE * unit }, line)),
  );
  const size = Math.min(11, (box.width - 16) / Math.max(1, box.heads.length) - 2);
  const heads = box.heads.map((head, index) => {
    const values = { head: index + map.data.first, token: head.token, share: formatFixed(head.share) };
    const label = fill(words[head.token ? "head_at" : "head"], values);
    const [x, y] = [box.x + 8 + index * (size + 2), box.y + box.height - size - 5];
    const style = `fill-opacity:${0.08 + 0.92 * head.share}`;
    return button(
      map,
      { class: `head ${box.kind}`, "aria-label": label },
      () => map.send("open", `${box.name}#${index}`),
      () => label,
      svg("rect", { x, y, width: size, height: size, rx: 2, style }),
    );
  });
  return svg("g", {}, group, heads);
}

/** A button, for pointer and keyboard, whose description is shown under the map.
 * @type {(map: Overview, attributes: Record<string, string>, open: () => void, describe: () => string,
 *   ...parts: SVGElement[]) => SVGGElement} */
function button(map, attributes, open, describe, ...parts) {
  const showNote = () => (map.note.textContent = describe());
  const listeners = {
    onclick: open,
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      open();
    },
    onpointerenter: showNote,
    onfocus: showNote,
    onpointerleave: () => (map.note.textContent = map.data.words.hint),
  };
  return svg("g", { role: "button", tabindex: 0, ...attributes, ...listeners }, ...parts);
}

/** A token of either side; a click follows its word.
 * @type {(map: Overview, token: PlacedToken) => SVGElement} */
function drawToken(map, token) {
  const describe = () => fill(map.data.words.follow, { token: token.text });
  return button(
    map,
    { class: token.is_lit ? "token lit" : "token", "aria-label": describe() },
    () => map.send("word", [token.side, token.index]),
    describe,
    svg("rect", { x: token.x, y: token.y - 14, width: token.width, height: 20, rx: 4 }),
    svg("text", { x: token.x + token.width / 2, y: token.y, "text-anchor": "middle" }, token.text),
  );
}

/** The candidates above the last stack: in a row without overlaps, as many as fit.
 * @type {(layout: Layout) => SVGElement[]} */
function drawCandidates({ candidates, unit, width }) {
  const { x: start, y, apart } = candidates;
  let minX = 0;
  return candidates.shown.flatMap(({ text: token, probability }, index) => {
    const text = `${token} ${formatFixed(probability)}`;
    const x = Math.max(minX, start + index * apart);
    const end = x + widthOf(text, 12 * unit, index ? 400 : 600);
    minX = index && end > width ? Infinity : end + 10 * unit;
    if (minX === Infinity) return [];
    return [
      svg("rect", { class: "bar", x, y: y + 4, width: Math.max(1, 72 * probability), height: 5, rx: 2 }),
      svg("text", { class: index ? "candidate" : "candidate first", x, y }, text),
    ];
  });
}

/** The animation of a run for the followed word, with its button and status. */
export class Run extends PlanWalk {
  /** @param {Overview} map */
  constructor(map) {
    super(map.root);
    this.map = map;
  }

  get words() {
    return this.map.data.words;
  }

  label() {
    super.label();
    this.button.hidden = prefersReducedMotion();
  }

  /** From the first layer to the predicted word. */
  async play() {
    const { words } = this;
    const { plan } = this.map.data;
    const isOver = this.begin();
    const stacks = this.#stacks();
    const isSingle = plan.stacks.length < 2;
    if (stacks.encoder.length) {
      this.status.textContent = words.says_encoder;
      await this.encode(stacks, isOver);
      if (isOver()) return;
    }
    if (!isSingle) {
      this.status.textContent = words.says_bridge;
      await this.cross(stacks);
      if (isOver()) return;
    }
    if (stacks.decoder.length) {
      this.status.textContent = fill(words[isSingle ? "says_next" : "says_word"], { word: plan.predicted });
      await (isSingle ? this.encode({ ...stacks, encoder: stacks.decoder }, isOver) : this.decode(stacks, isOver));
      if (isOver()) return;
    }
    const top = plan.stacks.flatMap(({ rows }) => rows[rows.length - 1].parts).slice(-1);
    this.light(this.#boxes(top), 900);
    this.isPlaying = false;
    this.label();
  }

  /** @param {{name: string}[]} parts */
  #boxes(parts) {
    return parts.flatMap(({ name }) => [...this.holder.querySelectorAll(`[data-box="${name}"]`)]);
  }

  /** The drawn boxes of each layer, and the paths from the encoder. @returns {Stacks} */
  #stacks() {
    const layersOf = (/** @type {string} */ stack) =>
      this.map.data.plan.stacks
        .flatMap(({ rows }) => rows)
        .filter(({ parts }) => parts.length > 1 && parts[0].name.startsWith(stack))
        .map(({ parts }) => this.#boxes(parts));
    /** @type {NodeListOf<SVGElement>} */
    const bridges = this.holder.querySelectorAll(".memory");
    return { encoder: layersOf("encoder"), decoder: layersOf("decoder"), bridges: [...bridges] };
  }
}
