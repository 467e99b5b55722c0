"""Damaged files: the message names file, line, what was found and expected; the exit code is 2."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arctag.errors import ArctagError, FormatError
from arctag.formats import Writer, read
from tests.conftest import Run
from tests.places import SAMPLES


def conllu(*rows: str) -> str:
    """A file whose words start on line 3; each row is 'id head deprel deps', missing ones '_'."""
    lines = ["# sent_id = damaged", "# text = …"]
    for row in rows:
        id, head, deprel, deps = (*row.split(), "_", "_", "_")[:4]
        lines.append("\t".join([id, "form", "lemma", "NOUN", "NN", "_", head, deprel, deps, "_"]))
    return "\n".join(lines) + "\n\n"


def sdp(*rows: str) -> str:
    """A file whose words start on line 3; each row is 'id top pred' and the arguments."""
    lines = ["#SDP 2015", "#damaged"]
    for row in rows:
        id, top, pred, *arguments = row.split()
        lines.append("\t".join([id, "form", "lemma", "NN", top, pred, "_", *arguments]))
    return "\n".join(lines) + "\n\n"


class Damage(NamedTuple):
    name: str
    suffix: str
    content: str
    line: int | None
    found: str
    expected: str


W = "# text = …\n"  # one line before the words
TEN = "10 columns with tabs between them"

DAMAGES = [
    Damage("one column", "conllu", W + "1 form lemma\n\n", 2, "1 column", TEN),
    Damage("nine columns", "conllu", W + "1" + "\t_" * 8 + "\n\n", 2, "9 columns", TEN),
    Damage("eleven columns", "conllu", W + "1" + "\t_" * 10 + "\n\n", 2, "11 columns", TEN),
    Damage("HEAD out of range", "conllu", conllu("1 0 root", "2 3 obj"), 4,
           "head 3 in a sentence of 2 words", "a head from 0 to 2"),
    Damage("HEAD far out of range", "conllu", conllu("1 " + "9" * 5000 + " obj"), 3,
           "head " + "9" * 5000 + " in a sentence of 1 words", "a head from 0 to 1"),
    Damage("DEPS head out of range", "conllu", conllu("1 _ _ 7:obj"), 3,
           "head 7 in '7:obj', which no word of the sentence has", "a head from 0 to 1"),
    Damage("DEPS head a missing empty node", "conllu", conllu("1 _ _ 0:root|1.1:obj"), 3,
           "head 1.1 in '1.1:obj', which no word of the sentence has", "a head from 0 to 1"),
    Damage("duplicate id", "conllu", conllu("1", "2", "2"), 5, "id 2 a second time", "id 3"),
    Damage("duplicate empty node", "conllu", conllu("1", "1.1", "1.1"), 5, "id 1.1 a second time", "id 2"),
    Damage("missing id", "conllu", conllu("1", "3"), 4, "id 3 (id 2 is missing)", "id 2"),
    Damage("missing empty node", "conllu", conllu("1", "1.2"), 4, "id 1.2 (id 2 is missing)", "id 2"),
    Damage("non-number id", "conllu", conllu("1", "two"), 4, "id 'two'",
           "a number, a range or an empty node (2 comes next)"),
    Damage("non-ASCII number id", "conllu", conllu("١"), 3, "id '١'",
           "a number, a range or an empty node (1 comes next)"),
    Damage("non-number HEAD", "conllu", conllu("1 root root"), 3, "head 'root'", "a number or '_'"),
    Damage("negative HEAD", "conllu", conllu("1 -1 root"), 3, "head '-1'", "a number or '_'"),
    Damage("non-number DEPS head", "conllu", conllu("1 _ _ x:obj"), 3, "head 'x' in 'x:obj'", "a number"),
    Damage("DEPREL with no HEAD", "conllu", conllu("1 _ root"), 3, "label 'root' with no head",
           "a number in HEAD, or '_' in both"),
    Damage("DEPS label with no head", "conllu", conllu("1 _ _ root"), 3, "label 'root' with no head", "head:label"),
    Damage("DEPS label with an empty head", "conllu", conllu("1 _ _ :root"), 3, "label ':root' with no head",
           "head:label"),
    Damage("DEPS head with no label", "conllu", conllu("1 _ _ 0:"), 3, "head '0:' with no label", "head:label"),
    Damage("DEPS head alone", "conllu", conllu("1 _ _ 0"), 3, "head '0' with no label", "head:label"),
    Damage("DEPS with nothing between bars", "conllu", conllu("1 _ _ 0:root||1:x"), 3, "label '' with no head",
           "head:label"),
    Damage("DEPS on a range", "conllu", conllu("1-2 _ _ 0:root", "1", "2"), 3, "DEPS '0:root' on a range", "'_'"),
    Damage("range after its words", "conllu", conllu("1", "2", "1-2"), 5, "range '1-2' after word 2",
           "a range that starts with 3"),
    Damage("range too early", "conllu", conllu("2-3", "1", "2", "3"), 3, "range '2-3' after word 0",
           "a range that starts with 1"),
    Damage("range of one word", "conllu", conllu("1-1", "1"), 3, "range '1-1'",
           "a range that ends after its first word"),
    Damage("range inside a range", "conllu", conllu("1-3", "1", "2-3", "2", "3"), 5, "range '2-3' inside another",
           "a range that starts after word 3"),
    Damage("range past the end", "conllu", conllu("1-3", "1", "2"), 5,
           "a range up to 3 in a sentence of 2 words", "its words"),
    Damage("comment between words", "conllu", conllu("1") [:-1] + "# why here\n" + "2" + "\t_" * 9 + "\n\n", 4,
           "a comment between the words of a sentence", "comments above the words"),
    Damage("second sentence", "conllu", conllu("1") + conllu("1", "2 5 obj"), 8,
           "head 5 in a sentence of 2 words", "a head from 0 to 2"),
    Damage("empty file", "conllu", "", None, "no sentence (the file is empty)", "at least one sentence"),
    Damage("blank lines only", "conllu", "\n\n", 2, "no sentence (the file is empty)", "at least one sentence"),
    Damage("only comments", "conllu", "# a\n# b\n\n", 3, "no sentence (only comments)", "at least one sentence"),
    Damage("comment at the end", "conllu", conllu("1") + "# lost\n", 5,
           "a comment with no sentence at the end ('# lost')", "words below it"),
    Damage("argument column too many", "sdp", sdp("1 + + _", "2 - - ARG1 ARG2"), 4,
           "9 columns: 1 argument column too many", "8 (7 and one for each of 1 predicates)"),
    Damage("argument columns missing", "sdp", sdp("1 + + _ _", "2 - + "), 4,
           "7 columns: 2 argument columns missing", "9 (7 and one for each of 2 predicates)"),
    Damage("fixed column missing", "sdp", "#SDP 2015\n1\tform\tlemma\tNN\t+\t-\n\n", 2, "6 columns",
           "at least 7 with tabs between them"),
    Damage("bad top flag", "sdp", sdp("1 + -", "2 yes -"), 4, "'yes' in the top column", "'+' or '-'"),
    Damage("bad pred flag", "sdp", sdp("1 + + _ _", "2 - x ARG1 _"), 4, "'x' in the pred column", "'+' or '-'"),
    Damage("empty argument", "sdp", sdp("1 + + _").replace("\t_\n", "\t\n"), 3, "an empty argument column",
           "a label or '_'"),
    Damage("duplicate id", "sdp", sdp("1 + -", "1 - -"), 4, "id 1 a second time", "id 2"),
    Damage("missing id", "sdp", sdp("1 + -", "3 - -"), 4, "id 3 (id 2 is missing)", "id 2"),
    Damage("non-number id", "sdp", sdp("1 + -", "b - -"), 4, "id 'b'", "a number (2 comes next)"),
    Damage("endless id", "sdp", sdp("9" * 5000 + " + -"), 3, f"id {'9' * 5000} (id 1 is missing)", "id 1"),
    Damage("empty file", "sdp", "", None, "no sentence (the file is empty)", "at least one sentence"),
    Damage("only empty nodes", "conllu", conllu("0.1 _ _ 0:root"), 3,
           "a sentence of empty nodes only", "at least one word"),
    Damage("only a header", "sdp", "#SDP 2015\n", 1, "no sentence (only comments)", "at least one sentence"),
]  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: f"{damage.suffix}: {damage.name}")
def test_damage_is_named(tmp_path: Path, run: Run, damage: Damage) -> None:
    path = tmp_path / f"damaged.{damage.suffix}"
    path.write_text(damage.content, encoding="utf-8", newline="\n")
    result = run("convert", path, tmp_path / "out")
    place = str(path) if damage.line is None else f"{path}:{damage.line}"
    assert result.err == f"arctag: {place}: found {damage.found}; expected {damage.expected}\n"
    assert (result.code, result.out) == (2, b"")
    assert not (tmp_path / "out").exists()


def test_damage_error_carries_its_parts(tmp_path: Path) -> None:
    path = tmp_path / "damaged.conllu"
    path.write_text(conllu("1", "3"))
    with pytest.raises(FormatError) as caught:
        list(read(path))
    error = caught.value
    assert (error.source, error.line, error.found, error.expected) == (str(path), 4, "id 3 (id 2 is missing)", "id 2")


def test_damage_in_standard_input_is_named(run: Run) -> None:
    result = run("convert", "-", stdin=conllu("1", "3").encode())
    assert result.err == "arctag: <stdin>:4: found id 3 (id 2 is missing); expected id 2\n"
    assert result.code == 2


def test_damage_bad_utf8(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "latin1.conllu"
    path.write_bytes(conllu("1").encode().replace(b"form", b"f\xf6rm"))
    result = run("convert", path)
    assert result.err == f"arctag: {path}:3: found byte b'\\xf6' at position 4, not UTF-8; expected UTF-8 text\n"
    assert (result.code, result.out) == (2, b"")


@pytest.mark.parametrize("kind", ["cut", "scrambled", "header"])
def test_damage_gzip(sample: Path, tmp_path: Path, run: Run, kind: str) -> None:
    packed = bytearray(gzip.compress(sample.read_bytes(), mtime=0))
    if kind == "cut":
        packed = packed[: len(packed) // 2]
    elif kind == "scrambled":
        packed[12:40] = b"\xff" * 28
    else:
        packed[2] = 99  # an unknown way to compress
    path = tmp_path / "damaged.conllu.gz"
    path.write_bytes(packed)
    result = run("convert", path, tmp_path / "out")
    assert re.fullmatch(
        rf"arctag: {re.escape(str(path))}: found a damaged gzip file \(.+\); expected a whole one\n", result.err
    )
    assert result.code == 2
    assert not (tmp_path / "out").exists()


def test_damage_folder_instead_of_file(tmp_path: Path, run: Run) -> None:
    result = run("convert", tmp_path)
    assert (result.code, result.err) == (2, f"arctag: cannot read {tmp_path}: Is a directory\n")


def test_damage_missing_file(tmp_path: Path, run: Run) -> None:
    result = run("convert", tmp_path / "none.sdp", tmp_path / "out.sdp")
    assert (result.code, result.err) == (2, f"arctag: cannot read {tmp_path / 'none.sdp'}: No such file or directory\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("format", ["conllu", "sdp"])
@given(data=st.data())
def test_damage_anywhere_is_never_a_crash(
    tmp_path_factory: pytest.TempPathFactory, format: str, data: st.DataObject
) -> None:
    content = (SAMPLES / f"sample.{format}").read_bytes()[:1500]
    start = data.draw(st.integers(0, len(content)))
    stop = data.draw(st.integers(start, min(len(content), start + 20)))
    junk = data.draw(st.one_of(st.binary(max_size=6), st.text("0123456789.-|:_#+\t\n\r ", max_size=6).map(str.encode)))
    path = tmp_path_factory.mktemp("fuzz") / "file"
    path.write_bytes(content[:start] + junk + content[stop:])
    try:
        sentences = list(read(path, format))
    except ArctagError:
        return
    # what was accepted can be written and read again
    writer = Writer(format)
    text = "".join([writer.header, *(writer.text(s.with_graph(s.graph)) for s in sentences)])
    path.write_text(text, encoding="utf-8", newline="\n")
    assert [s.graph for s in read(path, format)] == [s.graph for s in sentences]
