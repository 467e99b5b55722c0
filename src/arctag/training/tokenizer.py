"""A tokenizer for raw text, trained by UDPipe beside the parser, in a process of its own.

A treebank shows how raw text is tokenized if it has `# text` or `SpaceAfter=No`.
UDPipe draws its random numbers from a fixed seed, so that the same files give the same tokenizer.
"""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import IO, Any, NamedTuple

from arctag.errors import InputError
from arctag.sentence import Row, Sentence
from arctag.text.abbreviations import Abbreviations
from arctag.text.chunks import fit
from arctag.text.tokenizer import TextTokenizer
from arctag.text.tokenizer_file import file_of

_FEW = 10_000  # characters; with fewer, UDPipe's own rules do as well as what it learns
_WINDOW = 150  # characters that the network reads together
_EPOCH = 10_000 * _WINDOW  # characters that it sees in an epoch, however long the text
_PASSES, _FEWEST_EPOCHS, _MOST_EPOCHS = 60, 3, 30
_ADDRESS = re.compile(r"://|^www\.|\w@\w")
_ENOUGH_ADDRESSES = 100
_RULES = "model=generic"
_NETWORK = f"dimension=24;segment_size={_WINDOW};batch_size=20;learning_rate=0.01;learning_rate_final=0.0005"
_BEGINS = re.compile(r"#\s*new(doc|par)\b")
_MOST_WORDS = 100  # of a token; UDPipe ends the process at 256
_HYPHENS, _DASH = "--", "\N{EM DASH}"
_UNFIT_WORD = re.compile(r"[\s\x00-\x1f]")


def train_tokenizer(train: Iterable[Sentence], dev: Iterable[Sentence] = ()) -> TextTokenizer:
    """A tokenizer from a treebank; `InputError` if that shows no raw text, or UDPipe fails."""
    training = TokenizerTraining(train, dev)
    try:
        training.start()
        return training.result()
    finally:
        training.stop()


class TokenizerTraining:
    """The training of a tokenizer in the background: `start`, later `result`, and `stop` in any case."""

    def __init__(self, train: Iterable[Sentence], dev: Iterable[Sentence] = (), more: Iterable[Sentence] = ()) -> None:
        train = list(train)
        shown = _shown(train)
        self._abbreviations = Abbreviations.learn(sentence.words for sentence in chain(train, more))
        self._data = (_conllu([*shown, *_with_dashes(shown)]), _conllu(_shown(dev)), _options(shown))
        self._process: subprocess.Popen[bytes] | None = None
        self._out: IO[bytes] = io.BytesIO()

    def start(self) -> None:
        """Begin. What takes long is done in another process: UDPipe would block this one."""
        train, _, options = self._data
        if not train:
            return
        if options == _RULES:
            self._out.write(_train(*self._data))
            return
        self._out = tempfile.TemporaryFile()  # noqa: SIM115  # closed by `stop`
        with tempfile.TemporaryFile("w+", encoding="utf-8") as data:
            json.dump(self._data, data)
            data.seek(0)
            path = os.pathsep.join(sys.path)  # the same package as in this process
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__],
                stdin=data, stdout=self._out, stderr=subprocess.PIPE, env={**os.environ, "PYTHONPATH": path},
            )  # fmt: skip

    @property
    def ready(self) -> bool:
        """Whether `result` need not wait."""
        return self._process is None or self._process.poll() is not None

    def result(self) -> TextTokenizer:
        """The tokenizer, when it is done; `InputError` with the reason if there is none."""
        if not self._data[0]:
            raise InputError("the training files do not show which words are written together, as `# text` does")
        if self._process is not None:
            _, log = self._process.communicate()
            if self._process.returncode:
                *_, last = ["", *log.decode("utf-8", "replace").strip().splitlines()]
                raise InputError(f"UDPipe ended with code {self._process.returncode}: {last}")
        self._out.seek(0)
        return TextTokenizer(file_of(self._out.read(), self._abbreviations))

    def stop(self) -> None:
        """Stop the process and close its files."""
        if self._process is not None:
            with self._process:
                self._process.kill()
        self._out.close()


class _Token(NamedTuple):
    form: str
    words: list[str]
    """Its words, if it has several."""
    joined: bool
    """Whether the next one follows without a space."""


class _Shown(NamedTuple):
    """A sentence as raw text shows it."""

    begins: bool
    """Whether a paragraph begins with it."""
    tokens: list[_Token]


def _shown(sentences: Iterable[Sentence]) -> list[_Shown]:
    """The sentences of those files that show raw text: where some words are written together."""
    files: dict[str, list[_Shown]] = {}
    for sentence in sentences:
        if sentence.universal:
            begins = any(_BEGINS.match(comment) for comment in sentence.comments)
            file = sentence.source.rpartition(":")[0]
            files.setdefault(file, []).append(_Shown(begins, list(_tokens(sentence))))
    showing = [file for file in files.values() if any(t.joined for shown in file for t in shown.tokens[:-1])]
    return [shown for file in showing for shown in file if shown.tokens]


