// What the site's builder wrote into the article's page, and what the page fetches later.

import type { Setup } from "../desk/parts.js";
import type { ModelPlan } from "../levels/model_plan.js";
import type { Schema } from "../links/link.js";
import type { Kind } from "../../engine/edits.js";
import type { Stored } from "../types.js";
import type { Maps } from "./space_planes.js";
import type { Found as Values } from "./values.js";

export type Rest = (typeof import("../story_deferred.js"))["default"];

export interface Later {
  rest: () => Promise<{ default: Rest }>;
  plan: () => Promise<{ default: typeof ModelPlan }>;
  /** Where it stands what excites hidden units. */
  units: URL;
}

/** What was computed for the sentence, with what the step that is followed chooses from. */
export type Found = Values & { logits: Float32Array; pieces: Record<number, string> };

export interface Written {
  words: Record<string, string>;
  model: Setup["models"][number];
  /** The stored translation of its opening sentence. */
  opening: Stored;
  /** Its attention of each kind, bytes as base64. */
  maps: Record<Kind, Omit<Maps, "weights"> & { weights: string }>;
  /** Layer and head of the cross-attention that the article follows. */
  head: [number, number];
  /** The translation of the opening sentence without that head, where it is another. */
  without: string;
  /** Whether it was measured what excites hidden units. */
  hasUnits: boolean;
  setup: Pick<Setup, "doubt" | "explorer" | "palettes">;
  /** Words of the whole model. */
  plan: Record<string, string>;
  link: Schema;
}
