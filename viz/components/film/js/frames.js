// The packet: a header, and the weights of each frame as bytes.

import { css, mix, parseColour } from "../../shared/colour.js";
import { openPacket } from "../../shared/packet.js";

/** @import { Frame, Head, Packet, Scene } from "./types" */

/** @type {(packet: Uint8Array) => Packet} */
export function decode(packet) {
  const { header, buffer, start } = openPacket(packet);
  return { ...header, bytes: new Uint8Array(buffer, start) };
}

/** A colour between two that are written as "#rrggbb". @type {(from: string, to: string, share: number) => string} */
function blend(from, to, share) {
  return css(mix(parseColour(from), parseColour(to), share));
}

/** Weight of one cell, 0 to 1.
 * @type {(film: Packet, frame: Frame, head: Head, query: number, key: number) => number} */
export function weightAt(film, frame, [layer, head], query, key) {
  const rows = frame.queries.length;
  const columns = frame.keys.length;
  return film.bytes[frame.offset + ((layer * film.heads + head) * rows + query) * columns + key] / 255;
}

/** Change of one cell since the first frame, -1 to 1; null where the first frame has no such cell.
 * @type {(film: Packet, frame: Frame, head: Head, query: number, key: number) => number | null} */
export function changeAt(film, frame, head, query, key) {
  const thenQuery = frame.then[0][query];
  const thenKey = frame.then[1][key];
  if (thenQuery < 0 || thenKey < 0) return null;
  return weightAt(film, frame, head, query, key) - weightAt(film, film.frames[0], head, thenQuery, thenKey);
}

/** Colour of one cell. The root spreads small weights, of which most of attention consists.
 * @type {(scene: Scene, head: Head, query: number, key: number) => string | null} */
export function cellColour({ film, frame, isChange }, head, query, key) {
  if (!isChange) return blend(film.panel, film.hue, Math.sqrt(weightAt(film, frame, head, query, key)));
  const change = changeAt(film, frame, head, query, key);
  if (change === null) return null;
  return blend(film.panel, change < 0 ? film.less : film.more, Math.sqrt(Math.abs(change)));
}
