// Types of the article's page: the builder's data and the deferred code.

import type { Setup } from "../desk/parts.js";
import type { ModelPlan } from "../levels/model_plan.js";
import type { Schema } from "../links/link.js";
import type { Kind } from "../../engine/edits.js";
import type { Stored } from "../types.js";
import type { Maps } from "./space_planes.js";
import type { Results } from "./values.js";

export type Deferred = (typeof import("../story_deferred.js"))["default"];

export interface Later {
  deferred: () => Promise<{ default: Deferred }>;
  plan: () => Promise<{ default: typeof ModelPlan }>;
  /** Address of the statistics of hidden units. */
  units: URL;
}

/** The results for the sentence, with the logits of the article's step. */
export type Computed = Results & { logits: Float32Array; pieces: Record<number, string> };

export interface Written {
  words: Record<string, string>;
  model: Setup["models"][number];
  /** The stored translation of its opening sentence. */
  opening: Stored;
  /** Its attention maps by kind, bytes as base64. */
  maps: Record<Kind, Omit<Maps, "weights"> & { weights: string }>;
  /** Layer and head of the article's cross-attention head. */
  head: [number, number];
  /** The translation of the opening sentence without that head, if it differs. */
  without: string;
  /** Whether statistics of hidden units exist. */
  hasUnits: boolean;
  setup: Pick<Setup, "doubt" | "explorer" | "palettes">;
  /** Words of the plan. */
  plan: Record<string, string>;
  link: Schema;
}
