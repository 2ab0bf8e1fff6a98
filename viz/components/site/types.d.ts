// Types of the page without a server: the worker's messages, models, stored translations and the schema of links.

import type { Calibration } from "../engine/confidence.js";
import type { Config as EngineConfig } from "../engine/transformer.js";
import type { Interventions, Kind, PositionEdit } from "../engine/edits.js";
import type { Measured } from "../attention/js/matters.js";
import type { Metric, Palette, State } from "../attention/js/types";
import type { Glossary } from "../shared/terms.js";
import type { Desk } from "./desk/desk.js";
import type { Levels } from "./levels.js";
import type { Page } from "./page.js";
import type { Offer } from "./stage/shown.js";

export interface Config {
  d_model: number;
  d_feed_forward: number;
  n_encoder_layers: number;
  n_encoder_heads: number;
  n_decoder_layers: number;
  n_decoder_heads: number;
  target_vocab_size: number;
  target_pad_id: number;
  /** Whether it is a decoder-only model. */
  alone: boolean;
  /** Of a model that reads pictures; `strip` is the width of a strip in pixels. */
  picture?: { strip: number };
}

/** An open model. */
export interface About {
  name: string;
  config: Config;
  languages: { source: string; target: string | null };
  nParameters: number;
}

/** Token ids, their pieces, and the word index of each piece; −1 for a special token. */
export interface Side {
  ids: number[];
  pieces: string[];
  words: number[];
}

export interface Doubt {
  isDoubtful: boolean;
  /** The text that the translation repeats in a loop, or "". */
  loop: string;
}

/** A translation with its attention, as the worker computes it. */
export interface Trace {
  id: number;
  text: string;
  translation: string;
  edits: Interventions;
  main: "cross" | "decoder_self";
  read: number[];
  /** Row of the first target token in the attention maps; 0 for a translation. */
  first: number;
  source: Side;
  fed: Side;
  target: Side;
  predicted: Side;
  isCut: boolean;
  logProbs: number[];
  candidates: { id: number; piece: string; logProb: number }[][];
  unknown: string[];
  maps: Record<Kind, Float32Array<ArrayBuffer>>;
  milliseconds: number;
  /** Set by the desk. */
  about: About;
  doubt?: Doubt;
  /** The heads that change the translation, by kind of attention. */
  matters?: Partial<Record<Kind, Measured>>;
  /** The head with the most concentrated cross-attention. */
  clearest?: [number, number];
}

/** A file of a model on the site's host. */
export type StoredFile = { name: string; bytes: number; sha256: string };

/** A model's model.json (viz/export/engine.py). */
export interface Header {
  name: string;
  languages: About["languages"];
  config: EngineConfig;
  weights: StoredFile;
  vocabulary: StoredFile;
  calibration: Calibration | null;
}

/** Why a request to the worker failed; for a text that is too long, its count of tokens `n` and the limit `most`. */
export type Failure = { why: string; what?: string; n?: number; most?: number };

/** A message of the worker; a response has the id of its request. */
export type Message =
  | { kind: "progress"; done: number; total: number }
  | { kind: "step"; id: number; step: number; most: number }
  | ({ kind: "failed"; id: number } & Failure)
  | { kind: "loaded" | "doubted" | "scored" | "inside" | "embedding" | "feedForward" | "logits" | "trace"; id: number };

/** A head: layer and index. */
export type Place = [layer: number, head: number];

/** A model of the page. */
export interface Model {
  name: string;
  /** The folder of its files. */
  address: string;
  /** The attention that the stage shows. */
  main: "cross" | "decoder_self";
  /** Which variant of the page's texts it needs. */
  variant: "" | "alone" | "picture";
  /** Code of its source language. */
  language: string;
  /** The modality of its input, if it is not text. */
  reads?: "picture";
}

/** A translation as viz/export/stored.py writes it, without the one with a head off. */
export interface StoredScene {
  text: string;
  translation: string;
  languages: { source: string | null; target: string | null };
  source: Side;
  target: Side;
  main: Trace["main"];
  first: number;
  layers: number;
  heads: number;
  /** Width of a picture's strips in pixels; 0 for a text. */
  strip: number;
  /** Bytes (L, H, T, S) as base64: 0 to 255 for 0 to 1. */
  weights: string;
  candidates: [id: number, piece: string, logProb: number][][];
}
/** `off` is the translation without `head`. */
export type Stored = StoredScene & ({ head: Place; off: StoredScene } | { head?: undefined; off?: undefined });

