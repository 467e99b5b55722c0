"""`arctag encode` and `arctag decode`, one after the other and on their own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arctag import drop, read
from arctag.encodings import encoding, standard_names
from tests.conftest import Run


@pytest.mark.parametrize("name", [*standard_names(), "B_1", "bits4-1", "bits6-5"])
def test_encode_then_decode_gives_the_covered_graph(name: str, run: Run, sample: Path, tmp_path: Path) -> None:
    encoded = run("encode", sample, "--encoding", name)
    assert encoded.code == 0
    decoded = run("decode", "-", "-o", tmp_path / "back.conllu", stdin=encoded.out)
    assert (decoded.code, decoded.err) == (0, "")
    made = encoding(name)
    for before, after in zip(map(drop, read(sample)), read(tmp_path / "back.conllu"), strict=True):
        assert after.graph == before.graph.restricted(made.covers(before.graph))
        assert after.id == before.id


@pytest.mark.parametrize("options", [["--planes", "best"], ["--crossing", "strict"]])
def test_encode_options_need_not_be_repeated_for_decoding(
    options: list[str], run: Run, sample: Path, tmp_path: Path
) -> None:
    encoded = run("encode", sample, "-e", "brackets-1", *options)
    assert run("decode", "-", "-o", tmp_path / "back.conllu", stdin=encoded.out).err == ""
    made = encoding("brackets-1", **{options[0][2:]: options[1]})
    for before, after in zip(map(drop, read(sample)), read(tmp_path / "back.conllu"), strict=True):
        assert after.graph == before.graph.restricted(made.covers(before.graph))


def test_encode_counts_what_it_leaves_out(run: Run, sample: Path) -> None:
    made = encoding("bits4-1")
    lost = sum(int((~made.covers(drop(sentence).graph)).sum()) for sentence in read(sample))
    assert lost > 0
    assert (
        run("encode", sample, "-e", "bits4-1").err
        == f"bits4-1 does not cover {lost} arcs; they are not in the labels\n"
    )


def test_encode_writes_a_file(run: Run, sample: Path, tmp_path: Path) -> None:
    result = run("encode", sample, "-e", "absolute", "-o", tmp_path / "out.labels")
    assert result.out == b""
    assert (tmp_path / "out.labels").read_bytes() == run("encode", sample, "-e", "absolute").out


def test_encode_json_has_integer_rows(run: Run, sample: Path) -> None:
    records = [json.loads(line) for line in run("encode", sample, "-e", "relative", "--json").text.splitlines()]
    sentences = [drop(sentence) for sentence in read(sample)]
    assert [record["id"] for record in records] == [sentence.id for sentence in sentences]
    assert records[0]["encoding"] == "relative"
    assert records[0]["words"] == sentences[0].words
    assert records[0]["labels"] == [list(row) for row in encoding("relative").encode(sentences[0].graph)]


def test_decode_like_keeps_the_other_columns(run: Run, sample: Path, tmp_path: Path) -> None:
    encoded = run("encode", sample, "-e", "hierarchical")
    without = tmp_path / "dropped.conllu"
    run("convert", sample, without, "--empty", "drop")
    decoded = run("decode", "-", "--like", sample, stdin=encoded.out)
    assert decoded.code == 0
    assert decoded.text == without.read_text(encoding="utf-8")


def test_decode_to_sdp(run: Run, sample_sdp: Path, tmp_path: Path) -> None:
    encoded = run("encode", sample_sdp, "-e", "hierarchical")
    result = run("decode", "-", "-o", tmp_path / "back.sdp", "--like", sample_sdp, stdin=encoded.out)
    assert result.code == 0
    assert (tmp_path / "back.sdp").read_bytes() == sample_sdp.read_bytes()


def test_decode_says_what_the_format_has_no_room_for(run: Run, sample: Path, tmp_path: Path) -> None:
    encoded = run("encode", sample, "-e", "hierarchical")
    result = run("decode", "-", "-o", tmp_path / "back.sdp", "--like", sample, stdin=encoded.out)
    assert result.code == 0
    assert result.err.startswith("lost: ")


def test_decode_counts_repairs(run: Run) -> None:
    result = run("decode", "-", "-e", "absolute", stdin=b"a\t(7)\nb\t(8,9)\n")
    assert (result.code, result.err) == (0, "3 repairs to ill-formed labels\n")
    assert result.text.count("\n") >= 2


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (b"The\t(1)\n", "no line '# encoding = NAME'"),
        (
            b"# encoding = absolute\nThe\tx\n",
            ":2: found label 'x'; expected a label of absolute: one looks like '(2,6)'",
        ),
        (b"# encoding = bits9-1\nThe\tx\n", "unknown encoding 'bits9-1'"),
        (b"", "no sentence"),
    ],
)
def test_decode_refuses_bad_files_on_one_line(run: Run, labels: bytes, message: str) -> None:
    result = run("decode", "-", stdin=labels)
    assert result.code == 2
    assert message in result.err
    assert result.err.count("\n") == 1


def test_decode_like_refuses_other_sentences(run: Run, sample: Path) -> None:
    encoded = run("encode", sample, "-e", "absolute").out
    first = encoded.split(b"\n\n")[0] + b"\n\n"
    assert "differ from sentence" in run("decode", "-", "--like", sample, stdin=b"# encoding = A\nx\t()\n").err
    fewer = run("decode", "-", "--like", sample, stdin=first)
    assert fewer.code == 2
    assert "has sentences that" in fewer.err
    more = run("decode", "-", "--like", sample, stdin=encoded + first)
    assert more.code == 2
    assert "differ from sentence" in more.err


def test_encode_refuses_unknown_encodings(run: Run, sample: Path) -> None:
    result = run("encode", sample, "-e", "bits7-4")
    assert result.code == 2
    assert "unknown encoding 'bits7-4'" in result.err
