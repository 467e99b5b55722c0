"""Running text becomes sentences: nothing is lost, CoNLL-U stays CoNLL-U, and no file can crash the process."""

from __future__ import annotations

import io
import lzma
import pickle
import struct
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unicodedata import normalize

import pytest
from hypothesis import given, settings

from arctag.errors import InputError, UnknownName
from arctag.formats import read, write
from arctag.formats.conllu import CONLLU
from arctag.sentence import Sentence
from arctag.text.abbreviations import Abbreviations
from arctag.text.chunks import LONGEST_WORD, Chunk, fit
from arctag.text.tokenizer import TextTokenizer
from arctag.text.tokenizer_file import file_of
from arctag.text.tokens import Token
from tests.patience import HANGS
from tests.places import ROOT
from tests.tokenized import HOSTILE, KINDS, TEXTS, check, network, rules, spacious, surface

kinds = pytest.mark.parametrize("kind", KINDS)


def made(text: str, name: str = "", layout: str = "paragraphs") -> list[Sentence]:
    return list(rules().sentences(text, name, layout))


def test_tokenizer_gives_conllu() -> None:
    found = made("You cannot go, she said.  Come (soon)!\n\nA new paragraph", "letter")
    assert "".join(map(CONLLU.text, found)) == textwrap.dedent("""\
        # newdoc id = letter
        # newpar
        # sent_id = letter-p1-s1
        # text = You cannot go, she said.
        1	You	_	_	_	_	_	_	_	_
        2-3	cannot	_	_	_	_	_	_	_	_
        2	can	_	_	_	_	_	_	_	_
        3	not	_	_	_	_	_	_	_	_
        4	go	_	_	_	_	_	_	_	SpaceAfter=No
        5	,	_	_	_	_	_	_	_	_
        6	she	_	_	_	_	_	_	_	_
        7	said	_	_	_	_	_	_	_	SpaceAfter=No
        8	.	_	_	_	_	_	_	_	_

        # sent_id = letter-p1-s2
        # text = Come (soon)!
        1	Come	_	_	_	_	_	_	_	_
        2	(	_	_	_	_	_	_	_	SpaceAfter=No
        3	soon	_	_	_	_	_	_	_	SpaceAfter=No
        4	)	_	_	_	_	_	_	_	SpaceAfter=No
        5	!	_	_	_	_	_	_	_	_

        # newpar
        # sent_id = letter-p2-s1
        # text = A new paragraph
        1	A	_	_	_	_	_	_	_	_
        2	new	_	_	_	_	_	_	_	_
        3	paragraph	_	_	_	_	_	_	_	_

        """)
    assert [sentence.source for sentence in found] == ["text:1", "text:1", "text:3"]


def test_tokenizer_without_a_name() -> None:
    (sentence,) = made("Hello")
    assert sentence.comments == ("# newdoc", "# newpar", "# sent_id = p1-s1", "# text = Hello")


def test_tokenizer_names_are_made_fit_for_ids() -> None:
    assert made("Hello", "my / old\tfile\x00\udc80")[0].id == "my_old_file_-p1-s1"


def test_tokenizer_sentence_end_without_a_space(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TextTokenizer, "_tokens", lambda *_: iter([[Token(0, 5)], [Token(5, 8)], [Token(9, 12)]]))
    found = made("Stop!Go. On.")
    assert [sentence.text for sentence in found] == ["Stop!", "Go.", "On."]
    assert [sentence.rows[-1][9] for sentence in found] == ["SpaceAfter=No", "_", "_"]


def test_tokenizer_layouts() -> None:
    text = "One. Two\nthree.\n\nFour.\n"
    assert [s.text for s in made(text)] == ["One.", "Two three.", "Four."]
    assert [s.text for s in made(text, layout="lines")] == ["One.", "Two", "three.", "Four."]
    assert [s.text for s in made(text, layout="sentences")] == ["One. Two", "three.", "Four."]
    assert [s.id for s in made(text)] == ["p1-s1", "p1-s2", "p2-s1"]
    assert [s.id for s in made(text, layout="lines")] == ["p1-s1", "p1-s2", "p2-s1", "p3-s1"]
    assert [s.id for s in made(text, layout="sentences")] == ["p1-s1", "p1-s2", "p2-s1"]
    assert [s.comments[0] for s in made(text, layout="sentences")] == ["# newdoc", "# sent_id = p1-s2", "# newpar"]
    with pytest.raises(UnknownName, match="unknown layout 'verse'"):
        made(text, layout="verse")


