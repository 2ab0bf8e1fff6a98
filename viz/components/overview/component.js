// The map of the model: boxes, the flow between them, and the heads as small squares that can be opened.

import { applyPalette } from "../shared/colour.js";
import { h, svg } from "../shared/dom.js";
import { fill, fixed } from "../shared/text.js";

const maps = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  let map = maps.get(parentElement);
  if (!map) {
    map = { root: h("div", { class: "overview" }), note: h("p", { class: "note", role: "status" }) };
    parentElement.append(map.root);
    maps.set(parentElement, map);
  }
  map.send = setTriggerValue;
  map.data = data;
  draw(map);
  return () => {
    map.root.remove();
    maps.delete(parentElement);
  };
}

function draw(map) {
  const { plan, width, words, colours } = map.data;
  applyPalette(map.root, colours);
  const picture = svg("svg", { viewBox: `0 0 ${width} ${plan.height}`, role: "group", "aria-label": words.label });
  picture.append(
    svg("text", { class: "stack", x: 54, y: 24 }, words.encoder),
    svg("text", { class: "stack", x: 524, y: 24 }, words.decoder),
    ...plan.arrows.map(arrow),
    ...plan.layers.map(([x, y, text]) => svg("text", { class: "layer", x, y: y + 4 }, text)),
    ...plan.boxes.map((box) => drawBox(map, box)),
    ...plan.tokens.map(drawToken),
    svg("text", { class: "caption", x: 54, y: plan.height - 8 }, words.reads),
    svg("text", { class: "caption", x: 524, y: plan.height - 8 }, words.written),
    ...plan.candidates.flatMap(drawCandidate),
  );
  map.note.textContent = words.hint;
  map.root.replaceChildren(h("div", { class: "scroll" }, picture), map.note);
}

function arrow([x1, y1, x2, y2, flow]) {
  if (flow === "stream") return svg("path", { class: "stream", d: `M${x1} ${y1}V${y2}` });
  const middle = 482;
  return svg("path", { class: "memory", d: `M${x1} ${y1}H${middle}V${y2 + 3}H${x2}V${y2}` });
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

function drawCandidate(candidate, index) {
  const x = 524 + index * 112;
  return [
    svg("rect", { class: "bar", x, y: 52, width: Math.max(1, 100 * candidate.probability), height: 5, rx: 2 }),
    svg(
      "text",
      { class: index ? "candidate" : "candidate first", x, y: 48 },
      `${candidate.text} ${fixed(candidate.probability)}`,
    ),
  ];
}
