// What the stage is sent (viz/components/sentence) and told.

import type { Chip, Side } from "../shared/stage/types.js";
import type { Spoken } from "../shared/verdict.js";

export type { Chip, Side };

/** A picture, or a spectrogram, and the tokens on it. */
export interface Grid {
  picture: string;
  height: number;
  width: number;
  rows: number;
  columns: number;
  /** Tokens before the first that has a place. */
  before: number;
}

/** "changing" of shared/signals.js. */
export interface Found {
  /** What was measured, by name. */
  of: string;
  /** The translation. */
  text: string;
  changing: [layer: number, head: number, translation: string][];
}

export interface Given extends Record<Side, Chip[]> {
  /** A sentence, or a picture as text. */
  text: string;
  /** Whether the model reads pictures. */
  reads_pictures: boolean;
  /** What it reads from a file; "" for nothing. */
  reads_files: "" | "picture" | "sound";
  /** What is shown of the file. */
  grid: Grid | null;
  source_label: string;
  target_label: string;
  source_language: string;
  target_language: string;
  notice: string;
  /** What a screen reader hears. */
  said: string;
  /** Sentences to try, each with what it shows, or "". */
  suggestions: [text: string, about: string][];
  suggestions_about: string;
  /** Earlier sentences of this visit. */
  recent: string[];
  /** What stands in the empty box. */
  invitation: string;
  /** Whether the page shows nothing of the sentence. */
  is_hidden: boolean;
  /** Whether the page has a menu of its own in the row of tools. */
  has_tools: boolean;
  verdict: { before: Spoken; after: Spoken } | null;
  /** The change in force, where it can be shared with a picture. */
  shared: { changes: string; before: SharedScene; after: SharedScene; is_off: boolean; only_head: string } | null;
  /** Heads without which the translation is another, none until they were measured; null where nothing is offered. */
  surprise: (Found & { first: number }) | null;
  /** The kind of attention whose hue shades. */
  kind: string;
  /** Whether the page keeps a place for what a change does. */
  has_outcome: boolean;
  presenter: boolean;
  /** As in its address; "" for the first one. */
  page: string;
  /** Of the interface. */
  language: string;
  words: Record<string, string>;
  colours: Record<"light" | "dark", Record<string, string>>;
}

/** The tokens that are pointed at. */
export type Focus = { side: Side; index: number } | { side: Side; indexes: number[] };

/** "shade" of shared/signals.js. */
export interface Shade extends Partial<Record<Side, number[]>> {
  kind?: string;
  focus?: Focus | null;
  /** The tokens that are pinned. */
  pinned?: Record<Side, number[]>;
  /** The target token from which nothing is written yet. */
  from?: number | null;
}

/** A translation, and one head of its cross-attention as bytes in base64. */
export interface SharedScene {
  source: string[];
  target: string[];
  target_ids: number[];
  weights: string;
}

/** A head to switch off, `unasked` where the page does it by itself, or the change to undo. */
export type Act = { name: "switch_off"; layer: number; head: number; unasked?: boolean } | { name: "undo" };

export interface Send {
  (name: "text" | "address", value: string): void;
  (name: "act", value: Act): void;
}
