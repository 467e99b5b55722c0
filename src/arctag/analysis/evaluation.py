"""A model against a gold file: official scores, and every analysis of the paper's appendix."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from arctag.blocks.flat import Flat
from arctag.blocks.suited import suited
from arctag.blocks.upos import NoTags
from arctag.columns import find_column
from arctag.encodings.cycles import cyclic
from arctag.encodings.planes import plane_counts
from arctag.encodings.trees.base import NotATree
from arctag.errors import InputError
from arctag.formats import read
from arctag.layers import STANDARD, Layer
from arctag.layers.arcs import ArcLayer
from arctag.layers.columns import cells
from arctag.layers.graphs import MAIN
from arctag.layers.predicted import Predicted
from arctag.layers.tags import TagLayer
from arctag.layers.trees import TREE
from arctag.metrics import METRICS, Counts, score
from arctag.metrics.word_scores import SEGMENTATION
from arctag.parsing.parser import ParseOptions, Parser, Predictions
from arctag.sentence import Sentence
from arctag.transforms import empty_nodes

_LAYERS: dict[str, frozenset[str]] = {
    "UPOS": frozenset({"upos"}),
    "XPOS": frozenset({"xpos"}),
    "UFeats": frozenset({"feats"}),
    "AllTags": frozenset({"upos", "xpos", "feats"}),
    "Lemmas": frozenset({"lemma"}),
    "UAS": frozenset({"tree"}),
    "LAS": frozenset({"tree"}),
    "CLAS": frozenset({"tree"}),
    "MLAS": frozenset({"tree", "upos", "feats"}),
    "BLEX": frozenset({"tree", "lemma"}),
    "ELAS": frozenset({"graph"}),
    "EULAS": frozenset({"graph"}),
}
"""Figure of `conll` → the layers that it scores."""


def predicted_figures(layers: Collection[str]) -> tuple[str, ...]:
    """The figures of `conll` that score these layers and no others, which would be the gold file's own."""
    return tuple(name for name, needed in _LAYERS.items() if needed.issubset(layers))


def evaluate(
    parser: Parser, gold: str | Path | Iterable[Sentence], options: ParseOptions | None = None, layer: str = MAIN
) -> dict[str, Any]:
    """Parse the words of a gold file and score the result.

    `sdp` scores the graph, or the layer that is named. For CoNLL-U `conll` has the official table. Both are as `arctag
    score --json` gives them, less what is the file's own: words, sentences and columns that the model does not predict.
    `tags` has the accuracy of further layers of tags. Then tagging accuracy, the percentage of label sequences that
    were well-formed before repair, and scores by number of planes and for cyclic sentences.
    """
    return evaluate_with_counts(parser, gold, options, layer)[0]


def evaluate_with_counts(
    parser: Parser, gold: str | Path | Iterable[Sentence], options: ParseOptions | None = None, layer: str = MAIN
) -> tuple[dict[str, Any], Counts | None]:
    """The same, and the SDP counts of each sentence, with which `compare` tests whether two models differ."""
    sentences = list(read(gold) if isinstance(gold, (str, Path)) else gold)
    if not sentences:
        raise InputError("no sentence to evaluate on")
    if layer == TREE:
        raise InputError("trees are scored beside the graph, as UAS and LAS: leave out the layer `tree`")
    asked = _asked(parser, sentences, layer)
    options = replace(options or ParseOptions(), layers=asked)  # the file's own columns would score gold against gold
    started = perf_counter()
    tagging = _Tagging(parser, layer) if layer in asked else None
    system = list(parser.parse_sentences(sentences, options, on_batch=tagging.add if tagging else None))
    seconds = perf_counter() - started
    report: dict[str, Any] = {"model": list(asked), "sentences": len(sentences)}
    counts = None
    if tagging:
        report["sdp"], counts = _sdp(sentences, system, layer)
        report.update(tagging.figures())
        report.update(_analyses(sentences, counts))
    if sentences[0].universal and layer == MAIN:
        report["conll"] = _conll(sentences, system, predicted_figures(asked))
        if tags := _further_tags(parser, empty_nodes.treated(sentences, empty_nodes.drop), system, asked):
            report["tags"] = tags
    tokens = sum(sentence.size for sentence in sentences)
    report.update(tokens=tokens, seconds=round(seconds, 3), tokens_per_s=round(tokens / max(seconds, 1e-9)))
    report["options"] = asdict(options)
    return report, counts


