"""CoNLL-U Plus: any columns, in any order, byte for byte; further layers as columns."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arctag.blocks import Flat
from arctag.columns import STANDARD, Header
from arctag.errors import FormatError, InputError
from arctag.formats import Writer, format_of_file, get_format, pieces, read, read_whole, write
from arctag.formats.json_lines import JSON, sentence_json
from arctag.graph import Graph
from arctag.sentence import Sentence
from arctag.transforms import drop, with_main, with_tree
from tests.conftest import Run

FILE = """# global.columns = FORM ID X:DM UPOS DEPS PARSEME:MWE
# sent_id = a
du\t1-2\t_\t_\t_\t*
de\t1\t0:top|1.1:ARG\tADP\t0:root\t1:x
e\t1.1\t_\t_\t1:e\t_
le\t2\t1:BV|0:z\tDET\t1.1:y\t1

# sent_id = b
Oui\t1\t_\tINTJ\t0:root\t_

"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "file.conllup"
    path.write_text(FILE, encoding="utf-8")
    return path


def triples(graph: Graph) -> list[tuple[int, int, str]]:
    return list(graph.triples())


def test_conllup_has_the_columns_of_conllu_and_others(path: Path) -> None:
    first, second = read(path)
    assert first.format == "conllup"
    assert first.words == ["de", "e", "le"]
    assert first.tags == ["ADP", "_", "DET"]
    assert first.cells("mwe") == ["1:x", "_", "1"]
    assert triples(first.graph) == [(0, 1, "root"), (1, 2, "e"), (2, 3, "y")]
    assert triples(first.graph_in("DM")) == [(0, 1, "top"), (2, 1, "ARG"), (0, 3, "z"), (1, 3, "BV")]
    assert first.rows[0] == ["1-2", "du", "_", "_", "_", "_", "_", "_", "_", "_", "_", "*"]
    assert (second.id, second.source) == ("b", f"{path}:9")
    together = Flat([first, second]).graphs_in("x:dm")
    assert [together.graph(i) for i in (0, 1)] == [first.graph_in("DM"), Graph(1)]
    with pytest.raises(InputError, match="there is no column LEMMA; there are FORM, ID, X:DM, UPOS, DEPS, PARSEME:MWE"):
        first.cells("LEMMA")
    with pytest.raises(FormatError, match=r"file\.conllup:6: found head '1' with no label in column MWE"):
        first.graph_in("MWE")


