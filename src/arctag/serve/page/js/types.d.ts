// The shapes of what the page passes around, for the type checker; browsers never load this file.

/** The two ends of an arc: words count from 1, and 0 is the root. */
export interface Ends { head: number; dependent: number }

/** The distances of a layout, in pixels. */
export interface Space { gap: number; slot: number; pad: number; first: number; step: number; labelHeight: number }

/** An arc, or its part on one line, in its place; `edge` is its number. */
export interface Bridge {
  edge: number; headX: number; dependentX: number; middle: number; labelWidth: number; level: number; y: number;
  /** Whether the label is wider than the deck, and sits on top of it. */
  narrow: boolean;
  /** Whether that end is on another line. */
  headAway: boolean; dependentAway: boolean;
}

/** A line of words, from the one with the number `first`, from 0. */
export interface Line {
  first: number; width: number; height: number; depth: number; centres: number[]; bridges: Bridge[]; below: Bridge[];
}
