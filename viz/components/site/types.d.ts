// What the worker sends, and what is known of a model.

import type { Calibration } from "../engine/confidence.js";
import type { Config as EngineConfig } from "../engine/transformer.js";
import type { Interventions, Kind, PositionEdit } from "../engine/edits.js";
import type { Measured } from "../attention/js/matters.js";
import type { Metric, Palette, State } from "../attention/js/types";
import type { Glossary } from "../shared/terms.js";
import type { Desk } from "./desk/desk.js";
import type { Levels } from "./levels.js";
import type { Page } from "./page.js";
import type { Worth } from "./stage/worth.js";

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
}

/** What is known of an open model. */
export interface About {
  name: string;
  config: Config;
  languages: { source: string; target: string | null };
  nParameters: number;
}

/** Token ids, their pieces, and the word of each piece; −1 for the tokenizer's own. */
export interface Side {
  ids: number[];
  pieces: string[];
  words: number[];
}

export interface Doubt {
  isDoubtful: boolean;
  /** What a translation repeats again and again, or nothing. */
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
  /** Row of the attention's map that the first target token is; 0 for a translation. */
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
  /** Given by the desk. */
  about: About;
  doubt?: Doubt;
  /** Of each kind, which heads change the translation. */
  matters?: Partial<Record<Kind, Measured>>;
  /** The head whose cross-attention is clearest. */
  clearest?: [number, number];
}

/** A file of a model as the site has it. */
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

/** Why something that the worker was asked came to nothing; `n` of at most `most` tokens where a text is too long. */
export type Failure = { why: string; what?: string; n?: number; most?: number };

/** What the worker sends: answers have the id of their question. */
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
  /** Whose words the page speaks. */
  variant: "" | "alone" | "picture";
  /** The code of the language that it reads. */
  language: string;
  /** What it reads, where that is no text. */
  reads?: "picture";
}

/** A translation as viz/export/stored.py writes it, but for the same with a head off. */
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
  /** Bytes (L, H, T, S) as base64: 0 to 255 for 0 to 1. */
  weights: string;
  candidates: [id: number, piece: string, logProb: number][][];
}
/** `off` is the translation without `head`. */
export type Stored = StoredScene & ({ head: Place; off: StoredScene } | { head?: undefined; off?: undefined });

/** What the site's builder wrote into the page (viz/export/site.py). */
export interface Written {
  languages: Record<string, string>;
  words: Record<string, Record<string, string>>;
  /** Words of models that do something else than translate a text, by their variant and by language. */
  others: Partial<Record<Model["variant"], Record<string, Record<string, string>>>>;
  models: Model[];
  glossary: Record<string, Glossary>;
  /** The stored translation of the sentence on which each model opens. */
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
  /** What is written in a picture. */
  says?: string;
  /** Those that it is for; all, where none are named. */
  models?: string[];
  /** The head that matters for it, of the attention that the stage shows. */
  head?: Place | null;
  /** The file of its translation by each model. */
  stored?: Record<string, string>;
  /** The page of its shared link. */
  share?: string;
}

/** What site.json holds. */
export interface Site {
  strings: Record<string, Record<"attention" | "gallery" | "doubt" | "inside" | "overview", Record<string, string>>>;
  sentences: Example[];
  palettes: Record<"light" | "dark", Palette>;
  state: State;
  metrics: Metric[];
  /** `settings` are the links by which a question sets the page, by model. */
  questions: { id: string; settings: Record<string, string> }[];
}

/** What was found to be worth trying for a sentence. */
export type FoundWorth = { text: string; model: string; worth: Worth | null };

/** The page once the code that comes after its first picture is there. */
export type LoadedPage = Page & { desk: Desk; site: Site; rest: Rest; level: Levels };
export type Rest = (typeof import("./deferred.js"))["default"];

/** How a choice stands in a link, and its default (viz/state/rules.py). */
export type Text = { is: "text"; longest: number; default: string };
export type Name<T = string> = { is: "name"; among: T[]; former: Record<string, T>; default: T };
export type Switch = { is: "switch"; default: boolean };
export type Bounded = { is: "number"; low: number; high: number; whole: boolean; default: number };
export type Ids = { is: "ids"; most: number; default: number[] };
export type Some = { is: "some"; among: string[]; default: string[] };
/** Names of one form: each once and at most `most`, or `n` of them. */
export type List = { is: "list"; pattern: string; most?: number; n?: number; default: string[] };
export type Form = Text | Name | Switch | Bounded | Ids | Some | List;

/** The choices that a link holds. */
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

/** The explorer's part of them. */
export type LookName =
  | "combine" | "view" | "rows" | "unit" | "sinks" | "sink_kinds" | "scale" | "curve" | "palette" | "threshold" | "sort"
  | "together" | "orientation" | "zoom" | "window";
export type Look = { [name in LookName]?: Fields[name]["default"] };

/** What the page is sent of links (viz/state/link_schema.py). */
export interface Schema {
  fields: Fields;
  look: LookName[];
  /** Of the kinds of attention. */
  letters: Record<Kind, string>;
  /** Modes of moving positions. */
  moves: PositionEdit["mode"][];
  levels: Record<string, string>;
  steps: Record<string, string>;
}
