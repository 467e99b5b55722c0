"""`arctag convert`: formats, empty nodes, what is said to be lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from arctag.formats import read
from tests.conftest import Run


def test_convert_to_its_own_format_gives_the_same_bytes(any_sample: Path, tmp_path: Path, run: Run) -> None:
    target = tmp_path / any_sample.name
    result = run("convert", any_sample, target)
    assert (result.code, result.out, result.err) == (0, b"", "")
    assert target.read_bytes() == any_sample.read_bytes()


def test_convert_says_on_stderr_what_sdp_has_no_room_for(sample: Path, tmp_path: Path, run: Run) -> None:
    result = run("convert", sample, tmp_path / "out.sdp")
    assert result.code == 0
    assert result.err.startswith("lost: ")
    assert result.err.count("\n") == 1
    for loss in (
        "34 basic trees",
        "3 ranges (multiword tokens)",
        "4 empty nodes turned into words",
        "1 arcs with several relations, joined with '+'",
    ):
        assert loss in result.err


def test_convert_says_on_stderr_what_conllu_has_no_room_for(sample_sdp: Path, tmp_path: Path, run: Run) -> None:
    frames = sum(row[6] != "_" for s in read(sample_sdp) for row in s.rows)
    assert run("convert", sample_sdp, tmp_path / "out.conllu").err == f"lost: {frames} frames\n"


def test_convert_quiet_says_nothing(sample: Path, tmp_path: Path, run: Run) -> None:
    result = run("convert", sample, tmp_path / "out.sdp", "--quiet")
    assert (result.code, result.out, result.err) == (0, b"", "")


def test_convert_to_names_the_format_of_a_stream(sample: Path, sample_sdp: Path, run: Run) -> None:
    assert run("convert", sample, "--to", "sdp").text.startswith("#SDP 2015\n#sample-01\n1\tThe\tthe\tDT\t")
    back = run("convert", "-", "--from", "sdp", "--to", "conllu", stdin=sample_sdp.read_bytes())
    assert back.text.startswith("# sent_id = sample-01\n# text = The kettle sings .\n1\tThe\tthe\t_\tDT\t")


def test_convert_to_wins_over_the_name_of_the_target(sample_sdp: Path, tmp_path: Path, run: Run) -> None:
    run("convert", sample_sdp, tmp_path / "odd.conllu", "--to", "sdp")
    assert (tmp_path / "odd.conllu").read_bytes() == sample_sdp.read_bytes()


def test_convert_target_without_suffix_keeps_the_format(sample_sdp: Path, tmp_path: Path, run: Run) -> None:
    run("convert", sample_sdp, tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == sample_sdp.read_bytes()


def test_convert_collapse_then_expand_gives_the_same_bytes(sample: Path, tmp_path: Path, run: Run) -> None:
    collapsed = tmp_path / "collapsed.conllu"
    assert run("convert", sample, collapsed, "--empty", "collapse").code == 0
    assert "2:conj:and>5.1>obj" in collapsed.read_text()
    assert run("convert", collapsed, "--empty", "expand").out == sample.read_bytes()


def test_convert_drop_leaves_out_empty_nodes(sample: Path, run: Run) -> None:
    result = run("convert", sample, "--empty", "drop")
    assert "\n5.1\t" in sample.read_text()
    assert "5.1" not in result.text


@pytest.mark.parametrize(("option", "value"), [("--from", "xml"), ("--to", "xml"), ("--empty", "burn")])
def test_convert_refuses_unknown_values(sample: Path, run: Run, option: str, value: str) -> None:
    result = run("convert", sample, option, value)
    assert result.code == 2
    assert f"'{value}' is not one of" in result.err


def test_convert_needs_a_source(run: Run) -> None:
    result = run("convert")
    assert result.code == 2
    assert "Missing argument 'SOURCE'" in result.err


def test_convert_wrong_format_is_an_error_with_a_line(sample_sdp: Path, run: Run) -> None:
    result = run("convert", sample_sdp, "--from", "conllu")
    assert result.code == 2
    assert result.err == f"arctag: {sample_sdp}:3: found 9 columns; expected 10 columns with tabs between them\n"
