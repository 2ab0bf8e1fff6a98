// The map of the model: boxes, the flow between them, and the heads as small squares that can be opened.

import { applyPalette } from "../shared/colour.js";
import { h, svg } from "../shared/dom.js";
import { pendingRun } from "../shared/pending.js";
import { handleActs, publish, withdraw } from "../shared/signals.js";
import { fill, fixed } from "../shared/text.js";
import { isNarrow, laidOut, widthOf, wrapped } from "./layout.js";
import { Run } from "./walk.js";

/** @import { Box, Given, PlacedToken, Send, Shown } from "./types" */

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
    this.leaveActs = handleActs((act) => {
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
  publish("shade", { kind: map.data.kind, source: [], target: [], focus: { side, indexes: [index] } }, map);
}

/** @param {Overview} map */
function draw(map) {
  const { words, colours } = map.data;
  applyPalette(map.root, colours);
  map.drawnAt = map.root.clientWidth;
  map.root.toggleAttribute("data-narrow", isNarrow(map.drawnAt));
  const shown = laidOut(map.data, map.drawnAt);
  map.root.style.setProperty("--unit", String(shown.unit));
  const picture = svg(
    "svg",
    { viewBox: `0 0 ${shown.width} ${shown.height}`, role: "group", "aria-label": words.label },
    shown.paths.map(([flow, d]) => svg("path", { class: flow, d })),
    shown.texts.map(([kind, x, y, text]) => svg("text", { class: kind, x, y }, text)),
    shown.boxes.map((box) => drawBox(map, box, shown.unit)),
    shown.tokens.map((token) => drawToken(map, token)),
    drawCandidates(shown),
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
  const lines = wrapped(words[box.words], box.width - 12, text);
  const from = box.heads.length ? 14 : box.height / 2 + 4 - ((lines.length - 1) * LINE) / 2;
  const group = button(
    map,
    { class: `box ${box.kind}`, "data-box": box.name, "aria-label": words[box.words] },
    () => map.send("open", box.name),
    () => words[`about_${box.words}`],
    svg("rect", { x: box.x, y: box.y, width: box.width, height: box.height, rx: 6 }),
    ...lines.map((line, place) => svg("text", { x: box.x + 6, y: box.y + from + place * LINE * unit }, line)),
  );
  const size = Math.min(11, (box.width - 16) / Math.max(1, box.heads.length) - 2);
  const heads = box.heads.map((head, index) => {
    const values = { head: index + map.data.first, token: head.token, share: fixed(head.share) };
    const said = fill(words[head.token ? "head_at" : "head"], values);
    const [x, y] = [box.x + 8 + index * (size + 2), box.y + box.height - size - 5];
    const style = `fill-opacity:${0.08 + 0.92 * head.share}`;
    return button(
      map,
      { class: `head ${box.kind}`, "aria-label": said },
      () => map.send("open", `${box.name}#${index}`),
      () => said,
      svg("rect", { x, y, width: size, height: size, rx: 2, style }),
    );
  });
  return svg("g", {}, group, heads);
}

/** Anything that can be pressed: by pointer, by keyboard, and with its words under the map.
 * @type {(map: Overview, named: Record<string, string>, open: () => void, about: () => string, ...parts: SVGElement[]) =>
 *   SVGGElement} */
function button(map, named, open, about, ...parts) {
  const tell = () => (map.note.textContent = about());
  const acts = {
    onclick: open,
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      open();
    },
    onpointerenter: tell,
    onfocus: tell,
    onpointerleave: () => (map.note.textContent = map.data.words.hint),
  };
  return svg("g", { role: "button", tabindex: 0, ...named, ...acts }, ...parts);
}

/** A token of either side; a click follows the word that it stands for.
 * @type {(map: Overview, token: PlacedToken) => SVGElement} */
function drawToken(map, token) {
  const about = () => fill(map.data.words.follow, { token: token.text });
  return button(
    map,
    { class: token.is_lit ? "token lit" : "token", "aria-label": about() },
    () => map.send("word", [token.side, token.index]),
    about,
    svg("rect", { x: token.x, y: token.y - 14, width: token.width, height: 20, rx: 4 }),
    svg("text", { x: token.x + token.width / 2, y: token.y, "text-anchor": "middle" }, token.text),
  );
}

/** The candidates over the last stack, in a row without overlaps and as many as fit.
 * @type {(shown: Shown) => SVGElement[]} */
function drawCandidates({ candidates: { shown, x: from, y, apart }, unit, width }) {
  let free = 0;
  return shown.flatMap(({ text: token, probability }, index) => {
    const text = `${token} ${fixed(probability)}`;
    const x = Math.max(free, from + index * apart);
    const end = x + widthOf(text, 12 * unit, index ? 400 : 600);
    free = index && end > width ? Infinity : end + 10 * unit;
    if (free === Infinity) return [];
    return [
      svg("rect", { class: "bar", x, y: y + 4, width: Math.max(1, 72 * probability), height: 5, rx: 2 }),
      svg("text", { class: index ? "candidate" : "candidate first", x, y }, text),
    ];
  });
}
