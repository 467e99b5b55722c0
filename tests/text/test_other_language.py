"""Text in a language that a model has not learned."""

from __future__ import annotations

from pathlib import Path

import pytest

from arctag.text.languages import NAMES
from arctag.text.other_language import languages, other_language
from tests.conftest import Run

CASES = [
    ("The cat that I fed still sleeps on her coat.", "en", ""),
    ("Ich habe die ganze Nacht nicht geschlafen.", "en", "German"),
    ("Ich habe die ganze Nacht nicht geschlafen.", "de", ""),
    ("Ich habe die ganze Nacht nicht geschlafen.", None, ""),
    ("Hello", "en", ""),
    ("Buenos días a todos los que están en la casa de mi madre.", "en", "Spanish"),
    ("Мы не знаем, кто это сделал.", "en", "Cyrillic script"),
    ("我们不知道", "en", "Chinese or Japanese"),
    ("The word счастье is Russian.", "en", ""),
    ("8,513 * 22 = 187,286 ???", "en", ""),
    ("", "en", ""),
]


@pytest.mark.parametrize(("text", "language", "other"), CASES)
def test_other_language_is_named(text: str, language: str | None, other: str) -> None:
    assert other_language(text, language) == other


def test_other_language_knows_itself() -> None:
    for code, entry in languages()["languages"].items():
        assert code in NAMES
        assert other_language(entry["words"], code) == ""


@pytest.mark.parametrize("limit", [(), ("--limit", "1")])
def test_other_language_parse_warns_once(run: Run, tmp_path: Path, limit: tuple[str, ...]) -> None:
    text = tmp_path / "a.txt"
    text.write_text("Ich habe die ganze Nacht nicht geschlafen.\n\n" * 100, encoding="utf-8")
    result = run("parse", text, "-o", tmp_path / "a.conllu", *limit)
    assert result.err.count("this looks like German") == 1
    assert result.code == 0


def test_other_language_parse_is_silent_otherwise(run: Run, tmp_path: Path) -> None:
    assert "looks like" not in run("parse", "She wants to leave, and so do I.", "-o", tmp_path / "a.conllu").err
