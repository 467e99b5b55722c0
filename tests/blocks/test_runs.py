"""`runs`: which sentences are taken from their block as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from arctag.blocks.runs import Run, runs
from arctag.formats import read, read_blocks
from arctag.sentence import Sentence

GRAPH = frozenset({"graph"})


def found(sentences: list[Sentence], fields: frozenset[str] = GRAPH) -> list[tuple[int, int] | str]:
    return [(run.start, run.stop) if isinstance(run, Run) else run.id for run in runs(sentences, fields)]


def test_runs_of_a_file_are_its_blocks(sample: Path) -> None:
    blocks = list(read_blocks(sample))
    sentences = [sentence for block in blocks for sentence in block]
    assert found(sentences) == [(0, len(block)) for block in blocks]
    assert found(sentences + sentences) == [(0, len(block)) for block in blocks] * 2
    assert found([]) == []


def test_runs_end_where_sentences_are_left_out_or_moved(sample: Path) -> None:
    s = list(read(sample))
    assert found(s[2:4] + s[5:6] + s[4:5] + s[6:8]) == [(2, 4), (5, 6), (4, 5), (6, 8)]
    assert found([s[1], s[1]]) == [(1, 2), (1, 2)]


def test_runs_pass_what_is_edited_or_made_by_hand(sample: Path) -> None:
    s = list(read(sample))
    edited, commented, by_hand = s[1].with_graph(s[1].graph), s[2].replace(comments=()), Sentence.from_words(["a"])
    assert found([s[0], edited, commented, by_hand, s[3]]) == [(0, 1), edited.id, (2, 3), "?", (3, 4)]
    assert found([s[0], commented], frozenset({"comments"})) == [(0, 1), commented.id]


def test_runs_come_as_soon_as_their_block_ends(sample: Path) -> None:
    block = next(read_blocks(sample))

    def then_fail() -> Iterator[Sentence]:
        yield from block
        raise AssertionError("read on")

    run = next(runs(then_fail(), GRAPH))
    assert isinstance(run, Run)
    assert run[:3] == (block, 0, len(block))


def test_runs_pass_what_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "damaged.conllu"
    rows = "\t".join(["1", "a", *"_" * 8])
    path.write_text(f"{rows}\n\n1\tb\n\n{rows}\n\n")
    damaged = list(read(path, on_error=lambda _: None))
    first, second = damaged[0], damaged[1]
    assert second.error
    assert found([first, second]) == [(0, 1), second.id]
