"""`Parser`: a network, its label spaces and its encodings, composed; sentences in, sentences with graphs out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, islice
from pathlib import Path
from shutil import copytree
from typing import Any, NamedTuple

import numpy as np

from arctag.backends.inputs import Inputs, Tokens
from arctag.backends.long_sentences import Prepared, prepare
from arctag.backends.protocol import Backend
from arctag.blocks.block import BlockArcs
from arctag.encodings.labels import Arcs, offsets_of
from arctag.errors import ArctagError, InputError
from arctag.formats import format_of_name, read
from arctag.formats.recognition import kind_of_name
from arctag.modelfile import checksums
from arctag.modelfile.card import card_text
from arctag.modelfile.config import ModelConfig
from arctag.modelfile.folder import INPUTS
from arctag.modelfile.folder import write as write_folder
from arctag.modelfile.json_files import write_json
from arctag.parsing.batches import batches, in_steps
from arctag.parsing.proposals import Begun, Predicted, Proposed, Timer, begin, conclude, propose, untimed
from arctag.parsing.sources import TEXT, suffixes
from arctag.sentence import Sentence
from arctag.text.files import read_text
from arctag.text.tokenizer import FILE, TextTokenizer
from arctag.transforms import empty_nodes
from arctag.transforms.basic_tree import has_tree, with_tree
from arctag.transforms.guarantees import check_names, guaranteed

Report = Callable[[Sentence, str], None]
OnBatch = Callable[[list[Sentence], Predicted], None]
_TAKEN = "text as a string, a file as a pathlib.Path, a sentence, a list of words, or several of these two"
_NO_TOKENS = Tokens(())
_FAILURES = (ArctagError, RuntimeError, MemoryError, IndexError)  # RuntimeError: torch out of memory


@dataclass(frozen=True)
class ParseOptions:
    """How to parse; the graphs do not depend on the sizes of batches."""

    batch_tokens: int = 8_192
    """Words parsed at a time (subwords, for a pretrained encoder)."""
    read_ahead: int = 4_096
    """Sentences that are read before any is parsed, so that those of like length can be parsed together."""
    ensure: tuple[str, ...] = ()
    """Guarantees: attached, top, acyclic, connected."""
    probabilities: bool = False
    """Keep the probabilities of arcs on the graphs, and the score of each sentence."""
    threshold: float | None = None
    """Another threshold than the model's."""
    tree: bool = False
    """Replace HEAD and DEPREL by the tree inside each graph, if the model was trained on files that have trees.

    Where both columns are empty they are filled in any case."""

    def __post_init__(self) -> None:
        check_names(self.ensure)
        if self.batch_tokens < 1 or self.read_ahead < 1:
            raise InputError("batch_tokens and read_ahead must be at least 1")
        if self.threshold is not None and not 0 <= self.threshold <= 1:
            raise InputError(f"the threshold must be from 0 to 1, not {self.threshold}")


