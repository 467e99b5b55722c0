"""Documents in JSON lines: every line is one, whatever is in it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from arctag.errors import FormatError, InputError
from arctag.text.documents import Document, Fields, document, json_documents
from tests.conftest import Run
from tests.fuzz.readers import tokenizer

LINES = {
    '{"id": 1, "body": "A text."}': ("1", ""),
    "": None,
    '{"body": "No id."}': ("texts-3", ""),
    '{"id": null, "body": "Null."}': ("texts-4", ""),
    '{"id": "x", "body": null}': ("x", "nothing in body"),
    '{"id": "y"}': ("y", "nothing in body"),
    '{"id": "z", "body": 7}': ("z", "found 7 in body; expected a text"),
    "[1, 2]": ("texts-8", "found '[1, 2]'; expected an object with a text"),
    '{"id": "half", "body": "bro': ("texts-9", "found a line that is no JSON"),
    '{"id": "deep", "body": ' + "[" * 100_000: ("texts-10", "found a line that is no JSON"),
    '{"id": {"a": 1}, "body": "Odd id."}': ("{'a': 1}", ""),
    '{"id": "\\ud800", "body": "\\ud800 half"}': ("\N{REPLACEMENT CHARACTER}", ""),
    '{"id": "bytes", "body": "\udcff"}': ("texts-13", "found byte b'\\xff'"),
}


@pytest.mark.parametrize("name", ["texts.jsonl", "texts.jsonl.gz"])
def test_documents_of_json_lines(tmp_path: Path, name: str) -> None:
    data = "\n".join(LINES).encode("utf-8", "surrogateescape")
    path = tmp_path / name
    path.write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    found = list(json_documents(path, Fields(text="body", id="id"), "paragraphs"))
    expected = [value for value in LINES.values() if value is not None]
    assert [one.id for one in found] == [identifier for identifier, _ in expected]
    for one, (_, fault) in zip(found, expected, strict=True):
        assert one.fault.startswith(fault)
        assert bool(one.fault) == bool(fault)
        sentences = one.sentences(tokenizer())
        assert [sentence.document for sentence in sentences] == [one.id] * len(sentences)
        assert [bool(sentence.error) for sentence in sentences] == [bool(fault)] * len(sentences) != []
    assert found[-1].source == f"{path}:13"


def test_documents_field_that_no_line_has_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "texts.jsonl"
    path.write_text('{"a": 1}\n{"b": "x", "c": 2}\nnothing\n')
    with pytest.raises(FormatError, match=r"no field body \(there are a, b, c\)"):
        list(json_documents(path, Fields(text="body"), "paragraphs"))


def test_documents_field_that_the_first_lines_lack_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "texts.jsonl"
    path.write_text('{"a": 1}\n' * 900 + '{"body": "Here."}\n' + '{"a": 1}\n' * 2_000)
    found = list(json_documents(path, Fields(text="body"), "paragraphs"))
    assert len(found) == 2_901
    assert [number for number, one in enumerate(found) if not one.fault] == [900]
    path.write_text('{"a": 1}\n' * 1_000 + '{"body": "Too late."}\n')
    with pytest.raises(FormatError, match="no field body"):
        list(json_documents(path, Fields(text="body"), "paragraphs"))


def test_documents_without_a_line_of_json_are_faults(tmp_path: Path) -> None:
    path = tmp_path / "texts.jsonl"
    path.write_text("no\njson\n")
    assert all(one.fault for one in json_documents(path, Fields(), "paragraphs"))
    path.write_text("")
    with pytest.raises(FormatError, match="empty"):
        list(json_documents(path, Fields(), "paragraphs"))


def test_documents_are_text_or_words() -> None:
    with pytest.raises(InputError, match="name one of them"):
        Fields("a", "b")
    assert (Fields().content, Fields("a").content, Fields(words="b").content) == ("text", "a", "b")


def test_documents_know_their_layout() -> None:
    text = "One line\nanother line"
    counts = {}
    for layout in ("paragraphs", "sentences"):
        one = document(text, "x", "", "in:1", Fields(), layout)
        counts[layout] = len(one.sentences(tokenizer()))
    assert counts["sentences"] == 2


def test_documents_have_a_size() -> None:
    assert Document("x", "x", "in:1", "some words here").words == 4
    assert Document("x", "x", "in:1", [["a", "b"], ["c"]]).words == 3
    assert Document("x", "x", "in:1", [["a", "b"], ["c"]]).data == b"a b c "


@pytest.mark.parametrize("words", [["She", "sings"], [["She", "sings"], ["No"]]])
def test_documents_of_words_on_the_command_line(
    run: Run, tmp_path: Path, words: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("texts.jsonl").write_text(json.dumps({"w": words}) + "\n")
    result = run("parse", "texts.jsonl", "--words-field", "w")
    assert result.code == 0
    ids = ["texts-1-s1", "texts-1-s2"] if isinstance(words[0], list) else ["texts-1"]
    assert [line.split(" = ")[1] for line in result.text.splitlines() if "sent_id" in line] == ids
