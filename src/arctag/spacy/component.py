"""`ArctagComponent`: docs in, the same docs with graphs out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arctag.errors import InputError
from arctag.layers.graphs import MAIN
from arctag.sentence import Sentence
from arctag.spacy.annotation import annotate_doc, check_layers, chosen_layers
from arctag.spacy.doc_rows import form
from arctag.spacy.doc_sentences import sentence_starts, set_starts, words_of
from arctag.spacy.extensions import set_extensions
from arctag.spacy.model_source import ModelSource
from arctag.spacy.storage import store

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from arctag.parsing.parser import ParseOptions, Parser

ErrorHandler = Callable[[str, Any, "list[Doc]", Exception], None]
_FOLDER = "model"  # of the model inside the folder of a saved pipeline


class ArctagComponent:
    """Parses the sentences of docs with a model and stores the graphs in the docs."""

    def __init__(
        self,
        name: str,
        model: str,
        options: ParseOptions,
        *,
        annotate: bool | Sequence[str] = False,
        set_sents: bool = False,
        device: str | None = None,
    ) -> None:
        check_layers(annotate)
        self.name, self.options, self.annotate, self.set_sents = name, options, annotate, set_sents
        self._source = ModelSource(model, device)
        self._handler: ErrorHandler | None = None
        set_extensions()

    @property
    def parser(self) -> Parser:
        """The parser, loaded when it is first needed; it can be replaced by another one."""
        return self._source.load()

    @parser.setter
    def parser(self, parser: Parser) -> None:
        self._source.use_parser(parser)

    def initialize(self, get_examples: object = None, *, nlp: object = None) -> None:  # noqa: ARG002
        """Load the model now; there is nothing to learn from examples."""
        self._source.load()

    def __call__(self, doc: Doc) -> Doc:
        """Parse one doc."""
        self._annotate([doc], self.parser)
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 1000) -> Iterator[Doc]:
        """Parse docs as they come, the sentences of `batch_size` docs together; docs that fail are left out.

        Failures go to the error handler; spaCy's default raises the error.
        """
        stream = iter(stream)
        while docs := list(islice(stream, batch_size)):
            parser = self.parser  # outside of `try`: if the model cannot be loaded, no doc is to blame
            try:
                self._annotate(docs, parser)
            except Exception:
                docs = [doc for doc in docs if self._parse_alone(doc, parser)]
            yield from docs

    def _parse_alone(self, doc: Doc, parser: Parser) -> bool:
        """Parse one doc; if that fails, call the error handler. Whether it worked."""
        try:
            self._annotate([doc], parser)
        except Exception as error:
            self.get_error_handler()(self.name, self, [doc], error)
            return False
        return True

    def _annotate(self, docs: list[Doc], parser: Parser) -> None:
        """Parse the sentences of docs together, then store the graphs, and what else was asked for, in the docs."""
        starts = [sentence_starts(doc, parser) for doc in docs]
        words = [words_of(doc, places) for doc, places in zip(docs, starts, strict=True)]
        column = _tag_column(parser)
        sentences = [_bare(doc, tokens, column) for doc, groups in zip(docs, words, strict=True) for tokens in groups]
        layers = chosen_layers(self.annotate, parser.config.names)
        options = replace(self.options, layers=(*layers, *({MAIN}.intersection(parser.config.names))))
        parsed = iter(list(parser.parse_sentences(sentences, options)))
        for doc, places, groups in zip(docs, starts, words, strict=True):
            found = [(tokens, next(parsed)) for tokens in groups]
            store(doc, found)
            if len(doc):
                annotate_doc(doc, found, places, layers)
            if self.set_sents and len(doc) and not doc.has_annotation("SENT_START"):
                set_starts(doc, places)

    def set_error_handler(self, error_handler: ErrorHandler) -> None:
        """Set what is called for docs that cannot be parsed."""
        self._handler = error_handler

    def get_error_handler(self) -> ErrorHandler:
        """What is called for docs that cannot be parsed."""
        from spacy.util import raise_error

        return self._handler or raise_error

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Copy the model into the folder of the pipeline, unless it comes with Arctag."""
        if _FOLDER not in exclude and self._source.needs_saving:
            self._source.save(Path(path) / _FOLDER)

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> ArctagComponent:
        """Use the model in the folder of the pipeline, if there is one; else the one in the config."""
        folder = Path(path) / _FOLDER
        if _FOLDER not in exclude and folder.is_dir():
            self._source.use_folder(folder)
        return self

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """The model as bytes, unless it comes with Arctag."""
        from spacy.util import to_bytes

        return to_bytes({_FOLDER: self._source.to_bytes}, exclude)

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> ArctagComponent:
        """Use the model in the bytes, if there is one; else the one in the config."""
        from spacy.util import from_bytes

        from_bytes(data, {_FOLDER: self._source.from_bytes}, exclude)
        return self

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        set_extensions()  # in case this is another process


def _bare(doc: Doc, tokens: list[int], column: str | None) -> Sentence:
    """What the parser reads of a sentence."""
    if column and not doc.has_annotation(column):
        raise InputError(f"the model needs tags, and the doc has none ({column}): add a tagger before arctag")
    words = [form(doc[i].text) for i in tokens]
    tags = [doc[i].pos_ if column == "POS" else doc[i].tag_ for i in tokens] if column else None
    return Sentence.from_words(words, tags=tags)


def _tag_column(parser: Parser) -> str | None:
    """Which of spaCy's tags the model reads, if any: universal ones (POS), or those of the language (TAG)."""
    names = getattr(parser.inputs, "tags", None)
    if not names:
        return None
    return "POS" if "NOUN" in names or "VERB" in names else "TAG"
