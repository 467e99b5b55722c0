"""Graph files that come as text: the same sentences, and the same complaints, as for files."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arctag.errors import FormatError
from arctag.formats import Writer, read
from arctag.sentence import Sentence
from arctag.serve.limits import Limits
from arctag.serve.requests.graph_text import format_of_text, read_graphs

LIMITS = Limits()
ROW = "1\ta\t_\t_\t_\t_\t_\t_\t0:r\t_\n"
LINES = st.sampled_from([ROW, "\n", "\r\n", "# c\n", "#c\td\n", "#\n", "2\tb\n", "1\ta", "x", "#SDP 2015\n", "\ufeff"])


def told(path: Path, name: str, format: str) -> tuple[list[Sentence], str]:
    """What reading a file gives, and what it complains of, with the field in place of the file's name."""
    complaints: list[str] = []
    try:
        found = list(read(path, format, on_error=lambda error: complaints.append(str(error))))
    except FormatError as error:
        found = []
        complaints.append(str(error))
    return found, "\n".join(complaints).replace(str(path), name)


def test_graph_text_reads_as_a_file(any_sample: Path) -> None:
    text = any_sample.read_text(encoding="utf-8")
    assert format_of_text(text) == any_sample.suffix[1:]
    found, wanted = list(read_graphs(text, "text", LIMITS)), list(read(any_sample))
    assert [(s.rows, s.comments, s.graph) for s in found] == [(s.rows, s.comments, s.graph) for s in wanted]
    writer = Writer(format_of_text(text))
    assert "".join([writer.header, *map(writer.text, found)]) == text


@given(st.lists(LINES, max_size=8).map("".join), st.sampled_from(["conllu", "sdp"]))
def test_graph_text_complains_as_of_a_file(text: str, format: str) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        path.write_bytes(text.encode())
        wanted, complaint = told(path, "text", format)
    complaints: list[str] = []
    try:
        found = list(read_graphs(text, "text", LIMITS, format, on_error=lambda error: complaints.append(str(error))))
    except FormatError as error:
        found = []
        complaints.append(str(error))
    assert [(s.rows, s.comments, s.source.split(":")[-1]) for s in found] == [
        (s.rows, s.comments, s.source.split(":")[-1]) for s in wanted
    ]
    assert "\n".join(complaints) == complaint.replace("the file is empty", "the text is empty")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("# c\n", "text:1: found no sentence (only comments); expected at least one sentence"),
        (ROW + "\n# c\n", "text:3: found a comment with no sentence at the end ('# c'); expected words below it"),
        (ROW + "# c\n", "text:2: found a comment between the words of a sentence; expected comments above the words"),
        ("\n" + ROW * 2, "text:3: found id 1 a second time; expected id 2"),
        (
            "1\ta\t_\t_\t_\t_\t_\t_\t" + "0:r|" * 300 + "\t_",
            "text:1: found 300 times '|' in a line; expected at most 200",
        ),
        (ROW * 2_001, "text:1: found a sentence of 2001 lines; expected at most 2000 in this service"),
    ],
)
def test_graph_text_names_the_line(text: str, line: str) -> None:
    with pytest.raises(FormatError) as caught:
        list(read_graphs(text, "text", LIMITS))
    assert str(caught.value).startswith(line)