def _tokens(sentence: Sentence) -> Iterator[_Token]:
    rows = list(_with_words(sentence.rows))
    joined = _joined(sentence.text, [row[1] for row, _ in rows])
    for (row, words), glued in zip(rows, joined, strict=True):
        form = " ".join(fit(row[1]).split())
        if " " in form or len(words) > _MOST_WORDS or any(_UNFIT_WORD.search(word) for word in words):
            words = []  # UDPipe could make no rule of them
        if form:  # some treebanks have a space as a word
            yield _Token(form, words, glued or "SpaceAfter=No" in row[9].split("|"))


def _with_words(rows: Iterable[Row]) -> Iterator[tuple[Row, list[str]]]:
    """The rows that stand in the text, ranges with the words they cover; empty nodes stand in no text."""
    covered = 0
    words: list[str] = []
    for row in rows:
        first, is_range, last = row[0].partition("-")
        if "." in first:
            continue
        if is_range:
            covered, words = int(last), []
            yield row, words
        elif int(first) <= covered:
            words.append(row[1])
        else:
            yield row, []


def _joined(text: str, forms: list[str]) -> list[bool]:
    """For each form whether the text continues without a space after it; False for all if the text has other forms."""
    joined = []
    at = 0
    for form in forms:
        if not text.startswith(form, at):
            return [False] * len(forms)
        end = at + len(form)
        at = end
        while at < len(text) and text[at].isspace():
            at += 1
        joined.append(at == end < len(text))
    return joined


def _with_dashes(sentences: Iterable[_Shown]) -> Iterator[_Shown]:
    """Sentences with two hyphens for a dash, as printed text has them: with a dash between words, without spaces."""
    for begins, tokens in sentences:
        if any(token.form == _HYPHENS for token in tokens[1:-1]):
            after = [*(token.form == _HYPHENS for token in tokens[1:]), False]
            yield _Shown(begins, [
                _Token(_DASH, [], True) if token.form == _HYPHENS else token._replace(joined=token.joined or dash)
                for token, dash in zip(tokens, after, strict=True)
            ])  # fmt: skip


def _conllu(sentences: Iterable[_Shown]) -> str:
    """What UDPipe learns from, and nothing that it might fail on."""
    out = []
    for begins, tokens in sentences:
        if begins:
            out.append("# newpar")
        n = 0
        for form, words, joined in tokens:
            misc = "SpaceAfter=No" if joined else "_"
            if words:
                out.append(_line(f"{n + 1}-{n + len(words)}", form, misc))
            for word in words or [form]:
                n += 1
                out.append(_line(str(n), word, "_" if words else misc))
        out.append("")
    return "".join(f"{line}\n" for line in out)


def _line(number: str, form: str, misc: str) -> str:
    return f"{number}\t{form}\t_\t_\t_\t_\t_\t_\t_\t{misc}"


def _options(sentences: Iterable[_Shown]) -> str:
    """Options of UDPipe: the shorter the text, the fewer epochs, and with very little no network at all.

    A network that has seen web addresses finds them, and the ends of sentences near them, better than UDPipe's rules.
    """
    tokens = [token for sentence in sentences for token in sentence.tokens]
    characters = sum(len(token.form) + 1 - token.joined for token in tokens)
    if characters < _FEW:
        return _RULES
    epochs = min(max(_PASSES * characters // _EPOCH, _FEWEST_EPOCHS), _MOST_EPOCHS)
    address_rules = sum(_ADDRESS.search(token.form) is not None for token in tokens) < _ENOUGH_ADDRESSES
    return f"{_NETWORK};epochs={epochs};tokenize_url={int(address_rules)}"


def _train(train: str, dev: str, options: str) -> bytes:
    """The tokenizer that UDPipe trains; it keeps the best epoch on the development sentences, if there are any."""
    from ufal.udpipe import ProcessingError, Trainer

    error = ProcessingError()
    texts = _read(train), _read(dev)
    data = Trainer.train("morphodita_parsito", *texts, options, Trainer.NONE, Trainer.NONE, error)
    if error.occurred():
        raise InputError(error.message)
    return bytes(data)


def _read(conllu: str) -> Any:
    """Sentences as UDPipe has them."""
    from ufal.udpipe import InputFormat, ProcessingError, Sentences
    from ufal.udpipe import Sentence as Read

    reader, sentences, error = InputFormat.newConlluInputFormat(), Sentences(), ProcessingError()
    reader.setText(conllu)
    while reader.nextSentence(read := Read(), error):
        sentences.append(read)
    if error.occurred():
        raise InputError(error.message)
    return sentences


def _work() -> None:
    """The other process: reads a treebank from standard input and writes the tokenizer to standard output."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # UDPipe would handle Ctrl-C only when it is done
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # it prints each epoch, and must end with the process that reads it
    sys.stdout.buffer.write(_train(*json.load(sys.stdin)))


if __name__ == "__main__":
    _work()
