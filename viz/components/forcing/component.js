/* Two modes, one column a position. */

import { applyPalette } from "../shared/colour.js";
import { h } from "../shared/dom.js";
import { fill, fixed, isSpecial, percent, spoken } from "../shared/text.js";

/**
 * @typedef {{fed: string[], predicted: string[], losses: (number | null)[], mean: number}} Mode the pieces fed in
 *   and predicted at each position of the reference, and the losses of its pieces in nats
 * @typedef {object} Board
 * @property {string} language
 * @property {Record<string, string>} words
 * @property {{light: Record<string, string>, dark: Record<string, string>}} colours
 * @property {string[]} reference
 * @property {number | null} parting the first position at which the two modes differ
 * @property {Mode} training
 * @property {Mode} inference
 * @property {(number | null)[] | null} [masked] losses of training with the heads that are off
 */

/** @type {WeakMap<Element, HTMLElement>} */
const boards = new WeakMap();

/** @param {{data: Board, parentElement: HTMLElement}} given */
export default function ({ data, parentElement }) {
  document.documentElement.lang = data.language; // the stage says it too, perhaps after this is drawn
  let root = boards.get(parentElement);
  if (!root) {
    root = h("div", { class: "board" });
    parentElement.append(root);
    boards.set(parentElement, root);
  }
  draw(root, data);
  return () => {
    root.remove();
    boards.delete(parentElement);
  };
}

/** @type {(root: HTMLElement, data: Board) => void} */
function draw(root, data) {
  const { words } = data;
  applyPalette(root, data.colours);
  const all = [...data.training.losses, ...data.inference.losses, ...(data.masked ?? [])].filter(
    (loss) => loss !== null,
  );
  const most = Math.max(...all, 1e-6);
  const table = h("table");
  table.append(
    h(
      "caption",
      {},
      data.parting === null
        ? words.never_parts
        : fill(words.parts_at, {
            position: data.parting + 1,
            wanted: spoken(data.reference[data.parting], words),
            said: spoken(data.inference.predicted[data.parting] ?? "—", words),
          }),
    ),
  );
  const head = h("tr", {}, h("th", { scope: "row" }, words.reference));
  data.reference.forEach((piece, at) => {
    head.append(h("th", { class: "wanted", scope: "col", "data-parting": at === data.parting }, token(piece, words)));
  });
  table.append(h("thead", {}, head));
  table.append(section(data, "training", most), section(data, "inference", most));
  root.replaceChildren(h("div", { class: "scroll" }, table));
}

/** @type {(data: Board, mode: "training" | "inference", most: number) => HTMLElement} */
function section(data, mode, most) {
  const { words, reference, parting } = data;
  const { fed, predicted, losses, mean } = data[mode];
  const title = h(
    "tr",
    { class: "mode" },
    h(
      "th",
      { colspan: String(reference.length + 1), scope: "rowgroup" },
      h("span", { class: "name" }, words[mode]),
      h("span", { class: "remark" }, words[`${mode}_how`]),
      h("span", { class: "mean" }, fill(words.mean_loss, { loss: fixed(mean) })),
    ),
  );
  /** @type {(label: string, pieces: string[], mark: ((piece: string, at: number) => boolean) | null) => HTMLElement} */
  const row = (label, pieces, mark) => {
    const cells = reference.map((_, at) => {
      const piece = pieces[at];
      const hit = piece !== undefined && mark && (mark(piece, at) ? "yes" : "no");
      const about = { "data-hit": hit, "data-parting": mode === "inference" && at === parting };
      return h("td", about, piece === undefined ? h("span", { class: "none" }, "·") : token(piece, words));
    });
    return h("tr", {}, h("th", { scope: "row" }, label), cells);
  };
  const costs = h("tr", { class: "losses" }, h("th", { scope: "row" }, words.loss));
  reference.forEach((piece, at) => {
    const loss = losses[at];
    if (loss === null) return costs.append(h("td"));
    const about = { piece: spoken(piece, words), loss: fixed(loss), share: percent(Math.exp(-loss)) };
    const before = mode === "training" && data.masked ? (data.masked[at] ?? 0) / most : null;
    const style = { "--share": (loss / most).toFixed(4), ...(before !== null && { "--before": before.toFixed(4) }) };
    const bar = h("span", { class: "loss", style }, h("span", { class: "ink" }));
    if (before !== null) bar.append(h("span", { class: "before" }));
    const title = fill(words.loss_help, about);
    return costs.append(h("td", { title }, bar, h("span", { class: "number" }, fixed(loss))));
  });
  return h(
    "tbody",
    { class: mode },
    title,
    row(words.row_fed, fed, mode === "inference" ? (piece, at) => at === 0 || piece === reference[at - 1] : null),
    row(words.predicts, predicted, (piece, at) => piece === reference[at]),
    costs,
  );
}

/** @type {(piece: string, words: Board["words"]) => HTMLElement} */
function token(piece, words) {
  return h("span", { class: "token", "data-special": isSpecial(piece) }, spoken(piece, words));
}
