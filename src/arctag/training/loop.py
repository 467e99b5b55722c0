"""The training loop: a stream of events. It reads no arguments, prints nothing, and can be resumed."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

import torch
from torch import Tensor

from arctag.backends.torch.backend import to_device
from arctag.backends.torch.torch_flags import PARSING, flagged, torch_flags
from arctag.encodings.recommendation import AUTO
from arctag.errors import InputError, UnknownName
from arctag.formats import read
from arctag.formats.files import open_output
from arctag.layers import Layer
from arctag.layers.arcs import ArcLayer
from arctag.layers.filled import half_filled
from arctag.layers.graphs import MAIN
from arctag.modelfile.config import CONFIG
from arctag.modelfile.folder import add_tokenizer, remove_leftovers, writable
from arctag.modelfile.networks import WEIGHTS
from arctag.parsing.loading import load as load_model
from arctag.parsing.parser import Parser
from arctag.training import checkpoint
from arctag.training.build import build
from arctag.training.calibration import calibrate
from arctag.training.checkpoint import Progress
from arctag.training.config import TrainConfig, to_toml
from arctag.training.dataset import Dataset
from arctag.training.dev_scores import Scores, dev_scores
from arctag.training.distributed import Group
from arctag.training.events import Evaluated, Event, Finished, Noticed, Started, Stepped
from arctag.training.final_scores import layer_and_file, score_tests, short_name
from arctag.training.labelling import Labelling
from arctag.training.optimizer import make_optimizer, schedule
from arctag.training.silver import mixed, plan_labelling, read_silver, sparse_layers
from arctag.training.teachers import named_layers
from arctag.training.tokenizer import TokenizerTraining
from arctag.training.treebanks import Treebank, read_treebanks

Batch = tuple[int, list[int]]
"""The number of a treebank, and those of its sentences."""
_LOSS_EVERY = 20  # steps: asking a GPU for the loss makes it wait


def train(config: TrainConfig, resume: bool = False, force: bool = False) -> Iterator[Event]:
    """Train a parser and save the best one in `config.output`; `Finished` carries it.

    `resume` continues an unfinished run there, `force` starts again and replaces what is there.
    """
    config = config.resolved()
    if not config.train or not config.output:
        raise InputError("training needs at least one --train file and an --output folder")
    with _own_random_numbers():
        run = Run(config, resume, force)
        try:
            yield from run.prepare()
            with _writing(config.output):  # all files have been read by now
                yield from run.events()
        finally:
            run.close()


@contextmanager
def _writing(output: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"cannot write {output}: {error.strerror or error}") from error


@contextmanager
def _own_random_numbers() -> Iterator[None]:
    """The random numbers of the program around the run are not changed by it."""
    devices = range(torch.cuda.device_count()) if torch.cuda.is_available() else ()
    with torch.random.fork_rng(devices):
        yield


def find_checkpoint(output: str, resume: bool, force: bool) -> Path | None:
    """The checkpoint to resume from, if there is one; `InputError` where a run would overwrite something."""
    if resume and force:
        raise InputError("--resume continues a run, --force starts it again: give one of them")
    folder = writable(output, force=True)
    if force or not checkpoint.unfinished(folder):
        if resume and (folder / CONFIG).exists():
            raise InputError(f"{output} holds a finished model: there is nothing to resume; --force replaces it")
        writable(output, force)
        return None
    if not resume:
        raise InputError(
            f"{output} holds an unfinished run: "
            "continue it with --resume, replace it with --force, or give another --output"
        )
    return checkpoint.find(folder)


_SHARED = "--output ({}) must be a folder that all hosts share"


class Run:
    """The state of one training run: first it is prepared, then it trains."""

    def __init__(self, config: TrainConfig, resume: bool = False, force: bool = False) -> None:
        self.config, self.folder, self.force = config, Path(config.output), force
        self.saved = find_checkpoint(config.output, resume, force)
        device = config.device or ("cuda" if torch.cuda.is_available() else "cpu")
        has_lstm = not config.pretrained or config.context_layers
        if (
            config.precision == "bf16" and has_lstm and not device.startswith("cuda")
        ):  # torch's can kill the process there
            raise InputError(
                'precision = "bf16" needs a GPU, or a pretrained encoder without context layers; use "fp32" or "auto"'
            )
        self.tokenizer: TokenizerTraining | None = None
        self.group = Group.join(device)
        if device == "cuda" and self.group.size > 1:
            device = f"cuda:{int(os.environ.get('LOCAL_RANK', '0'))}"
        self.device = device

    def prepare(self) -> Iterator[Event]:
        """Read the files, label unlabelled text, build the network; resume from a checkpoint if there is one."""
        config = self.config
        for file in config.test:  # report one that cannot be read now, not after the run
            next(read(layer_and_file(file)[1]))
        gold = treebanks = read_treebanks(config)
        if config.unlabelled:
            labelling, layers = plan_labelling(config, gold, config.device or None)
            yield from self._label(labelling)
            silver = read_silver(labelling.output, layers, config.empty, sparse_layers(gold))
            treebanks = mixed(gold, silver, config.gold_repeat)
        self.parser, self.backend, self.data = build(replace(config, device=self.device), treebanks)
        for layer in {layer_and_file(test)[0] for test in config.test} - {MAIN}:
            self.parser.config.layer(layer)
        self.model = self.backend.model
        self.dev = self._dev_data(gold)
        self.has_dev = any(treebank.dev for treebank in gold)
        if config.select and config.select not in self._scored:
            raise UnknownName("layer to select by:", config.select, self._scored)
        self.main = main = gold[0]
        if config.tokenizer and self.group.first:
            text = [sentence for treebank in treebanks if treebank.silver for sentence in treebank.train]
            self.tokenizer = TokenizerTraining(main.train, main.dev, text)
        # fp32 is not TF32, which is good enough for parsing
        self.flags = {**PARSING, "tf32": config.precision != "fp32", "deterministic": True, "benchmark": False}
        self.optimizer = make_optimizer(config, self.model)
        self.costs = self.data.costs(self.parser.inputs)
        self.steps = max(1, -(-len(self._batches(0)) // (config.accumulate * self.group.size)))
        self.total = self.steps * config.epochs
        self.progress = Progress()
        if self.saved:
            self.progress = checkpoint.load(self.saved, config.to_dict(), self.model, self.optimizer)
            if self.group.first and self.progress.best_epoch and not (self.folder / WEIGHTS).exists():
                raise InputError(f"{self.folder}: the best model is gone; start again with another --output")
        if not self.group.agree(self.progress.step, self.backend.device):
            raise InputError(f"the hosts have different checkpoints: {_SHARED.format(self.folder)}")

    def _label(self, labelling: Labelling) -> Iterator[Event]:
        """Let the first process have the text labelled; the others wait for it."""
        device = torch.device(self.device)
        if not self.group.first:
            self.group.follow(device)
            return
        if not self.config.silver:
            self._begin()  # what is labelled will be in there
        bf16 = {"cpu_bf16": self.config.precision == "bf16"}  # what is good enough for learning is so for labelling
        yield from self.group.lead(flagged(bf16, labelling.events()), device)

    def close(self) -> None:
        """Stop what is still running."""
        if self.tokenizer is not None:
            self.tokenizer.stop()
        self.group.leave()

    def _dev_data(self, treebanks: Sequence[Treebank]) -> list[Dataset]:
        """What to score on: each layer on the first treebank that has it and development files.

        Without such files the training data is used instead, and the score means little.
        """
        data: list[Dataset] = []
        seen: set[str] = set()
        with_files = any(treebank.dev for treebank in treebanks)
        for number, treebank in enumerate(treebanks):
            if not treebank.dev and with_files:
                continue
            new = [self.parser.config.learned(name) for name in treebank.layers if name not in seen]
            seen.update(layer.name for layer in new)
            if treebank.dev and new:
                data.append(Dataset.of(new, treebank.dev))
            elif new:
                part = self.data.parts[number]
                data.append(replace(part, targets={layer.name: part.targets[layer.name] for layer in new}))
        return data

    @property
    def _scored(self) -> list[str]:
        """The layers that have development data."""
        return [name for data in self.dev for name in data.targets]

    def _batches(self, epoch: int) -> list[Batch]:
        return self.data.shuffled(self.config.batch_tokens, (self.config.seed, epoch), self.costs)

    def _words(self, batch: Batch) -> int:
        part, chosen = batch
        return sum(len(self.data.parts[part].tokens[i].words) for i in chosen)

    def events(self) -> Iterator[Event]:
        """The whole run."""
        config, progress = self.config, self.progress
        if self.group.first:
            self._begin()
            with open_output(self.folder / "train.toml") as file:
                file.write(to_toml(config))
        if self.tokenizer is not None:
            self.tokenizer.start()
        self.group.wait()
        if unseen := self.group.sum(not self.folder.is_dir(), self.backend.device):
            raise InputError(
                f"{unseen:.0f} of {self.group.size} processes do not see it: {_SHARED.format(self.folder)}"
            )
        layers = self.parser.config.networks
        yield Started(
            sum(map(len, self.data.parts)), sum(int(part.words[-1]) for part in self.data.parts),
            {layer.name: layer.summary for layer in layers}, sum(p.numel() for p in self.model.parameters()),
            str(self.backend.device), self.steps, config.epochs, progress.epoch,
        )  # fmt: skip
        if not config.layers and (why := half_filled(self.main.train)):
            yield Noticed(f"{why}: it is left out")
        for layer in layers:
            if isinstance(layer, ArcLayer) and config.settings_of(layer.name, layer.training).encoding == AUTO:
                yield Noticed(f"{layer.name}: encoding {layer.encoding}, the choice for graphs like these")
        while progress.epoch < config.epochs and progress.waited < config.patience:
            yield from self._take_tokenizer(wait=False)
            yield from self._epoch()
        if progress.epoch < config.epochs:
            yield Noticed(f"stopped after epoch {progress.epoch}: no better score since epoch {progress.best_epoch}")
        yield from self._take_tokenizer(wait=True)
        yield self._finish()

    def _begin(self) -> None:
        """Create the folder, which holds an unfinished run from now on."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            remove_leftovers(self.folder)
            if self.force:
                checkpoint.remove(self.folder)
                self.force = False  # what comes from now on belongs to this run
            checkpoint.begin(self.folder)
        except OSError as error:
            raise InputError(f"cannot write {self.folder}: {error.strerror}") from error

    def _take_tokenizer(self, wait: bool) -> Iterator[Event]:
        """Put the tokenizer into the model folder when it is trained."""
        if self.tokenizer is None or not (wait or self.tokenizer.ready):
            return
        if not self.tokenizer.ready:
            yield Noticed("the parser is trained; waiting for the tokenizer for raw text")
        try:
            self.parser.tokenizer = trained = self.tokenizer.result()
            if self.progress.best_epoch:  # else it is saved with the first model
                add_tokenizer(trained, self.folder)
        except InputError as error:
            yield Noticed(f"no tokenizer for raw text: {error}")
        self.tokenizer.stop()
        self.tokenizer = None

    def _epoch(self) -> Iterator[Event]:
        """A pass over the training data, then the development score where one is due."""
        config, progress = self.config, self.progress
        torch.manual_seed(config.seed * 1_000_003 + progress.epoch * 1_009 + self.group.rank)
        started = perf_counter()
        self.model.train()
        losses: list[Tensor] = []
        tokens = 0
        batches = self._batches(progress.epoch + 1)
        share = config.accumulate * self.group.size
        for step, at in enumerate(range(0, len(batches), share), 1):
            mine = batches[at : at + share][self.group.rank :: self.group.size]
            loss, notices = self._step(mine, len(batches[at : at + share]))
            yield from notices
            losses.append(loss)
            tokens += sum(map(self._words, batches[at : at + share]))
            yield Stepped(progress.epoch + 1, step, float(loss) if step % _LOSS_EVERY == 0 else None, tokens)
        mean = self.group.sum(float(torch.stack(losses).mean()) if losses else 0.0, self.backend.device)
        trained = perf_counter() - started
        if mean != mean:
            raise InputError('the loss is not a number any more: lower the learning rate, or use precision = "fp32"')
        progress.epoch += 1
        if progress.epoch % config.evaluate_every and progress.epoch < config.epochs:
            return
        result = self._evaluate()
        yield self._record(result, mean, perf_counter() - started, tokens / max(trained, 1e-9))

    def _step(self, batches: Sequence[Batch], sharing: int) -> tuple[Tensor, list[Event]]:
        """One step of the optimiser."""
        with torch_flags(self.flags):
            return self._flagged_step(batches, sharing)

    def _flagged_step(self, batches: Sequence[Batch], sharing: int) -> tuple[Tensor, list[Event]]:
        loss, notices = self._gradients(batches, sharing)
        trainable = [p for p in self.model.parameters() if p.requires_grad]
        self.group.add_gradients(trainable)
        torch.nn.utils.clip_grad_norm_(trainable, self.config.clip)
        self.progress.step += 1
        for group in self.optimizer.param_groups:
            group["lr"] = group["base"] * schedule(self.config, self.progress.step, self.total)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        return loss, notices

    def _gradients(self, batches: Sequence[Batch], sharing: int) -> tuple[Tensor, list[Event]]:
        """The gradients of these batches; those too large for the memory are split until they fit."""
        notices: list[Event] = []
        parts = list(batches)
        while True:
            try:
                return self._backward(parts, sharing), notices
            except (MemoryError, RuntimeError) as error:  # RuntimeError: torch, on any device
                if not _out_of_memory(error):
                    raise
                if all(len(chosen) == 1 for _, chosen in parts):
                    words = max(map(self._words, parts))
                    raise InputError(f"out of memory: even a single sentence of {words} words is too large") from error
                self.optimizer.zero_grad(set_to_none=True)
                if torch.cuda.is_available():
                    torch.cuda.empty_cache()
                sharing += sum(len(chosen) > 1 for _, chosen in parts)
                parts = [half for part in parts for half in _halves(part)]
                notices.append(Noticed(f"out of memory: the batch was split into {len(parts)} parts"))

    def _backward(self, batches: Sequence[Batch], sharing: int) -> Tensor:
        """Add the gradients of each batch, whose losses count for one share each; give their sum."""
        total = torch.zeros((), device=self.backend.device)
        for part, chosen in batches:
            arrays, targets = self.data.parts[part].batch(chosen, self.parser.inputs)
            gold = {name: to_device(wanted, self.backend.device) for name, wanted in targets.items()}
            with self._autocast():
                losses = self.model.losses(to_device(arrays, self.backend.device), gold)
                loss = torch.stack([self._weighted(name, parts) for name, parts in losses.items()]).sum() / sharing
            loss.backward()  # type: ignore[no-untyped-call]
            total += loss.detach()
        return total

    def _weighted(self, layer: str, losses: dict[str, Tensor]) -> Tensor:
        """The weighted sum of the losses of a layer."""
        assert self.config.relation_weight is not None  # filled in by `resolved`
        weights = {"arcs": self.config.arc_weight, "relations": self.config.relation_weight}
        total = torch.stack([loss * weights.get(name, 1.0) for name, loss in losses.items()]).sum()
        return total * self.config.weight_of(layer, self.parser.config.learned(layer).kind)

    def _autocast(self) -> AbstractContextManager[Any]:
        wanted = ("auto", "bf16") if self.backend.device.type == "cuda" else ("bf16",)
        if self.config.precision in wanted:
            return torch.autocast(self.backend.device.type, dtype=torch.bfloat16)
        return nullcontext()

    def _evaluate(self) -> Scores:
        with torch_flags(self.flags):
            return dev_scores(self.parser, self.dev, 2 * self.config.batch_tokens, self.group, self.backend.device)

    def _record(self, result: Scores, loss: float, seconds: float, speed: float) -> Evaluated:
        progress, score = self.progress, result.selected(self.config.select)
        better = score > progress.best
        if better:
            progress.best, progress.best_epoch, progress.waited = score, progress.epoch, 0
            progress.scores = result.flat
        else:
            progress.waited += 1
        row = {"epoch": progress.epoch, "loss": loss, "score": score, **result.flat, "seconds": seconds,
               "tokens_per_s": speed}  # fmt: skip
        progress.curve.append(row)
        if self.group.first:
            if better:
                self._tuned(result.layers).save(self.folder, force=True)
            with open(self.folder / "train.jsonl", "w", encoding="utf-8") as file:
                file.writelines(json.dumps(item) + "\n" for item in progress.curve)
            # last, so that a run killed before it repeats all of this
            checkpoint.save(self.folder, progress, self.config.to_dict(), self.model, self.optimizer)
        self.group.wait()
        return Evaluated(progress.epoch, loss, result.flat, better, seconds, speed)

    def _tuned(self, layers: Mapping[str, Layer]) -> Parser:
        known = self.parser.config
        config = replace(known.with_layers(layers.get(layer.name, layer) for layer in known.layers), card=self._card())
        parser = Parser(config, self.parser.inputs, self.backend, self.parser.files)
        parser.tokenizer = self.parser.tokenizer
        return parser

    def _card(self) -> dict[str, Any]:
        config = self.config
        summary = self.model.encoder.summary
        card = {
            "name": config.name or self.folder.name,
            "encoder": f"{config.encoder} ({summary})" if summary else config.encoder,
            "trained_on": [short_name(f) for f in config.train] + _further_files(config, "train"),
            "chosen_by": [short_name(f) for f in config.dev] + _further_files(config, "dev")
            or "the training files themselves",
            "best_epoch": self.progress.best_epoch,
            "development_scores": [f"{name} {value:.2f}" for name, value in self.progress.scores.items()],
            "parameters": sum(p.numel() for p in self.model.parameters()),
        }
        more = {
            "unlabelled_text": [short_name(f) for f in config.unlabelled],
            "teachers": [short_name(named_layers(text)[1]) for text in config.teacher],
            "license": config.license,
            "notes": config.notes,
        }
        return card | {key: value for key, value in more.items() if value}

    def _calibrated(self, parser: Parser) -> Parser:
        """The best parser with its evidence for arcs weighed, and with thresholds and scores that go with it."""
        batch_tokens = 2 * self.config.batch_tokens
        with torch_flags(self.flags):
            calibrate(parser, self.dev, batch_tokens)
            result = dev_scores(parser, self.dev, batch_tokens, Group(), self.backend.device)
        self.progress.scores = result.flat
        layers = (result.layers.get(layer.name, layer) for layer in parser.config.layers)
        parser.config = replace(parser.config.with_layers(layers), card=self._card())
        parser.save(self.folder, force=True)
        return parser

    def _finish(self) -> Finished:
        self.group.wait()
        parser = load_model(self.folder, str(self.backend.device))
        scores: dict[str, Any] = {}
        if self.group.first:
            if self.config.calibrate and self.has_dev:
                parser = self._calibrated(parser)
            if self.config.test:
                with torch_flags(self.flags):
                    parser, scores = score_tests(parser, self.config.test)
                parser.save(self.folder, force=True)
            checkpoint.remove(self.folder)
        self.group.wait()
        parser.tokenizer = self.parser.tokenizer  # in memory: the folder may be a temporary one
        parser.files = self.parser.files or parser.files
        dev = {**self.progress.scores, "epoch": self.progress.best_epoch}
        return Finished(parser, {"dev": dev, "test": scores})


def _further_files(config: TrainConfig, key: str) -> list[str]:
    """The files of further treebanks, as the card names them."""
    return [f"{short_name(file)} ({name})" for name, files in config.also.items() for file in getattr(files, key)]


def _out_of_memory(error: BaseException) -> bool:
    return isinstance(error, (torch.cuda.OutOfMemoryError, MemoryError)) or "allocate memory" in str(error)


def _halves(batch: Batch) -> list[Batch]:
    part, chosen = batch
    half = len(chosen) // 2
    return [(part, chosen[:half]), (part, chosen[half:])] if half else [batch]
