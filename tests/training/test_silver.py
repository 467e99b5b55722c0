"""Unlabelled text: teachers label it once, students learn from it beside gold."""

from __future__ import annotations

import gzip
import json
import lzma
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from arctag import load, read, write
from arctag.encodings.label_space import UNKNOWN
from arctag.errors import FormatError, InputError
from arctag.layers.filled import Places, filled
from arctag.parsing import jobs
from arctag.parsing.workers import run_jobs
from arctag.training import labelling as labelling_module
from arctag.training.build import build
from arctag.training.config import Further, TrainConfig, from_mapping
from arctag.training.distributed import Group
from arctag.training.events import Finished, Labelled, Noticed, Started
from arctag.training.loop import Run
from arctag.training.silver import mixed, plan_labelling, read_silver, sparse_layers
from arctag.training.teachers import find_teachers, named_layers
from arctag.training.treebanks import Treebank, read_treebank, read_treebanks
from tests.networks import SMALL, events
from tests.places import SAMPLES

pytestmark = pytest.mark.usefixtures("one_thread")

SAMPLE = str(SAMPLES / "sample.conllu")
TINY = {key: value for key, value in SMALL.items() if key != "layers"} | {
    "encoder_layers": 1, "encoder": "lookup", "encoding": "bits6-4", "tokenizer": False, "epochs": 2,
}  # fmt: skip


def tiny(out: Path, **changes: Any) -> TrainConfig:
    return TrainConfig(**{"train": (SAMPLE,), "dev": (SAMPLE,), "output": str(out), **TINY, **changes})