@kinds
@pytest.mark.parametrize("layout", ["paragraphs", "sentences"])
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_tokenizer_loses_nothing_of_hostile_texts(text: str, layout: str, kind: str, tmp_path: Path) -> None:
    found = list(KINDS[kind]().sentences(text, "x", layout))
    check(found, text)
    if found:
        write(found, tmp_path / "x.conllu")
        again = list(read(tmp_path / "x.conllu"))
        assert [(s.rows, s.comments) for s in again] == [(s.rows, s.comments) for s in found]


@kinds
@given(text=TEXTS)
@settings(max_examples=150)
def test_tokenizer_loses_nothing(kind: str, text: str) -> None:
    check(list(KINDS[kind]().sentences(text)), text)


@given(text=TEXTS)
@settings(max_examples=50)
def test_tokenizer_lines_are_sentences_if_so_asked(text: str) -> None:
    found = made(text, layout="sentences")
    check(found, text)
    lines = [line for line in text.split("\n") if line.strip()]
    assert [surface([sentence]) for sentence in found] == ["".join(_plain(line).split()) for line in lines]


def _plain(line: str) -> str:
    return "".join("\ufffd" if c == "\x00" or "\ud800" <= c <= "\udfff" else c for c in line)


def test_tokenizer_words_with_spaces_hold_one_plain_space() -> None:
    forms = [form for s in spacious().sentences("T h e kettle. T \n\u2003h e cat. " * 20) for form in s.words]
    assert "T h e" in forms
    assert not any("\n" in form or "  " in form for form in forms)


def test_tokenizer_puts_back_what_udpipe_leaves_out(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "some words are left out"
    monkeypatch.setattr(TextTokenizer, "_tokens", lambda *_: iter([[Token(5, 10)], [Token(15, 19)]]))
    assert [s.text for s in made(text)] == ["some words", "are left out"]
    monkeypatch.setattr(TextTokenizer, "_tokens", lambda *_: iter([]))
    assert [s.text for s in made(text)] == [text]


@pytest.mark.parametrize("words", [["a"], ["a", ""], ["a", "?"], ["\udc80", "b"]], ids=str)
def test_tokenizer_senseless_multiword_tokens_stay_whole(monkeypatch: pytest.MonkeyPatch, words: list[str]) -> None:
    monkeypatch.setattr(TextTokenizer, "_tokens", lambda *_: iter([[Token(0, 3, words)]]))
    (sentence,) = made("abc")
    assert sentence.rows == [["1", "abc", *["_"] * 8]]


def test_tokenizer_long_words_are_cut_and_marked() -> None:
    found = made("x" * (2 * LONGEST_WORD) + " y")
    assert [s.id for s in found] == ["p1-s1", "p1.2-s1"]
    assert [s.rows[-1][9] for s in found] == ["SpaceAfter=No", "_"]
    assert [len(s.text) for s in found] == [LONGEST_WORD, LONGEST_WORD + 2]


def test_tokenizer_is_quick_with_a_million_characters_on_one_line() -> None:
    text = "Is this a sentence, or isn't it? " * 30_000
    found = list(rules().sentences(text))
    assert len(found) == 30_000
    assert {s.text for s in found} == {text[:32]}


@kinds
def test_tokenizer_output_passes_the_ud_validator(kind: str, tmp_path: Path) -> None:
    udtools = pytest.importorskip("udtools", reason="udtools is not installed: pip install 'arctag[test]'")
    texts = [fit(text)[:3_000] for text in HOSTILE.values()]
    # what is not in the normal form, or holds U+FFFD, stays so
    odd = [text for text in texts if normalize("NFC", text) != text or "\ufffd" in text]
    for chosen, expected in (
        (odd, {"unicode-normalization", "invalid-utf"}),
        ([t for t in texts if t not in odd], set()),
    ):
        found = [s for i, text in enumerate(chosen) for s in KINDS[kind]().sentences(text, f"text{i}")]
        write(map(with_tree, found), tmp_path / "x.conllu")
        report = io.StringIO()
        validator = udtools.Validator(lang="en", level=2, output=report, max_store=1_000_000)
        problems = validator.validate_files([str(tmp_path / "x.conllu")]).error_tracker
        assert {problem.testid for problem in problems} == expected, report.getvalue()


def with_tree(sentence: Sentence) -> Sentence:
    """Some tree: without one the validator has more to say."""

    def row(cells: list[str]) -> list[str]:
        if "-" in cells[0]:
            return cells
        head = int(cells[0]) - 1
        return [*cells[:2], "_", "X", "_", "_", str(head), "dep" if head else "root", "_", cells[9]]

    return sentence.replace(rows=[row(cells) for cells in sentence.rows])


@kinds
def test_tokenizer_threads_may_share_it(kind: str) -> None:
    texts = [f"{word} is here. Isn't it? We'll see." * 20 for word in ("Ann", "Bob", "Cem", "Dee")] * 4
    tokenizer = KINDS[kind]()

    def shape(text: str) -> list[tuple[str, list[str]]]:
        return [(s.text, s.words) for s in tokenizer.sentences(text)]

    expected = [shape(text) for text in texts]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(shape, texts)) == expected


