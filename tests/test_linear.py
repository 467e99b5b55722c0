"""Work in proportion to the size of a sentence, also where one word has all of the arcs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from arctag.cells import Numbers, Spans
from arctag.encodings import encoding
from arctag.errors import FormatError, InputError
from arctag.formats import label_files, read, streams, write
from arctag.formats.conllu import CONLLU
from arctag.formats.json_lines import sentence_json
from arctag.formats.pieces import _Cutter, pieces
from arctag.formats.sdp import SDP
from arctag.graph import Graph
from arctag.metrics import METRICS, score
from arctag.sentence import Sentence
from arctag.transforms import empty_nodes
from arctag.transforms.basic_tree import basic_tree
from arctag.transforms.guarantees import GUARANTEES, Weighted, ensure
from tests.steps import Compared, Searched, assert_linear

Triples = list[tuple[int, int, str]]


def chain(n: int) -> Triples:
    return [(i - 1, i, "dep") for i in range(1, n + 1)]


def many_heads(n: int) -> Triples:
    return [(head, 1, "dep") for head in range(n + 1) if head != 1]


def many_dependents(n: int) -> Triples:
    return [(0, 1, "root"), *((1, word, "dep") for word in range(2, n + 1))]


def both_ways(n: int) -> Triples:
    return [(0, n, "root"), *((1, d, "ref") for d in range(2, n)), *((d, 1, "nsubj") for d in range(2, n))]


def relative_clauses(n: int) -> Triples:
    return [(0, 1, "root"), *((1, d, "ref" if d % 2 else "acl:relcl") for d in range(2, n + 1))]


def many_relations(n: int) -> Triples:
    return [(0, 1, "root"), *((1, 2, f"r{i}") for i in range(n))]


def many_paths(n: int) -> Triples:
    return [(0, 1, "root"), *((1, 2, f"conj>{i}.1>obj") for i in range(1, n))]


SHAPES = (chain, many_heads, many_dependents, both_ways, relative_clauses, many_relations, many_paths)


def sentence(triples: Triples) -> Sentence:
    graph = Graph(max(2, *(max(head, dependent) for head, dependent, _ in triples)), triples)
    return Sentence.from_words(["w"] * graph.n, graph, sent_id="s")


def counted(given: Sentence) -> None:
    for metric in ("elas", "conll"):
        METRICS[metric].count([given], [given])


def ensured(given: Sentence) -> None:
    ensure(given.graph.n, [Weighted(arc.head, arc.dependent, 0.5) for arc in given.graph], tuple(GUARANTEES))


def labelled(given: Sentence) -> None:
    list(label_files.EncodedBatch.of([given], encoding("relative")).texts())


WORK: dict[str, Callable[[Sentence], object]] = {
    "conllu": CONLLU.text,
    "json": sentence_json,
    "label files": labelled,
    "expand": empty_nodes.expand,
    "collapse": lambda given: empty_nodes.collapse(empty_nodes.expand(given)),
    "basic tree": lambda given: basic_tree(given.graph),
    "ensure": ensured,
    "cycles": lambda given: given.graph.cyclic,
    "losses": SDP.losses,
    "scores": counted,
}


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
@pytest.mark.parametrize("name", WORK)
def test_linear_work_grows_with_the_sentence(name: str, shape: Callable[[int], Triples]) -> None:
    assert_linear(lambda n: lambda: WORK[name](sentence(shape(n))), 200)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
def test_linear_reading_grows_with_the_sentence(shape: Callable[[int], Triples], tmp_path: Path) -> None:
    def make(n: int) -> Callable[[], object]:
        path = tmp_path / f"{n}.conllu"
        write([sentence(shape(n))], path)
        return lambda: list(read(path))

    assert_linear(make, 200)


def test_linear_relations_of_an_arc_are_not_compared_with_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "many.conllu"
    path.write_text("1\ta\t_\t_\t_\t_\t0\troot\t" + "|".join(f"0:r{i % 3_000}" for i in range(6_000)) + "\t_\n\n")
    numbered = Spans.numbered

    def watched(spans: Spans) -> tuple[Numbers, list[str]]:
        numbers, texts = numbered(spans)
        return numbers, [Compared(text) for text in texts]

    monkeypatch.setattr(Spans, "numbered", watched)
    Compared.compared = 0
    [read_back] = read(path)
    assert read_back.graph.relations == (tuple(f"r{i}" for i in range(3_000)),)
    assert Compared.compared < 60_000  # each with each would be millions


@pytest.mark.full
def test_linear_hundred_thousand_relations_and_heads(tmp_path: Path) -> None:
    for i, triples in enumerate((many_relations(100_000), many_heads(100_000), many_dependents(100_000))):
        first, second = tmp_path / f"{i}.conllu", tmp_path / f"{i}-again.conllu"
        write([sentence(triples)], first)
        write((s.with_graph(s.graph) for s in read(first)), second)
        assert first.read_bytes() == second.read_bytes()
        score(first, second, "elas")


def test_linear_long_sentences_come_in_any_buffers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "\r\n\r\n# x\r\n" + "1\tw\r\n" * 1_000 + "\r\n\r\n2\r\r\n\r\n\n\n3\n\n\r"
    path = tmp_path / "long.txt"
    path.write_bytes(text.encode())
    wanted = list(pieces(path, size=1))
    assert [piece.line for piece in wanted] == [1, 1_006, 1_010, 1_012]
    for size in (1, 2, 3, 7, 4_096):
        monkeypatch.setattr(streams, "BUFFER_SIZE", size)
        assert list(pieces(path, size=1)) == wanted


def test_linear_a_long_sentence_is_not_searched_again_for_each_buffer() -> None:
    cutter = _Cutter("long.txt", 100)
    cutter.rest = rest = Searched()
    assert not list(cutter.pieces([b"1\tw\n1\tw\n1\tw\n1\tw\n"] * 1_250))
    assert len(list(cutter.last(None))) == 1
    assert 0 < rest.searched < 3 * 20_000


def test_linear_lines_that_are_not_text_are_taken_from_the_front(tmp_path: Path) -> None:
    path = tmp_path / "bad.conllu"
    path.write_bytes(b"1\t\xff\t_\t_\t_\t_\t_\t_\t_\t_\n\n" * 500)
    faults: list[FormatError] = []
    assert len(list(read(path, on_error=faults.append))) == 500
    assert [fault.line for fault in faults] == list(range(1, 1000, 2))


def test_linear_paths_through_a_long_chain_of_empty_nodes() -> None:
    rows = [["1", "a", *"_" * 8], *([f"1.{i}", *"_" * 9] for i in range(1, 3_001)), ["2", "b", *"_" * 8]]
    graph = Graph(3_002, [(0, 1, "root"), *chain(3_002)[1:]])
    given = Sentence(rows, graph, edited=True)
    collapsed = empty_nodes.collapse(given)
    assert len(collapsed.graph) == 2
    assert empty_nodes.expand(collapsed).graph == graph


def test_linear_paths_that_would_be_written_out_by_the_thousand_are_refused() -> None:
    rows = [["1", "a", *"_" * 8], *([f"1.{i}", *"_" * 9] for i in range(1, 3_001))]
    rows += [[str(i), "b", *"_" * 8] for i in range(2, 3_002)]
    below = [(1 + i, 3_000 + 1 + i, "dep") for i in range(1, 3_001)]  # a word below every node of the chain
    given = Sentence(rows, Graph(6_001, [*chain(3_001), *below]), edited=True)
    with pytest.raises(InputError, match="too many paths"):
        empty_nodes.collapse(given)


def test_linear_a_table_too_large_for_sdp_is_refused() -> None:
    with pytest.raises(InputError, match=r"s: 5999 predicates and 6000 words are too many for SDP.*CoNLL-U instead"):
        SDP.text(sentence(chain(6_000)))
    assert SDP.text(sentence(many_dependents(6_000))).count("\n") == 6_002
