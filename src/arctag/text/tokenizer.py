"""`TextTokenizer`: running text in, sentences in CoNLL-U columns out; a trained UDPipe tokenizer does the work.

UDPipe says where tokens and sentences end, and which tokens are several words; `abbreviations` and `corrections` put
some of it right. Forms are cut from the text by that, and what UDPipe leaves out is put back, so that every character
of the text comes out again, in order.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from arctag.errors import InputError
from arctag.graph import Graph
from arctag.sentence import Row, Sentence
from arctag.text.chunks import AUTO, Chunk, chunks
from arctag.text.corrections import corrected
from arctag.text.tokenizer_file import MOST_BYTES, check_tokenizer, parts
from arctag.text.tokens import Token

FILE = "tokenizer.udpipe"
"""Its name in a model folder."""
_STEP = 1 << 16  # characters that are cut into chunks at a time
_RANGE = re.compile("TokenRange=([0-9]+):([0-9]+)$", re.MULTILINE)
_WORD = re.compile(r"\S+")
_SURROGATE = re.compile("[\ud800-\udfff]")


class TextTokenizer:
    """Cuts running text into sentences and words.

    Several threads may use one object, for nothing in it changes. UDPipe keeps Python's lock while it works, though:
    what makes it faster is several processes, and an object can be sent to them.
    """

    def __init__(self, data: bytes, source: str = "the tokenizer") -> None:
        try:
            udpipe, self.abbreviations = parts(data)
            check_tokenizer(udpipe)
            self._model = _loaded(udpipe)
        except ValueError as error:
            raise InputError(f"{source} is damaged, or no UDPipe tokenizer ({error}); get the model anew") from error
        self.data = data
        """The content of its file."""

    @classmethod
    def load(cls, path: str | Path) -> TextTokenizer:
        """A tokenizer from its file."""
        try:
            with open(path, "rb") as file:
                return cls(file.read(MOST_BYTES), str(path))
        except OSError as error:
            raise InputError(f"cannot read {path}: {error.strerror}") from error

    def __reduce__(self) -> tuple[type[TextTokenizer], tuple[bytes]]:
        return TextTokenizer, (self.data,)

    def sentences(self, text: str, name: str = "", layout: str = AUTO) -> Iterator[Sentence]:
        """The sentences of a text, one by one.

        `name` is the document's, and begins the ids of its sentences. `layout` says what lines mean: see `LAYOUTS` in
        `text.chunks`, where `fit` says what is replaced in the text beforehand.
        """
        for chunk in chunks((text[at : at + _STEP] for at in range(0, len(text), _STEP)), layout):
            yield from self.chunk_sentences(chunk, name)

    def chunk_sentences(self, chunk: Chunk, name: str = "", source: str = "text") -> list[Sentence]:
        """The sentences of one chunk, which do not depend on any other chunk."""
        document, name = name or None, id_safe(name)
        split = _completed(chunk.text, self._tokens(chunk.text))
        split = corrected(chunk.text, self.abbreviations.corrected(chunk.text, split))
        if chunk.whole:
            split = [[token for tokens in split for token in tokens]]
        after = [*(tokens[0][0] for tokens in split[1:]), -1]
        sentences = []
        line, at = chunk.line, 0
        for number, (tokens, following) in enumerate(zip(split, after, strict=True), 1):
            start, end = tokens[0][0], tokens[-1][1]
            glued = chunk.glued if following < 0 else following == end
            rows, text = _rows(chunk.text, tokens, glued)
            line, at = line + chunk.text.count("\n", at, start), start
            comments = (*_comments(chunk, number, name), f"# text = {text}")
            words = int(rows[-1][0])
            sentence = Sentence(
                rows, Graph.without_arcs(words), comments=comments, source=f"{source}:{line}", fresh=True
            )
            sentences.append(sentence.replace(document=document) if document else sentence)
        return sentences

    def _tokens(self, text: str) -> Iterator[list[Token]]:
        """The sentences that UDPipe finds."""
        from ufal.udpipe import OutputFormat, ProcessingError
        from ufal.udpipe import Sentence as UdpipeSentence

        reader = self._model.newTokenizer("normalized_spaces;ranges")
        writer, sentence, error = OutputFormat.newConlluOutputFormat(), UdpipeSentence(), ProcessingError()
        reader.setText(text)
        while reader.nextSentence(sentence, error):
            yield _read_tokens(writer.writeSentence(sentence))
        if error.occurred():
            raise InputError(f"UDPipe cannot tokenise {text!r:.50}: {error.message}")


def id_safe(name: str) -> str:
    """A name as it may stand in a sentence id: no spaces, slashes or control characters."""
    return re.sub(r"[\s/\x00-\x1f\x7f\ud800-\udfff]+", "_", name)


def _loaded(data: bytes) -> Any:
    """UDPipe's own object; it reads nothing but files."""
    from ufal.udpipe import Model

    with tempfile.TemporaryDirectory(prefix="arctag-") as folder:
        path = Path(folder) / FILE
        try:
            path.write_bytes(data)
        except OSError as error:
            raise InputError(f"cannot write to the temporary folder {folder}: {error.strerror}") from error
        model = Model.load(str(path))
    if model is None:
        raise ValueError("UDPipe cannot read it")
    return model


