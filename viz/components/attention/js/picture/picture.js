// Exports the current view as SVG with text, or PNG with three pixels per CSS pixel; both with a caption: a line for each
// sentence, then the head and the applied reading aids.

import { context2d, saveFile } from "../../../shared/dom.js";
import { fill, formatFixed } from "../../../shared/text.js";
import { themeOf } from "../controls/presenting.js";
import { headView } from "../views/views.js";
import { CanvasPainter, SvgPainter, textWidth } from "./painter.js";

/** @import { Explorer } from "../explorer.js" */
/** @import { Painter, Theme, View } from "../types" */

/** Bytes of a PNG before its pHYs chunk, without which documents assume a screen's resolution. */
const SIGNATURE = 8;
const HEADER = 25; // length, name, thirteen bytes and the checksum of IHDR, which is always first

/** @typedef {"png" | "svg"} Format */

const CSS_PIXELS_PER_INCH = 96; // gives the PNG the size of the SVG
const PICTURE = { width: 960, height: 640, margin: 24, scale: 3 };

/** Lay panes side by side over a caption and draw them on a painter made for the whole size.
 * @template {Painter} Kind
 * @param {Explorer} explorer
 * @param {(width: number, height: number) => Kind} makePainter
 * @param {Theme} theme @param {boolean} transparent */
function composePicture(explorer, makePainter, theme, transparent) {
  const { margin } = PICTURE;
  const room = { width: PICTURE.width - 2 * margin, height: PICTURE.height };
  const parts = explorer.panes.flatMap(
    ({ drawings }) => drawings.get(headView(explorer.state).name)?.picture(theme, room) ?? [],
  );
  const width = Math.max(
    420,
    parts.reduce((sum, part) => sum + part.width + margin, margin),
  );
  const caption = captionOf(explorer).flatMap((line, at, all) =>
    wrapLine(theme, line, width - margin * 2).map((text) => ({
      text,
      fill: at < all.length - 1 ? theme.soft : theme.ink,
    })),
  );
  const tallest = Math.max(...parts.map((part) => part.height));
  const height = tallest + margin * 2 + caption.length * theme.size * 1.6;
  const painter = makePainter(width, height);
  if (!transparent) painter.rect(0, 0, width, height, { fill: "#ffffff" });
  let x = margin;
  for (const part of parts) {
    painter.shift(x, margin, () => part.draw(painter));
    x += part.width + margin;
  }
  caption.forEach(({ text, fill }, at) =>
    painter.text(text, margin, tallest + margin * 1.6 + at * theme.size * 1.6, { fill }),
  );
  return painter;
}

/** @type {(explorer: Explorer, format: Format, transparent: boolean) => Promise<Blob>} */
async function pictureBlob(explorer, format, transparent) {
  const { root, packet } = explorer;
  const theme = themeOf({ root, packet, isPresenting: false }, true); // light: a picture does not follow the screen's theme
  if (format === "svg") {
    const makePainter = (/** @type {number} */ width, /** @type {number} */ height) =>
      new SvgPainter(width, height, theme);
    return new Blob([composePicture(explorer, makePainter, theme, transparent).toString()], { type: "image/svg+xml" });
  }
  const canvas = document.createElement("canvas");
  const makePainter = (/** @type {number} */ width, /** @type {number} */ height) => {
    Object.assign(canvas, { width: Math.round(width * PICTURE.scale), height: Math.round(height * PICTURE.scale) });
    const context = context2d(canvas);
    context.scale(PICTURE.scale, PICTURE.scale);
    return new CanvasPainter(context, theme);
  };
  composePicture(explorer, makePainter, theme, transparent);
  /** @type {Blob | null} */
  const png = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!png) throw new RangeError(`a picture of ${canvas.width} × ${canvas.height} pixels is too large`);
  return withResolution(png, PICTURE.scale * CSS_PIXELS_PER_INCH);
}

