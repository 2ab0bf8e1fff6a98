// What Python sends to the stage (viz/components/sentence), and what the views publish.

import type { Chip, Side } from "../shared/stage/types.js";
import type { Spoken } from "./outcome.js";

export type { Chip, Side };

/** A picture or a spectrogram, and the grid of its tokens. */
export interface Grid {
  picture: string;
  height: number;
  width: number;
  rows: number;
  columns: number;
  /** Count of tokens before the first one of the grid. */
  before: number;
}

/** "changing" of shared/signals.js. */
export interface ChangingHeads {
  /** Key of the measured sentence, model and settings. */
  of: string;
  /** The translation with all heads. */
  text: string;
  changing: [layer: number, head: number, translation: string][];
}

export interface StageData extends Record<Side, Chip[]> {
  /** A sentence, or a picture as text. */
  text: string;
  /** Whether the model reads pictures. */
  reads_pictures: boolean;
  /** Width of a picture's strips in pixels. */
  strip: number;
  /** The kind of file that the model reads; "" for none. */
  reads_files: "" | "picture" | "sound";
  /** The file on screen. */
  grid: Grid | null;
  source_label: string;
  target_label: string;
  source_language: string;
  target_language: string;
  notice: string;
  /** Announced to a screen reader. */
  announcement: string;
  /** Sentences to try, each with what it demonstrates, or "". */
  suggestions: [text: string, about: string][];
  suggestions_about: string;
  /** Earlier sentences of this visit. */
  recent: string[];
  /** Placeholder of the empty box. */
  invitation: string;
  /** Whether the page hides the sentence. */
  is_hidden: boolean;
  /** Whether the page puts a menu into the toolbar. */
  has_tools: boolean;
  verdict: { before: Spoken; after: Spoken } | null;
  /** The current intervention, if it can be shared with a picture. */
  shared: { changes: string; before: SharedScene; after: SharedScene; is_off: boolean; only_head: string } | null;
  /** Heads whose removal changes the translation, empty until they are measured; null where none is offered. */
  surprise: (ChangingHeads & { first: number }) | null;
  /** The kind of attention, which determines the hue. */
  kind: string;
  /** Whether the page reserves a place for the effect of an intervention. */
  has_outcome: boolean;
  presenter: boolean;
  /** The page's name in its address; "" for the first page. */
  page: string;
  /** Language code of the interface. */
  language: string;
  words: Record<string, string>;
  colours: Record<"light" | "dark", Record<string, string>>;
}

/** The tokens under the pointer. */
export type Focus = { side: Side; index: number } | { side: Side; indexes: number[] };

/** "shade" of shared/signals.js. */
export interface Shade extends Partial<Record<Side, number[]>> {
  kind?: string;
  focus?: Focus | null;
  /** The tokens that are pinned. */
  pinned?: Record<Side, number[]>;
  /** The first target token that is not written yet. */
  from?: number | null;
}

/** A translation, and one head of its cross-attention as bytes in base64. */
export interface SharedScene {
  source: string[];
  target: string[];
  target_ids: number[];
  weights: string;
}