def _asked(parser: Parser, sentences: Sequence[Sentence], layer: str) -> tuple[str, ...]:
    """The layers to score on a file: those that it has columns for, and the graph."""
    known = parser.config.names
    if layer != MAIN:
        parser.config.layer(layer)
        return (layer,)
    asked = tuple(some.name for some in parser.config.layers if _is_scored(sentences[0], some))
    if not asked:
        raise InputError(f"the model predicts {', '.join(known)}, which this file does not hold: name one with --layer")
    return asked


def _is_scored(sentence: Sentence, layer: Layer) -> bool:
    """Whether a file with such sentences can be scored by a layer: a standard one, or tags that it has, too."""
    if not sentence.universal:
        return layer.name == MAIN
    return layer.name in STANDARD or (isinstance(layer, TagLayer) and _has_column(sentence, layer.column))


def _has_column(sentence: Sentence, column: str) -> bool:
    return column.startswith("MISC:") or find_column(column, sentence.format, sentence.header) is not None


def _further_tags(
    parser: Parser, gold: list[Sentence], system: list[Sentence], asked: Collection[str]
) -> dict[str, float]:
    """The accuracy of layers of tags that the official table does not have, in percent."""
    accuracies = {}
    for name in asked:
        layer = parser.config.layer(name)
        if name in STANDARD or not isinstance(layer, TagLayer):
            continue
        pairs = zip(cells(gold, layer.column), cells(system, layer.written[0]), strict=True)
        right = [one == other for one, other in pairs]
        accuracies[name] = round(100 * sum(right) / max(len(right), 1), 2)
    return accuracies


def _sdp(gold: list[Sentence], system: list[Sentence], layer: str) -> tuple[dict[str, Any], Counts]:
    """The official scores of graphs, and their counts."""
    if layer != MAIN:
        system = [sentence.with_graph(sentence.graphs[layer]) for sentence in system]
    result = score(gold, system, "sdp")
    return {**result.figures, "metric": "sdp", "signature": result.signature}, result.counts


def _analyses(sentences: list[Sentence], counts: Counts) -> dict[str, Any]:
    """Scores by number of planes and for cyclic sentences."""
    arcs = Flat(empty_nodes.treated(sentences, empty_nodes.drop)).graphs.arcs
    return {
        "by_planes": _by_group(counts, plane_counts(arcs, "strict").tolist()),
        "by_cyclic": _by_group(counts, ["cyclic" if some else "acyclic" for some in cyclic(arcs)]),
    }


def evaluate_raw(
    parser: Parser, gold: str | Path | Iterable[Sentence], options: ParseOptions | None = None
) -> dict[str, Any]:
    """Parse the running text of a gold file, from letters to graphs, and score the result as CoNLL 2018 does.

    Words are matched by where they stand in the text. Of the figures, those that the model predicts are given.
    """
    sentences = list(read(gold) if isinstance(gold, (str, Path)) else gold)
    if not sentences or not sentences[0].universal:
        raise InputError("there is no running text to evaluate on: that needs CoNLL-U with `# text`")
    text = running_text(sentences)
    options = options or ParseOptions()
    started = perf_counter()
    system = list(parser.parse_text(text, options))
    seconds = perf_counter() - started
    conll = _conll(sentences, system, (*SEGMENTATION, *predicted_figures(parser.config.names)))
    tokens = sum(sentence.size for sentence in system)
    return {
        "model": list(parser.config.names), "sentences": len(sentences), "found_sentences": len(system),
        "conll": conll, "tokens": tokens,
        "seconds": round(seconds, 3), "tokens_per_s": round(tokens / max(seconds, 1e-9)), "options": asdict(options),
    }  # fmt: skip


