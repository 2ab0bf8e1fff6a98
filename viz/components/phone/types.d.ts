// Messages of a room to its phones and second screens, and types that their modules share.

import type { State } from "../attention/js/types";
import type { Reading } from "../shared/pad/read_word.js";

/** A text, or texts, in each language of the interface. */
export type InLanguages<Text = string> = Record<string, Text>;
export type Words = Record<string, string>;

/** The texts of the page (viz/server/phone.py); `code` is the folder of the components' code. */
export interface PageWords {
  room: Words;
  attention: Words;
  pad: Words;
  code: string;
}

/** The words that a class has written (viz/room/written.py), and how many there are. */
export interface ClassWords {
  rows: Reading[];
  n: number;
}

/** Parts of a text; `isChanged` if the other text lacks the part (viz/lesson/views.py). */
export type Parts = [text: string, isChanged: boolean][];

/** A translation before and after a change. */
export interface Pair {
  source: string;
  /** The sentence before and after, if the change is in the sentence. */
  sources?: [Parts, Parts];
  before: Parts;
  after: Parts;
}

interface Picture {
  /** The change in words. */
  said: InLanguages;
  /** Headings of before and after. */
  titles: InLanguages<[string, string]>;
  measured?: InLanguages;
  /** Count of shown tokens, if some are left out. */
  cut?: number;
}

export interface Texts extends Picture {
  kind: "texts";
  rows: Pair[];
}

export interface Hunt extends Picture {
  kind: "hunt";
  rows: Pair[];
  /** (L, H): the change in log p without a head; null if it was not measured. */
  tried: (number | null)[][];
  /** (L, H): 1 where the translation changes without the head. */
  changed: number[][];
  first: number;
}

export interface Layer extends Picture {
  kind: "layer";
  rows: Pair[];
  token: string;
  steps: InLanguages<string[]>;
  numbers: InLanguages<string[][]>;
}

export interface Tokens extends Picture {
  kind: "tokens";
  before: string[];
  after: string[];
  texts: [Parts, Parts];
}

/** Shares from 0 to 1, or counts with their maximum `most`. */
export interface Bars extends Picture {
  kind: "bars";
  names: string[];
  before: number[];
  after: number[];
  most?: number;
}

/** Two maps (T, S) with the names of their rows. */
export interface Maps extends Picture {
  kind: "maps";
  before: number[][];
  after: number[][];
  rows: [string[], string[]];
  columns: string[];
  hue: string;
}

/** A written word before and after a letter was painted out. */
export interface TwoWords extends Picture {
  kind: "words";
  rows: Reading[];
}

/** viz/lesson/moving.py */
export type Experiment = Texts | Hunt | Layer | Tokens | Bars | Maps | TwoWords;

/** The teacher's view (viz/room/publish.py); empty before the first one. */
export interface Place {
  page?: string;
  title?: InLanguages;
  note?: InLanguages;
  changes?: InLanguages<string[]>;
  sentence?: string;
  text?: string;
  /** Language of the sentence. */
  language?: string;
  /** Whether the sentence is the picture of a word. */
  of_picture?: boolean;
  /** The name of its packet, and the explorer's state. */
  packet?: string;
  state?: Partial<State>;
  /** The name of its picture; rooms of earlier versions contain the picture itself. */
  experiment?: string | Experiment;
  /** Whether the experiment was run after the right answer was shown. */
  late?: boolean;
}

/** One question of a quiz. */
export interface Item {
  id: string;
  words: InLanguages;
  options: InLanguages<string[]>;
  about?: InLanguages;
}

/** The right option of an item. */
export interface Solution {
  right: number;
  why: InLanguages;
}

/** Question.public of viz/rooms/questions.py. */
export interface Question {
  id: string;
  kind: "options" | "source" | "head" | "quiz" | "write";
  words: InLanguages;
  options: InLanguages<string[]>;
  n: number;
  /** For kind "head": layers and heads, the number of the first one, and their maps. */
  shape: [number, number];
  first: number;
  maps: string;
  revealed: boolean;
  explained: boolean;
  hands: boolean;
  sentence: string;
  text: string;
  items: Item[];
  /** Seconds until the vote closes automatically. */
  left?: number;
  /** Votes by answer, after the vote is closed; absent if hands were raised. */
  tally?: Record<string, number>;
  earlier?: Record<string, number>;
  /** The shares of right answers to each item before and after the lesson; empty if nobody answered. */
  shares?: Record<"quiz.before" | "quiz.after", number[]>;
  /** For kind "write": the name of the blob with the class's words, once all screens show them. */
  shown?: string;
  /** Once it is explained: the right vote, or "", and the explanations. */
  right?: string;
  why?: InLanguages;
  said?: InLanguages;
  replies?: InLanguages<string[]>;
  measured?: number[];
  answers?: Solution[];
}

/** Room.snapshot of viz/rooms/room.py. */
export interface Snapshot {
  shown: Place;
  paused: boolean;
  question: Question | null;
}

/** The context in which a screen draws a question or an experiment. */
export interface ScreenContext {
  words: Words;
  language: string;
  shown: Place;
}

/** Votes by item of a quiz; "all" for other questions. */
export type Votes = Record<string, string>;

export interface QuestionContext extends ScreenContext {
  /** The student's votes. */
  votes: Votes;
  /** For kind "write", once all screens show them. */
  written?: ClassWords | null;
  /** Sends a vote; absent on the second screen. */
  answer?: (vote: string) => void;
}
