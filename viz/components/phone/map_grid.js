// One map in type that the last row can read: a name for each row and column, and a square for each weight.

import { h } from "../shared/dom.js";
import { percent } from "../shared/text.js";

/** @param {{title?: string, ink: number[][], rows: string[], columns: string[], kind: string, marked?: number,
 *   weights?: number[][]}} given `ink` from 0 to 1 in rows of the map; `marked` is the row to point out */
export function mapGrid({ title, ink, rows, columns, kind, marked = -1, weights = ink }) {
  const cells = ink.flatMap((row, i) => [
    h("span", { class: i === marked ? "name marked" : "name" }, rows[i]),
    ...row.map((share, j) => {
      const title = percent(weights[i][j], 0);
      return h("i", { title, class: i === marked ? "marked" : undefined, style: { "--share": share } });
    }),
  ]);
  const heads = [h("span"), ...columns.map((name) => h("span", { class: "head" }, h("em", {}, name)))];
  const hue = `var(--${kind.replace("_", "-")})`;
  const style = { "--columns": columns.length, "--lines": rows.length, "--hue": hue };
  return h("figure", {}, title && h("figcaption", {}, title), h("div", { class: "map", style }, ...heads, ...cells));
}
