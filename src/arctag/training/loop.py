"""The training loop: a stream of events. It reads no arguments, prints nothing, and can be resumed."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

import torch
from torch import Tensor

from arctag.backends.torch.backend import to_device
from arctag.backends.torch.losses import hard_losses
from arctag.backends.torch.torch_flags import PARSING, torch_flags
from arctag.encodings.encoded import EncodedGraphs
from arctag.encodings.recommendation import AUTO
from arctag.errors import InputError
from arctag.formats import read
from arctag.formats.files import open_output
from arctag.modelfile.config import CONFIG
from arctag.modelfile.folder import add_tokenizer, remove_leftovers, writable
from arctag.modelfile.networks import WEIGHTS
from arctag.parsing.loading import load as load_model
from arctag.parsing.parser import Parser
from arctag.training import checkpoint
from arctag.training.build import build, with_encoding
from arctag.training.checkpoint import Progress
from arctag.training.config import TrainConfig, to_toml
from arctag.training.dataset import Dataset, read_treebank
from arctag.training.dev_scores import Outcome, count, outcome
from arctag.training.distributed import Group
from arctag.training.events import Evaluated, Event, Finished, Noticed, Started, Stepped
from arctag.training.final_scores import score_tests, short_name
from arctag.training.optimizer import make_optimizer, schedule
from arctag.training.teacher import Teacher
from arctag.training.tokenizer import TokenizerTraining

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
            yield from run.events()
        except OSError as error:  # all files have been read by now
            raise InputError(f"cannot write {config.output}: {error.strerror or error}") from error
        finally:
            run.close()


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


class Run:
    """The state of one training run."""

    def __init__(self, config: TrainConfig, resume: bool = False, force: bool = False) -> None:
        self.folder, self.force = Path(config.output), force
        checkpoint_folder = find_checkpoint(config.output, resume, force)
        device = config.device or ("cuda" if torch.cuda.is_available() else "cpu")
        if config.precision == "bf16" and not device.startswith("cuda"):  # torch's LSTM can kill the process there
            raise InputError('precision = "bf16" needs a GPU; use "fp32" or "auto"')
        self.tokenizer: TokenizerTraining | None = None
        self.group = Group.join(device)
        try:
            self._prepare(config, device, checkpoint_folder)
        except BaseException:
            self.close()
            raise

    def _prepare(self, config: TrainConfig, device: str, saved: Path | None) -> None:
        """Read the files and build the network; resume from a checkpoint if there is one."""
        if device == "cuda" and self.group.size > 1:
            device = f"cuda:{int(os.environ.get('LOCAL_RANK', '0'))}"
        for file in config.test:  # report one that cannot be read now, not after the run
            next(read(file))
        sentences = read_treebank(config.train, config.empty)
        graphs = EncodedGraphs([sentence.graph for sentence in sentences])
        self.picked = config.encodings == (AUTO,)
        self.config = config = with_encoding(config, graphs)
        self.parser, self.backend, self.data = build(replace(config, device=device), sentences, graphs)
        self.model = self.backend.model
        # without development files the training data is used instead, and the score means little
        dev = read_treebank(config.dev, config.empty) if config.dev else []
        self.dev = Dataset.of(self.parser, dev) if config.dev else self.data
        self.tokenizer = TokenizerTraining(sentences, dev) if config.tokenizer and self.group.first else None
        # fp32 is not TF32, which is good enough for parsing
        self.flags = {**PARSING, "tf32": config.precision != "fp32", "deterministic": True, "benchmark": False}
        self.teacher = Teacher(config.teacher, self.parser.config, device) if config.teacher else None
        self.optimizer = make_optimizer(config, self.model)
        self.costs = self.parser.inputs.costs(self.data.tokens)
        self.steps = max(1, -(-len(self._batches(0)) // (config.accumulate * self.group.size)))
        self.total = self.steps * config.epochs
        self.progress = Progress()
        if saved:
            self.progress = checkpoint.load(saved, config.to_dict(), self.model, self.optimizer)
            if self.group.first and self.progress.best_epoch and not (self.folder / WEIGHTS).exists():
                raise InputError(f"{self.folder}: the best model is gone; start again with another --output")

    def close(self) -> None:
        """Stop what is still running."""
        if self.tokenizer is not None:
            self.tokenizer.stop()
        self.group.leave()

    def _batches(self, epoch: int) -> list[list[int]]:
        return self.data.shuffled(self.config.batch_tokens, (self.config.seed, epoch), self.costs)

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
        shape = self.parser.config
        yield Started(
            len(self.data), int(self.data.words[-1]), [sum(s.sizes) for s in shape.spaces], len(shape.relations),
            sum(p.numel() for p in self.model.parameters()), str(self.backend.device), self.steps, config.epochs,
            progress.epoch,
        )  # fmt: skip
        if self.picked:
            yield Noticed(f"encoding {config.encoding}: the choice for graphs like these")
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
            tokens += sum(len(self.data.tokens[i].words) for batch in batches[at : at + share] for i in batch)
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

    def _step(self, batches: Sequence[Sequence[int]], sharing: int) -> tuple[Tensor, list[Event]]:
        """One step of the optimiser."""
        with torch_flags(self.flags):
            return self._flagged_step(batches, sharing)

    def _flagged_step(self, batches: Sequence[Sequence[int]], sharing: int) -> tuple[Tensor, list[Event]]:
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

    def _gradients(self, batches: Sequence[Sequence[int]], sharing: int) -> tuple[Tensor, list[Event]]:
        """The gradients of these batches; those too large for the memory are split until they fit."""
        notices: list[Event] = []
        parts = [list(batch) for batch in batches]
        while True:
            try:
                return self._backward(parts, sharing), notices
            except (MemoryError, RuntimeError) as error:  # RuntimeError: torch, on any device
                if not _out_of_memory(error):
                    raise
                if all(len(part) == 1 for part in parts):
                    words = max(len(self.data.tokens[i].words) for part in parts for i in part)
                    raise InputError(f"out of memory: even a single sentence of {words} words is too large") from error
                self.optimizer.zero_grad(set_to_none=True)
                if torch.cuda.is_available():
                    torch.cuda.empty_cache()
                sharing += sum(len(part) > 1 for part in parts)
                parts = [half for part in parts for half in _halves(part)]
                notices.append(Noticed(f"out of memory: the batch was split into {len(parts)} parts"))

    def _backward(self, batches: Sequence[Sequence[int]], sharing: int) -> Tensor:
        """Add the gradients of each batch, whose losses count for one share each; give their sum."""
        total = torch.zeros((), device=self.backend.device)
        for batch in batches:
            arrays, targets = self.data.batch(batch, self.parser.inputs)
            gold = to_device(targets, self.backend.device)
            with self._autocast():
                answers = self.model.answers(to_device(arrays, self.backend.device), gold)
                loss = self._weighted(hard_losses(answers, gold)) / sharing
                if self.teacher is not None:
                    soft = self.teacher.losses(answers, [self.data.tokens[i] for i in batch], gold)
                    share = self.config.teacher_weight
                    loss = (1 - share) * loss + share * self._weighted(soft) / sharing
            loss.backward()  # type: ignore[no-untyped-call]
            total += loss.detach()
        return total

    def _weighted(self, losses: dict[str, Tensor]) -> Tensor:
        """The weighted sum of the losses of all heads."""
        assert self.config.relation_weight is not None  # filled in by `resolved`
        weights = {"arcs": self.config.arc_weight, "relations": self.config.relation_weight}
        return torch.stack([loss * weights.get(name, 1.0) for name, loss in losses.items()]).sum()

    def _autocast(self) -> AbstractContextManager[Any]:
        if self.config.precision != "fp32" and self.backend.device.type == "cuda":
            return torch.autocast(self.backend.device.type, dtype=torch.bfloat16)
        return nullcontext()

    def _evaluate(self) -> Outcome:
        mine = list(range(len(self.dev)))[self.group.rank :: self.group.size]
        with torch_flags(self.flags):
            counts = count(self.parser, self.dev, mine, 2 * self.config.batch_tokens)
        return outcome(self.parser, self.group.add_up(counts, self.backend.device), len(self.dev))

    def _record(self, result: Outcome, loss: float, seconds: float, speed: float) -> Evaluated:
        progress = self.progress
        better = result.scores["LF"] > progress.best
        if better:
            progress.best, progress.best_epoch, progress.waited = result.scores["LF"], progress.epoch, 0
            progress.threshold = result.threshold
        else:
            progress.waited += 1
        row = {"epoch": progress.epoch, "loss": loss, **result.scores, "threshold": result.threshold,
               "seconds": seconds, "tokens_per_s": speed}  # fmt: skip
        progress.curve.append(row)
        if self.group.first:
            if better:
                self._with_threshold(result.threshold).save(self.folder, force=True)
            with open(self.folder / "train.jsonl", "w", encoding="utf-8") as file:
                file.writelines(json.dumps(item) + "\n" for item in progress.curve)
            # last, so that a run killed before it repeats all of this
            checkpoint.save(self.folder, progress, self.config.to_dict(), self.model, self.optimizer)
        self.group.wait()
        return Evaluated(progress.epoch, loss, result.scores, better, seconds, speed)

    def _with_threshold(self, threshold: float) -> Parser:
        config = replace(self.parser.config, threshold=threshold, card=self._card())
        parser = Parser(config, self.parser.inputs, self.backend, self.parser.files)
        parser.tokenizer = self.parser.tokenizer
        return parser

    def _card(self) -> dict[str, Any]:
        config = self.config
        summary = self.model.encoder.summary
        card = {
            "name": config.name or self.folder.name,
            "encoder": f"{config.encoder} ({summary})" if summary else config.encoder,
            "trained_on": [short_name(f) for f in config.train],
            "chosen_by": [short_name(f) for f in config.dev] or "the training files themselves",
            "best_epoch": self.progress.best_epoch,
            "development_LF": round(self.progress.best, 2),
            "parameters": sum(p.numel() for p in self.model.parameters()),
        }
        more = {"license": config.license, "notes": config.notes}
        return card | {key: value for key, value in more.items() if value}

    def _finish(self) -> Finished:
        self.group.wait()
        parser = load_model(self.folder, str(self.backend.device))
        scores: dict[str, Any] = {}
        if self.group.first:
            if self.config.test:
                with torch_flags(self.flags):
                    parser, scores = score_tests(parser, self.config.test)
                parser.save(self.folder, force=True)
            checkpoint.remove(self.folder)
        self.group.wait()
        parser.tokenizer = self.parser.tokenizer  # in memory: the folder may be a temporary one
        parser.files = self.parser.files or parser.files
        return Finished(parser, {"dev": {"LF": self.progress.best, "epoch": self.progress.best_epoch}, "test": scores})


def _out_of_memory(error: BaseException) -> bool:
    return isinstance(error, (torch.cuda.OutOfMemoryError, MemoryError)) or "allocate memory" in str(error)


def _halves(part: list[int]) -> list[list[int]]:
    half = len(part) // 2
    return [part[:half], part[half:]] if half else [part]