class Parser:
    """Parses text and sentences; `arctag.train` and `arctag.load` return one.

    Several threads may use one parser at the same time: each gets the graphs it would get alone.
    """

    def __init__(self, config: ModelConfig, inputs: Inputs, backend: Backend, files: Path | None = None) -> None:
        self.config, self.inputs, self.backend = config, inputs, backend
        self.files = files
        """The folder whose tokenizer files are copied on saving."""
        self.encodings = config.make_encodings()
        self.timer: Timer | None = None
        """Measures the steps of each batch, if set (`arctag bench parse`); no batch is then begun ahead of another."""
        self._tokenizer: TextTokenizer | None = None

    def save(self, folder: str | Path, force: bool = False) -> None:
        """Write the model folder: complete, or not at all.

        A folder with anything in it is refused; with `force` a model there is replaced, and other files stay.
        """
        write_folder(folder, self._write, force)

    def _write(self, folder: Path) -> None:
        self.config.save(folder)
        write_json(folder / INPUTS, self.inputs.to_json())
        for name in self.inputs.files:
            assert self.files is not None
            copytree(self.files / name, folder / name)
        self.backend.save(folder)
        if self.tokenizer is not None:
            (folder / FILE).write_bytes(self.tokenizer.data)
        checksums.write(folder)
        (folder / "README.md").write_text(card_text(self.config), encoding="utf-8")

    def parse(
        self,
        what: str | Path | Sentence | Iterable[str | Sentence | Sequence[str]],
        options: ParseOptions | None = None,
    ) -> Iterator[Sentence]:
        """Parse text or sentences: `parser(what)` is the same.

        A string is running text, a `Path` is a file (a graph file, or running text in `.txt`), a list of strings is
        the words of one sentence. A `Sentence` may stand for such a list, and any iterable of them for several.
        The parsed sentences come in order, as an iterator: no more of a large input is in memory than is needed.
        `list(parser.parse(text))` has them all, `next(parser.parse(text))` the first.
        """
        if isinstance(what, str):
            if format_of_name(what) and Path(what).is_file():
                raise InputError(f"{what} is a file, and a string is taken for text: give it as Path({what!r})")
            return self.parse_text(what, options)
        if isinstance(what, Path):
            return self._parse_file(what, options)
        return self.parse_sentences(sentences_of(what), options)

    __call__ = parse

    def parse_text(self, text: str, options: ParseOptions | None = None) -> Iterator[Sentence]:
        """Parse running text: cut it into sentences and words, and parse those, tree and all; an iterator, in order."""
        if not isinstance(text, str):
            raise InputError(f"expected text as a string, found {_kind(text)}; `parse` takes {_TAKEN}")
        return self.parse_sentences(self.needed_tokenizer().sentences(text), options)

    def _parse_file(self, path: Path, options: ParseOptions | None) -> Iterator[Sentence]:
        if kind_of_name(path, suffixes()) == TEXT:
            return self.parse_sentences(read_text(path, self.needed_tokenizer()), options)
        return self.parse_sentences(read(path), options)

    @property
    def tokenizer(self) -> TextTokenizer | None:
        """What cuts raw text into words, if the model has it; read from its folder when first asked for."""
        if self._tokenizer is None and self.files is not None and (self.files / FILE).is_file():
            self._tokenizer = TextTokenizer.load(self.files / FILE)
        return self._tokenizer

    @tokenizer.setter
    def tokenizer(self, tokenizer: TextTokenizer | None) -> None:
        self._tokenizer = tokenizer

    def needed_tokenizer(self) -> TextTokenizer:
        """The tokenizer; `InputError` if the model has none."""
        if self.tokenizer is None:
            raise InputError(
                "this model has no tokenizer: it was trained on a treebank that does not show raw text; "
                "give it sentences that are split into words"
            )
        return self.tokenizer

    def parse_sentences(
        self,
        sentences: Iterable[Sentence],
        options: ParseOptions | None = None,
        report: Report | None = None,
        on_batch: OnBatch | None = None,
    ) -> Iterator[Sentence]:
        """Parse a stream of sentences. One that cannot be parsed is reported and comes out unchanged.

        `on_batch` sees the sentences of each batch, as they came in, with what was predicted.
        """
        options = options or ParseOptions()
        groups = self._groups(iter(sentences), options)
        first = next(groups, None)
        if first is None:
            return
        # threads are worth it only if there is more than one batch
        following = [] if len(first.batches) > 1 or not self._ahead else list(islice(groups, 1))
        ahead = self._ahead if len(first.batches) > 1 or following else 0
        proposed = partial(self._propose, threshold=options.threshold)
        steps = (_kept(self._arrays, first=True), _kept(self._read), _kept(proposed))
        work = (
            _Work(group, places) for group in chain([first], following, groups) for places in (*group.batches, None)
        )
        for done in in_steps(steps, work, ahead):
            if done.places is not None:
                self._conclude_batch(done, options, on_batch)
                continue
            for places in done.group.failed:  # now that nothing else of the group is in memory
                again = self._parse_batch([done.group.sentences[i] for i in places], options, report, on_batch)
                done.group.fill(places, again)
            yield from done.group.parsed

    def _groups(self, stream: Iterator[Sentence], options: ParseOptions) -> Iterator[_Group]:
        """Sentences that are read before any of them is parsed, in batches of like length."""
        while group := list(islice(stream, options.read_ahead)):
            tokens = [self.tokens(sentence) for sentence in group]
            yield _Group(group, tokens, list(batches(self.inputs.costs(tokens), options.batch_tokens)))

    @property
    def _ahead(self) -> int:
        """How many batches to begin before one is finished; none while each is timed."""
        return self.backend.ahead if self.timer is None else 0

    def _conclude_batch(self, done: _Work, options: ParseOptions, on_batch: OnBatch | None) -> None:
        """Give the sentences of a batch their graphs; a batch that failed is tried again later."""
        assert done.places is not None
        try:
            if done.value is not None:
                done.group.fill(done.places, self._with_graphs(done.sentences, done.value, options, on_batch))
                return
        except _FAILURES:
            pass
        done.group.failed.append(done.places)

    def _with_graphs(
        self, batch: list[Sentence], proposed: Proposed, options: ParseOptions, on_batch: OnBatch | None
    ) -> list[Sentence]:
        predicted = self._conclude(proposed, options.threshold)
        with (self.timer or untimed)("finishing"):
            done = self._finished(batch, predicted, options)
        if on_batch is not None:
            on_batch(batch, predicted)
        return done

    def _parse_batch(
        self, batch: list[Sentence], options: ParseOptions, report: Report | None, on_batch: OnBatch | None
    ) -> list[Sentence]:
        """Parse a batch that failed once; if it does again, its halves, down to the sentence that is to blame."""
        try:
            arrays = self._arrays([self.tokens(sentence) for sentence in batch])
            proposed = self._propose(self._read(arrays), options.threshold)
            return self._with_graphs(batch, proposed, options, on_batch)
        except _FAILURES as error:
            if len(batch) > 1:
                half = len(batch) // 2
                halves = (batch[:half], batch[half:])
                return [s for some in halves for s in self._parse_batch(some, options, report, on_batch)]
            if report is None:
                raise
            report(batch[0], (str(error).splitlines() or ["not enough memory"])[0])
            return batch

    def tokens(self, sentence: Sentence) -> Tokens:
        """What the network reads of a sentence: nothing of one that could not be read, and no empty nodes."""
        if sentence.error:
            return _NO_TOKENS
        if sentence.has_empty:
            sentence = empty_nodes.drop(sentence)
        return Tokens(sentence.forms, sentence.tags if self.inputs.reads_tags else ())

    def predict(self, batch: Sequence[Tokens], threshold: float | None = None) -> Predicted:
        """The arcs of a batch of non-empty sentences, in flat arrays."""
        return self._conclude(self._propose(self._read(self._arrays(batch)), threshold), threshold)

    def predictions(self, batches: Sequence[Sequence[Tokens]], threshold: float | None = None) -> Iterator[Predicted]:
        """The same for one batch after another; where that saves time, the next ones begin before one is finished."""
        steps = (self._arrays, self._read, partial(self._propose, threshold=threshold))
        for proposed in in_steps(steps, batches, min(self._ahead, len(batches) - 1)):
            yield self._conclude(proposed, threshold)

    # The steps of a batch, in order. On a GPU several batches are under way, each in another step.

    def _arrays(self, batch: Sequence[Tokens]) -> Prepared:
        with (self.timer or untimed)("preparing"):
            return prepare(self.inputs, batch)

    def _read(self, prepared: Prepared) -> Begun:
        return begin(self.backend, prepared, self.timer or untimed)

    def _propose(self, begun: Begun, threshold: float | None) -> Proposed:
        limit = self._limit(threshold)
        return propose(self.config, self.encodings, self.backend, begun, limit, self.timer or untimed)

    def _conclude(self, proposed: Proposed, threshold: float | None) -> Predicted:
        return conclude(self.config, self.backend, proposed, self._limit(threshold), self.timer or untimed)

    def _limit(self, threshold: float | None) -> float:
        """The threshold to use: without an arc scorer every decoded arc counts, unless a threshold is given."""
        scored = self.config.verify or self.config.biaffine
        return threshold if threshold is not None else self.config.threshold if scored else 0.0

    def _have_paths(self, predicted: Predicted) -> list[bool]:
        """Of each sentence, whether a relation stands for a path over empty nodes."""
        numbers = [n for n, names in enumerate(self.config.relations) if any(map(empty_nodes.is_path, names))]
        found = np.isin(predicted.relations, numbers) if numbers else np.zeros(len(predicted.relations), np.bool_)
        flags: list[bool] = (np.diff(offsets_of(found)[predicted.starts]) > 0).tolist()
        return flags

    def _finished(self, batch: list[Sentence], predicted: Predicted, options: ParseOptions) -> list[Sentence]:
        """The sentences of a batch with their graphs, and whatever else was asked for."""
        arcs, paths = self.arcs(predicted), self._have_paths(predicted)
        plain = BlockArcs(arcs.arcs, (arcs.numbers, arcs.names))
        done = []
        for i, (sentence, repairs) in enumerate(zip(batch, predicted.repairs.tolist(), strict=True)):
            sentence = empty_nodes.drop(sentence)
            tree = bool(self.config.basic_relations) and (options.tree or not has_tree(sentence))
            expand = self.config.empty == "collapse" and (paths[i] or empty_nodes.has_comments(sentence))
            if tree or expand or options.ensure or options.probabilities:
                score = float(predicted.scores[i]) if options.probabilities else None
                sentence = self._completed(sentence.with_arcs(arcs, i, repairs), tree, expand, options.ensure, score)
            else:
                sentence = sentence.with_arcs(plain, i, repairs)
            done.append(sentence)
        return done

    def _completed(
        self, sentence: Sentence, tree: bool, expand: bool, ensure: Sequence[str], score: float | None
    ) -> Sentence:
        """The sentence with guarantees, a tree, empty nodes and its score, or without probabilities."""
        if ensure:
            graph, changes = guaranteed(sentence.graph, ensure, self._fallback)
            sentence = sentence.with_graph(graph, changes=changes)
        if tree:
            sentence = with_tree(sentence, self.config.basic_relations)
        if expand:
            sentence = empty_nodes.expand(sentence)
        if score is not None:
            return sentence.replace(score=score)
        sentence.graph.probabilities = None
        return sentence

    def arcs(self, predicted: Predicted) -> BlockArcs:
        """The arcs of a batch, with probabilities."""
        arcs = Arcs(predicted.sizes, predicted.starts, predicted.heads, predicted.dependents)
        return BlockArcs(arcs, (predicted.relations.astype(np.int32), self.config.relations), predicted.probabilities)

    def _fallback(self, head: int) -> tuple[str, ...]:
        """The relation of an arc that a guarantee added: 'root' or 'dep' where the model knows them."""
        wanted = ("root",) if head == 0 else ("dep",)
        return wanted if wanted in self.config.relations else next(names for names in self.config.relations if names)