@pytest.fixture(scope="module")
def teacher(one_thread: None, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A model with every layer of the sample."""
    folder = tmp_path_factory.mktemp("teachers") / "all"
    events(tiny(folder))
    return str(folder)


@pytest.fixture(scope="module")
def tagger(one_thread: None, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A model with tags alone."""
    folder = tmp_path_factory.mktemp("teachers") / "tags"
    events(tiny(folder, layers=("upos", "xpos"), seed=3))
    return str(folder)


@pytest.fixture
def text(tmp_path: Path) -> str:
    """The sample's words and some others, a sentence on each line."""
    lines = [" ".join(sentence.words) for sentence in read(SAMPLE)]
    path = tmp_path / "more.tok"
    path.write_text("\n".join(["She wants a new lighthouse .", *lines]) + "\n", encoding="utf-8")
    return str(path)


def learned(config: TrainConfig, found: Treebank) -> Mapping[str, Any]:
    """What there is to learn from the labelled text."""
    return build(config.resolved(), mixed(read_treebanks(config), found, 1)).data.parts[-1].targets


def silver(config: TrainConfig) -> Treebank:
    """The labelled text of a config."""
    plan, layers = plan_labelling(config, read_treebanks(config), "cpu")
    list(plan.events())
    return read_silver(plan.output, layers, config.empty)


def sample_layers() -> Places:
    return filled(read_treebank([SAMPLE], "drop"))


def labelled(told: list[Any]) -> int:
    return sum(event.words for event in told if isinstance(event, Labelled))


def weights(folder: Path) -> dict[str, torch.Tensor]:
    return load_file(folder / "model.safetensors")


def same(one: Path, other: Path) -> bool:
    a, b = weights(one), weights(other)
    return a.keys() == b.keys() and all(torch.equal(a[key], b[key]) for key in a)


def test_silver_run_learns_from_gold_and_text(tmp_path: Path, teacher: str, text: str) -> None:
    told = events(tiny(tmp_path / "m", unlabelled=(text,), teacher=(teacher,), gold_repeat=2))
    started = next(event for event in told if isinstance(event, Started))
    assert started.sentences == 34 + 35
    assert labelled(told) == started.tokens - 256
    assert isinstance(told[-1], Finished)
    assert not list((tmp_path / "m").glob("*/silver"))
    card = json.loads((tmp_path / "m" / "config.json").read_text(encoding="utf-8"))["card"]
    assert [card["unlabelled_text"][0].split("/")[-1], card["teachers"][0].split("/")[-1]] == ["more.tok", "all"]


def test_silver_has_what_the_teacher_finds(tmp_path: Path, teacher: str, text: str) -> None:
    found = silver(tiny(tmp_path / "m", unlabelled=(text,), teacher=(teacher,)))
    assert found.silver
    assert set(found.layers) == {"upos", "xpos", "feats", "lemma", "tree", "graph"}
    words = [line.split() for line in Path(text).read_text(encoding="utf-8").splitlines()]
    for one, other in zip(found.train, load(teacher, "cpu").parse(words), strict=True):
        assert [one.column(number) for number in range(1, 8)] == [other.column(number) for number in range(1, 8)]
        assert one.graph == other.graph


def test_silver_labels_come_from_gold_alone(tmp_path: Path) -> None:
    """What a small gold treebank does not have is unknown in the silver."""
    write(list(read(SAMPLE))[:3], tmp_path / "gold.conllu")
    config = tiny(tmp_path / "m", train=(str(tmp_path / "gold.conllu"),), dev=())
    gold = read_treebanks(config)
    alone = build(config.resolved(), gold)
    both = build(config.resolved(), mixed(gold, read_silver(Path(SAMPLE), gold[0].layers, "drop"), 2))
    assert both.parser.config.labels_json() == alone.parser.config.labels_json()
    part = both.data.parts[-1]
    everything = part.selection(range(len(part)))
    assert (part.targets["upos"].batch(everything)["tags0"] == UNKNOWN).any()
    assert (part.targets["graph"].batch(everything)["relations"] == UNKNOWN).any()
    assert [piece.repeat for piece in both.data.parts] == [2, 1]
    for name, targets in alone.data.parts[0].targets.items():
        chosen = alone.data.parts[0].selection(range(3))
        before, after = targets.batch(chosen), both.data.parts[0].targets[name].batch(chosen)
        assert all(np.array_equal(before[key], after[key]) for key in before)


def test_silver_gold_is_about_a_third() -> None:
    sentences = list(read(SAMPLE))
    gold = [Treebank("", sentences[:4], [], filled(sentences)), Treebank("x", sentences[4:6], [], {}, repeat=3)]
    found = Treebank("silver", sentences * 20, [], {}, silver=True)
    main, other, last = mixed(gold, found, None)
    share = (main.words * main.repeat + other.words * other.repeat) / found.words
    assert share == pytest.approx(1 / 2, rel=0.1)
    assert other.repeat == 3 * main.repeat
    assert last == found
    assert [treebank.repeat for treebank in mixed(gold, found, 5)] == [5, 15, 1]
    small = Treebank("silver", sentences[:1], [], {}, silver=True)
    assert [treebank.repeat for treebank in mixed(gold, small, None)] == [1, 3, 1]


def test_silver_has_further_graphs_beside_those_of_universal_dependencies(tmp_path: Path, text: str) -> None:
    also = {"dm": Further(train=(str(SAMPLES / "sample.sdp"),))}
    events(tiny(tmp_path / "teacher", also=also, epochs=6))
    config = tiny(tmp_path / "m", also=also, unlabelled=(text,), teacher=(str(tmp_path / "teacher"),))
    found = silver(config)
    assert {"upos", "graph", "dm"} < set(found.layers)
    assert {sentence.format for sentence in found.train} == {"conllup"}
    main, further = (learned(config, found)[name] for name in ("graph", "dm"))
    for name, targets in (("graph", main), ("dm", further)):
        arcs = [targets.graphs.graph(i).arc_set() for i in range(len(found.train))]
        assert arcs == [sentence.graph_in("DEPS" if name == "graph" else name).arc_set() for sentence in found.train]
    assert isinstance(events(config, resume=True)[-1], Finished)


def test_silver_has_the_lemmas_that_relations_repeat(tmp_path: Path, teacher: str, text: str) -> None:
    """Whoever does not learn lemmas from it still learns `obl:*`, not a relation for each preposition."""
    assert "lemma" in load(teacher, "cpu").config.layer("graph").uses
    without = {"lemma": {"silver": False}}
    found = silver(tiny(tmp_path / "m", unlabelled=(text,), teacher=(teacher,), layer=without))
    assert "lemma" not in found.layers
    assert all(cell != "_" for sentence in found.train for cell in sentence.column(2))


def test_silver_counts_for_no_score(tmp_path: Path, teacher: str, text: str) -> None:
    """Without development files the scores are those on the gold treebank."""
    config = tiny(tmp_path / "m", dev=(), unlabelled=(text,), teacher=(teacher,))
    run = Run(config.resolved())
    list(run.prepare())
    assert [len(data) for data in run.dev] == [34]
    assert len(run.data.parts) == 2
    run.close()


def test_silver_leaves_layers_out(tmp_path: Path, teacher: str, text: str) -> None:
    settings = {"xpos": {"silver": False}, "feats": {"silver": False}}
    found = silver(tiny(tmp_path / "m", unlabelled=(text,), teacher=(teacher,), layer=settings))
    assert set(found.layers) == {"upos", "lemma", "tree", "graph"}
    assert {cell for sentence in found.train for cell in sentence.column(4)} == {"_"}
    nothing = {name: {"silver": False} for name in ("upos", "xpos", "feats", "lemma", "tree", "graph")}
    with pytest.raises(InputError, match="every layer is left out of the silver"):
        silver(tiny(tmp_path / "m", unlabelled=(text,), teacher=(teacher,), layer=nothing))


def test_silver_several_teachers_share_the_layers(tmp_path: Path, teacher: str, tagger: str, text: str) -> None:
    config = tiny(tmp_path / "m", unlabelled=(text,), teacher=(f"graph,tree={teacher}", tagger))
    found = silver(config)
    assert set(found.layers) == {"upos", "xpos", "tree", "graph"}
    alone = [silver(replace(config, teacher=(one,))).train for one in (f"graph,tree={teacher}", tagger)]
    for both, arcs, tags in zip(found.train, *alone, strict=True):
        assert [both.column(3), both.column(4)] == [tags.column(3), tags.column(4)]
        assert [both.column(6), both.column(7)] == [arcs.column(6), arcs.column(7)]
        assert both.graph == arcs.graph
    assert len(list((tmp_path / "m").rglob("*.conllu"))) == 3  # what stands between two teachers is gone


def test_silver_first_teacher_labels_what_two_of_them_have(teacher: str, tagger: str) -> None:
    learned = sample_layers()
    for first, second in ((teacher, tagger), (tagger, teacher)):
        one, *others = find_teachers([first, f"xpos={second}"], learned)
        assert "upos" in one.layers
        assert "xpos" not in one.layers
        assert [other.layers for other in others] == [("xpos",)]
    one, other = find_teachers([tagger, teacher], learned)
    assert (one.layers, other.layers) == (("upos", "xpos"), ("feats", "lemma", "tree", "graph"))
    with pytest.raises(InputError, match="has nothing to label: other teachers label its layers"):
        find_teachers([teacher, tagger], learned)


def test_silver_teacher_without_the_layer(teacher: str, tagger: str) -> None:
    learned = sample_layers()
    with pytest.raises(InputError, match="has no layer graph: it has upos, xpos"):
        find_teachers([f"graph={tagger}"], learned)
    with pytest.raises(InputError, match=r"has nothing to label: it has upos, xpos, and what is learned .* is graph"):
        find_teachers([tagger], {"graph": learned["graph"]})
    with pytest.raises(InputError, match="layer dm is not learned"):
        find_teachers([f"dm={teacher}"], learned)


def test_silver_names_of_teachers(tmp_path: Path) -> None:
    assert named_layers("some/model") == ((), "some/model")
    assert named_layers("upos,xpos=some/model") == (("upos", "xpos"), "some/model")
    odd = tmp_path / "a=b"
    odd.mkdir()
    assert named_layers(str(odd)) == ((), str(odd))


@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress], ids=["plain", "gzip", "xz"])
def test_silver_text_of_any_kind_gives_the_same(tmp_path: Path, teacher: str, text: str, pack: Any) -> None:
    expected = [s.words for s in silver(tiny(tmp_path / "a", unlabelled=(text,), teacher=(teacher,))).train]
    other = tmp_path / "other.txt.xz"
    other.write_bytes(pack(Path(text).read_bytes()))
    options: dict[str, Any] = {"unlabelled": (str(other),), "unlabelled_format": "tokens", "teacher": (teacher,)}
    assert [s.words for s in silver(tiny(tmp_path / "b", **options)).train] == expected


