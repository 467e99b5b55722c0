// Words and empty nodes: both stand in a graph, but only words are counted and scored.
import { count } from "../ui/dom.js";

/** Whether the node of that number, from 1, is an empty node such as 5.1. */
export function isEmptyNode(sentence, number) {
  return sentence.ids?.[number - 1]?.includes(".") ?? false;
}

/** How many empty nodes a sentence has. */
export function emptyNodes(sentence) {
  return sentence.ids?.filter((id) => id.includes(".")).length ?? 0;
}

/** "7 words", "7 words and 1 empty node"; of one sentence or of many. */
export function countWords(sentences) {
  const empty = sentences.reduce((sum, sentence) => sum + emptyNodes(sentence), 0);
  const nodes = sentences.reduce((sum, sentence) => sum + (sentence.words?.length ?? 0), 0);
  return count(nodes - empty, "word") + (empty ? ` and ${count(empty, "empty node")}` : "");
}
