"""Tokenizers for tests, hostile texts, and what must hold of sentences that were made from raw text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

from hypothesis import strategies as st

from arctag.formats import read
from arctag.formats.conllu import CONLLU
from arctag.sentence import Sentence
from arctag.text.chunks import fit
from arctag.text.tokenizer import TextTokenizer
from arctag.training import tokenizer as training
from tests.places import SAMPLES

QUICK = "dimension=16;segment_size=20;batch_size=10;epochs=1;learning_rate=0.01"


@cache
def rules() -> TextTokenizer:
    """What a treebank of a few sentences gives: UDPipe's rules, and the treebank's multiword tokens."""
    return training.train_tokenizer(read(SAMPLES / "sample.conllu"))


@cache
def network() -> TextTokenizer:
    """A network, though one that has learned little."""
    return TextTokenizer(training._train(learnable(), "", QUICK))


@cache
def spacious() -> TextTokenizer:
    """A network that has seen words with spaces in them."""
    return TextTokenizer(training._train(learnable().replace("\tThe\t", "\tT h e\t"), "", QUICK))


def learnable() -> str:
    """The sample treebank as UDPipe reads it."""
    return training._conllu(training._shown(read(SAMPLES / "sample.conllu")))


KINDS: dict[str, Callable[[], TextTokenizer]] = {"rules": rules, "network": network, "spacious": spacious}

HOSTILE = {
    "controls": "a\x01b \x02 \x1b[31mred\x1b[0m\x7f \x80\x9f",
    "zero": "be\x00fore \x00 after\x00",
    "zero width": "zero\u200bwidth \u200b non\u200cjoiner\u200d soft\u00adhyphen word\u2060joiner",
    "directions": "\u202eevil\u202c \u2066left\u2069 \u200fright \u061c",
    "emoji": "Hi 👨‍👩‍👧‍👦! 🏳️‍🌈 👍🏽👍🏿 🇩🇪🇫🇷 ❤️.",
    "marks": "n\u0303 e\u0301\u0323 \u0301alone Z̸̢̛͎̈́a̷l̵g̶o̴ क्षि",
    "spaces": "no\u00a0break thin\u2009space ideographic\u3000space figure\u2007space \u202f \u205f \u1680 ogham",
    "separators": "one\u2028two\u2029three\x85four\x0bfive\x0csix\x1cseven\x1deight\x1fnine",
    "old separator": "mongolian\u180evowel",
    "marks of order": "\ufeffat the start, \ufeff in the middle\ufeff",
    "surrogates": "lone \ud800 high, \udfff low, \udc80\udcff escaped, pair \ud83d\ude00",
    "no characters": "\ufffe\uffff \U0010ffff \ue000 \ufffd",
    "tabs": "a\tb\t\tc \t d",
    "line ends": "one\r\ntwo\rthree\n\rfour\r\n\r\nfive",
    "conllu": "# sent_id = 1\n# text = x\n1\tx\t_\t_\t_\t_\t0\troot\t0:root\tSpaceAfter=No\n\n2-3\ty\n",
    "comments": "# text = nonsense\n#hash\n# newpar\n# newdoc id = x",
    "columns": "_ | = \\ TokenRange=1:2 SpaceAfter=No|TokenRange=7:8 _",
    "rules": "TokenRange=don't We'll cannot WE'LL DON'T I\u0307cannot \u0130cannot \u1e9eWe'll",
    "addresses": "http://a.b/c?d=e#f(g) mailto:x@y.zz <https://ü.example/ä>.Then x@y.zz.",
    "ends": "...!?!... ?! «Oh.» “No.”(Yes.)[.] . . .",
    "scripts": "我们去。你呢？好！ ไทยไม่มีวรรค שלום עולם. مرحبا بالعالم؟ ひらがなカタカナ",
    "a long word": "x" * 25_000,
    "many marks": "a" + "\u0301" * 25_000,
    "no space": "word." * 5_000,
    "one line": "This is a sentence, and it is not the last. " * 1_500,
    "no sentence ends": "word " * 6_000,
    "blank": " \t\r\n \n\u2028\u3000",
    "nothing": "",
}

TEXTS = st.text(
    st.one_of(
        st.sampled_from(
            "ab .,!?'\"\n\r\t_#-1\x00\x0b\x1c\x85\xa0\u0301\u180e\u200b\u200d\u2028\u3000\ufeff\ud800\udcff👍\U0001f3fd"
        ),
        st.characters(exclude_categories=()),
    ),
    max_size=80,
)


def surface(sentences: Iterable[Sentence]) -> str:
    """All that stands in the text, without spaces."""
    return "".join("".join(form.split()) for sentence in sentences for form, _ in tokens(sentence))


def tokens(sentence: Sentence) -> list[tuple[str, bool]]:
    """The forms that stand in the text, and whether a space follows each."""
    found = []
    covered = 0
    for row in sentence.rows:
        first, _, last = row[0].partition("-")
        if last:
            covered = int(last)
        elif int(first) <= covered:
            assert row[9] == "_"
            continue
        found.append((row[1], row[9] != "SpaceAfter=No"))
    return found


def check(sentences: list[Sentence], text: str) -> None:
    """Nothing is lost, and everything is as CoNLL-U and the UD validator want it."""
    assert surface(sentences) == "".join(fit(text).split())
    ids = [sentence.id for sentence in sentences]
    assert len(set(ids)) == len(ids)
    assert not any(c.isspace() or c == "/" for name in ids for c in name)
    for sentence in sentences:
        check_sentence(sentence)


def check_sentence(sentence: Sentence) -> None:
    rebuilt = "".join(form + " " * space for form, space in tokens(sentence))
    assert sentence.comments[-1] == f"# text = {rebuilt.removesuffix(' ')}"
    assert "  " not in rebuilt
    assert rebuilt.strip()
    CONLLU.text(sentence).encode("utf-8")  # no surrogate
    for row in sentence.rows:
        assert len(row) == 10
        assert row[2:9] == ["_"] * 7
        assert row[1].strip() == row[1] != ""
        assert not any((c.isspace() and c != " ") or c == "\x00" for c in row[1])
        assert row[9] in ("_", "SpaceAfter=No")
    numbers = [row[0] for row in sentence.rows if "-" not in row[0]]
    assert numbers == [str(i + 1) for i in range(sentence.graph.n)]
