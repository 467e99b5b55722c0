"""`arctag draw`: what goes where, and what is refused."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from arctag.formats import read, write
from arctag.sentence import Sentence
from tests.conftest import Run
from tests.draw.pictured import ALL, CHINESE, CYCLIC, ELLIPSIS, SIMPLE, UNJOINED, parsed


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Three sentences."""
    path = tmp_path / "three.conllu"
    write([SIMPLE, CYCLIC, ELLIPSIS], path)
    return path


def test_draw_text_goes_to_standard_output_without_colours(run: Run, file: Path) -> None:
    result = run("draw", file, "--width", "70")
    assert result.code == 0
    assert [line for line in result.text.splitlines() if line.startswith("#")] == ["# simple", "# cyclic", "# ellipsis"]
    assert "\x1b" not in result.text


def test_draw_text_goes_to_a_file(run: Run, file: Path, tmp_path: Path) -> None:
    assert run("draw", file, "-o", tmp_path / "out.txt").code == 0
    assert "╭" in (tmp_path / "out.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("wanted", [["2"], ["cyclic"]])
def test_draw_sentence_is_found_by_number_or_id(run: Run, file: Path, tmp_path: Path, wanted: list[str]) -> None:
    assert run("draw", file, "--sentence", *wanted, "-o", tmp_path / "one.svg").code == 0
    assert "<title>cyclic</title>" in (tmp_path / "one.svg").read_text(encoding="utf-8")


def test_draw_sentence_that_is_not_there_is_named(run: Run, file: Path) -> None:
    result = run("draw", file, "--sentence", "simple", "--sentence", "nowhere")
    assert result.code == 2
    assert result.err == "arctag: no sentence with the id or number nowhere\n"


def test_draw_limit_stops_early(run: Run, file: Path) -> None:
    assert run("draw", file, "--limit", "2").text.count("# ") == 2


def test_draw_svg_of_several_sentences_needs_a_folder(run: Run, file: Path, tmp_path: Path) -> None:
    result = run("draw", file, "-o", tmp_path / "all.svg")
    assert result.code == 2
    assert "-o pictures/" in result.err
    assert not (tmp_path / "all.svg").exists()
    assert run("draw", file, "-o", f"{tmp_path}/pictures/").code == 0
    assert sorted(path.name for path in (tmp_path / "pictures").iterdir()) == [
        "cyclic.svg",
        "ellipsis.svg",
        "simple.svg",
    ]


def test_draw_folder_gets_safe_and_different_names(run: Run, tmp_path: Path) -> None:
    names = ["../../up", "a/b", "A/B", "..", "x" * 300]
    sentences = [Sentence.from_words(["w"], sent_id=name) for name in names]
    write(sentences, tmp_path / "in.conllu")
    out = tmp_path / "out"
    out.mkdir()
    assert run("draw", tmp_path / "in.conllu", "-o", out).code == 0
    assert sorted(path.stem for path in out.iterdir()) == sorted(["up", "a_b", "A_B-2", "sentence", "x" * 100])


def test_draw_html_holds_every_sentence(run: Run, tmp_path: Path) -> None:
    write(ALL[3:], tmp_path / "in.conllu")
    assert run("draw", tmp_path / "in.conllu", "-o", tmp_path / "page.html", "--rtl").code == 0
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.count("<section") == len(ALL[3:])
    assert "<title>in.conllu</title>" in page


def test_draw_to_says_what_to_make(run: Run, file: Path, tmp_path: Path) -> None:
    parsed(run("draw", file, "--to", "svg", "--limit", "1").text)
    assert run("draw", file, "--to", "html").text.startswith("<!DOCTYPE html>")
    result = run("draw", file, "-o", tmp_path / "picture.png")
    assert result.code == 2
    assert ".svg, .html or .txt" in result.err
    assert run("draw", file, "--to", "html", "-o", tmp_path).code == 2


def test_draw_empty_nodes_can_be_dropped(run: Run, file: Path) -> None:
    assert "[left]" in run("draw", file).text
    assert "[left]" not in run("draw", file, "--empty", "drop").text


def test_draw_against_shows_the_differences(run: Run, shared: Path, tmp_path: Path) -> None:
    folder = shared / "reference" / "elas-scorer"
    page = tmp_path / "page.html"
    assert (
        run("draw", folder / "noisy-10.conllu", "--against", folder / "gold.conllu", "--limit", "9", "-o", page).code
        == 0
    )
    text = page.read_text(encoding="utf-8")
    assert "noisy-10.conllu against gold.conllu" in text
    assert all(f'class="arc {kind}"' in text for kind in ("correct", "relabelled", "missing", "extra"))


def test_draw_against_other_sentences_names_the_first(run: Run, file: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.conllu"
    write([SIMPLE, UNJOINED], other)
    result = run("draw", file, "--against", other)
    assert result.code == 2
    assert "sentence cyclic" in result.err
    assert "other.conllu" in result.err
    write([SIMPLE, CYCLIC], other)
    assert "sentence ellipsis" in run("draw", file, "--against", other).err
    assert "gold sentence ellipsis" in run("draw", other, "--against", file).err


class Terminal(io.TextIOWrapper):
    """A stream that says it is a terminal."""

    def __init__(self, encoding: str) -> None:
        super().__init__(io.BytesIO(), encoding=encoding)

    def isatty(self) -> bool:
        return True

    def shown(self) -> str:
        self.flush()
        buffer = self.buffer
        assert isinstance(buffer, io.BytesIO)
        return buffer.getvalue().decode(self.encoding)


def on_terminal(monkeypatch: pytest.MonkeyPatch, encoding: str, *arguments: str | Path) -> str:
    from arctag.cli import main

    terminal = Terminal(encoding)
    monkeypatch.setattr(sys, "stdout", terminal)
    main(["draw", *map(str, arguments)])
    return terminal.shown()


def test_draw_colours_on_a_terminal_unless_told_not_to(monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[94m" in on_terminal(monkeypatch, "utf-8", file)
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in on_terminal(monkeypatch, "utf-8", file)


def test_draw_falls_back_to_ascii_on_another_encoding(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    write([CHINESE], tmp_path / "in.conllu")
    shown = on_terminal(monkeypatch, "ascii", tmp_path / "in.conllu")
    assert "\\u6211" in shown
    assert "+--" in shown
    shown = on_terminal(monkeypatch, "latin-1", tmp_path / "in.conllu", "--to", "svg")
    assert "我" in shown.encode("latin-1").decode("utf-8")  # always UTF-8


def test_draw_help_shows_examples(run: Run) -> None:
    assert "arctag draw system.conllu --against gold.conllu -o errors.html" in run("draw", "--help").text


def test_draw_reads_sdp(run: Run, shared: Path) -> None:
    source = shared / "data" / "dm_wescience" / "dev.sdp"
    first = next(iter(read(source)))
    assert f"# {first.id}" in run("draw", source, "--limit", "1").text