/** Data that the site's builder wrote into the page (viz/export/site.py). */
export interface Written {
  languages: Record<string, string>;
  words: Record<string, Record<string, string>>;
  /** Texts for models that do not translate text, by variant and by language. */
  others: Partial<Record<Model["variant"], Record<string, Record<string, string>>>>;
  models: Model[];
  glossary: Record<string, Glossary>;
  /** The stored translation of each model's opening sentence. */
  openings: Record<string, Stored>;
  readmes: string[];
  source: string;
  application: string;
  link: Schema;
  /** The article's file in each language. */
  story: Record<string, string>;
}

/** A sentence to try. */
export interface Example {
  group: string;
  text: string;
  /** The word in a picture. */
  says?: string;
  /** The models that it is for; all if absent. */
  models?: string[];
  /** The head that matters for it, of the stage's kind of attention. */
  head?: Place | null;
  /** The file of its translation by each model. */
  stored?: Record<string, string>;
  /** The page of its shared link. */
  share?: string;
}

/** The content of site.json. */
export interface Site {
  strings: Record<string, Record<"attention" | "gallery" | "doubt" | "inside" | "overview", Record<string, string>>>;
  sentences: Example[];
  palettes: Record<"light" | "dark", Palette>;
  state: State;
  metrics: Metric[];
  /** `settings` are the links that a question opens, by model. */
  questions: { id: string; settings: Record<string, string> }[];
}

/** The head that was measured to be worth switching off for a sentence. */
export type MeasuredOffer = { text: string; model: string; offer: Offer | null };

/** The page after its deferred code has loaded. */
export type LoadedPage = Page & { desk: Desk; site: Site; deferred: Deferred; level: Levels };
export type Deferred = (typeof import("./deferred.js"))["default"];

/** How a choice is written in a link, and its default (viz/state/rules.py). */
export type Text = { is: "text"; longest: number; default: string };
export type Name<T = string> = { is: "name"; among: T[]; former: Record<string, T>; default: T };
export type Switch = { is: "switch"; default: boolean };
export type Bounded = { is: "number"; low: number; high: number; whole: boolean; default: number };
export type Ids = { is: "ids"; most: number; default: number[] };
export type Some = { is: "some"; among: string[]; default: string[] };
/** Distinct names that match a pattern: at most `most`, or exactly `n`. */
export type List = { is: "list"; pattern: string; most?: number; n?: number; default: string[] };
export type Form = Text | Name | Switch | Bounded | Ids | Some | List;

/** The choices in a link. */
export type Fields = Record<"text" | "model" | "language", Text> &
  Record<"kind", Name<Kind>> &
  Record<"method", Name> &
  Record<"layer" | "head" | "temperature" | "top_k" | "top_p" | "seed", Bounded> &
  Record<"heads" | "pins" | "zoom" | "window", List> &
  Record<"sink_kinds", Some> &
  Record<"prefix", Ids> &
  Record<
    | "combine" | "view" | "rows" | "unit" | "sinks" | "scale" | "curve" | "palette" | "sort" | "together" | "orientation",
    Name
  > &
  Record<"threshold", Bounded>;

/** The explorer's choices among them. */
export type LookName =
  | "combine" | "view" | "rows" | "unit" | "sinks" | "sink_kinds" | "scale" | "curve" | "palette" | "threshold" | "sort"
  | "together" | "orientation" | "zoom" | "window";
export type Look = { [name in LookName]?: Fields[name]["default"] };

/** The schema of links (viz/state/selection.py). */
export interface Schema {
  fields: Fields;
  look: LookName[];
  /** Letters of the kinds of attention. */
  letters: Record<Kind, string>;
  /** Modes of moving positions. */
  moves: PositionEdit["mode"][];
  levels: Record<string, string>;
  steps: Record<string, string>;
}