def sentences_of(what: object) -> Iterator[Sentence]:
    """A sentence, the words of one, or several of either, as sentences; `InputError` for anything else."""
    if isinstance(what, Sentence):
        return iter([what])
    if isinstance(what, (bytes, Mapping)) or not isinstance(what, Iterable):
        raise InputError(f"expected {_TAKEN}; found {_kind(what)}")
    return _stream(what)


def _stream(what: Iterable[object]) -> Iterator[Sentence]:
    items = iter(what)
    for number, item in enumerate(items):
        if number == 0 and isinstance(item, str):
            yield _from_words([item, *items])  # one sentence
        else:
            yield item if isinstance(item, Sentence) else _from_words(item)


def _from_words(words: object) -> Sentence:
    if not isinstance(words, Iterable) or isinstance(words, (str, bytes, Mapping)):
        raise InputError(f"expected a sentence or a list of words; found {_kind(words)}")
    listed = list(words)
    for word in listed:
        if not isinstance(word, str):
            raise InputError(f"expected a word as a string; found {_kind(word)}")
    return Sentence.from_words(listed)


def _kind(value: object) -> str:
    return f"{value!r:.50} of type {type(value).__name__}"


@dataclass
class _Group:
    """Sentences that are read before any of them is parsed."""

    sentences: list[Sentence]
    tokens: list[Tokens]
    """What the network reads of each."""
    batches: list[list[int]]
    """The numbers of sentences that are parsed together."""
    failed: list[list[int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.parsed = list(self.sentences)

    def fill(self, places: list[int], parsed: list[Sentence]) -> None:
        """Put parsed sentences where they belong."""
        for i, sentence in zip(places, parsed, strict=True):
            self.parsed[i] = sentence


class _Work(NamedTuple):
    """A batch of a group on its way through the steps, or the end of the group."""

    group: _Group
    places: list[int] | None
    value: Any = None
    """What the last step made of it; None if that failed."""

    @property
    def sentences(self) -> list[Sentence]:
        return [self.group.sentences[i] for i in self.places or ()]

    @property
    def tokens(self) -> list[Tokens]:
        return [self.group.tokens[i] for i in self.places or ()]


def _kept(step: Callable[[Any], Any], first: bool = False) -> Callable[[_Work], _Work]:
    """A step of a batch that keeps its group, and passes failures on."""

    def done(work: _Work) -> _Work:
        value = work.tokens if first else work.value
        if work.places is None or value is None:
            return work
        try:
            return work._replace(value=step(value))
        except _FAILURES:
            return work._replace(value=None)

    return done
