/* Elements, words and numbers. */

function make(tag, className = "", attributes = {}, ...children) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  for (const [name, value] of Object.entries(attributes)) if (value !== null) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

function makeSvg(tag, attributes = {}) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

const fill = (text, values = {}) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);

const language = () => document.documentElement.lang || "en";
const percent = (share) =>
  `${(share * 100).toLocaleString(language(), { minimumFractionDigits: 1, maximumFractionDigits: 1 })} %`;
const fixed = (value, digits = 2) =>
  value.toLocaleString(language(), { minimumFractionDigits: digits, maximumFractionDigits: digits }).replace("-", "−");

/* The vocabulary's word mark is not drawn; a piece of nothing else shows as an open box. */
const bare = (piece) => piece.replaceAll("▁", "") || "␣";
const clamp = (value, low, high) => Math.max(low, Math.min(high, value));
const isSpecial = (piece) => /^<.*>$|^\[.*\]$/.test(piece);

function isDark(node) {
  const host = node.getRootNode().host ?? node;
  const ground = getComputedStyle(host).getPropertyValue("--st-background-color").trim();
  const hex = ground.match(/^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i)?.slice(1).map((part) => parseInt(part, 16));
  const [red, green, blue] = hex ?? ground.match(/\d+/g)?.map(Number) ?? [255, 255, 255];
  return red * 0.299 + green * 0.587 + blue * 0.114 < 128;
}

const isStill = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;