/** @type {(explorer: Explorer, format: Format, transparent: boolean) => Promise<void>} */
export async function savePicture(explorer, format, transparent) {
  const blob = await pictureBlob(explorer, format, transparent);
  const { state, firstIndex } = explorer;
  const heads = state.heads.slice(0, 4).map((head) => head.map((index) => index + firstIndex).join("-"));
  saveFile(blob, `${state.kind}-${heads.join("_")}-${state.view}.${format}`);
}

/** Insert a pHYs chunk with the resolution after the PNG's header.
 * @type {(png: Blob, pixelsPerInch: number) => Promise<Blob>} */
async function withResolution(png, pixelsPerInch) {
  const bytes = new Uint8Array(await png.arrayBuffer());
  const cut = SIGNATURE + HEADER;
  return new Blob([bytes.subarray(0, cut), physicalSize(pixelsPerInch), bytes.subarray(cut)], { type: png.type });
}

/** https://www.w3.org/TR/png/#11pHYs: pixels a metre along x and y, then 1 for metres. @param {number} pixelsPerInch */
function physicalSize(pixelsPerInch) {
  const chunk = new DataView(new ArrayBuffer(21));
  const perMetre = Math.round(pixelsPerInch / 0.0254);
  chunk.setUint32(0, 9);
  [..."pHYs"].forEach((letter, at) => chunk.setUint8(4 + at, letter.charCodeAt(0)));
  chunk.setUint32(8, perMetre);
  chunk.setUint32(12, perMetre);
  chunk.setUint8(16, 1);
  chunk.setUint32(17, checksum(new Uint8Array(chunk.buffer, 4, 13)));
  return chunk.buffer;
}

/** CRC-32 as PNG requires it. @param {Uint8Array} bytes */
function checksum(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** @typedef {Pick<Explorer, "strings" | "state" | "views" | "isSubtracting" | "headsIn" | "headName" | "headsName">} Shown */

/** The lines of the caption; a difference says which view is subtracted. @param {Shown} explorer */
export function captionOf(explorer) {
  const { strings, state, views, isSubtracting } = explorer;
  const names = views.map((view) => [view.caption, headsOf(explorer, view)].filter(Boolean).join(" · "));
  const sentences = views.length > 1 ? names.map((name, at) => `${at + 1}: ${name}`) : names;
  const aids = [
    isSubtracting && `${strings.difference}: 2 − 1`,
    headView(state).namesRows && state.kind !== "encoder_self" && views[0].hasTwoMeanings && rowsAre(explorer),
    state.unit === "words" && strings.words,
    state.sinks === "removed" && strings.caption_removed,
    ...new Set(views.map(({ weighting }) => weighting !== "raw" && strings[`weighting_${weighting}`])),
    state.threshold > 0 && fill(strings.caption_threshold, { threshold: formatFixed(state.threshold) }),
  ];
  return [...sentences, [strings[state.kind], explorer.headsName(), ...aids].filter(Boolean).join(" · ")].filter(
    Boolean,
  );
}

/** The heads of a view, if they are not the chosen ones. @type {(explorer: Shown, view: View) => string} */
function headsOf(explorer, view) {
  const heads = explorer.headsIn(view);
  const isOther = JSON.stringify(heads) !== JSON.stringify(explorer.state.heads);
  return isOther ? heads.map((head) => explorer.headName(head)).join(", ") : "";
}

/** @param {Shown} explorer */
function rowsAre({ strings, state }) {
  return `${strings.rows_are} ${strings[state.rows]}`;
}

/** Wrap a line at spaces, or inside a word that is too wide. @type {(theme: Theme, line: string, width: number) => string[]} */
export function wrapLine(theme, line, width) {
  const fits = (/** @type {string} */ text) => textWidth(theme, text, theme.size) <= width;
  const lines = [""];
  for (const part of line.split(/(?<= )/).flatMap((word) => (fits(word) ? [word] : [...word]))) {
    if (fits((lines.at(-1) + part).trimEnd())) lines[lines.length - 1] += part;
    else lines.push(part);
  }
  return lines.map((text) => text.trim()).filter(Boolean);
}