@kinds
def test_tokenizer_can_be_sent_to_another_process(kind: str) -> None:
    tokenizer = KINDS[kind]()
    again = pickle.loads(pickle.dumps(tokenizer))
    assert again.data == tokenizer.data
    assert [s.rows for s in again.sentences(HOSTILE["rules"])] == [
        s.rows for s in tokenizer.sentences(HOSTILE["rules"])
    ]


def test_tokenizer_pieces_do_not_depend_on_each_other() -> None:
    piece = Chunk("Stop! Go", paragraph=3, number=2, line=7, glued=True)
    first, second = rules().chunk_sentences(piece, "name", "file.txt")
    assert (first.id, second.id) == ("name-p3.2-s1", "name-p3.2-s2")
    assert (first.source, second.rows[-1][9]) == ("file.txt:7", "SpaceAfter=No")
    assert first.comments == ("# sent_id = name-p3.2-s1", "# text = Stop!")


def test_tokenizer_file_round_trip(tmp_path: Path) -> None:
    (tmp_path / "t.udpipe").write_bytes(network().data)
    again = TextTokenizer.load(tmp_path / "t.udpipe")
    assert [s.rows for s in again.sentences("See it. Go.")] == [s.rows for s in network().sentences("See it. Go.")]


def test_tokenizer_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot read .*none\.udpipe: No such file"):
        TextTokenizer.load(tmp_path / "none.udpipe")


def test_tokenizer_file_of_another_kind(tmp_path: Path) -> None:
    (tmp_path / "t.udpipe").write_text("hello")
    with pytest.raises(InputError, match=r"t.udpipe is damaged, or no UDPipe tokenizer \(it does not start as one\)"):
        TextTokenizer.load(tmp_path / "t.udpipe")


HEAD = len(b"\x12morphodita_parsito\x03\x7f\x7f\x01\x03\x02")


def packed(data: bytes) -> bytes:
    """A block as UDPipe packs it."""
    filters = [{"id": lzma.FILTER_LZMA1, "lc": 3, "lp": 0, "pb": 2, "dict_size": 1 << 16}]
    small = lzma.compress(data, lzma.FORMAT_RAW, filters=filters)
    check = (len(data) * 19991 + len(small) * 199999991 + 1234567890) % (1 << 32)
    return struct.pack("<III", len(data), len(small), check) + b"\x5d\x00\x00\x01\x00" + small


def unpacked(file: bytes, at: int) -> tuple[bytes, int]:
    """The block there, and where it ends."""
    size, small, _ = struct.unpack_from("<III", file, at)
    filters = [{"id": lzma.FILTER_LZMA1, "lc": 3, "lp": 0, "pb": 2, "dict_size": 1 << 24}]
    end = at + 17 + small
    return lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=filters).decompress(file[at + 17 : end], size), end


def with_network(block: bytes) -> bytes:
    return network().data[:HEAD] + packed(block) + network().data[unpacked(network().data, HEAD)[1] :]


def with_rules(block: bytes) -> bytes:
    start = unpacked(network().data, HEAD)[1] + 1
    return network().data[:start] + packed(block) + b"\x00\x00"


def rule(form: bytes, *words: bytes) -> bytes:
    def string(value: bytes) -> bytes:
        return bytes([len(value)]) + value if len(value) < 255 else b"\xff" + struct.pack("<I", len(value)) + value

    return string(form) + bytes([len(words)]) + b"".join(map(string, words))


