// The shapes of what the page passes around, for the type checker; browsers never load this file.

/** The two ends of an arc: words count from 1, and 0 is the root. */
export interface Ends { head: number; dependent: number }

export interface Arc extends Ends { relations: string[]; probability?: number }

export interface TreeNode { head: number; relation: string; probability?: number }

/** A sentence as the service gives it, and what the page adds. */
export interface Sentence {
  id: string;
  text: string;
  words: string[];
  arcs: Arc[];
  ids?: string[];
  tags?: string[];
  lemmas?: string[];
  xpos?: string[];
  feats?: string[];
  tree?: (TreeNode | null)[];
  layers?: Record<string, { arcs?: Arc[]; tags?: string[] }>;
  score?: number;
  /** Of a sentence of a file: its first line, and what is wrong with it. */
  line?: number;
  error?: string;
  warning?: string;
  cyclic?: boolean;
  /** Its lines in a file, the format of that file and its header. */
  raw?: string;
  format?: string;
  header?: string;
}

/** How pictures are drawn; the same for all of them. */
export interface Look {
  /** Which of the graphs: "graph", "tree", or a layer. */
  graph: string;
  /** The graph that is drawn below the words; empty for none. */
  below: string;
  shape: "wrap" | "line" | "fit" | "list";
  colours: "tree" | "planes";
  compact: boolean;
  punctuation: boolean;
  lemmas: boolean;
}

/** An arc as it is drawn. */
export interface Edge extends Ends {
  label: string;
  /** The class that colours it. */
  look: string;
  opacity?: number;
  relations?: string[];
  /** What its relations mean. */
  about?: string;
  /** What its colour means, where that is worth saying. */
  meaning?: string;
}

export interface NotePart { text: string; look: string }

/** What a picture shows. */
export interface Scene<E extends Edge = Edge> {
  words: string[];
  edges: E[];
  /** Classes of words. */
  marks?: string[][];
  /** The lines below each word, each a list of parts. */
  notes?: NotePart[][][];
  noteKind?: "code" | "small";
  /** The names of those lines, for the margin. */
  noteNames?: NotePart[];
  /** For each word, what its columns say. */
  about?: string[];
  below?: Edge[];
  /** The name of the layer that is drawn below. */
  layer?: string;
  /** How far from the root each word is. */
  depths?: number[];
  /** The number of each word in its sentence, where words are left out. */
  numbers?: number[];
  rtl?: boolean;
  /** Whether there is a place for the root, from which arcs can be drawn. */
  root?: boolean;
  legend?: LegendEntry[];
  planes?: number;
}

export interface LegendEntry { look: string; text: string }

/** A word, an arc, or an arc below the words, by its number; `from` is the word from which keys went to it. */
export interface Target { word?: number; arc?: number; below?: number; from?: number }

/** A picture that has been drawn. */
export interface Picture<E extends Edge = Edge> {
  svg: SVGElement;
  /** What moves with the words. */
  stage: SVGElement;
  scene: Scene<E>;
  /** The elements of each arc: one for each line that it is on. */
  arcs: SVGElement[][];
  below: SVGElement[][];
  words: SVGElement[];
  root: SVGElement | null;
  size: { width: number; height: number };
  scale: number;
  /** Where a word is, in the picture; 0 is the place of the root. */
  place(word: number): { x: number; y: number };
}

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

/** A model of the service. */
export interface Model { name: string; title: string; language: string | null; raw_text: boolean; layers: Record<string, unknown> }

/** What the service offers. */
export interface Info {
  formats: { name: string; title: string; suffixes: string[]; header: string; one_graph: boolean }[];
  guarantees: { name: string; description: string }[];
  layouts: { name: string; description: string }[];
  metrics: { name: string; headline: string }[];
  limits: { body: number; words: number; arcs: number; planes: number; trace_words: number; trace_labels: number; pattern: number };
}

/** One of the views of the page. */
export interface View {
  element: HTMLElement;
  open(params: URLSearchParams): Promise<void>;
  key?(event: KeyboardEvent): void;
  /** Do again what failed because the service did not answer. */
  retry?(): void;
  leave?(): void;
}

/** What can be saved. */
export interface Source {
  sentences: Partial<Sentence>[];
  graph?: string;
  pictures(): SVGElement[];
  stem: string;
  /** Whose sentence it is, where there is more than one side. */
  whose?: string;
}
