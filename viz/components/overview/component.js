// The map of the model: boxes, the flow between them, and the heads as small squares that can be opened.

import { applyPalette } from "../shared/colour.js";
import { h, svg } from "../shared/dom.js";
import { fill, fixed } from "../shared/text.js";

const maps = new WeakMap();
const NARROW = 520;
/** Where the plan's second column begins, and how far it moves to be placed above the first one. */
const SPLIT = 482;
const SHIFT = 470;

export default function ({ data, parentElement, setTriggerValue }) {
  document.documentElement.lang = data.language; // the stage says it too, perhaps after this is drawn
  let map = maps.get(parentElement);
  if (!map) {
    map = { root: h("div", { class: "overview" }), note: h("p", { class: "note", role: "status" }) };
    parentElement.append(map.root);
    maps.set(parentElement, map);
    map.sizes = new ResizeObserver(() => {
      if (isNarrow(map) !== map.isNarrow) draw(map);
    });
    map.sizes.observe(map.root);
  }
  map.send = setTriggerValue;
  map.data = data;
  draw(map);
  return () => {
    map.sizes.disconnect();
    map.root.remove();
    maps.delete(parentElement);
  };
}

function isNarrow(map) {
  return map.root.clientWidth > 0 && map.root.clientWidth < NARROW;
}

/** The plan for a small screen: the decoder above the encoder, as the picture is read from the bottom to the top. */
function stacked(plan) {
  const at = (x, y) => (x >= SPLIT ? { x: x - SHIFT, y } : { x, y: y + plan.height });
  const moved = (each) => ({ ...each, ...at(each.x, each.y) });
  return {
    at,
    width: SPLIT + 34,
    height: 2 * plan.height,
    middle: SPLIT + 26,
    boxes: plan.boxes.map(moved),
    tokens: plan.tokens.map(moved),
  };
}

function draw(map) {
  const { plan, width, words, colours } = map.data;
  applyPalette(map.root, colours);
  map.isNarrow = isNarrow(map);
  map.root.toggleAttribute("data-narrow", map.isNarrow);
  const wide = {
    at: (x, y) => ({ x, y }),
    width,
    height: plan.height,
    middle: SPLIT,
    boxes: plan.boxes,
    tokens: plan.tokens,
  };
  const shown = map.isNarrow ? stacked(plan) : wide;
  const textAt = (name, x, y, text) => svg("text", { class: name, ...shown.at(x, y) }, text);
  const picture = svg("svg", {
    viewBox: `0 0 ${shown.width} ${shown.height}`,
    role: "group",
    "aria-label": words.label,
  });
  picture.append(
    textAt("stack", 54, 24, words.encoder),
    textAt("stack", 524, 24, words.decoder),
    ...plan.arrows.map((each) => arrow(each, shown)),
    ...plan.layers.map(([x, y, text]) => textAt("layer", x, y + 4, text)),
    ...shown.boxes.map((box) => drawBox(map, box)),
    ...shown.tokens.map(drawToken),
    textAt("caption", 54, plan.height - 8, words.reads),
    textAt("caption", 524, plan.height - 8, words.written),
    ...plan.candidates.flatMap((each, index) => drawCandidate(each, index, shown.at(524, 0).x)),
  );
  map.note.textContent = words.hint;
  map.root.replaceChildren(h("div", { class: "scroll" }, picture), map.note);
}

function arrow([x1, y1, x2, y2, flow], { at, middle }) {
  const from = at(x1, y1);
  const to = at(x2, y2);
  if (flow === "stream") return svg("path", { class: "stream", d: `M${from.x} ${from.y}V${to.y}` });
  return svg("path", { class: "memory", d: `M${from.x} ${from.y}H${middle}V${to.y + 3}H${to.x}V${to.y}` });
}

function drawBox(map, box) {
  const { words } = map.data;
  const group = button(map, box.name, words[box.words], () => words[`about_${box.words}`]);
  group.setAttribute("class", `box ${box.kind}`);
  group.append(svg("rect", { x: box.x, y: box.y, width: box.width, height: box.height, rx: 6 }));
  const label = svg(
    "text",
    { x: box.x + 8, y: box.y + (box.heads.length ? 14 : box.height / 2 + 4) },
    words[box.words],
  );
  group.append(label);
  const size = Math.min(11, (box.width - 16) / Math.max(1, box.heads.length) - 2);
  const heads = box.heads.map((head, index) => {
    const about = () =>
      fill(words[head.token ? "head_at" : "head"], {
        head: index + map.data.first,
        token: head.token,
        share: fixed(head.share),
      });
    const cell = button(map, `${box.name}#${index}`, about(), about);
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

/** Anything that opens a page: by pointer, by keyboard, and with its words under the map. */
function button(map, name, label, about) {
  const group = svg("g", { role: "button", tabindex: 0, "aria-label": label });
  const open = () => map.send("open", name);
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

function drawToken(token) {
  const group = svg("g", { class: token.is_lit ? "token lit" : "token" });
  group.append(
    svg("rect", { x: token.x, y: token.y - 14, width: token.width, height: 20, rx: 4 }),
    svg("text", { x: token.x + token.width / 2, y: token.y, "text-anchor": "middle" }, token.text),
  );
  return group;
}

function drawCandidate(candidate, index, left) {
  const x = left + index * 112;
  return [
    svg("rect", { class: "bar", x, y: 52, width: Math.max(1, 100 * candidate.probability), height: 5, rx: 2 }),
    svg(
      "text",
      { class: index ? "candidate" : "candidate first", x, y: 48 },
      `${candidate.text} ${fixed(candidate.probability)}`,
    ),
  ];
}