def test_silver_text_in_graph_files_and_folders(tmp_path: Path, teacher: str, text: str) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    write(list(read(SAMPLE))[:5], folder / "a.conllu")
    Path(text).rename(folder / "b.tok")
    found = silver(tiny(tmp_path / "m", unlabelled=(str(folder),), teacher=(teacher,)))
    assert len(found.train) == 5 + 35
    assert not any(sentence.has_empty for sentence in found.train)


def test_silver_running_text_needs_a_tokenizer(tmp_path: Path, teacher: str) -> None:
    with pytest.raises(InputError, match="no teacher has a tokenizer for running text"):
        silver(tiny(tmp_path / "m", unlabelled=(str(SAMPLES / "paragraph.txt"),), teacher=(teacher,)))


def test_silver_running_text_is_cut_by_the_teacher_that_can(tmp_path: Path, tagger: str) -> None:
    paragraph = (str(SAMPLES / "paragraph.txt"),)
    found = silver(tiny(tmp_path / "m", unlabelled=paragraph, teacher=(tagger, "graph=en")))
    assert set(found.layers) == {"upos", "xpos", "graph"}
    assert found.train[0].words[:4] == ["The", "old", "lighthouse", "keeper"]


def test_silver_what_is_no_text_is_refused(tmp_path: Path, teacher: str, text: str) -> None:
    def refused(content: bytes, message: str) -> None:
        path = tmp_path / "bad.tok"
        path.write_bytes(content)
        with pytest.raises((InputError, FormatError), match=message):
            silver(tiny(tmp_path / "m", unlabelled=(text, str(path)), teacher=(teacher,)))

    refused(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "bad.tok")
    packed = lzma.compress(Path(text).read_bytes() * 50)
    refused(packed[: len(packed) // 2], "a damaged xz file")
    with pytest.raises(InputError, match="no file at nowhere"):
        silver(tiny(tmp_path / "m", unlabelled=("nowhere.txt",), teacher=(teacher,)))
    with pytest.raises(InputError, match="sdp has no room for labels"):
        silver(tiny(tmp_path / "m", unlabelled=(str(SAMPLES / "sample.sdp"),), teacher=(teacher,)))
    (tmp_path / "empty.tok").touch()
    with pytest.raises(InputError, match=r"empty.tok: found no sentence"):
        silver(tiny(tmp_path / "m", unlabelled=(str(tmp_path / "empty.tok"),), teacher=(teacher,)))


def test_silver_sentence_that_cannot_be_read_is_left_out(tmp_path: Path, teacher: str) -> None:
    path = tmp_path / "a.tok"
    path.write_bytes(b"She left .\nhe \xff came .\nThey sing .\n")
    config = tiny(tmp_path / "m", unlabelled=(str(path),), teacher=(teacher,))
    plan, layers = plan_labelling(config, read_treebanks(config), "cpu")
    notices = [event.text for event in plan.events() if isinstance(event, Noticed)]
    assert any("not labelled" in notice and "UTF-8" in notice for notice in notices)
    assert [s.words[0] for s in read_silver(plan.output, layers, "drop").train] == ["She", "They"]


def test_silver_sentence_that_cannot_be_labelled_is_left_out(tmp_path: Path) -> None:
    rows = "1\tShe\tshe\tPRON\t_\t_\t{}\t{}\t_\n2\tleft\tleave\t{}\t_\t_\t0\troot\t0:root\t_\n\n"
    path = tmp_path / "a.conllu"
    kinds = [
        ("2\tnsubj", "2:nsubj", "VERB"),
        ("_\t_", "2:nsubj", "VERB"),
        ("2\tnsubj", "2:nsubj", "_"),
        ("2\tnsubj", "_", "VERB"),
    ]
    path.write_text("".join(rows.format(*kind) for kind in kinds), encoding="utf-8")
    layers = sample_layers()
    kept = read_silver(path, layers, "drop").train
    assert [sentence.number for sentence in kept] == [0, 3]
    assert len(read_silver(path, {"graph": layers["graph"]}, "drop").train) == 4


def test_silver_sentence_without_arcs_is_kept_where_the_treebank_has_such(tmp_path: Path) -> None:
    rows = "1\tShe\t_\t_\t_\t_\t_\t_\t2:nsubj\t_\t{}\n2\tleft\t_\t_\t_\t_\t_\t_\t0:root\t_\t_\n\n"
    path = tmp_path / "a.conllup"
    header = "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC X:SRL\n"
    path.write_text(header + rows.format("2:A0") + rows.format("_"), encoding="utf-8")
    gold = Treebank("", read_treebank([str(path)], "drop"), [], filled(read_treebank([str(path)], "drop")))
    assert (list(gold.layers), sparse_layers([gold])) == (["graph", "srl"], {"srl"})
    assert len(read_silver(path, gold.layers, "drop").train) == 1
    assert len(read_silver(path, gold.layers, "drop", sparse_layers([gold])).train) == 2


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"unlabelled": ["a.txt"]}, "needs a teacher"),
        ({"teacher": "en"}, "a teacher needs text to label"),
        ({"gold_repeat": 2}, "are for unlabelled text"),
        ({"silver": "folder"}, "are for unlabelled text"),
        ({"unlabelled": "a.txt", "teacher": "en", "tags": True}, "no gold tags"),
    ],
)
def test_silver_keys_that_need_each_other(keys: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        from_mapping(keys, "a.toml")


def test_silver_lists_in_toml_may_be_single_names() -> None:
    config = from_mapping({"unlabelled": "a.txt", "teacher": "en", "layer": {"lemma": {"silver": False}}}, "a.toml")
    assert (config.unlabelled, config.teacher) == (("a.txt",), ("en",))
    assert (config.silver_of("lemma"), config.silver_of("upos")) == (False, True)
    with pytest.raises(InputError, match="layer lemma"):
        replace(config, layer={"lemma": {"silver": "no"}}).silver_of("lemma")


def test_silver_is_kept_for_other_runs_of_the_same_text_and_teacher(
    tmp_path: Path, teacher: str, tagger: str, text: str
) -> None:
    shared = {"unlabelled": (text,), "silver": str(tmp_path / "shared"), "epochs": 1}

    def words(out: str, **changes: Any) -> int:
        return labelled(events(tiny(tmp_path / out, **{**shared, "teacher": (teacher,), **changes})))

    first = words("a")
    assert first > 0
    assert words("b") == 0
    assert same(tmp_path / "a", tmp_path / "b")
    assert words("c", layer={"lemma": {"silver": False}}) == first
    assert words("d", teacher=(f"graph={teacher}", tagger)) == 2 * first
    Path(text).write_text("Another text .\n", encoding="utf-8")
    assert words("e") == 3
    assert len(list((tmp_path / "shared").iterdir())) == 4


def test_silver_same_seed_same_model_and_a_killed_run_is_resumed(
    tmp_path: Path, teacher: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped after some jobs of the labelling, which are not done again."""
    options: dict[str, Any] = {"unlabelled": (text,), "teacher": (teacher,)}
    monkeypatch.setattr(jobs, "WORDS", 40)
    whole = labelled(events(tiny(tmp_path / "whole", **options)))

    class Stop(Exception):
        pass

    def stopped(*arguments: Any) -> Any:
        for number, result in enumerate(run_jobs(*arguments)):
            if number == 3:
                raise Stop
            yield result

    with monkeypatch.context() as patch:
        patch.setattr(labelling_module, "run_jobs", stopped)
        with pytest.raises(Stop):
            events(tiny(tmp_path / "cut", **options))
    with pytest.raises(InputError, match="holds an unfinished run"):
        events(tiny(tmp_path / "cut", **options))
    assert 0 < labelled(events(tiny(tmp_path / "cut", **options), resume=True)) < whole
    assert same(tmp_path / "whole", tmp_path / "cut")


def test_silver_other_processes_follow_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each step is told to the others, and the end too, also when it comes too soon."""
    told: list[float] = []
    monkeypatch.setattr(Group, "sum", lambda self, value, device: told.append(value))
    group = Group(0, 2)
    assert list(group.lead("ab", torch.device("cpu"))) == ["a", "b"]
    assert told == [1.0, 1.0, 0.0]
    with pytest.raises(ZeroDivisionError):
        list(group.lead((1 / n for n in (1, 0)), torch.device("cpu")))
    assert told[3:] == [1.0, 0.0]
    left = iter([1.0, 1.0, 0.0])
    monkeypatch.setattr(Group, "sum", lambda self, value, device: next(left))
    Group(1, 2).follow(torch.device("cpu"))
    assert list(left) == []


def test_silver_words_are_numbers(tmp_path: Path, teacher: str, text: str) -> None:
    """Millions of words are not millions of strings."""
    config = tiny(tmp_path / "m", unlabelled=(text,), teacher=(teacher,))
    gold = read_treebanks(config)
    data = build(config.resolved(), mixed(gold, silver(config), None)).data.parts[-1]
    assert not any(isinstance(tokens.words, list) for tokens in data.tokens)
    assert all(tokens.tags == () for tokens in data.tokens)
    assert next(list(tokens.words) for tokens in data.tokens) == ["She", "wants", "a", "new", "lighthouse", "."]