def _conll(gold: list[Sentence], system: list[Sentence], names: Collection[str]) -> dict[str, Any]:
    """Some figures of the official table."""
    result = score(gold, system, "conll")
    return {**{name: result.figures[name] for name in names}, "metric": "conll", "signature": result.signature}


def running_text(sentences: Iterable[Sentence]) -> str:
    """The text that the sentences were cut from: a blank line between paragraphs, a space between sentences."""
    out: list[str] = []
    glued = True
    for sentence in sentences:
        if out and any(comment.startswith(("# newpar", "# newdoc")) for comment in sentence.comments):
            out.append("\n\n")
        elif not glued:
            out.append(" ")
        out.append(sentence.text)
        glued = "SpaceAfter=No" in sentence.rows[-1][9].split("|")
    return "".join(out)


def _by_group(counts: Counts, groups: Sequence[int | str]) -> dict[str, dict[str, Any]]:
    """Scores with tops of the sentences of each group: unlabelled and labelled, F1 and exact match."""
    rows = {}
    for group in sorted(set(groups)):
        chosen = np.array([other == group for other in groups])
        figures = METRICS["sdp"].figures(counts[chosen].sum(axis=0))["including_tops"]
        scores = {name: figures[name] for name in ("UF", "LF", "UM", "LM")}
        rows[str(group)] = {"sentences": int(chosen.sum()), **scores}
    return rows


class _Tagging:
    """Counts right labels and well-formed sequences while batches go by."""

    def __init__(self, parser: Parser, layer: str) -> None:
        chosen = parser.config.layer(layer)
        if not isinstance(chosen, ArcLayer):
            raise InputError(f"layer {layer} is no graph: there is nothing to score it by here")
        self.layer = chosen
        self.words = self.sentences = self.well_formed = 0
        self.right = np.zeros(len(chosen.encodings), dtype=np.int64)
        self.unsuited: set[str] = set()
        """Encodings that need tags, or trees, where a sentence has none: their labels cannot be compared."""

    def add(self, batch: list[Sentence], predictions: Predictions) -> None:
        """Compare a batch's labels with those of its gold graphs."""
        predicted: Predicted = predictions[self.layer.name]
        sentences = [empty_nodes.TREATMENTS[self.layer.empty](sentence) for sentence in batch]
        arcs = Flat(sentences).graphs.arcs
        for chosen in self.layer.decoders:
            try:
                arcs = suited(arcs, sentences, chosen)
            except (NoTags, NotATree):
                self.unsuited.add(chosen.name)
        self.words += int(arcs.sizes.sum())
        self.sentences += len(batch)
        self.well_formed += int(np.count_nonzero(predicted.repairs == 0))
        for i, (chosen, space) in enumerate(zip(self.layer.decoders, self.layer.spaces, strict=True)):
            if chosen.name not in self.unsuited:
                gold = space.ids(chosen.encode_all(arcs))
                self.right[i] += int(np.count_nonzero((gold == predicted.tag_ids[i]).all(-1)))

    def figures(self) -> dict[str, Any]:
        """Percentages, for each encoding and over all; nothing for the baseline, which has no labels."""
        if not len(self.right):
            return {}
        each = {
            name: round(100 * int(right) / max(self.words, 1), 2)
            for name, right, made in zip(self.layer.encodings, self.right, self.layer.decoders, strict=True)
            if made.name not in self.unsuited
        }
        return {
            "tag_accuracy": each,
            "well_formed_percent": round(100 * self.well_formed / max(self.sentences, 1), 2),
        }
