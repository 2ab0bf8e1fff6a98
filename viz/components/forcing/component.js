/* Training and inference, a column for each position. */

import { applyPalette } from "../shared/colour.js";
import { h } from "../shared/dom.js";
import { streamlitComponent } from "../shared/streamlit.js";
import { fill, formatFixed, isSpecial, percent, spoken } from "../shared/text.js";

/**
 * @typedef {{fed: string[], predicted: string[], losses: (number | null)[], mean: number}} Mode the pieces fed and
 *   predicted at each position of the reference, and the losses of its pieces in nats
 * @typedef {object} Board
 * @property {string} language
 * @property {Record<string, string>} words
 * @property {{light: Record<string, string>, dark: Record<string, string>}} colours
 * @property {string[]} reference
 * @property {number | null} divergence the first position at which the two modes differ
 * @property {Mode} training
 * @property {Mode} inference
 * @property {(number | null)[] | null} [masked] losses of training with the heads that are off
 */

export default streamlitComponent((parent, /** @type {Board} */ first) => {
  const root = h("div", { class: "board" });
  const update = (/** @type {Board} */ data) => draw(root, data);
  parent.append(root);
  update(first);
  return { update, destroy: () => root.remove() };
});

/** @type {(root: HTMLElement, data: Board) => void} */
function draw(root, data) {
  const { words } = data;
  applyPalette(root, data.colours);
  const losses = [...data.training.losses, ...data.inference.losses, ...(data.masked ?? [])];
  const maximum = Math.max(...losses.map((loss) => loss ?? 0), 1e-6);
  const { reference, divergence } = data;
  const caption =
    divergence === null
      ? words.never_parts
      : fill(words.parts_at, {
          position: divergence + 1,
          wanted: spoken(reference[divergence], words),
          said: spoken(data.inference.predicted[divergence] ?? "—", words),
        });
  const heads = reference.map((piece, at) =>
    h("th", { class: "wanted", scope: "col", "data-parting": at === divergence }, token(piece, words)),
  );
  const table = h(
    "table",
    {},
    h("caption", {}, caption),
    h("thead", {}, h("tr", {}, h("th", { scope: "row" }, words.reference), heads)),
    section(data, "training", maximum),
    section(data, "inference", maximum),
  );
  root.replaceChildren(h("div", { class: "scroll" }, table));
}

/** @type {(data: Board, mode: "training" | "inference", maximum: number) => HTMLElement} */
function section(data, mode, maximum) {
  const { words, reference, divergence } = data;
  const { fed, predicted, losses, mean } = data[mode];
  const title = h(
    "tr",
    { class: "mode" },
    h(
      "th",
      { colspan: String(reference.length + 1), scope: "rowgroup" },
      h("span", { class: "name" }, words[mode]),
      h("span", { class: "remark" }, words[`${mode}_how`]),
      h("span", { class: "mean" }, fill(words.mean_loss, { loss: formatFixed(mean) })),
    ),
  );
  /** @type {(label: string, pieces: string[], mark: ((piece: string, at: number) => boolean) | null) => HTMLElement} */
  const row = (label, pieces, mark) => {
    const cells = reference.map((_, at) => {
      const piece = pieces[at];
      const hit = piece !== undefined && mark && (mark(piece, at) ? "yes" : "no");
      const about = { "data-hit": hit, "data-parting": mode === "inference" && at === divergence };
      return h("td", about, piece === undefined ? h("span", { class: "none" }, "·") : token(piece, words));
    });
    return h("tr", {}, h("th", { scope: "row" }, label), cells);
  };
  const bars = reference.map((piece, at) => {
    const loss = losses[at];
    if (loss === null) return h("td");
    const before = mode === "training" && data.masked ? (data.masked[at] ?? 0) / maximum : null;
    const style = { "--share": (loss / maximum).toFixed(4), ...(before !== null && { "--before": before.toFixed(4) }) };
    const bar = h("span", { class: "loss", style }, h("span", { class: "ink" }));
    if (before !== null) bar.append(h("span", { class: "before" }));
    const values = { piece: spoken(piece, words), loss: formatFixed(loss), share: percent(Math.exp(-loss)) };
    return h("td", { title: fill(words.loss_help, values) }, bar, h("span", { class: "number" }, formatFixed(loss)));
  });
  return h(
    "tbody",
    { class: mode },
    title,
    row(words.row_fed, fed, mode === "inference" ? (piece, at) => at === 0 || piece === reference[at - 1] : null),
    row(words.predicts, predicted, (piece, at) => piece === reference[at]),
    h("tr", { class: "losses" }, h("th", { scope: "row" }, words.loss), bars),
  );
}

/** @type {(piece: string, words: Board["words"]) => HTMLElement} */
function token(piece, words) {
  return h("span", { class: "token", "data-special": isSpecial(piece) }, spoken(piece, words));
}