def test_conllup_is_recognised_by_its_beginning(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "file"
    other.write_bytes(path.read_bytes())
    assert format_of_file(other) == "conllup"


@pytest.mark.parametrize("size", [1, 40, 1 << 20])
def test_conllup_comes_out_as_it_went_in(
    path: Path, tmp_path: Path, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pieces, "SIZE", size)
    for text in (FILE, FILE.replace("MWE\n", "MWE  \n\n"), FILE.removesuffix("\n"), FILE + "\n"):
        path.write_text(text, encoding="utf-8")
        sentences = list(read(path))
        copies, edited = [s.detached() for s in sentences], [s.with_graph(s.graph) for s in sentences]
        for some in (sentences, read_whole(path), copies, edited):
            write(some, tmp_path / "again.conllup")
            assert (tmp_path / "again.conllup").read_text(encoding="utf-8") == text


def test_conllup_pieces_are_read_in_another_process(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "SIZE", 1)
    format = get_format("conllup")
    chunks = [pickle.loads(pickle.dumps(chunk)) for chunk in format.chunks(path)]
    assert len(chunks) == 2
    assert [s.words for chunk in chunks for s in format.sentences([chunk])] == [["de", "e", "le"], ["Oui"]]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("# global", "# local", "1: found no header"),
        ("UPOS", "TAG", "1: found the unknown column 'TAG'"),
        ("UPOS", "DEPS", "1: found the column DEPS more than once"),
        ("FORM", "LEMMA", "1: found no column FORM; expected ID and FORM at least"),
        ("\t1:x", "", "4: found 5 columns; expected 6 columns with tabs between them, as the header says"),
        ("Oui\t1", "Oui\t2", r"9: found id 2 \(id 1 is missing\)"),
        ("1:e", "7:e", "5: found head 7 in '7:e'"),
        ("# sent_id = b", "# global.columns = ID FORM", "8: found a second '# global.columns'"),
    ],
)
def test_conllup_faults_name_their_line(path: Path, old: str, new: str, message: str) -> None:
    path.write_text(FILE.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(FormatError, match=rf"file\.conllup:{message}"):
        list(read(path))


def test_conllup_damaged_sentences_stay_as_they_are(path: Path, tmp_path: Path) -> None:
    text = FILE.replace("\t1:x", "")
    path.write_text(text, encoding="utf-8")
    write(read(path, on_error=lambda _: None), tmp_path / "again.conllup")
    assert (tmp_path / "again.conllup").read_text(encoding="utf-8") == text


def test_conllup_to_conllu_counts_what_is_lost(path: Path, tmp_path: Path) -> None:
    lost: Counter[str] = Counter()
    write(read(path), tmp_path / "file.conllu", losses=lost)
    assert lost == {"cells of X:DM": 2, "cells of PARSEME:MWE": 3}
    lines = (tmp_path / "file.conllu").read_text(encoding="utf-8").splitlines()
    assert lines[:3] == ["# sent_id = a", "1-2\tdu" + "\t_" * 8, "1\tde\t_\tADP\t_\t_\t_\t_\t0:root\t_"]


def test_conllu_to_conllup_and_back_is_the_same(sample: Path, tmp_path: Path) -> None:
    lost: Counter[str] = Counter()
    write(read_whole(sample), tmp_path / "file.conllup", losses=lost)
    assert (tmp_path / "file.conllup").read_bytes() == Header.of(STANDARD).text.encode() + sample.read_bytes()
    write(read(tmp_path / "file.conllup"), tmp_path / "file.conllu", losses=lost)
    assert (tmp_path / "file.conllu").read_bytes() == sample.read_bytes()
    assert lost == {}


def test_sdp_becomes_conllup(sample_sdp: Path, tmp_path: Path) -> None:
    write(read(sample_sdp), tmp_path / "file.conllup")
    assert [s.graph for s in read(tmp_path / "file.conllup")] == [s.graph for s in read(sample_sdp)]


def with_layers(sentences: list[Sentence]) -> list[Sentence]:
    graphs = Flat(sentences).graphs
    return [s.with_layers({"dm": (graphs, i)}, {"Ner": ["O"] * s.size}) for i, s in enumerate(sentences)]


@pytest.mark.parametrize("detached", [False, True])
def test_layers_are_written_as_columns(sample: Path, tmp_path: Path, detached: bool) -> None:
    before = with_layers(list(read(sample)))
    write([s.detached() for s in before] if detached else before, tmp_path / "file.conllup")
    after = list(read(tmp_path / "file.conllup"))
    assert after[0].header == Header.of([*STANDARD, "ARCTAG:DM", "ARCTAG:NER"])
    assert [s.graph_in("dm") for s in after] == [s.graph for s in before]
    assert {cell for s in after for cell in s.cells("ner")} == {"O"}
    assert [[row[:10] for row in s.rows] for s in after] == [s.rows for s in before]
    ranges = [row for s in after for row in s.rows if "-" in row[0]]
    assert ranges
    assert {tuple(row[10:]) for row in ranges} == {("_", "_")}
    again = tmp_path / "again.conllup"  # a layer whose column is there is written into it
    write([s.with_layers({"dm": s.graph_in("dm")}) for s in after], again)
    assert again.read_bytes() == (tmp_path / "file.conllup").read_bytes()


def test_layers_are_those_that_the_writer_is_told(sample: Path) -> None:
    plain = list(read(sample))[:2]
    writer = Writer("conllup", layers=("dm",))
    data = b"".join(writer.data([plain[0], with_layers(plain)[1]])).decode()
    assert writer.header.split()[-1] == "ARCTAG:DM"
    assert {line.count("\t") for line in data.splitlines() if "\t" in line} == {10}
    assert writer.lost == {"further layers that are not in the header (Ner)": 1}


def test_layers_in_conllu_are_misc_or_lost(path: Path, sample: Path, tmp_path: Path) -> None:
    lost: Counter[str] = Counter()
    before = with_layers(list(read(sample)))
    write(before, tmp_path / "file.conllu", losses=lost)
    after = list(read(tmp_path / "file.conllu"))
    assert {cell for s in after for cell in s.cells("MISC:Ner")} == {"O"}
    assert lost == {"further graphs (dm; conllup and json have room for them, sdp for one)": len(before)}
    tags = [s.with_layers(columns={"Ner": ["O"] * s.size}) for s in read(sample)]
    fast = b"".join(Writer("conllu").data(tags))
    assert fast == (tmp_path / "file.conllu").read_bytes()
    assert b"".join(Writer("conllu").data(s.detached() for s in tags)) == fast
    assert "Ner" not in path.read_text()


def test_layers_in_json(path: Path, sample: Path) -> None:
    one = with_layers(list(read(sample)))[0]
    value = json.loads(JSON.text(one))
    assert value == sentence_json(one)
    assert value["layers"]["dm"]["arcs"] == value["arcs"]
    assert value["layers"]["Ner"] == {"tags": ["O"] * one.size}
    assert (value["lemmas"], value["xpos"]) == (one.column(2), one.column(4))
    plus = json.loads(JSON.text(next(iter(read(path)))))
    assert plus["layers"]["PARSEME:MWE"] == {"tags": ["1:x", "_", "1"]}


def test_main_graph_is_another(path: Path, sample: Path) -> None:
    first = next(iter(read(path)))
    assert with_main(first, "dm").graph == first.graph_in("DM") == with_main(first.detached(), "dm").graph
    layered = with_layers(list(read(sample)))[0]
    assert (with_main(layered, "dm").graph, list(with_main(layered, "dm").graphs)) == (layered.graph, [])
    for sentence in read(sample):
        tree = with_main(sentence, "tree").graph
        ids = ["0", *sentence.ids]
        found = [(ids[head], ids[word], relation) for head, word, relation in tree.triples()]
        assert found == [(row[6], row[0], row[7]) for row in sentence.node_rows if row[6] != "_"]
    with pytest.raises(InputError, match="no tree"):
        with_main(first, "tree")


def test_filled_columns_are_added(path: Path, tmp_path: Path) -> None:
    path.write_text("# global.columns = ID FORM\n1\ta\n2\tb\n\n", encoding="utf-8")
    parsed = [with_tree(s.with_graph(Graph(2, [(0, 1, "root"), (1, 2, "x")]))) for s in read(path)]
    write(parsed, tmp_path / "again.conllup")
    assert (tmp_path / "again.conllup").read_text().splitlines()[:2] == [
        "# global.columns = ID FORM HEAD DEPREL DEPS", "1\ta\t0\troot\t0:root",
    ]  # fmt: skip


def test_dropped_nodes_are_no_heads_in_further_columns(path: Path) -> None:
    first = drop(next(iter(read(path))))
    assert first.cells("dm") == ["0:top", "1:BV|0:z"]
    assert triples(first.graph_in("dm")) == [(0, 1, "top"), (0, 2, "z"), (1, 2, "BV")]


NAMES = st.sets(st.sampled_from([*STANDARD[2:], "A:X", "B:Y"])).map(sorted).flatmap(
    lambda names: st.permutations(["ID", "FORM", *names])
)  # fmt: skip
CELLS = {"HEAD": "0", "DEPREL": "root", "DEPS": "0:root|1:x"}


@given(NAMES, st.integers(1, 3), st.booleans())
def test_conllup_round_trip_of_any_columns(
    tmp_path_factory: pytest.TempPathFactory, names: list[str], words: int, edited: bool
) -> None:
    path = tmp_path_factory.mktemp("plus") / "file.conllup"
    lines = [
        "\t".join({"ID": str(i), "FORM": "w", **CELLS}.get(name, f"{name}{i}") for name in names)
        for i in range(1, words + 1)
    ]
    text = f"# global.columns = {' '.join(names)}\n" + "\n".join(lines) + "\n\n"
    path.write_text(text, encoding="utf-8")
    if "DEPREL" in names and "HEAD" not in names:
        with pytest.raises(FormatError, match="label 'root' with no head"):
            list(read(path))
        return
    sentences = list(read(path))
    for name in names:
        assert sentences[0].cells(name) == [line.split("\t")[names.index(name)] for line in lines]
    if edited and "DEPS" in names:
        sentences = [s.with_graph(s.graph) for s in sentences]
    write(sentences, path.with_name("again.conllup"))
    assert path.with_name("again.conllup").read_text(encoding="utf-8") == text


def test_layer_option(path: Path, tmp_path: Path, run: Run) -> None:
    assert run("convert", path, tmp_path / "dm.sdp", "--layer", "dm", "--quiet").code == 0
    assert [s.graph for s in read(tmp_path / "dm.sdp")][1] == Graph(1)
    drawn = run("draw", path, "--layer", "dm", "--limit", "1")
    assert b"BV" in drawn.out
    assert run("score", path, path, "--layer", "dm", "--metric", "sdp").code == 0
    figures = json.loads(run("diagnose", path, "--layer", "dm", "--json", "--encodings", "bits6-4").out)
    assert figures["statistics"]["arcs"] == 3  # the empty node's are left out
    assert run("encode", path, "--layer", "dm").code == 0
    failed = run("encode", path, "--layer", "nothing")
    assert failed.code == 2
    assert "there is no column nothing; there are FORM, ID, X:DM" in failed.err


@pytest.mark.parametrize("name", ["iwpt_ta/dev.conllu", "en_pud/test.conllu"])
def test_conllup_of_treebanks_with_their_columns_in_another_order(shared: Path, tmp_path: Path, name: str) -> None:
    source, path = shared / "data" / name, tmp_path / "file.conllup"
    order = [8, 1, 9, 3, 0, 6, 7, 2]  # without XPOS and FEATS
    lines = [Header.of([STANDARD[c] for c in order]).text.rstrip("\n")]
    for line in source.read_text(encoding="utf-8").split("\n"):
        cells = line.split("\t")
        lines.append("\t".join(cells[c] for c in order) if len(cells) == len(STANDARD) else line)
    path.write_text("\n".join(lines), encoding="utf-8")
    for one, other in zip(read(path), read(source), strict=True):
        assert one.graph == other.graph
        assert one.rows == [[*row[:4], "_", "_", *row[6:]] for row in other.rows]
    write((s.with_graph(s.graph) for s in read(path)), tmp_path / "again.conllup")
    assert (tmp_path / "again.conllup").read_bytes() == path.read_bytes()
