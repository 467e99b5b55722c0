"""The loop: it learns, it is deterministic, it stops early, it survives batches too large for the memory."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

from arctag import read, write
from arctag.analysis.evaluation import evaluate
from arctag.backends.torch.heads.graphs import GraphHead
from arctag.backends.torch.tagger import Tagger
from arctag.errors import InputError, UnknownName
from arctag.modelfile.config import ModelConfig
from arctag.parsing.loading import load
from arctag.training import loop
from arctag.training.config import Further, TrainConfig, from_mapping
from arctag.training.dataset import Dataset
from arctag.training.dev_scores import Scores, dev_scores
from arctag.training.distributed import Group
from arctag.training.events import Finished, Noticed, Started, Stepped
from arctag.training.optimizer import make_optimizer, schedule
from arctag.training.treebanks import read_treebank
from tests.backends.torch.pretrained import save_bert
from tests.networks import evaluations, events, fit, graph_layer, graphs, prepared, small

pytestmark = pytest.mark.usefixtures("one_thread")


def weights(folder: Path) -> dict[str, torch.Tensor]:
    return load_file(folder / "model.safetensors")


def same(one: Path, other: Path) -> bool:
    a, b = weights(one), weights(other)
    return a.keys() == b.keys() and all(torch.equal(a[key], b[key]) for key in a)


@pytest.mark.parametrize("options", [{}, {"encoding": "biaffine"}, {"verify": False, "encoding": "bits4-2"}], ids=str)
def test_loop_loss_goes_down(tmp_path: Path, options: dict[str, Any]) -> None:
    told = evaluations(events(small(tmp_path / "m", epochs=4, **options)))
    losses = [event.loss for event in told]
    assert losses[-1] < 0.8 * losses[0]
    assert [event.epoch for event in told] == [1, 2, 3, 4]


def test_loop_tells_what_it_does(tmp_path: Path) -> None:
    told = events(small(tmp_path / "m", epochs=2))
    started = told[0]
    assert isinstance(started, Started)
    assert (started.sentences, started.tokens, started.epochs, started.resumed) == (34, 256, 2, 0)
    stepped = [event for event in told if isinstance(event, Stepped)]
    assert len(stepped) == 2 * started.steps
    assert stepped[started.steps - 1].tokens == started.tokens
    assert isinstance(told[-1], Finished)
    rows = [json.loads(line) for line in (tmp_path / "m" / "train.jsonl").read_text().splitlines()]
    assert [row["epoch"] for row in rows] == [1, 2]
    assert [row["loss"] for row in rows] == [event.loss for event in evaluations(told)]


@pytest.mark.parametrize("layers", [("graph",), ()], ids=["graph", "all"])
def test_loop_same_seed_same_weights_and_another_seed_others(tmp_path: Path, layers: tuple[str, ...]) -> None:
    options: dict[str, Any] = {"epochs": 2, "dropout": 0.3, "layers": layers}
    for before, (name, seed) in enumerate((("a", 1), ("b", 1), ("c", 2))):
        torch.manual_seed(before)  # what went before does not matter
        fit(small(tmp_path / name, seed=seed, **options))
    assert same(tmp_path / "a", tmp_path / "b")
    assert not same(tmp_path / "a", tmp_path / "c")


def test_loop_saves_the_resolved_config(tmp_path: Path) -> None:
    config = small(tmp_path / "m", epochs=1)
    fit(config)
    saved = tomllib.loads((tmp_path / "m" / "train.toml").read_text(encoding="utf-8"))
    assert from_mapping(saved, "train.toml") == config.resolved()


def test_loop_auto_picks_what_suits_the_graphs(tmp_path: Path) -> None:
    told = events(small(tmp_path / "m", epochs=1))
    assert Noticed("graph: encoding bits6-4, the choice for graphs like these") in told
    assert graph_layer(load(tmp_path / "m", "cpu")).encodings == ("bits6-4",)
    fit(small(tmp_path / "list", epochs=1, encoding="auto,"))
    assert graph_layer(load(tmp_path / "list", "cpu")).encodings == ("bits6-4",)
    told = events(small(tmp_path / "named", epochs=1, encoding="brackets-2"))
    assert not any(isinstance(event, Noticed) for event in told)


def test_loop_optimizer_groups() -> None:
    model = torch.nn.ModuleDict({"encoder": torch.nn.Linear(2, 2), "tags": torch.nn.Linear(2, 2)})
    config = TrainConfig(encoder="a/b", learning_rate=0.1, encoder_learning_rate=0.01, weight_decay=0.5, beta2=0.9)
    optimizer = make_optimizer(config, model)
    assert isinstance(optimizer, torch.optim.AdamW)
    groups = {(g["lr"], g["weight_decay"]): [tuple(p.shape) for p in g["params"]] for g in optimizer.param_groups}
    assert groups == {(0.01, 0.5): [(2, 2)], (0.01, 0.0): [(2,)], (0.1, 0.5): [(2, 2)], (0.1, 0.0): [(2,)]}
    assert optimizer.param_groups[0]["betas"] == (0.9, 0.9)
    plain = make_optimizer(TrainConfig(encoder="bilstm", learning_rate=0.1), model)
    assert {group["lr"] for group in plain.param_groups} == {0.1}


def test_loop_schedule_rises_and_falls() -> None:
    config = TrainConfig(warmup=0.1)
    shares = [schedule(config, step, 100) for step in range(1, 101)]
    assert shares[9] == max(shares) == 1.0
    assert shares[:10] == sorted(shares[:10])
    assert shares[9:] == sorted(shares[9:], reverse=True)
    assert 0 < shares[-1] < 0.02
    assert 0 < shares[0] <= 0.1


def test_loop_schedule_can_be_flat() -> None:
    config = TrainConfig(warmup=0.0, linear_decay=False)
    assert {schedule(config, step, 50) for step in range(1, 51)} == {1.0}


def test_loop_weighs_losses(tmp_path: Path) -> None:
    def first(**weights: float) -> float:
        told = events(small(tmp_path / str(weights), epochs=1, verify=True, learning_rate=0.0, dropout=0.0, **weights))
        return evaluations(told)[0].loss

    nothing = {"arc_weight": 0.0, "relation_weight": 0.0}
    tags, both = first(**nothing), first(relation_weight=1.0)
    arcs, relations = (first(**{**nothing, name: 1.0}) - tags for name in nothing)
    assert min(tags, arcs, relations) > 0
    assert both == pytest.approx(tags + arcs + relations)
    assert first(relation_weight=3.0) == pytest.approx(both + 2 * relations)


def test_loop_clips_before_each_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    norms: list[float] = []
    step = torch.optim.AdamW.step

    def spy(self: torch.optim.AdamW, *rest: Any) -> Any:
        parts = [p.grad for group in self.param_groups for p in group["params"] if p.grad is not None]
        norms.append(float(torch.stack([part.norm() for part in parts]).norm()))
        return step(self, *rest)

    monkeypatch.setattr(torch.optim.AdamW, "step", spy)
    fit(small(tmp_path / "m", epochs=1, clip=0.25))
    assert norms
    assert all(norm == pytest.approx(0.25, rel=1e-3) for norm in norms)


def test_loop_accumulation_adds_up_gradients(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = {}
    for accumulate in (1, 2):
        steps = 0
        step = torch.optim.AdamW.step

        def spy(self: torch.optim.AdamW, *rest: Any, step: Any = step) -> Any:
            nonlocal steps
            steps += 1
            return step(self, *rest)

        with monkeypatch.context() as patch:
            patch.setattr(torch.optim.AdamW, "step", spy)
            told = events(small(tmp_path / str(accumulate), epochs=1, accumulate=accumulate))
        assert steps == len([event for event in told if isinstance(event, Stepped)])
        counts[accumulate] = steps
    assert counts[2] == -(-counts[1] // 2)


def test_loop_accumulated_gradient_is_the_mean_of_the_batches(tmp_path: Path) -> None:
    run = prepared(small(tmp_path / "m", word_dropout=0.0))
    batches = run._batches(1)[:2]

    def gradient(parts: list[loop.Batch]) -> torch.Tensor:
        run.optimizer.zero_grad()
        run._backward(parts, len(parts))
        return torch.cat([p.grad.reshape(-1) for p in run.model.parameters() if p.grad is not None])

    both = gradient(batches)
    assert torch.allclose(both, (gradient(batches[:1]) + gradient(batches[1:])) / 2, atol=1e-6)


def scripted(monkeypatch: pytest.MonkeyPatch, scores: list[float]) -> None:
    """Development scores as told, whatever the model does."""
    left = iter(scores)
    monkeypatch.setattr(loop.Run, "_evaluate", lambda self: Scores({}, {"graph": {"LF": next(left), "UF": 0.0}}))


def test_loop_stops_early(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scripted(monkeypatch, [10.0, 20.0, 15.0, 20.0, 99.0])
    told = events(small(tmp_path / "m", epochs=10, patience=2))
    assert [event.best for event in evaluations(told)] == [True, True, False, False]
    assert Noticed("stopped after epoch 4: no better score since epoch 2") in told


def test_loop_evaluates_every_so_many_epochs_and_at_the_end(tmp_path: Path) -> None:
    told = events(small(tmp_path / "sparse", epochs=5, evaluate_every=2))
    assert [event.epoch for event in evaluations(told)] == [2, 4, 5]
    events(small(tmp_path / "dense", epochs=5, patience=5))
    rows = {name: (tmp_path / name / "train.jsonl").read_text().splitlines() for name in ("sparse", "dense")}
    losses = {name: {(r := json.loads(row))["epoch"]: r["loss"] for row in found} for name, found in rows.items()}
    assert losses["sparse"] == {epoch: losses["dense"][epoch] for epoch in (2, 4, 5)}  # looking changes nothing


def test_loop_keeps_the_best_epoch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scripted(monkeypatch, [10.0, 30.0, 20.0])
    states = []
    record = loop.Run._record

    def spy(self: loop.Run, *rest: Any) -> Any:
        states.append({key: value.clone() for key, value in self.model.state_dict().items()})
        return record(self, *rest)

    monkeypatch.setattr(loop.Run, "_record", spy)
    (*_, last) = events(small(tmp_path / "m", epochs=3, calibrate=False))
    assert isinstance(last, Finished)
    assert last.scores["dev"] == {"LF": 30.0, "UF": 0.0, "epoch": 2}
    saved = weights(tmp_path / "m")
    assert [all(torch.equal(state[key], saved[key]) for key in saved) for state in states] == [False, True, False]
    assert ModelConfig.load(tmp_path / "m").card["best_epoch"] == 2


def test_loop_threshold_is_tuned_on_the_development_file(tmp_path: Path, sample: Path) -> None:
    fit(small(tmp_path / "m", epochs=6, calibrate=False))
    parser = load(tmp_path / "m", "cpu")
    rows = [json.loads(line) for line in (tmp_path / "m" / "train.jsonl").read_text().splitlines()]
    best = max(rows, key=lambda row: (row["LF"], -row["epoch"]))
    sentences = read_treebank([str(sample)], "drop")
    layer = graph_layer(parser)
    data = Dataset.of([layer], sentences)
    again = dev_scores(parser, [data], 10_000, Group(), torch.device("cpu"))
    assert again.layers == {"graph": layer}  # with the same threshold
    assert again.each["graph"]["LF"] == best["LF"] == best["score"]
    right = total = 0
    for sentence, gold in zip(parser.parse(sentences), sentences, strict=True):
        right += len(set(sentence.graph.triples()) & set(gold.graph.triples()))
        total += len(list(sentence.graph.triples())) + len(list(gold.graph.triples()))
    assert 200 * right / total == pytest.approx(best["LF"])


def too_large(monkeypatch: pytest.MonkeyPatch, most: int, error: Exception) -> None:
    """A memory that holds so many sentences at a time."""
    losses = Tagger.losses

    def limited(self: Tagger, inputs: Any, targets: Any) -> Any:
        if len(inputs["lengths"]) > most:
            raise error
        return losses(self, inputs, targets)

    monkeypatch.setattr(Tagger, "losses", limited)


@pytest.mark.parametrize(
    "error",
    [
        torch.OutOfMemoryError("CUDA out of memory"),
        MemoryError(),
        RuntimeError("DefaultCPUAllocator: can't allocate memory"),
    ],
    ids=["cuda", "python", "cpu"],
)
def test_loop_batch_too_large_is_split_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    too_large(monkeypatch, 2, error)
    told = events(small(tmp_path / "m", epochs=2))
    notices = [event.text for event in told if isinstance(event, Noticed)]
    assert "out of memory: the batch was split into 2 parts" in notices
    assert "out of memory: the batch was split into 4 parts" in notices
    assert len(evaluations(told)) == 2
    assert isinstance(told[-1], Finished)


def test_loop_split_batch_gives_the_same_gradient(tmp_path: Path) -> None:
    run = prepared(small(tmp_path / "m", word_dropout=0.0, encoding="biaffine"))
    lengths = [len(tokens.words) for tokens in run.data.parts[0].tokens]
    pair = next([i, j] for i in range(34) for j in range(i) if lengths[i] == lengths[j])
    head = run.model.head("graph")
    assert isinstance(head, GraphHead)
    scorer = head.arcs
    assert scorer is not None

    def gradient(parts: list[loop.Batch]) -> torch.Tensor:
        run.optimizer.zero_grad()
        run._backward(parts, len(parts))
        assert scorer.weight.grad is not None
        return scorer.weight.grad.clone()

    assert torch.allclose(gradient([(0, pair)]), gradient([(0, pair[:1]), (0, pair[1:])]), atol=1e-6)


def test_loop_sentence_too_large_alone_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    too_large(monkeypatch, 0, torch.OutOfMemoryError("CUDA out of memory"))
    with pytest.raises(InputError, match="even a single sentence of"):
        events(small(tmp_path / "m", epochs=1))


def test_loop_other_errors_are_not_taken_for_lack_of_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    too_large(monkeypatch, 0, RuntimeError("shapes do not fit"))
    with pytest.raises(RuntimeError, match="shapes do not fit"):
        events(small(tmp_path / "m", epochs=1))


def test_loop_loss_that_is_no_number_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    weighted = loop.Run._weighted
    monkeypatch.setattr(loop.Run, "_weighted", lambda *given: weighted(*given) * float("nan"))
    with pytest.raises(InputError, match="the loss is not a number any more"):
        events(small(tmp_path / "m", epochs=1))


def test_loop_rare_labels_are_left_out(tmp_path: Path, sample: Path) -> None:
    parser = fit(small(tmp_path / "m", epochs=2, min_label_count=3, encoding="absolute"))
    everything = fit(small(tmp_path / "n", epochs=1, encoding="absolute"))
    assert 0 < len(graph_layer(parser).spaces[0].rows) < len(graph_layer(everything).spaces[0].rows)
    assert len(graphs(parser, sample)) == 34


def test_loop_development_labels_never_seen_are_no_trouble(tmp_path: Path, sample: Path) -> None:
    sentences = list(read(sample))
    write(sentences[:2], tmp_path / "two.conllu")
    told = events(small(tmp_path / "m", train=(str(tmp_path / "two.conllu"),), epochs=2))
    assert 0 <= evaluations(told)[-1].scores["tag_accuracy"] < 60


def test_loop_without_development_files_says_so_on_the_card(tmp_path: Path) -> None:
    parser = fit(small(tmp_path / "m", dev=(), epochs=1))
    assert parser.config.card["chosen_by"] == "the training files themselves"


def test_loop_test_files_are_scored_and_on_the_card(tmp_path: Path, sample: Path, sample_sdp: Path) -> None:
    told = events(small(tmp_path / "m", test=(str(sample), str(sample_sdp)), epochs=1))
    last = told[-1]
    assert isinstance(last, Finished)
    assert set(last.scores["test"]) == {str(sample), str(sample_sdp)}
    rows = load(tmp_path / "m", "cpu").config.card["scores"]
    figures = [(row["file"], row["figure"]) for row in rows]
    assert figures == [
        *(("data/sample.conllu", f) for f in ("UF", "LF", "UAS", "LAS", "CLAS", "ELAS", "EULAS")),
        *(("data/sample.sdp", f) for f in ("UF", "LF")),
    ]
    assert rows[0]["value"] == pytest.approx(100 * last.scores["test"][str(sample)]["sdp"]["including_tops"]["UF"])
    assert "| data/sample.conllu | ELAS |" in (tmp_path / "m" / "README.md").read_text(encoding="utf-8")
    assert not (tmp_path / "m" / "checkpoints").exists()


def test_loop_test_files_of_further_layers_are_named(tmp_path: Path, sample: Path, sample_sdp: Path) -> None:
    also = {"dm": Further(train=(str(sample_sdp),))}
    options: dict[str, Any] = {"also": also, "epochs": 1}
    told = events(small(tmp_path / "m", test=(str(sample), f"dm={sample_sdp}"), **options))
    last = told[-1]
    assert isinstance(last, Finished)
    parser = load(tmp_path / "m", "cpu")
    assert last.scores["test"][str(sample_sdp)]["sdp"] == evaluate(parser, sample_sdp, layer="dm")["sdp"]
    assert ("data/sample.sdp", "LF") in [(row["file"], row["figure"]) for row in parser.config.card["scores"]]
    with pytest.raises(UnknownName, match="psd"):
        events(small(tmp_path / "n", test=(f"psd={sample_sdp}",), **options))


def test_loop_bf16_needs_a_gpu_for_lstms(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match='precision = "bf16" needs a GPU, or a pretrained encoder without context layers'
    ):
        events(small(tmp_path / "m", precision="bf16"))


def test_loop_bf16_trains_a_pretrained_encoder_on_a_processor(tmp_path: Path) -> None:
    options: dict[str, Any] = {"encoder": str(save_bert(tmp_path / "bert")), "context_layers": 0, "epochs": 2}
    narrow, wide = (
        [event.loss for event in evaluations(events(small(tmp_path / precision, precision=precision, **options)))]
        for precision in ("bf16", "fp32")
    )
    assert narrow != wide
    assert narrow == pytest.approx(wide, rel=0.1)


def test_loop_unusable_device_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="device 'nonsense' cannot be used"):
        events(small(tmp_path / "m", device="nonsense"))
