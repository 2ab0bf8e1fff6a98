// Interventions in a forward pass: heads off, blocked keys, forced rows, edited positions; as model/interventions.py.

import { permutation } from "./random.js";

/**
 * @typedef {"encoder_self" | "decoder_self" | "cross"} Kind
 * @typedef {{kind: Kind, layer: number, head: number, mode?: "zero" | "uniform"}} HeadAblation
 * @typedef {{kind: Kind, key: number, layer?: number | null, head?: number | null, query?: number | null}} BlockedKey
 * @typedef {{kind: Kind, layer: number, head: number, query: number, weights: number[]}} ForcedRow
 * @typedef {{mode: "zero" | "shuffle" | "shift" | "reverse", amount?: number}} PositionEdit
 * @typedef {{heads_off?: HeadAblation[], blocked_keys?: BlockedKey[], forced_rows?: ForcedRow[],
 *   source_positions?: PositionEdit | null}} Interventions
 */

/** @typedef {{kind: Kind, layer: number, edits: Interventions}} LayerContext */

/** How a head is switched off; undefined if it is on. @param {LayerContext} context @param {number} head */
export function offMode({ kind, layer, edits }, head) {
  const ablation = edits.heads_off?.find((off) => off.kind === kind && off.layer === layer && off.head === head);
  return ablation && (ablation.mode ?? "zero");
}

/** Which of m keys a query may attend to; null for all.
 * @param {LayerContext} context @param {number} head @param {number} query @param {number} m */
export function allowedKeys({ kind, layer, edits }, head, query, m) {
  const blocked = (edits.blocked_keys ?? []).filter(
    (block) =>
      block.kind === kind &&
      (block.layer ?? layer) === layer &&
      (block.head ?? head) === head &&
      (block.query ?? query) === query,
  );
  if (!blocked.length) return null;
  const allowed = new Uint8Array(m).fill(1);
  for (const { key } of blocked) if (key < m) allowed[key] = 0;
  return allowed;
}

/** Replace the weights of a row, in place, where the head is uniform or the row is forced.
 * @param {Float32Array} maps @param {number} row @param {number} m @param {Uint8Array | null} allowed
 * @param {LayerContext} context @param {number} head @param {number} query */
export function reweigh(maps, row, m, allowed, context, head, query) {
  const { kind, layer, edits } = context;
  if (offMode(context, head) === "uniform") {
    const count = allowed ? allowed.reduce((sum, isAllowed) => sum + isAllowed, 0) : m;
    for (let key = 0; key < m; key++) maps[row + key] = !allowed || allowed[key] ? 1 / Math.max(count, 1) : 0;
  }
  for (const forced of edits.forced_rows ?? []) {
    if (forced.kind !== kind || forced.layer !== layer || forced.head !== head || forced.query !== query) continue;
    const weights = Array.from({ length: m }, (_, key) => (!allowed || allowed[key] ? (forced.weights[key] ?? 0) : 0));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    if (total > 0) weights.forEach((weight, key) => (maps[row + key] = weight / total));
  }
}

/** The rows of the position table for the source; null without positions.
 * @param {number} n @param {number} offset @param {PositionEdit | null} [edit] */
export function sourceRows(n, offset, edit) {
  const rows = Array.from({ length: n }, (_, i) => i + offset);
  if (!edit) return rows;
  if (edit.mode === "zero") return null;
  if (edit.mode === "reverse") return rows.reverse();
  if (edit.mode === "shift") return rows.map((row) => Math.max(offset, row + (edit.amount ?? 0)));
  return permutation(n, edit.amount ?? 0).map((place) => rows[place]);
}
