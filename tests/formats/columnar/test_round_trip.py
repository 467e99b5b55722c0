"""Files come out of tables as they went in, byte for byte, or as converting them to their own format gives them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import arctag
from arctag.errors import ArctagError
from arctag.formats import format_of_name, read, read_whole, write
from arctag.formats.columnar import batches, reading
from arctag.formats.conllu import CONLLU
from arctag.sentence import Sentence
from tests.conftest import Run
from tests.formats.strange_files import strange_files
from tests.places import treebanks
from tests.strategies import sentences

TABLES = ["parquet", "arrow"]
EMPTY = "_\t" * 7


def _back(source: Path, table: Path) -> bytes:
    """A file converted to a table and back."""
    assert write(read_whole(source), table) > 0
    back = table.with_name(f"back{source.suffix}")
    write(read_whole(table), back)
    return back.read_bytes()


@pytest.mark.parametrize("table", TABLES)
def test_round_trip_samples(any_sample: Path, tmp_path: Path, table: str) -> None:
    assert _back(any_sample, tmp_path / f"table.{table}") == any_sample.read_bytes()


@pytest.mark.parametrize("name", treebanks(".conllu", ".sdp"))
def test_round_trip_treebanks(shared: Path, tmp_path: Path, name: str) -> None:
    source = shared / "data" / name
    assert _back(source, tmp_path / "table.parquet") == source.read_bytes()


@pytest.mark.parametrize("name", treebanks(".conllu", ".sdp", only=lambda name: "dev" in name))
def test_round_trip_keeps_the_graphs(shared: Path, tmp_path: Path, name: str) -> None:
    source = shared / "data" / name
    write(read_whole(source), tmp_path / "table.arrow")
    before, after = list(read(source)), list(read(tmp_path / "table.arrow"))
    assert [s.graph for s in after] == [s.graph for s in before]
    assert [(s.id, s.text, s.words, s.rows) for s in after] == [(s.id, s.text, s.words, s.rows) for s in before]


@pytest.mark.parametrize("empty", ["drop", "collapse"])
def test_round_trip_of_edited_sentences(sample: Path, tmp_path: Path, run: Run, empty: str) -> None:
    plain = run("convert", sample, "--empty", empty).out
    assert run("convert", sample, tmp_path / "table.parquet", "--empty", empty).code == 0
    assert run("convert", tmp_path / "table.parquet").out == plain
    assert run("convert", sample, tmp_path / "whole.parquet").code == 0
    assert run("convert", tmp_path / "whole.parquet", "--empty", empty).out == plain


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("no-end.conllu", f"1\ta\t{EMPTY}_"),
        ("no-empty-line.conllu", f"1\ta\t{EMPTY}_\n"),
        ("empty-lines.conllu", f"1\ta\t{EMPTY}_\n\n\n\n1\tb\t{EMPTY}_\n\n\n"),
        ("windows.conllu", f"# sent_id = 1\r\n1\ta\t{EMPTY}_\r\n\r\n1\tb\t{EMPTY}_\r\n"),
        ("zeros.conllu", "# c\n1\ta\t_\t_\t_\t_\t00\troot\t0:root\t_\n2\tb\t_\t_\t_\t_\t0001\tx\t1:x\t_\n\n"
         f"1\tc\t{EMPTY}_\n\n"),
        ("range.conllu", f"1-2\tdu\t_\t_\t_\tTypo=Yes\t_\t_\t_\tA=b\n1\tde\t{EMPTY}_\n2\tle\t{EMPTY}X=y\n\n"),
        ("twice.conllu", "1\ta\t_\t_\t_\t_\t_\t_\t2:x|2:x|0:y\t_\n2\tb\t_\t_\t_\t_\t_\t_\t1:b|1:a|0:root\t_\n\n"),
        ("empty-cells.conllu", "1\t\t\t\t\t\t_\t_\t_\t\n\n"),
        ("underscores.conllu", f"1\t_\t_\t_\t_\t_\t_\t_\t_\t_\n2\t__\t{EMPTY}_\n\n"),
        ("comments.conllu", f"#\n# text=a b\n#sent_id=x y \n# a\tb\n# text = other\n1\ta\t{EMPTY}_\n\n"),
        ("first-empty.conllu", f"0.1\tx\t{EMPTY}_\n1-2\tab\t{EMPTY}_\n1\ta\t_\t_\t_\t_\t2\tx\t0.1:y|2:z\t_\n"
         f"1.1\ty\t{EMPTY}_\n2\tb\t_\t_\t_\t_\t0\troot\t1.1:z\t_\n2.1\tz\t{EMPTY}_\n\n"),
        ("header.sdp", "#SDP 2015\n#SDP 2015 \n# c\n#22\n1\ta\t_\tX\t+\t+\tf\t_\n\n"),
        ("no-arcs.sdp", "#SDP 2015\n1\ta\t_\tX\t-\t-\t_\n2\tb\t_\tX\t-\t-\t_\n\n"),
        ("loop.sdp", "#SDP 2015\n#1\n1\ta\t_\tX\t+\t+\t_\tARG\t_\n2\tb\t_\t_\t-\t+\tf\tx\t_\n\n"),
        ("order.conllup", "# global.columns = FORM ID X:DM DEPS\n\nab\t1-2\t*\t_\na\t1\t0:top\t0:root\n"
         "b\t2\t_\t1:x\n\n"),
        ("plus.conllup", "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC PARSEME:MWE\n"
         f"# c\n1\ta\t{EMPTY}_\t1:ID\n2\tb\t{EMPTY}_\t*\n\n"),
    ],
    ids=lambda value: value if "\t" not in value else "",
)  # fmt: skip
def test_round_trip_of_odd_files(tmp_path: Path, name: str, text: str) -> None:
    source = tmp_path / name
    source.write_text(text, encoding="utf-8", newline="")
    write(read_whole(source), tmp_path / f"plain{source.suffix}")
    assert _back(source, tmp_path / "table.parquet") == (tmp_path / f"plain{source.suffix}").read_bytes()


@given(sentences())
def test_round_trip_random_conllu(tmp_path_factory: pytest.TempPathFactory, sentence: Sentence) -> None:
    path = tmp_path_factory.mktemp("random") / "file.conllu"
    path.write_text(CONLLU.text(sentence) * 2, encoding="utf-8", newline="\n")
    assert _back(path, path.with_name("table.arrow")) == path.read_bytes()
    write([sentence] * 2, path.with_name("edited.arrow"))
    again = list(read(path.with_name("edited.arrow")))
    assert [s.graph for s in again] == [sentence.graph] * 2
    assert "".join(map(CONLLU.text, again)) == path.read_bytes().decode()


def _converted(source: Path, target: Path) -> bytes | str:
    """What a file becomes, or why it cannot be read."""
    try:
        write(read_whole(source), target)
    except ArctagError as error:
        return str(error)
    return b""


@pytest.mark.parametrize("format", ["conllu", "sdp", "conllup"])
@given(data=st.data())
def test_round_trip_of_strange_files(
    tmp_path_factory: pytest.TempPathFactory, format: str, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("strange")
    source, plain, table = folder / f"in.{format}", folder / f"plain.{format}", folder / "table.arrow"
    source.write_bytes(data.draw(strange_files(format)))
    why = _converted(source, plain)
    assert _converted(source, table) == why
    if not why:
        write(read_whole(table), folder / f"back.{format}")
        assert (folder / f"back.{format}").read_bytes() == plain.read_bytes()


@pytest.mark.parametrize("rows", [1, 2, 5])
def test_round_trip_in_batches_of_any_size(
    any_sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: int
) -> None:
    for module in (reading, batches):
        monkeypatch.setattr(module, "ROWS", rows)
    assert _back(any_sample, tmp_path / "table.parquet") == any_sample.read_bytes()
    write(read(any_sample), tmp_path / "sentences.arrow")
    assert _back(any_sample, tmp_path / "sentences.arrow") == any_sample.read_bytes()


def test_round_trip_of_several_files_in_one_table(sample: Path, tmp_path: Path) -> None:
    """A file may end without an empty line, but only at its own end."""
    short = tmp_path / "short.conllu"
    short.write_bytes(sample.read_bytes().rstrip(b"\n") + b"\n")
    write([*read(short), *read(sample)], tmp_path / "both.parquet")
    write(read(tmp_path / "both.parquet"), tmp_path / "both.conllu")
    assert (tmp_path / "both.conllu").read_bytes() == sample.read_bytes() * 2


def test_round_trip_from_table_to_table(sample: Path, tmp_path: Path, run: Run) -> None:
    for source, target in (
        ("sample", "a.parquet"),
        ("a.parquet", "b.arrow"),
        ("b.arrow", "c.feather"),
        ("c.feather", "d.pq"),
    ):
        assert run("convert", sample if source == "sample" else tmp_path / source, tmp_path / target).code == 0
    assert run("convert", tmp_path / "d.pq").out == sample.read_bytes()


@pytest.mark.parametrize("table", TABLES)
def test_round_trip_through_streams(any_sample: Path, run: Run, table: str) -> None:
    stream = run("convert", any_sample, "-", "--to", table).out
    assert run("convert", "-", stdin=stream).out == any_sample.read_bytes()
    assert run("convert", "-", "--from", table, stdin=stream).out == any_sample.read_bytes()


def test_round_trip_of_further_layers(sample: Path, tmp_path: Path) -> None:
    first, *others = read(sample)
    tags = ["B", *["_"] * (first.size - 1)]
    more = first.with_layers({"dm": first.graph}, {"Ner": tags})
    assert write([more, *others], tmp_path / "table.parquet") == 34
    again, *rest = arctag.read(tmp_path / "table.parquet")
    assert (again.graphs["dm"], again.further["Ner"]) == (first.graph, tags)
    assert len(rest[0].graphs["dm"]) == 0
    assert set(rest[0].further["Ner"]) == {"_"}
    write([again, *rest], tmp_path / "plus.conllup")
    assert next(arctag.read(tmp_path / "plus.conllup")).graph_in("dm") == first.graph


def test_round_trip_counts_layers_that_have_no_column(sample: Path, tmp_path: Path) -> None:
    first, second, *_ = read(sample)
    lost: Counter[str] = Counter()
    write([first, second.with_layers({"dm": second.graph})], tmp_path / "table.parquet", losses=lost)
    assert lost == {"further layers that are not in the table (dm)": 1}


def test_round_trip_formats_are_known_by_name_and_by_beginning(sample: Path, tmp_path: Path, run: Run) -> None:
    assert {format_of_name(f"x{end}") for end in (".parquet", ".pq", ".PARQUET")} == {"parquet"}
    assert {format_of_name(f"x{end}") for end in (".arrow", ".feather", ".arrows")} == {"arrow"}
    write(read(sample), tmp_path / "table.parquet")
    (tmp_path / "table.parquet").rename(tmp_path / "table.arrow")  # read by how it begins
    assert run("convert", tmp_path / "table.arrow").out == sample.read_bytes()
