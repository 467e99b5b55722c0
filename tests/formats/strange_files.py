"""Small files in the formats of graphs: sound ones, and ones with all that can go wrong in them."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.formats.plain_reader import STANDARD

_CONLLU_CELLS = {
    0: ["1", "2", "3", "0.1", "1.1", "1.2", "1-2", "2-3", "2-2", "0", "01", "1.0", "1.01", "0-1", "-", ".", "", "x",
        "²", "1--2", "1-2-3", "999999999", "9999999999", "1-9999999999", "1-999999999", "#", "# c"],
    6: ["0", "1", "2", "3", "_", "01", "000", "00000000000000000002", "99999999999", "-1", "1.1", "", "x", "٣"],
    7: ["_", "root", ""],
    8: ["_", "0:root", "1:x", "2:y|1:x", "1:x|1:y", "1:x|1:x", "1:a|2:b|1:c|1:a", "1.1:x", "0.1:x", "0.0:x", "1.01:x",
        "0:root|", "|0:root", "1:x||2:y", "", ":", "1:", ":x", "1", "x", "x:y", "01:x", "7:x", "1:x:y", "_|1:x",
        "9999999999:x", "1.9999999999:x", "1.1.1:x", "0:röt"],
}  # fmt: skip
_SDP_CELLS = {
    0: ["1", "2", "3", "0", "01", "", "x", "²", "99999999999", "#", "# c"],
    4: ["+", "-", "", "++", "x"],
    5: ["+", "-", "", "x"],
    7: ["_", "ARG1", "", "+", "ä"],
    8: ["_", "ARG2", ""],
}
_LINES = [
    b"", b"", b"#", b"# c", b"#\tx", b"# a\tb", b"#a\tb", b"# \xff", b"#SDP 2015", b"\xff\t\xfe", b"\x00", b"\r",
    b" ", b"\t", b"\t" * 9, b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xf0\x9f\x98\x80", b"\xf0\x9f\x98", b"# \xc3",
]  # fmt: skip
_ODD = [
    b"\n", b"\n\n", b"\r\n", b"\r", b"\r\r\n", b"\t", b"#", b"\n#", b"\x00", b"\xff", b"\xc3", b"\xe2\x80", b"|", b":",
    b"-", b".", b"0", b"1", b"\n# c\n", b"\n\n# c\n\n", b"\xef\xbb\xbf",
]  # fmt: skip


_HEADERS = [
    b"", b"# global.columns", b"# global.columns =", b"# global.columns = ID", b"# global.columns = ID FORM",
    b"#global.columns = FORM  ID DEPS ", b"# global.columns = ID FORM ID", b"# global.columns = ID FORM X",
    b"# global.columns = ID FORM A:B A:B", b"# global.columns = ID FORM \xff", b"# c", b"# global.columns = ID FORM :x",
]  # fmt: skip


@st.composite
def _header(draw: st.DrawFn) -> list[str]:
    """The columns of CoNLL-U Plus: mostly all of them and one more; in any order, some left out."""
    names = ["ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC", "ARCTAG:DM"]
    if draw(st.booleans()):
        return names
    some = draw(st.sets(st.sampled_from(names[2:])))
    return draw(st.permutations(["ID", "FORM", *sorted(some)]))


@st.composite
def _row(draw: st.DrawFn, format: str, number: int, predicates: int) -> bytes:
    """A row as it should be, or with a few strange cells, or with another number of columns."""
    if format == "conllu":
        cells, strange = [str(number), "wörd", "_", "NOUN", "_", "_", "0", "root", "0:root", "_"], _CONLLU_CELLS
    else:
        flag = "+" if number <= predicates else "-"
        cells, strange = [str(number), "wörd", "_", "NN", "-", flag, "_", *["_"] * predicates], _SDP_CELLS
    usual = st.sampled_from([8, 8, 8, 6] if format == "conllu" else [7, 7, 4])
    for column in draw(st.lists(usual | st.sampled_from(sorted(strange)), max_size=2)):
        if column < len(cells):
            cells[column] = draw(st.sampled_from(strange[column][:6]) | st.sampled_from(strange[column]))
    width = draw(st.sampled_from([0] * 20 + [-1, 1]))
    cells = cells[:width] if width < 0 else cells + ["_"] * width
    return "\t".join(cells).encode()


@st.composite
def _sentence(draw: st.DrawFn, format: str) -> list[bytes]:
    words = draw(st.integers(1, 4))
    predicates = draw(st.integers(0, 2))
    lines = [b"# c", b"# d"][: draw(st.integers(0, 2))]
    if format == "conllu" and draw(st.booleans()):
        lines += [f"{name}\tx\t_\t_\t_\t_\t_\t_\t{deps}\t_".encode() for name, deps in draw(_extra())]
    for number in range(1, words + 1):
        lines.append(draw(_row(format, number, min(predicates, words))))
        if format == "conllu" and draw(st.integers(0, 4)) == 0:
            lines.append(f"{number}.1\tx\t_\t_\t_\t_\t_\t_\t0:e|1:f\t_".encode())
    return lines


def _extra() -> st.SearchStrategy[list[tuple[str, str]]]:
    """Rows before the first word."""
    return st.sampled_from([[("1-2", "_")], [("0.1", "1:x")], [("0.1", "_"), ("0.2", "0.1:y|0:x")], [("1-3", "0:x")]])


def _in_columns(line: bytes, names: list[str]) -> bytes:
    """A line of CoNLL-U in other columns; one with another number of cells stays as it is."""
    cells = line.split(b"\t")
    if len(cells) != len(STANDARD):
        return line
    known = dict(zip([*STANDARD, "ARCTAG:DM"], [*cells, cells[8]], strict=True))
    return b"\t".join(known[name] for name in names)


@st.composite
def strange_files(draw: st.DrawFn, format: str) -> bytes:
    """The bytes of a file."""
    lines: list[bytes] = []
    names = draw(_header()) if format == "conllup" else []
    for _ in range(draw(st.integers(0, 5))):
        if names:
            lines += [_in_columns(line, names) for line in draw(_sentence("conllu"))]
        else:
            lines += draw(_sentence(format))
        lines += [b""] * draw(st.sampled_from([1, 1, 1, 1, 2, 3]))
    for _ in range(draw(st.sampled_from([0, 0, 0, 1, 2, 5]))):
        lines.insert(draw(st.integers(0, len(lines))), draw(st.sampled_from(_LINES)))
    if draw(st.integers(0, 3)) == 0:
        lines += draw(st.lists(st.sampled_from([b"# end", b"", b"#", b"# \xff"]), max_size=6))
    if names:
        lines[:0] = [b"# global.columns = " + " ".join(names).encode()] + [b""] * draw(st.sampled_from([0, 0, 0, 1, 2]))
        if draw(st.integers(0, 5)) == 0:
            lines[draw(st.integers(0, len(lines) - 1))] = draw(st.sampled_from(_HEADERS))
    line_end = draw(st.sampled_from([b"\n", b"\n", b"\n", b"\r\n"]))
    data = draw(st.sampled_from([b"", b"", b"", b"", b"\xef\xbb\xbf", b"\n\n"])) + line_end.join(lines)
    data += line_end * draw(st.integers(0, 2))
    for _ in range(draw(st.sampled_from([0, 0, 0, 1, 3]))):
        at = draw(st.integers(0, len(data)))
        data = data[:at] + draw(st.sampled_from(_ODD)) + data[at + draw(st.integers(0, 3)) :]
    return data
