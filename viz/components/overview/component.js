// The map of the model: boxes, the flow between them, and the heads as small squares that can be opened.

import { applyPalette } from "../shared/colour.js";
import { h, svg } from "../shared/dom.js";
import { serveActs, tell, withdraw } from "../shared/signals.js";
import { fill, fixed } from "../shared/text.js";
import { Run } from "./walk.js";

const maps = new WeakMap();
/** Below this width the stacks stand one above the other. */
const NARROW = 760;
/** Where the plan's second column begins, and how far it moves to be placed above the first one. */
const SPLIT = 482;
const SHIFT = 470;
/** Width of one stack in the plan's units, its name and its margin included. */
const STACK = 516;
/** On a small screen boxes are taller, because their names take two lines. */
const TALLER = 1.4;
const TOKEN = { height: 24, gap: 4, text: 11 };
const LINE = 12;

export default function ({ data, parentElement, setTriggerValue }) {
  document.documentElement.lang = data.language; // the stage says it too, perhaps after this is drawn
  let map = maps.get(parentElement);
  if (!map) {
    map = { root: h("div", { class: "overview" }), note: h("p", { class: "note", role: "status" }) };
    map.run = new Run(map);
    parentElement.append(map.root);
    maps.set(parentElement, map);
    map.sizes = new ResizeObserver(() => {
      if (map.root.clientWidth !== map.drawnAt) draw(map);
    });
    map.sizes.observe(map.root);
    map.leaveActs = serveActs(({ do: act, side, index }) => act === "pin" && map.send("word", [side, index]));
  }
  map.send = setTriggerValue;
  map.data = data;
  draw(map);
  shade(map);
  return () => {
    map.sizes.disconnect();
    map.run.stop();
    map.leaveActs();
    withdraw("shade", map);
    map.root.remove();
    maps.delete(parentElement);
  };
}

function isNarrow(map) {
  return map.root.clientWidth > 0 && map.root.clientWidth < NARROW;
}

/** Mark the word that is followed in the sentence above. */
function shade(map) {
  const [side, index] = map.data.followed;
  tell("shade", { kind: map.data.kind, source: [], target: [], focus: { side, index } }, map);
}

/** The plan as it is, in units of which `unit` are a pixel, so that letters keep their size. */
function wide(map) {
  const { plan, width } = map.data;
  const unit = Math.max(1, width / (map.root.clientWidth || width));
  return { ...plan, at: (x, y) => ({ x, y }), width, middle: SPLIT, unit };
}

/** The plan of one stack for a small screen. */
function narrowed(map) {
  const { plan, width: planned } = map.data;
  const width = map.root.clientWidth;
  const across = width / planned;
  const at = (x, y) => ({ x: x * across, y: y * TALLER });
  const { tokens, lines } = flowing(plan.tokens, plan.stacks[0].x * across, width);
  const base = plan.tokens[0].y * TALLER;
  const height = base + lines * (TOKEN.height + TOKEN.gap) + 24;
  return {
    ...plan,
    at,
    width,
    height,
    middle: width - 4,
    unit: 1,
    boxes: placed(plan.boxes, at, across),
    tokens: tokens.map((token) => ({ ...token, y: token.y + base })),
    captions: [height - 8],
  };
}

/** Boxes at their places on a small screen. */
const placed = (boxes, at, across) =>
  boxes.map((box) => ({ ...box, ...at(box.x, box.y), width: box.width * across, height: box.height * TALLER }));

/** The plan for a small screen, in pixels: the decoder above the encoder, as the picture is read from the bottom to the
 * top, and tokens in as many lines as they need. */
function stacked(map) {
  const { plan } = map.data;
  const width = map.root.clientWidth;
  const across = width / STACK;
  const flow = (isDecoder) =>
    flowing(
      plan.tokens.filter((token) => token.x >= SPLIT === isDecoder),
      isDecoder ? (524 - SHIFT) * across : 54 * across,
      width,
    );
  const [decoder, encoder] = [flow(true), flow(false)];
  const [first] = plan.tokens;
  const base = first.y * TALLER;
  const heightOf = (lines) => base + lines * (TOKEN.height + TOKEN.gap) + 24;
  const below = heightOf(decoder.lines);
  const at = (x, y) => {
    const isDecoder = x >= SPLIT;
    return { x: (isDecoder ? x - SHIFT : x) * across, y: y * TALLER + (isDecoder ? 0 : below) };
  };
  const lower = (tokens, by) => tokens.map((token) => ({ ...token, y: token.y + base + by }));
  return {
    ...plan,
    at,
    width,
    height: below + heightOf(encoder.lines),
    middle: width - 4,
    unit: 1,
    boxes: placed(plan.boxes, at, across),
    tokens: [...lower(encoder.tokens, below), ...lower(decoder.tokens, 0)],
    captions: [below + heightOf(encoder.lines) - 8, below - 8],
  };
}

/** Tokens one after the other, in as many lines as the width asks for. */
function flowing(tokens, left, right) {
  let [x, lines] = [left, 1];
  const placed = tokens.map((token) => {
    const width = Math.max(16, widthOf(token.text, TOKEN.text) + 10);
    if (x + width > right && x > left) [x, lines] = [left, lines + 1];
    const found = { ...token, x, y: (lines - 1) * (TOKEN.height + TOKEN.gap), width };
    x += width + TOKEN.gap;
    return found;
  });
  return { tokens: placed, lines };
}

const measuring = document.createElement("canvas").getContext("2d");

function widthOf(text, size, weight = 400) {
  measuring.font = `${weight} ${size}px ${getComputedStyle(document.body).fontFamily}`;
  return measuring.measureText(text).width;
}

/** A name in as many lines as its box asks for; a word is never broken. */
function wrapped(text, width, size) {
  const lines = [""];
  for (const word of text.split(/(?<=[ →])|(?=[（(])/)) {
    if (lines.at(-1) && widthOf((lines.at(-1) + word).trimEnd(), size) > width) lines.push(word);
    else lines[lines.length - 1] += word;
  }
  return lines.map((line) => line.trim());
}

function draw(map) {
  const { plan, words, colours } = map.data;
  applyPalette(map.root, colours);
  map.drawnAt = map.root.clientWidth;
  map.isNarrow = isNarrow(map);
  map.root.toggleAttribute("data-narrow", map.isNarrow);
  const small = plan.stacks.length > 1 ? stacked : narrowed;
  const shown = map.isNarrow ? small(map) : wide(map);
  map.root.style.setProperty("--unit", String(shown.unit));
  const textAt = (name, x, y, text) => svg("text", { class: name, ...shown.at(x, y) }, text);
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

function arrow([x1, y1, x2, y2, flow], { at, middle }) {
  const from = at(x1, y1);
  const to = at(x2, y2);
  if (flow === "stream") return svg("path", { class: "stream", d: `M${from.x} ${from.y}V${to.y}` });
  return svg("path", { class: "memory", d: `M${from.x} ${from.y}H${middle}V${to.y + 3}H${to.x}V${to.y}` });
}

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

/** Anything that can be pressed: by pointer, by keyboard, and with its words under the map. */
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

/** A token of either side; a click follows the word that it stands for. */
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

/** The candidates over the last stack, in a row without overlaps and as many as fit; one stack is twice as wide. */
function drawCandidates(candidates, shown) {
  const from = shown.stacks.at(-1).x;
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