def _read_tokens(conllu: str) -> list[Token]:
    """The tokens of a sentence as UDPipe writes it: rows with a range of characters, and words without one."""
    below = conllu.index("\n1") + 1  # the comments
    ranges = _RANGE.findall(conllu, below)
    if len(ranges) == conllu.count("\n", below) - 1:  # no multiword token, as in most sentences
        return [Token(int(start), int(end)) for start, end in ranges]
    tokens: list[Token] = []
    for line in conllu[below:].strip("\n").split("\n"):
        if span := _RANGE.search(line):
            tokens.append(Token(int(span[1]), int(span[2]), []))
        else:
            words = tokens[-1].words
            assert isinstance(words, list)
            words.append(line.split("\t", 2)[1])
    return tokens


def _completed(text: str, sentences: Iterable[list[Token]]) -> list[list[Token]]:
    """The same sentences, and as tokens of their own what UDPipe takes for space though it is none."""
    completed: list[list[Token]] = []
    at = 0
    for tokens in sentences:
        completed.append([])
        for token in tokens:
            start, end, _ = token
            if start > at and not text[at:start].isspace():
                completed[-1].extend(_plain_tokens(text, at, start))
            completed[-1].append(token)
            at = end
    if rest := _plain_tokens(text, at, len(text)):
        completed = completed or [[]]
        completed[-1].extend(rest)
    return completed


def _plain_tokens(text: str, start: int, end: int) -> list[Token]:
    return [Token(word.start(), word.end()) for word in _WORD.finditer(text, start, end)]


def _comments(chunk: Chunk, number: int, name: str) -> tuple[str, ...]:
    """What stands above the sentence of that number: where a document or a paragraph begins, and its id."""
    begins = chunk.number == number == 1
    newdoc = (f"# newdoc id = {name}" if name else "# newdoc",) if begins and chunk.paragraph == 1 else ()
    newpar = ("# newpar",) if begins else ()
    place = f"p{chunk.paragraph}"
    if chunk.whole:
        number = chunk.number
    elif chunk.number > 1:
        place += f".{chunk.number}"
    return (*newdoc, *newpar, f"# sent_id = {name}{'-' if name else ''}{place}-s{number}")


def _rows(text: str, tokens: list[Token], glued: bool) -> tuple[list[Row], str]:
    """The rows of a sentence, and its text; `glued` if the next sentence follows without a space."""
    rows: list[Row] = []
    out: list[str] = []
    following = [*(start for start, _, _ in tokens[1:]), tokens[-1][1] if glued else -1]
    n = 0
    for (start, end, words), next_start in zip(tokens, following, strict=True):
        form = text[start:end]
        if " " in form or "\n" in form:  # where the treebank has words with spaces
            form = " ".join(form.split())
        joined = next_start == end
        misc = "SpaceAfter=No" if joined else "_"
        out.append(form if joined else f"{form} ")
        if words and _good_words(words, form):
            rows.append([f"{n + 1}-{n + len(words)}", form, "_", "_", "_", "_", "_", "_", "_", misc])
            rows.extend([str(i), word, "_", "_", "_", "_", "_", "_", "_", "_"] for i, word in enumerate(words, n + 1))
            n += len(words)
        else:
            n += 1
            rows.append([str(n), form, "_", "_", "_", "_", "_", "_", "_", misc])
    return rows, "".join(out).rstrip()


def _good_words(words: Sequence[str], form: str) -> bool:
    """Whether a token may be split; some rules do not split, and some cut letters of several bytes in two.

    UDPipe puts a question mark for such a half, or Python a surrogate.
    """
    if len(words) < 2 or " " in form or not all(words):
        return False
    return not any(_SURROGATE.search(word) or ("?" in word and "?" not in form) for word in words)
