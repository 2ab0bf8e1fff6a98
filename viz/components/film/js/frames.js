// The packet: a header, and the weights of each frame as bytes.

import { css, mix, parseColour } from "../../shared/colour.js";
import { openPacket } from "../../shared/packet.js";

export function decode(packet) {
  const { header, buffer, start } = openPacket(packet);
  header.bytes = new Uint8Array(buffer, start);
  return header;
}

/** A colour between two that are written as "#rrggbb". */
function blend(from, to, share) {
  return css(mix(parseColour(from), parseColour(to), share));
}

/** Weight of one cell, 0 to 1. */
export function weightAt(film, frame, layer, head, query, key) {
  const rows = frame.queries.length;
  const columns = frame.keys.length;
  return film.bytes[frame.offset + ((layer * film.heads + head) * rows + query) * columns + key] / 255;
}

/** Change of one cell since the first frame, -1 to 1; null where the first frame has no such cell. */
export function changeAt(film, frame, layer, head, query, key) {
  const thenQuery = frame.then[0][query];
  const thenKey = frame.then[1][key];
  if (thenQuery < 0 || thenKey < 0) return null;
  return (
    weightAt(film, frame, layer, head, query, key) - weightAt(film, film.frames[0], layer, head, thenQuery, thenKey)
  );
}

/** Colour of one cell. The root spreads small weights, of which most of attention consists. */
export function cellColour(film, frame, isChange, layer, head, query, key) {
  if (!isChange) return blend(film.panel, film.hue, Math.sqrt(weightAt(film, frame, layer, head, query, key)));
  const change = changeAt(film, frame, layer, head, query, key);
  if (change === null) return null;
  return blend(film.panel, change < 0 ? film.less : film.more, Math.sqrt(Math.abs(change)));
}
