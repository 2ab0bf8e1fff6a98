// The map of the model: boxes, the flow between them, and the heads as small squares that can be opened.

import { applyPalette } from "../shared/colour.js";
import { h, svg } from "../shared/dom.js";
import { pendingRun } from "../shared/pending.js";
import { serveActs, tell, withdraw } from "../shared/signals.js";
import { fill, fixed } from "../shared/text.js";
import { isNarrow, laidOut, widthOf, wrapped } from "./layout.js";
import { Run } from "./walk.js";

/** @import { Arrow, Box, Candidate, Given, Send, Shown, Token } from "./types" */

/** @type {WeakMap<Element, Overview>} */
const maps = new WeakMap();
const LINE = 12;

/** @param {{data: Given, parentElement: HTMLElement, setTriggerValue: Send}} given */
export default function ({ data, parentElement, setTriggerValue }) {
  document.documentElement.lang = data.language; // the stage says it too, perhaps after this is drawn
  let map = maps.get(parentElement);
  if (!map) {
    map = new Overview(data, setTriggerValue);
    parentElement.append(map.root);
    maps.set(parentElement, map);
  }
  map.send = pendingRun(setTriggerValue);
  map.data = data;
  draw(map);
  shade(map);
  return () => {
    map.end();
    maps.delete(parentElement);
  };
}

class Overview {
  root = h("div", { class: "overview" });
  note = h("p", { class: "note", role: "status" });
  drawnAt = -1; // pixels wide

  /** @param {Given} data @param {Send} send */
  constructor(data, send) {
    this.data = data;
    this.send = send;
    this.run = new Run(this);
    this.sizes = new ResizeObserver(() => {
      if (this.root.clientWidth !== this.drawnAt) draw(this);
    });
    this.sizes.observe(this.root);
    this.leaveActs = serveActs((act) => {
      if (act.do === "pin") this.send("word", [act.side, act.index]);
    });
  }

  end() {
    this.sizes.disconnect();
    this.run.stop();
    this.leaveActs();
    withdraw("shade", this);
    this.root.remove();
  }
}

/** Mark the word that is followed in the sentence above. @param {Overview} map */
function shade(map) {
  const [side, index] = map.data.followed;
  tell("shade", { kind: map.data.kind, source: [], target: [], focus: { side, indexes: [index] } }, map);
}

/** @param {Overview} map */
function draw(map) {
  const { plan, words, colours } = map.data;
  applyPalette(map.root, colours);
  map.drawnAt = map.root.clientWidth;
  map.root.toggleAttribute("data-narrow", isNarrow(map.drawnAt));
  const shown = laidOut(map.data, map.drawnAt);
  map.root.style.setProperty("--unit", String(shown.unit));
  /** @type {(name: string, x: number, y: number, text: string) => SVGElement} */
  const textAt = (name, x, y, text) => svg("text", { class: name, ...shown.at(x, y) }, text);
  /** @type {(x: number, place: number, text: string) => SVGElement} */
  const caption = (x, place, text) =>
    svg("text", { class: "caption", x: shown.at(x, 0).x, y: shown.captions?.[place] ?? plan.height - 8 }, text);
  const picture = svg("svg", {
    viewBox: `0 0 ${shown.width} ${shown.height}`,
    role: "group",
    "aria-label": words.label,
  });
  picture.append(
    ...plan.stacks.map(({ x, title }) => textAt("stack", x, 24, words[title])),
    ...plan.arrows.map((each) => arrow(each, shown)),
    ...plan.layers.map(([x, y, text]) => textAt("layer", x, y + 4, text)),
    ...shown.boxes.map((box) => drawBox(map, box, shown.unit)),
    ...shown.tokens.map((token) => drawToken(map, token)),
    ...plan.stacks.map(({ x, caption: name }, place) => caption(x, place, words[name])),
    ...drawCandidates(plan.candidates, shown),
  );
  map.note.textContent = words.hint;
  map.run.stop();
  const run = h("div", { class: "run" }, map.run.button, map.run.said);
  map.root.replaceChildren(run, h("div", { class: "scroll" }, picture), map.note);
}

