// What stands on a stage: a sentence and its translation as tokens, and ribbons between them.

export type Side = "source" | "target";

/** A token; what is false or empty is left out. */
export interface Chip {
  text: string;
  title?: string;
  /** What a screen reader hears in place of the text. */
  label?: string;
  /** Not the first piece of its word. */
  continues?: boolean;
  /** Not the last piece of its word. */
  goes_on?: boolean;
  special?: boolean;
  unknown?: boolean;
}

/** The ribbons of a token: from every token of the other row to it. */
export interface Ribbons {
  side: Side;
  place: number;
  /** Of the other row's tokens, from 0 to 1. */
  weights: ArrayLike<number>;
  /** From 0 to 1, how strongly they are drawn. */
  ink?: number;
  /** Pixels, of weight 1. */
  widest?: number;
  /** Whether they are whole while others grow. */
  isGrown?: boolean;
}

/** How a token is marked. */
export interface Mark {
  isPressed: boolean;
  /** Whether it is not yet written. */
  isLater?: boolean;
  weight?: number;
}

/** What the reader does with tokens. */
export interface Hears {
  /** A token has the pointer or the focus. */
  point: (token: { side: Side; place: number }, event: Event) => void;
  /** None has it any more. */
  leave: () => void;
  press: (token: { side: Side; place: number }, event: MouseEvent) => void;
}
