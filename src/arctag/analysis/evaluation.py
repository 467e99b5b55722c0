"""A model against a gold file: official scores, and every analysis of the paper's appendix."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from arctag.blocks.flat import Flat
from arctag.encodings.cycles import cyclic
from arctag.encodings.planes import plane_counts
from arctag.errors import InputError
from arctag.formats import read
from arctag.metrics import METRICS, Counts, score
from arctag.metrics.elas import SEGMENTATION, TREES
from arctag.parsing.parser import ParseOptions, Parser
from arctag.parsing.proposals import Predicted
from arctag.sentence import Sentence
from arctag.transforms import empty_nodes


def evaluate(
    parser: Parser, gold: str | Path | Iterable[Sentence], options: ParseOptions | None = None
) -> dict[str, Any]:
    """Parse the words of a gold file and score the result.

    `sdp` and, for CoNLL-U, `elas` are as `arctag score --json` gives them, less what the model does not predict: words
    and sentences, which are the file's own, and trees if it was trained without. Then tagging accuracy, the percentage
    of label sequences that were well-formed before repair, and scores by number of planes and for cyclic sentences.
    """
    return evaluate_with_counts(parser, gold, options)[0]


def evaluate_with_counts(
    parser: Parser, gold: str | Path | Iterable[Sentence], options: ParseOptions | None = None
) -> tuple[dict[str, Any], Counts]:
    """The same, and the SDP counts of each sentence, with which `compare` tests whether two models differ."""
    sentences = list(read(gold) if isinstance(gold, (str, Path)) else gold)
    if not sentences:
        raise InputError("no sentence to evaluate on")
    options = replace(options or ParseOptions(), tree=True)  # not the file's own: that would score gold against gold
    started = perf_counter()
    tagging = _Tagging(parser)
    system = list(parser.parse_sentences(sentences, options, on_batch=tagging.add))
    seconds = perf_counter() - started
    report: dict[str, Any] = {"model": parser.config.encoding, "sentences": len(sentences)}
    sdp = score(sentences, system, "sdp")
    report["sdp"] = {**sdp.figures, "metric": "sdp", "signature": sdp.signature}
    if sentences[0].format == "conllu":
        elas = score(sentences, system, "elas")
        not_predicted = SEGMENTATION if parser.config.basic_relations else (*SEGMENTATION, *TREES)
        figures = {name: cell for name, cell in elas.figures.items() if name not in not_predicted}
        report["elas"] = {**figures, "metric": "elas", "signature": elas.signature}
    report.update(tagging.figures())
    arcs = Flat(empty_nodes.treated(sentences, empty_nodes.drop)).graphs.arcs
    report["by_planes"] = _by_group(sdp.counts, plane_counts(arcs, "strict").tolist())
    report["by_cyclic"] = _by_group(sdp.counts, ["cyclic" if some else "acyclic" for some in cyclic(arcs)])
    tokens = sum(sentence.size for sentence in sentences)
    report.update(tokens=tokens, seconds=round(seconds, 3), tokens_per_s=round(tokens / max(seconds, 1e-9)))
    report["options"] = asdict(options)
    return report, sdp.counts


def evaluate_raw(
    parser: Parser, gold: str | Path | Iterable[Sentence], options: ParseOptions | None = None
) -> dict[str, Any]:
    """Parse the running text of a gold file, from letters to graphs, and score the result by ELAS.

    Words are matched by where they stand in the text, as the official scorer does.
    """
    sentences = list(read(gold) if isinstance(gold, (str, Path)) else gold)
    if not sentences or sentences[0].format != "conllu":
        raise InputError("there is no running text to evaluate on: that needs CoNLL-U with `# text`")
    text = running_text(sentences)
    options = options or ParseOptions()
    started = perf_counter()
    system = list(parser.parse_text(text, options))
    seconds = perf_counter() - started
    elas = score(sentences, system, "elas")
    tokens = sum(sentence.size for sentence in system)
    return {
        "model": parser.config.encoding, "sentences": len(sentences), "found_sentences": len(system),
        "elas": {**elas.figures, "metric": "elas", "signature": elas.signature}, "tokens": tokens,
        "seconds": round(seconds, 3), "tokens_per_s": round(tokens / max(seconds, 1e-9)), "options": asdict(options),
    }  # fmt: skip


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

    def __init__(self, parser: Parser) -> None:
        self.parser = parser
        self.words = self.sentences = self.well_formed = 0
        self.right = np.zeros(len(parser.encodings), dtype=np.int64)

    def add(self, batch: list[Sentence], predicted: Predicted) -> None:
        """Compare a batch's labels with those of its gold graphs."""
        config = self.parser.config
        arcs = Flat([empty_nodes.TREATMENTS[config.empty](sentence) for sentence in batch]).graphs.arcs
        self.words += int(arcs.sizes.sum())
        self.sentences += len(batch)
        self.well_formed += int(np.count_nonzero(predicted.repairs == 0))
        for i, (chosen, space) in enumerate(zip(self.parser.encodings, config.spaces, strict=True)):
            gold = space.ids(chosen.encode_all(arcs))
            self.right[i] += int(np.count_nonzero((gold == predicted.tag_ids[i]).all(-1)))

    def figures(self) -> dict[str, Any]:
        """Percentages, for each encoding and over all; nothing for the baseline, which has no labels."""
        if not len(self.right):
            return {}
        each = {
            name: round(100 * int(right) / max(self.words, 1), 2)
            for name, right in zip(self.parser.config.encodings, self.right, strict=True)
        }
        return {
            "tag_accuracy": each,
            "well_formed_percent": round(100 * self.well_formed / max(self.sentences, 1), 2),
        }
