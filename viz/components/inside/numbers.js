/* Reading the packet, writing numbers, choosing colours. */

const MINUS = "\u2212";

function unpack(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  const start = 4 + length;
  for (const block of header.blocks) {
    const [rows, columns] = block.shape;
    const from = bytes.byteOffset + start + block.offset;
    const raw = bytes.buffer.slice(from, from + rows * columns * 4);
    block.values = new Float32Array(raw);
    block.at = (row, column) => block.values[row * columns + column];
  }
  header.find = Object.fromEntries(header.blocks.map((block) => [block.name, block]));
  return header;
}

/** Two decimals for the eye; tiny numbers keep one digit that counts. */
function brief(x) {
  if (x === -Infinity) return MINUS + "∞";
  if (!Number.isFinite(x)) return "–";
  const size = Math.abs(x);
  let text = size >= 100 ? size.toFixed(0) : size >= 10 ? size.toFixed(1) : size.toFixed(2);
  if (size > 0 && size < 0.005) text = size < 0.0001 ? "0.00" : size.toPrecision(1);
  return (x < 0 && Number(text) !== 0 ? MINUS : "") + text;
}

function exact(x) {
  if (x === -Infinity) return MINUS + "∞";
  if (!Number.isFinite(x)) return "–";
  const size = Math.abs(x);
  const text = size !== 0 && (size < 1e-4 || size >= 1e6) ? size.toExponential(4) : size.toPrecision(6);
  return (x < 0 ? MINUS : "") + text;
}

function channels(text) {
  const hex = /^#([0-9a-f]{6})/i.exec(text.trim());
  if (hex) return [0, 2, 4].map((at) => parseInt(hex[1].slice(at, at + 2), 16));
  return text.match(/[\d.]+/g)?.slice(0, 3).map(Number) ?? [127, 127, 127];
}

function lightness([r, g, b]) { return (0.299 * r + 0.587 * g + 0.114 * b) / 255; }

function between(low, high, share) { return low.map((c, i) => c + (high[i] - c) * share); }

/** A function from a number to [r, g, b], for one block's own range. */
function paint(block, theme) {
  const { panel, less, more, hue, ink } = theme;
  if (block.scale === "mask") return (x) => (x > 0.5 ? between(panel, hue, 0.35) : between(panel, ink, 0.08));
  if (block.scale === "plain") return () => panel;
  if (block.scale === "weight") return (x) => between(panel, hue, Math.max(0, Math.min(1, x)));
  const finite = Array.from(block.values, Math.abs).filter(Number.isFinite).sort((a, b) => a - b);
  const most = finite.length ? finite[Math.floor((finite.length - 1) * 0.985)] || finite[finite.length - 1] || 1 : 1;
  return (x) => {
    if (!Number.isFinite(x)) return between(panel, ink, 0.08);
    return between(panel, x < 0 ? less : more, Math.min(1, Math.abs(x) / most) * 0.85);
  };
}

function readTheme(root, header) {
  const style = getComputedStyle(root);
  const page = channels(style.getPropertyValue("--st-background-color") || "#ffffff");
  const palette = header.palettes[lightness(page) < 0.5 ? "dark" : "light"];
  return {
    panel: channels(palette.panel), ink: channels(palette.ink), less: channels(palette.less),
    more: channels(palette.more), hue: channels(palette.kinds[header.kind]), hueText: palette.kinds[header.kind],
    font: style.getPropertyValue("--st-font") || "sans-serif", presenter: header.presenter,
  };
}

function rgb(colour) { return `rgb(${colour.map(Math.round).join(",")})`; }