ONE, NONE = struct.pack("<I", 1), struct.pack("<I", 0)


def lengths(size: int, small: int) -> bytes:
    return struct.pack("<III", size, small, (size * 19991 + small * 199999991 + 1234567890) % (1 << 32))


def bad_files() -> dict[str, bytes]:
    """Files that are wrong in one place, and what is said of them."""
    good = network().data
    block, end = unpacked(good, HEAD)
    return {
        "more than a tokenizer": good + b"\x00",
        "it is cut off": good[:-1],
        "the lengths do not match their checksum": good[:HEAD] + b"\x01" + good[HEAD + 1 :],
        "packed in an unknown way": good[: HEAD + 12] + b"\x5e" + good[HEAD + 13 :],
        "it cannot be unpacked to its length": good[:HEAD] + lengths(1 << 20, 10) + good[HEAD + 12 :],
        "a block of 4294967295 bytes": good[:HEAD] + lengths((1 << 32) - 1, 10) + good[HEAD + 12 :],
        "an unknown kind": good[: HEAD - 2] + b"\x07\x07" + good[HEAD:],
        "a window of 0 characters": with_network(block[:1] + b"\x00\x00" + block[3:]),
        "a network of 17 units": with_network(block[:5] + b"\x11" + block[6:]),
        "more numbers than the network has": with_network(block + b"\x00"),
        "no rules for multiword tokens": good[:end] + b"\x09",
        "a token of no words": with_rules(ONE + rule(b"abc") + NONE),
        "a word with a space in it": with_rules(ONE + rule(b"abc", b"a", b"b\tc") + NONE),
        "suffixes that are too long": with_rules(NONE + ONE + rule(b"x" * 100_000, b"a", b"b")),
        "more bytes than the rules have": with_rules(NONE + NONE + b"\x00"),
    }


def test_tokenizer_hostile_files_are_refused() -> None:
    for reason, data in bad_files().items():
        with pytest.raises(InputError, match=reason) as caught:
            TextTokenizer(data, "my file")
        assert str(caught.value).startswith("my file is damaged, or no UDPipe tokenizer (")
        assert "\n" not in str(caught.value)


def test_tokenizer_damaged_files_never_crash() -> None:
    """In a process of its own: UDPipe is C++."""
    script = """
        import random
        from arctag.errors import InputError
        from arctag.text.tokenizer import TextTokenizer
        from tests.tokenized import HOSTILE, network, rules
        random.seed(1)
        refused = read = 0
        for i in range(600):
            data = bytearray(random.choice([network().data, rules().data]))
            for _ in range(random.choice([0, 1, 1, 3, 30])):
                data[int(len(data) * random.random() ** random.choice([1, 8]))] = random.randrange(256)
            if i % 3 == 0:
                data = data[: random.randrange(len(data) + 1)]
            elif i % 50 == 1:
                data = random.randbytes(random.randrange(300))
            try:
                tokenizer = TextTokenizer(bytes(data))
            except InputError:
                refused += 1
                continue
            read += 1
            for text in (HOSTILE["rules"], HOSTILE["emoji"], "Go on. " * 50):
                list(tokenizer.sentences(text))
        print(refused, read)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=HANGS, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    refused, read = map(int, done.stdout.split())
    assert refused > 400
    assert read > 10


def test_tokenizer_file_keeps_abbreviations(tmp_path: Path) -> None:
    tokenizer = rules()
    known = Abbreviations(frozenset({"Mr.", "Inc."}), frozenset({"Mr."}))
    path = tmp_path / "t.udpipe"
    path.write_bytes(file_of(tokenizer.data, known))
    again = TextTokenizer.load(path)
    assert again.abbreviations == known
    assert pickle.loads(pickle.dumps(again)).abbreviations == known
    assert file_of(tokenizer.data, Abbreviations()) == tokenizer.data


@pytest.mark.parametrize("added", [b"[]", b"{}", b'{"all": [1], "inside": []}', b'{"all": "Mr.", "inside": []}', b"{"])
def test_tokenizer_damaged_abbreviations_are_refused(added: bytes) -> None:
    tokenizer = rules()
    end = file_of(b"", Abbreviations(frozenset({"Mr."})))[-22:]
    for length in (len(added), 10**9):
        data = tokenizer.data + added + length.to_bytes(4, "little") + end
        with pytest.raises(InputError, match="damaged"):
            TextTokenizer(data)
