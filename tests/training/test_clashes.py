"""Files that fill a layer differently are told apart from files that just differ."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from arctag import read, write
from arctag.errors import InputError
from arctag.layers.filled import filled
from arctag.sentence import Sentence
from arctag.training.clashes import File, check_clashes
from arctag.training.config import Further, TrainConfig
from arctag.training.treebanks import read_treebank, read_treebanks
from tests.places import SAMPLES, SHARED

SAMPLE, SAMPLE_SDP = str(SAMPLES / "sample.conllu"), str(SAMPLES / "sample.sdp")


def shared(*names: str) -> list[str]:
    files = [SHARED / "data" / name for name in names]
    if not all(file.exists() for file in files):
        pytest.skip("the shared treebanks are not there")
    return [str(file) for file in files]


def treebanks(*files: str, dev: Sequence[str] = (), layers: Sequence[str] = ()) -> None:
    read_treebanks(TrainConfig(train=files, dev=tuple(dev), layers=tuple(layers)))


def test_clash_of_relations_names_files_and_examples() -> None:
    with pytest.raises(InputError) as caught:
        treebanks(SAMPLE, SAMPLE_SDP)
    message = str(caught.value)
    assert message.startswith(f"layer graph: {SAMPLE} and {SAMPLE_SDP} fill it differently: ")
    first, second = message.partition(" only in the first, ")[::2]
    assert "nsubj" in first
    assert "ARG1" in second.partition(" only in the second")[0]
    assert "--also" in message


def test_clash_of_training_and_development_files() -> None:
    with pytest.raises(InputError, match=r"layer graph: .*sample.conllu and .*sample.sdp fill it differently"):
        treebanks(SAMPLE, dev=[SAMPLE_SDP], layers=["graph"])


def test_clash_of_two_treebanks_that_bring_one_layer() -> None:
    also = {"graph": Further(train=(SAMPLE_SDP,))}
    with pytest.raises(InputError, match=r"layer graph: .* fill it differently"):
        read_treebanks(TrainConfig(train=(SAMPLE,), also=also))
    named = {"dm": Further(train=(SAMPLE_SDP,))}
    assert [list(t.layers) for t in read_treebanks(TrainConfig(train=(SAMPLE,), also=named))][1] == ["dm"]


def test_clash_of_tags(tmp_path: Path) -> None:
    """Penn's tags in the column of the universal ones."""
    moved = [sentence.with_columns({3: sentence.column(4)}) for sentence in read(SAMPLE)]
    write(moved, tmp_path / "penn.conllu")
    with pytest.raises(InputError, match=r"layer upos: .*VERB.* only in the first, .*NN.* only in the second"):
        treebanks(SAMPLE, str(tmp_path / "penn.conllu"))
    treebanks(SAMPLE, str(tmp_path / "penn.conllu"), layers=["xpos", "graph"])


def parts(sentences: Sequence[Sentence], sizes: Sequence[int]) -> list[File]:
    random.Random(7).shuffle(shuffled := list(sentences))
    ends = [sum(sizes[:i]) for i in range(len(sizes) + 1)]
    return [File(str(start), shuffled[start:end]) for start, end in zip(ends, ends[1:], strict=False)]


@pytest.mark.parametrize("sizes", [[1] * 34, [2] * 17, [1, 33], [5, 5, 24], [17, 17]])
def test_clash_is_not_seen_in_parts_of_one_treebank(sizes: list[int]) -> None:
    """However small they are."""
    sentences = read_treebank([SAMPLE], "drop")
    check_clashes([(filled(sentences), parts(sentences, sizes))])


@pytest.mark.parametrize("name", ["iwpt_ta/dev.conllu", "iwpt_sk/dev.conllu"])
@pytest.mark.parametrize("size", [1, 3, 20])
def test_clash_is_not_seen_in_small_parts_with_many_tags(name: str, size: int) -> None:
    """Hundreds of tags, few of which two small files have in common."""
    sentences = read_treebank(shared(name), "drop")
    check_clashes([(filled(sentences), parts(sentences, [size] * (60 // size)))])


@pytest.mark.parametrize(
    "files",
    [
        ("en_ewt/dev.conllu", "en_pud/test.conllu"),
        ("iwpt_ta/train.conllu", "iwpt_ta/dev.conllu"),
        ("dm_wescience/dev.sdp", "dm_wescience/ood.sdp"),
        ("sentiment_eu/train.conllu", "sentiment_eu/dev.conllu"),
    ],
)
def test_clash_is_not_seen_in_treebanks_of_one_scheme(files: tuple[str, ...]) -> None:
    treebanks(*shared(*files))


@pytest.mark.full
def test_clash_is_not_seen_between_ewt_and_pud() -> None:
    treebanks(*shared("en_ewt/train.conllu", "en_pud/test.conllu"))


def test_clash_is_not_seen_in_universal_layers_of_several_languages() -> None:
    files = shared("en_ewt/dev.conllu", "iwpt_ta/dev.conllu", "iwpt_fi/dev.conllu", "iwpt_sk/dev.conllu")
    treebanks(*files, layers=["upos", "feats", "lemma", "tree", "graph"])


@pytest.mark.parametrize(
    ("files", "layer"),
    [
        (("en_ewt/dev.conllu", "dm_wescience/dev.sdp"), "graph"),
        (("en_ewt/dev.conllu", "deep_sequoia/dev.sdp"), "graph"),
        (("dm_wescience/dev.sdp", "ewt_propbank/dev.sdp"), "graph"),
        (("en_ewt/dev.conllu", "sentiment_ca/dev.conllu"), "xpos"),
        (("en_ewt/dev.conllu", "iwpt_ta/dev.conllu"), "xpos"),
        (("iwpt_fi/dev.conllu", "iwpt_sk/dev.conllu"), "xpos"),
    ],
)
def test_clash_is_seen_in_treebanks_of_two_schemes(files: tuple[str, ...], layer: str) -> None:
    with pytest.raises(InputError, match=f"^layer {layer}: .* fill it differently"):
        treebanks(*shared(*files))
