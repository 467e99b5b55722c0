"""Sound files, damaged in the ways that files are: cut, spliced, flipped, with odd things in them."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

_ODD = (
    b"\x00", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\x1f\x8b",
    b"\r", b"\n", b"\n\n", b"\t", b" ", b"\x0b",
    *map(str.encode, ("\u2028", "\u202e", "٣", "²", "𐀀", "e\u0301")),
    b"\\", b"#", b"# ", b"_", b"|", b":", b"&", b"-", b"+", b">", b"1:", b":x", b"2:x>1.1>y",
    b"0", b"1", b"01", b"-1", b"1.1", b"0.1", b"8-9", b"9" * 30, b"9" * 5000, b"1e999", b"NaN", b"null", b"true",
    b"[", b"]", b"{", b"}", b'"', b",", b"=", b"[" * 5000, b"[x]\ny = 1979-05-27\n",
    b"# encoding = ", b"# sent_id = ", b"# text = ", b"# empty_node = ", b"# empty_arc = ", b"#SDP 2015\n", b"# newdoc",
)  # fmt: skip


@st.composite
def damaged(draw: st.DrawFn, sound: Sequence[bytes]) -> bytes:
    """One of the sound files after some accidents."""
    data = draw(st.sampled_from(sound))
    for _ in range(draw(st.integers(1, 5))):
        data = _accident(draw, data, sound)
    return data


def _accident(draw: st.DrawFn, data: bytes, sound: Sequence[bytes]) -> bytes:
    start = draw(st.integers(0, len(data)))
    stop = min(len(data), start + draw(st.integers(0, 200)))
    kind = draw(st.sampled_from(["odd", "odd", "flip", "cut", "twice", "end", "splice", "replace", "bytes"]))
    if kind == "flip" and start < len(data):
        return data[:start] + bytes([data[start] ^ 1 << draw(st.integers(0, 7))]) + data[start + 1 :]
    if kind == "cut":
        return data[:start] + data[stop:]
    if kind == "twice":
        return data[:stop] + data[start:]
    if kind == "end":
        return data[:start]
    if kind == "splice":
        other = draw(st.sampled_from(sound))
        return data[:start] + other[draw(st.integers(0, len(other))) :]
    if kind == "replace":  # all of something, so that much of the file is odd in the same way
        old = data[start : start + draw(st.integers(1, 4))]
        return data.replace(old, draw(st.sampled_from(_ODD)), 20) if old else data
    new = draw(st.binary(max_size=20)) if kind == "bytes" else draw(st.sampled_from(_ODD))
    return data[:start] + new + data[start if draw(st.booleans()) else stop :]