/** @type {(arrow: Arrow, shown: Shown) => SVGElement} */
function arrow([x1, y1, x2, y2, flow], { at, middle }) {
  const from = at(x1, y1);
  const to = at(x2, y2);
  if (flow === "stream") return svg("path", { class: "stream", d: `M${from.x} ${from.y}V${to.y}` });
  return svg("path", { class: "memory", d: `M${from.x} ${from.y}H${middle}V${to.y + 3}H${to.x}V${to.y}` });
}

/** @type {(map: Overview, box: Box, unit: number) => SVGElement} */
function drawBox(map, box, unit) {
  const { words } = map.data;
  const group = button(
    map,
    () => map.send("open", box.name),
    words[box.words],
    () => words[`about_${box.words}`],
  );
  group.setAttribute("class", `box ${box.kind}`);
  group.dataset.box = box.name;
  group.append(svg("rect", { x: box.x, y: box.y, width: box.width, height: box.height, rx: 6 }));
  const text = 12 * unit;
  const lines = wrapped(words[box.words], box.width - 12, text);
  const from = box.heads.length ? 14 : box.height / 2 + 4 - ((lines.length - 1) * LINE) / 2;
  group.append(
    ...lines.map((line, place) => svg("text", { x: box.x + 6, y: box.y + from + place * LINE * unit }, line)),
  );
  const size = Math.min(11, (box.width - 16) / Math.max(1, box.heads.length) - 2);
  const heads = box.heads.map((head, index) => {
    const about = () =>
      fill(words[head.token ? "head_at" : "head"], {
        head: index + map.data.first,
        token: head.token,
        share: fixed(head.share),
      });
    const cell = button(map, () => map.send("open", `${box.name}#${index}`), about(), about);
    cell.setAttribute("class", `head ${box.kind}`);
    cell.append(
      svg("rect", {
        x: box.x + 8 + index * (size + 2),
        y: box.y + box.height - size - 5,
        width: size,
        height: size,
        rx: 2,
        style: `fill-opacity:${0.08 + 0.92 * head.share}`,
      }),
    );
    return cell;
  });
  return svg("g", {}, group, heads);
}

/**
 * Anything that can be pressed: by pointer, by keyboard, and with its words under the map.
 * @type {(map: Overview, open: () => void, label: string, about: () => string) => SVGGElement}
 */
function button(map, open, label, about) {
  const group = svg("g", { role: "button", tabindex: 0, "aria-label": label });
  const tell = () => (map.note.textContent = about());
  group.addEventListener("click", open);
  group.addEventListener(
    "keydown",
    (event) => (event.key === "Enter" || event.key === " ") && (event.preventDefault(), open()),
  );
  group.addEventListener("pointerenter", tell);
  group.addEventListener("focus", tell);
  group.addEventListener("pointerleave", () => (map.note.textContent = map.data.words.hint));
  return group;
}

/**
 * A token of either side; a click follows the word that it stands for.
 * @type {(map: Overview, token: Token) => SVGElement}
 */
function drawToken(map, token) {
  const about = () => fill(map.data.words.follow, { token: token.text });
  const group = button(map, () => map.send("word", [token.side, token.index]), about(), about);
  group.setAttribute("class", token.is_lit ? "token lit" : "token");
  group.append(
    svg("rect", { x: token.x, y: token.y - 14, width: token.width, height: 20, rx: 4 }),
    svg("text", { x: token.x + token.width / 2, y: token.y, "text-anchor": "middle" }, token.text),
  );
  return group;
}

/**
 * The candidates over the last stack, in a row without overlaps and as many as fit; one stack is twice as wide.
 * @type {(candidates: Candidate[], shown: Shown) => SVGElement[]}
 */
function drawCandidates(candidates, shown) {
  const from = shown.stacks[shown.stacks.length - 1].x;
  const apart = shown.stacks.length > 1 ? 112 : 224;
  const { y } = shown.at(from, 48);
  let free = 0;
  return candidates.flatMap((candidate, index) => {
    const text = `${candidate.text} ${fixed(candidate.probability)}`;
    const x = Math.max(free, shown.at(from + index * apart, 0).x);
    const end = x + widthOf(text, 12 * shown.unit, index ? 400 : 600);
    free = index && end > shown.width ? Infinity : end + 10 * shown.unit;
    if (free === Infinity) return [];
    return [
      svg("rect", { class: "bar", x, y: y + 4, width: Math.max(1, 72 * candidate.probability), height: 5, rx: 2 }),
      svg("text", { class: index ? "candidate" : "candidate first", x, y }, text),
    ];
  });
}
