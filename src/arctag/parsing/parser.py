"""`Parser`: a network, its label spaces and its encodings, composed; sentences in, annotated sentences out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path
from shutil import copytree
from typing import Any

import numpy as np

from arctag.backends.inputs import Inputs, Tokens
from arctag.backends.long_sentences import prepare
from arctag.backends.protocol import Backend, Reading
from arctag.errors import InputError
from arctag.formats import format_of_name, read
from arctag.formats.recognition import kind_of_name
from arctag.layers import Layer, LearnedLayer, Output, Question
from arctag.layers.answers import Timer, untimed
from arctag.layers.base import in_order
from arctag.layers.graphs import MAIN
from arctag.layers.trees import TREE
from arctag.modelfile import checksums
from arctag.modelfile.card import card_text
from arctag.modelfile.config import ModelConfig
from arctag.modelfile.folder import INPUTS
from arctag.modelfile.folder import write as write_folder
from arctag.modelfile.json_files import write_json
from arctag.parsing.asked import asked_at_most, columns
from arctag.parsing.batches import batches, in_steps
from arctag.parsing.given import TAKEN, kind_of, sentences_of
from arctag.parsing.sources import TEXT, suffixes
from arctag.parsing.steps import FAILURES, Asked, Batch, Begun, Group, Proposed, Ready, Work, kept
from arctag.progress import track
from arctag.sentence import Sentence
from arctag.text.files import read_text
from arctag.text.tokenizer import FILE, TextTokenizer
from arctag.transforms import empty_nodes
from arctag.transforms.basic_tree import has_tree
from arctag.transforms.guarantees import check_names

Report = Callable[[Sentence, str], None]
Predictions = dict[str, Any]
"""What each layer predicts for a batch, by name."""
OnBatch = Callable[[list[Sentence], Predictions], None]
_NO_TOKENS = Tokens(())


@dataclass(frozen=True)
class ParseOptions:
    """How to parse; the graphs do not depend on the sizes of batches."""

    batch_tokens: int = 8_192
    """Words parsed at a time (subwords, for a pretrained encoder)."""
    read_ahead: int = 4_096
    """Sentences that are read before any is parsed, so that those of like length can be parsed together."""
    ensure: tuple[str, ...] | None = None
    """Guarantees: attached, top, acyclic, connected; by default what the graphs of the training files always have."""
    probabilities: bool = False
    """Keep the probabilities of arcs on the graphs, and the score of each sentence."""
    threshold: float | None = None
    """Another threshold than the model's."""
    tree: bool = False
    """Replace HEAD and DEPREL in graph files, if the model predicts trees.

    Where both columns are empty they are filled in any case."""
    layers: tuple[str, ...] | None = None
    """The layers to predict; by default all for words and text, and the graph for sentences of graph files."""
    left_out: tuple[str, ...] = ()
    """Layers that are not predicted unless they are named in `layers`: a format may have no room for them."""
    also: tuple[str, ...] = ()
    """Layers that are predicted beside the graph for sentences of graph files, too."""

    def __post_init__(self) -> None:
        check_names(self.ensure or ())
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
        self.timer: Timer | None = None
        """Measures the steps of each batch, if set (`arctag bench parse`); no batch is then begun ahead of another."""
        self._tokenizer: TextTokenizer | None = None

    def __repr__(self) -> str:
        return f"<Parser: {', '.join(self.config.names)}>"

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
        progress: bool | None = None,
    ) -> Iterator[Sentence]:
        """Parse text or sentences: `parser(what)` is the same.

        A string is running text, a `Path` is a file (a graph file, or running text in `.txt`), a list of strings is
        the words of one sentence. A `Sentence` may stand for such a list, and any iterable of them for several.
        The parsed sentences come in order, as an iterator: no more of a large input is in memory than is needed.
        `list(parser.parse(text))` has them all, `next(parser.parse(text))` the first. Notebooks show a progress bar
        for what takes longer, and terminals, too, if `progress` is true; none is shown if it is false.
        """
        total = len(what) if isinstance(what, list | tuple) and not isinstance(next(iter(what), None), str) else None
        return track(self._parsed(what, options), "parsing", total, progress)

    def _parsed(
        self, what: str | Path | Sentence | Iterable[str | Sentence | Sequence[str]], options: ParseOptions | None
    ) -> Iterator[Sentence]:
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
            raise InputError(f"expected text as a string, found {kind_of(text)}; `parse` takes {TAKEN}")
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
        for name in options.layers or ():
            self.config.layer(name)
        proposed = partial(self._propose, threshold=options.threshold, ensure=options.ensure)
        steps = (kept(self._arrays, first=True), kept(self._read), kept(proposed))
        work = (Work(group, places) for group in chain([first], following, groups) for places in (*group.batches, None))
        for done in in_steps(steps, work, ahead):
            if done.places is not None:
                self._conclude_batch(done, options, on_batch)
                continue
            for places in done.group.failed:  # now that nothing else of the group is in memory
                again = self._parse_batch([done.group.sentences[i] for i in places], options, report, on_batch)
                done.group.fill(places, again)
            yield from done.group.parsed

    def _groups(self, stream: Iterator[Sentence], options: ParseOptions) -> Iterator[Group]:
        """Sentences that are read before any of them is parsed, in batches of like length."""
        while group := list(islice(stream, options.read_ahead)):
            tokens = [self.tokens(sentence) for sentence in group]
            asked = [self.asked(sentence, options) for sentence in group]
            self.backend.open(_networks(in_order(self.config.layers, frozenset().union(*asked))))
            yield Group(group, tokens, asked, list(batches(self.inputs.costs(tokens), options.batch_tokens)))

    def asked(self, sentence: Sentence, options: ParseOptions) -> frozenset[str]:
        """The layers to predict for a sentence."""
        if sentence.error:
            return frozenset()
        names = self.asked_at_most(sentence.fresh, options)
        own = options.layers is None and not options.tree and not sentence.fresh and MAIN in names
        return names - {TREE} if own and has_tree(sentence) else names

    def asked_at_most(self, fresh: bool, options: ParseOptions) -> frozenset[str]:
        """The layers to predict for sentences of a graph file, or for fresh ones; fewer where one has a tree."""
        return asked_at_most(self.config, fresh, options)

    def columns(self, fresh: bool, options: ParseOptions) -> tuple[str, ...]:
        """What these layers fill in: columns of CoNLL-U in their order, then further layers."""
        return columns(self.config, fresh, options)

    @property
    def _ahead(self) -> int:
        """How many batches to begin before one is finished; none while each is timed."""
        return self.backend.ahead if self.timer is None else 0

    def _conclude_batch(self, done: Work, options: ParseOptions, on_batch: OnBatch | None) -> None:
        """Give the sentences of a batch their graphs; a batch that failed is tried again later."""
        assert done.places is not None
        try:
            if done.value is not None:
                written = self._with_layers(done.sentences, done.asked, done.value, options, on_batch)
                done.group.fill(done.places, written)
                return
        except FAILURES:
            pass
        done.group.failed.append(done.places)

    def _with_layers(
        self, batch: list[Sentence], asked: Asked, proposed: Proposed, options: ParseOptions, on_batch: OnBatch | None
    ) -> list[Sentence]:
        predicted = self._conclude(proposed)
        with (self.timer or untimed)("finishing"):
            done = self._written(batch, asked, predicted, Output(options.ensure, options.probabilities))
        if on_batch is not None:
            on_batch(batch, predicted)
        return done

    def _written(self, batch: list[Sentence], asked: Asked, predicted: Predictions, output: Output) -> list[Sentence]:
        """The sentences of a batch with the layers that were asked for each."""
        done = list(map(empty_nodes.drop, batch))
        layers = [(self.config.layer(name), [name in names for names in asked]) for name in predicted]
        layers = [(layer, wanted) for layer, wanted in layers if any(wanted)]  # others serve these
        for layer, wanted in layers:
            done = _either(wanted, layer.write(done, predicted[layer.name], output), done)
        for layer, wanted in layers:
            done = _either(wanted, layer.finish(done, output), done)
        return _either(list(map(bool, asked)), done, batch)

    def _parse_batch(
        self, batch: list[Sentence], options: ParseOptions, report: Report | None, on_batch: OnBatch | None
    ) -> list[Sentence]:
        """Parse a batch that failed once; if it does again, its halves, down to the sentence that is to blame."""
        try:
            asked = [self.asked(sentence, options) for sentence in batch]
            prepared = self._arrays(Batch([self.tokens(sentence) for sentence in batch], asked))
            proposed = self._propose(self._read(prepared), options.threshold, options.ensure)
            return self._with_layers(batch, asked, proposed, options, on_batch)
        except FAILURES as error:
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

    def predict(
        self,
        batch: Sequence[Tokens],
        threshold: float | None = None,
        layers: Collection[str] | None = None,
        undecided: str = "",
    ) -> Predictions:
        """What each layer, or those named, predicts for a batch of sentences, by its name; without guarantees.

        The one that is to be undecided gives all arcs that it looks at, with the evidence for each.
        """
        return next(self.predictions([batch], threshold, layers, undecided))

    def predictions(
        self,
        batches: Sequence[Sequence[Tokens]],
        threshold: float | None = None,
        layers: Collection[str] | None = None,
        undecided: str = "",
    ) -> Iterator[Predictions]:
        """The same for one batch after another; where that saves time, the next ones begin before one is finished."""
        proposed = partial(self._propose, threshold=threshold, ensure=(), undecided=undecided)
        steps = (self._arrays, self._read, proposed)
        names = frozenset(self.config.names if layers is None else layers)
        work = [Batch(batch, [names]) for batch in batches]
        for proposed in in_steps(steps, work, min(self._ahead, len(batches) - 1)):
            yield self._conclude(proposed)

    # The steps of a batch, in order. On a GPU several batches are under way, each in another step.

    def _arrays(self, batch: Batch) -> Ready:
        layers = in_order(self.config.layers, frozenset().union(*batch.layers))
        with (self.timer or untimed)("preparing"):
            return Ready(batch, layers, prepare(self.inputs, batch.tokens))

    def _read(self, ready: Ready) -> Begun:
        (batch, layers, prepared), backend = ready, self.backend
        with (self.timer or untimed)("network"):
            states = (backend.read(arrays, _networks(layers)) for arrays in prepared.parts)
            if prepared.kept:
                state = backend.join(zip(states, prepared.kept, strict=True), prepared.lengths)
            else:
                state = next(states)
        return Begun(batch, layers, Reading(backend, state), prepared.lengths.astype(np.int32))

    def _propose(
        self, begun: Begun, threshold: float | None, ensure: tuple[str, ...] | None, undecided: str = ""
    ) -> Proposed:
        words = [tokens.words for tokens in begun.batch.tokens]
        proposed: dict[str, Any] = {}
        timer = self.timer or untimed
        question = Question(begun.reading, begun.sizes, words, threshold, ensure, timer, proposed, undecided)
        for layer in begun.layers:
            proposed[layer.name] = layer.propose(question)
        return Proposed(question, begun.layers, list(proposed.values()))

    def _conclude(self, proposed: Proposed) -> Predictions:
        predicted: Predictions = {}
        for layer, value in zip(proposed.layers, proposed.values, strict=True):
            predicted[layer.name] = layer.conclude(proposed.question, value, predicted)
        return predicted


def _either(chosen: list[bool], new: list[Sentence], old: list[Sentence]) -> list[Sentence]:
    """The new sentences where they are chosen, the old ones elsewhere."""
    if all(chosen):
        return new
    return [one if wanted else other for wanted, one, other in zip(chosen, new, old, strict=True)]


def _networks(layers: Iterable[Layer]) -> list[str]:
    """The names of those that a network answers about."""
    return [layer.name for layer in layers if isinstance(layer, LearnedLayer)]
