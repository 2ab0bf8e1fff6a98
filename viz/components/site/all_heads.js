// Entry of a lazily loaded module: the explorer with all heads, and its packet, built from a trace of the worker.

import { followDevice } from "../attention/js/controls/presenting.js";
import { Axis, Heads } from "../attention/js/data/unpack.js";
import { Explorer } from "../attention/js/explorer.js";
import { headMetrics } from "../engine/metrics.js";
import { isPunctuation } from "../engine/tokenizer.js";
import { isPictureText } from "../shared/pad/picture.js";
import { isSpecial, spoken } from "../shared/text.js";

/** @import { Metrics, Packet, State, View } from "../attention/js/types" */
/** @import { Kind } from "../engine/edits.js" */
/** @import { About, Trace } from "./types.js" */

const MAX_LABEL = 160; // characters of a piece

/**
 * @param {Trace} trace the worker's message
 * @param {About} about the model's header
 * @param {Omit<Packet, "views" | "defaults" | "firstIndex"> & {state: State}} page
 * @param {Record<string, string>} t names of special tokens
 * @returns {Packet & {state: State}}
 */
export function packetOf(trace, about, page, t) {
  const isPicture = isPictureText(trace.text);
  const [source, fed, predicted] = [
    axisOf({ ...trace.source, picture: isPicture ? trace.text : "", strip: trace.about.config.picture?.strip }, t),
    axisOf(trace.fed, t),
    axisOf(trace.predicted, t),
  ];
  const sinks = source.sinks.map(Boolean);
  const { n_encoder_layers, n_encoder_heads, n_decoder_layers, n_decoder_heads } = about.config;
  const shapes = {
    encoder_self: { layers: n_encoder_layers, heads: n_encoder_heads, rows: source.length, columns: source.length },
    decoder_self: { layers: n_decoder_layers, heads: n_decoder_heads, rows: fed.length, columns: fed.length },
    cross: { layers: n_decoder_layers, heads: n_decoder_heads, rows: predicted.length, columns: source.length },
  };
  /** @type {View["kinds"]} */
  const kinds = new Map();
  /** @type {View["metrics"]} */
  const metrics = {};
  for (const [name, shape] of Object.entries(shapes)) {
    if (about.config.alone && name !== trace.main) continue;
    const kind = /** @type {Kind} */ (name);
    const map = trace.maps[kind];
    const description = { name: kind, ...shape, causal: name === "decoder_self" };
    kinds.set(
      kind,
      new Heads({ ...description, encoding: "float32", offset: 0, invalid: [] }, map.buffer, map.byteOffset),
    );
    const keys = name === "decoder_self" ? fed.sinks.map(Boolean) : sinks;
    defineLazy(metrics, kind, () => headMetrics(map, description, keys, name === "cross"));
  }
  /** @type {View} */
  const view = {
    kinds,
    metrics,
    source,
    fed,
    predicted,
    hasTwoMeanings: true,
    labels: {},
    corpus: {},
    off: (trace.edits.heads_off ?? []).map((off) => [off.kind, off.layer, off.head]),
    sourceName: "",
    targetName: "",
    caption: isPicture ? trace.translation : `${trace.text} → ${trace.translation}`,
    weighting: "raw",
    weightings: ["raw"],
    note: "",
  };
  return { ...page, views: [view], firstIndex: 0, defaults: page.state };
}

/** Define a property that is computed on first access: the explorer shows one kind of attention at a time.
 * @param {View["metrics"]} target @param {Kind} name @param {() => Metrics} compute */
function defineLazy(target, name, compute) {
  const get = () => {
    const value = compute();
    Object.defineProperty(target, name, { value });
    return value;
  };
  Object.defineProperty(target, name, { get, configurable: true });
}

/** @param {{pieces: string[], words: number[], picture?: string, strip?: number}} side @param {Record<string, string>} t */
function axisOf({ pieces, words, picture, strip }, t) {
  const sinks = pieces.map((piece, i) => {
    if (words[i] < 0) return piece === "<s>" ? "begin" : "end";
    return isPunctuation(piece.replaceAll("▁", "")) ? "punctuation" : "";
  });
  const texts = pieces.map((piece) => (isSpecial(piece) ? spoken(piece, t) : readable(piece)));
  return new Axis({ texts, words, sinks, direction: "ltr", ideographic: false, picture, strip });
}

/** @param {string} piece */
function readable(piece) {
  const bare = piece.replace(/^▁+|▁+$/g, "").slice(0, MAX_LABEL);
  // Invisible characters, and those that change the text direction, are written as their code points.
  const visible = [...bare].map((character) =>
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(character) && !"\u200c\u200d".includes(character)
      ? `⟨${Number(character.codePointAt(0)).toString(16).toUpperCase().padStart(4, "0")}⟩`
      : character,
  );
  return visible.join("").trim() || "␣";
}

export default { Explorer, followDevice, packetOf };
