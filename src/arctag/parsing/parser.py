"""`Parser`: a network, its label spaces and its encodings, composed; sentences in, sentences with graphs out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from shutil import copytree
from typing import Any

from arctag.backends.inputs import Inputs, Tokens
from arctag.backends.long_sentences import Prepared, prepare
from arctag.backends.protocol import Backend
from arctag.errors import ArctagError, InputError
from arctag.formats import format_of_name, read
from arctag.formats.recognition import kind_of_name
from arctag.graph import Graph
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
        stream = iter(sentences)
        while ahead := list(islice(stream, options.read_ahead)):
            parsed = list(ahead)
            numbers = list(batches(self._costs(ahead), options.batch_tokens))
            together = [[ahead[i] for i in batch] for batch in numbers]
            failed: list[list[int]] = []
            for places, batch, proposed in zip(numbers, together, self._all_proposed(together, options), strict=True):
                done = self._concluded(batch, proposed, options, on_batch)
                if done is None:
                    failed.append(places)
                for i, sentence in zip(places, done or batch, strict=True):
                    parsed[i] = sentence
            for places in failed:  # now that nothing else is in memory
                done = self._parse_batch([ahead[i] for i in places], options, report, on_batch)
                for i, sentence in zip(places, done, strict=True):
                    parsed[i] = sentence
            yield from parsed

    def _costs(self, sentences: Sequence[Sentence]) -> list[int]:
        """What each sentence counts for in a batch; nothing, where there is no word to parse."""
        return self.inputs.costs([Tokens(s.words if _words(s) else (), ()) for s in sentences])

    def _ahead(self, batches: int) -> int:
        """How many batches to begin before one is finished; none while each is timed."""
        return min(self.backend.ahead, batches - 1) if self.timer is None else 0

    def _all_proposed(self, together: list[list[Sentence]], options: ParseOptions) -> Iterator[Proposed | None]:
        """The batches with the arcs to ask the network about; None where that failed."""
        proposed = partial(self._propose, threshold=options.threshold)
        steps = (_spared(self._prepare), _spared(self._read), _spared(proposed))
        return in_steps(steps, together, self._ahead(len(together)))

    def _prepare(self, batch: list[Sentence]) -> Prepared:
        return self._arrays([self.tokens(empty_nodes.drop(sentence)) for sentence in batch])

    def _concluded(
        self, batch: list[Sentence], proposed: Proposed | None, options: ParseOptions, on_batch: OnBatch | None
    ) -> list[Sentence] | None:
        """The sentences of a batch with their graphs; None if that failed."""
        if proposed is None:
            return None
        try:
            return self._with_graphs(batch, proposed, options, on_batch)
        except _FAILURES:
            return None

    def _with_graphs(
        self, batch: list[Sentence], proposed: Proposed, options: ParseOptions, on_batch: OnBatch | None
    ) -> list[Sentence]:
        predicted = self._conclude(proposed, options.threshold)
        with (self.timer or untimed)("finishing"):
            done = [self._finished(empty_nodes.drop(s), predicted, i, options) for i, s in enumerate(batch)]
        if on_batch is not None:
            on_batch(batch, predicted)
        return done

    def _parse_batch(
        self, batch: list[Sentence], options: ParseOptions, report: Report | None, on_batch: OnBatch | None
    ) -> list[Sentence]:
        """Parse a batch that failed once; if it does again, its halves, down to the sentence that is to blame."""
        try:
            proposed = self._propose(self._read(self._prepare(batch)), options.threshold)
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
        """What the network reads of a sentence."""
        return Tokens(sentence.words, sentence.tags if self.inputs.reads_tags else ())

    def predict(self, batch: Sequence[Tokens], threshold: float | None = None) -> Predicted:
        """The arcs of a batch of non-empty sentences, in flat arrays."""
        return self._conclude(self._propose(self._read(self._arrays(batch)), threshold), threshold)

    def predictions(self, batches: Sequence[Sequence[Tokens]], threshold: float | None = None) -> Iterator[Predicted]:
        """The same for one batch after another; where that saves time, the next ones begin before one is finished."""
        steps = (self._arrays, self._read, partial(self._propose, threshold=threshold))
        for proposed in in_steps(steps, batches, self._ahead(len(batches))):
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

    def _finished(self, sentence: Sentence, predicted: Predicted, i: int, options: ParseOptions) -> Sentence:
        graph, changes = self.graph(predicted, i), 0
        if options.ensure:
            graph, changes = guaranteed(graph, options.ensure, self._fallback)
        sentence = sentence.with_graph(graph, repairs=int(predicted.repairs[i]), changes=changes)
        if self.config.basic_relations and (options.tree or not has_tree(sentence)):
            sentence = with_tree(sentence, self.config.basic_relations)
        if self.config.empty == "collapse":
            sentence = empty_nodes.expand(sentence)
        if options.probabilities:
            return replace(sentence, score=float(predicted.scores[i]))
        sentence.graph.probabilities = None
        return sentence

    def graph(self, predicted: Predicted, i: int) -> Graph:
        """The graph of sentence i of a batch, with probabilities."""
        arcs = slice(predicted.starts[i], predicted.starts[i + 1])
        names = self.config.relations
        relations = tuple([names[r] for r in predicted.relations[arcs].tolist()])
        n = int(predicted.sizes[i])
        return Graph.trusted(
            n, predicted.heads[arcs], predicted.dependents[arcs], relations, predicted.probabilities[arcs]
        )

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


def _spared(step: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The step of a batch, without its failures: None comes out of one, and of None."""

    def tried(what: Any) -> Any:
        try:
            return None if what is None else step(what)
        except _FAILURES:
            return None

    return tried


def _words(sentence: Sentence) -> int:
    """The number of words to parse; none in a sentence that could not be read."""
    if sentence.error:
        return 0
    return len(sentence.node_rows) - (sum(sentence.empty) if sentence.has_empty else 0)
