"""The file of a tokenizer: that of UDPipe, and behind it the abbreviations, as JSON; and what it must look like.

UDPipe trusts its files: a window of no characters makes it read beyond its memory, and a length in the file decides
how much it takes. A model folder may come from anywhere, so every length and number that it acts on is looked at here.
"""

from __future__ import annotations

import json
import lzma
import struct
from collections.abc import Iterator

from arctag.text.abbreviations import Abbreviations

MOST_BYTES = 1 << 25
"""The largest file, and the largest block in it once unpacked; those of real treebanks have some 100,000."""
_HEAD = b"\x12morphodita_parsito\x03\x7f\x7f\x01"
_RULES, _NETWORK = b"\x02\x02", b"\x03\x02"  # what follows: nothing, or a network
_SPLITTER = b"\x02"
_NO_TAGGER_NO_PARSER = b"\x00\x00"
_PROPERTIES = b"\x5d"  # of LZMA, as UDPipe sets them; four bytes with the size of the dictionary follow
_END = b"arctag abbreviations 1"  # the last bytes of a file that has some
_SHORTEST_WINDOW = 10
_MOST_SUFFIX_BYTES = 1 << 27  # UDPipe keeps each beginning of each suffix


def file_of(udpipe: bytes, abbreviations: Abbreviations) -> bytes:
    """The file of a tokenizer."""
    if not abbreviations.all:
        return udpipe
    added = json.dumps({"all": sorted(abbreviations.all), "inside": sorted(abbreviations.inside)}).encode()
    return b"".join([udpipe, added, struct.pack("<I", len(added)), _END])


def parts(data: bytes) -> tuple[bytes, Abbreviations]:
    """UDPipe's part of a file, and the abbreviations; `ValueError`, with a reason, where these are damaged."""
    if not data.endswith(_END):
        return data, Abbreviations()
    end = len(data) - len(_END) - 4
    start = end - int.from_bytes(data[end : end + 4], "little")
    if start < 0:
        raise ValueError("it is cut off")
    try:
        lists = json.loads(data[start:end])
        return data[:start], Abbreviations(_words(lists["all"]), _words(lists["inside"]))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ValueError("its abbreviations cannot be read") from error


def _words(values: object) -> frozenset[str]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise ValueError("expected a list of words")
    return frozenset(values)


def check_tokenizer(data: bytes) -> None:
    """`ValueError`, with a reason, unless this is a whole UDPipe tokenizer and nothing else."""
    if not data.startswith(_HEAD):
        raise ValueError("it does not start as one")
    file = _Bytes(data, len(_HEAD))
    kind = file.take(2)
    if kind == _NETWORK:
        _check_network(_unpacked(file))
    elif kind != _RULES:
        raise ValueError(f"an unknown kind {kind!r}")
    if file.take(1) != _SPLITTER:
        raise ValueError("no rules for multiword tokens")
    _check_splitter(_unpacked(file))
    if file.take(2) != _NO_TAGGER_NO_PARSER or file.left:
        raise ValueError("more than a tokenizer")


class _Bytes:
    """Bytes, taken from the front; never more than there are."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data, self.at = data, at

    @property
    def left(self) -> int:
        return len(self.data) - self.at

    def take(self, count: int) -> bytes:
        if count > self.left:
            raise ValueError("it is cut off")
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self, code: str) -> int:
        return int(struct.unpack(f"<{code}", self.take(struct.calcsize(code)))[0])

    def string(self) -> bytes:
        length = self.number("B")
        return self.take(self.number("I") if length == 255 else length)


def _unpacked(file: _Bytes) -> _Bytes:
    """The next block of the file, unpacked."""
    size, packed, check = file.number("I"), file.number("I"), file.number("I")
    if check != (size * 19991 + packed * 199999991 + 1234567890) % (1 << 32):
        raise ValueError("the lengths do not match their checksum")
    if size > MOST_BYTES:
        raise ValueError(f"a block of {size} bytes")
    properties = file.take(5)
    if not properties.startswith(_PROPERTIES):
        raise ValueError("packed in an unknown way")
    # nothing refers back beyond the start, so that a dictionary of the size of the block is enough
    filters = [{"id": lzma.FILTER_LZMA1, "lc": 3, "lp": 0, "pb": 2, "dict_size": max(size, 4096)}]
    try:
        data = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=filters).decompress(file.take(packed), size)
    except lzma.LZMAError as error:
        raise ValueError("it cannot be unpacked") from error
    if len(data) != size:
        raise ValueError("it cannot be unpacked to its length")
    return _Bytes(data)


def _check_network(block: _Bytes) -> None:
    block.take(1)  # whether addresses of web pages and mail are tokens
    if (window := block.number("H")) < _SHORTEST_WINDOW:
        raise ValueError(f"a window of {window} characters")
    block.take(1)  # whether words may hold spaces
    version, units = block.take(2)
    if version != 1 or units not in (16, 24, 64):
        raise ValueError(f"a network of {units} units")
    block.take(block.number("I") * (4 + 4 * units))  # each character and its vector
    block.take(2 * 4 * (6 * (units * units + units) + 3 * units + 3))
    block.take(block.number("B") * 8)  # what stands in for unknown characters
    if block.left:
        raise ValueError("more numbers than the network has")


def _check_splitter(block: _Bytes) -> None:
    for _ in _rules(block):
        pass
    if sum(len(suffix) ** 2 for suffix in _rules(block)) > _MOST_SUFFIX_BYTES:
        raise ValueError("suffixes that are too long")
    if block.left:
        raise ValueError("more bytes than the rules have")


def _rules(block: _Bytes) -> Iterator[bytes]:
    """The tokens or suffixes that are several words."""
    for _ in range(block.number("I")):
        yield block.string()
        if not (words := block.number("B")):
            raise ValueError("a token of no words")
        for _ in range(words):
            if any(byte <= 32 for byte in block.string()):
                raise ValueError("a word with a space in it")
