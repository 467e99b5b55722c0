"""The tokenizer that is trained beside the parser: from what, how, and what becomes of its process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

import arctag
from arctag import read, write
from arctag.errors import InputError
from arctag.parsing.loading import load
from arctag.sentence import Sentence
from arctag.text.tokenizer import FILE
from arctag.training import tokenizer as training
from arctag.training.events import Evaluated, Finished, Noticed, Started
from arctag.training.loop import train
from arctag.training.tokenizer import TokenizerTraining, train_tokenizer
from tests.networks import events, fit, small
from tests.patience import HANGS
from tests.places import ROOT
from tests.tokenized import QUICK, learnable, rules

NO_RAW_TEXT = "the training files do not show which words are written together"


@pytest.fixture
def networks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Networks for the smallest treebanks, trained in a second."""
    monkeypatch.setattr(training, "_FEW", 0)
    monkeypatch.setattr(training, "_FEWEST_EPOCHS", 1)
    monkeypatch.setattr(training, "_NETWORK", QUICK)


def conllu(path: Path, text: str) -> list[Sentence]:
    path.write_text(textwrap.dedent(text).lstrip("\n").replace(" | ", "\t"), encoding="utf-8")
    return list(read(path))


BOTH = """
    # newpar id = 7
    # sent_id = 1
    # text = He can't  go.
    1 | He | _ | _ | _ | _ | 0 | root | _ | _
    2-3 | can't | _ | _ | _ | _ | _ | _ | _ | Other=Yes
    2 | ca | _ | _ | _ | _ | 1 | dep | _ | _
    2.1 | empty | _ | _ | _ | _ | _ | _ | _ | _
    3 | n't | _ | _ | _ | _ | 1 | dep | _ | _
    4 | go | _ | _ | _ | _ | 1 | dep | _ | Other=Yes|SpaceAfter=No
    5 | . | _ | _ | _ | _ | 1 | dep | _ | _

"""
LEARNED = """
    # newpar
    1 | He | _ | _ | _ | _ | _ | _ | _ | _
    2-3 | can't | _ | _ | _ | _ | _ | _ | _ | _
    2 | ca | _ | _ | _ | _ | _ | _ | _ | _
    3 | n't | _ | _ | _ | _ | _ | _ | _ | _
    4 | go | _ | _ | _ | _ | _ | _ | _ | SpaceAfter=No
    5 | . | _ | _ | _ | _ | _ | _ | _ | _

"""


@pytest.mark.parametrize(
    "text",
    [BOTH, BOTH.replace("|SpaceAfter=No", ""), BOTH.replace("# text", "# other"), BOTH.replace("can't  go", "could")],
    ids=["both", "text", "misc", "misc and another text"],
)
@pytest.mark.parametrize("treat", [arctag.drop, arctag.collapse], ids=["drop", "collapse"])
def test_tokenizer_learns_from_text_or_misc(tmp_path: Path, text: str, treat: Any) -> None:
    found = training._conllu(training._shown(map(treat, conllu(tmp_path / "a.conllu", text))))
    assert found == textwrap.dedent(LEARNED).lstrip("\n").replace(" | ", "\t")


def test_tokenizer_odd_words_are_made_fit(tmp_path: Path) -> None:
    text = """
    1-2 | a\u00a0b | _ | _ | _ | _ | _ | _ | _ | _
    1 | a | _ | _ | _ | _ | _ | _ | _ | _
    2 | b | _ | _ | _ | _ | _ | _ | _ | SpaceAfter=No
    3-4 | cd | _ | _ | _ | _ | _ | _ | _ | SpaceAfter=No
    3 | c c | _ | _ | _ | _ | _ | _ | _ | _
    4 | d | _ | _ | _ | _ | _ | _ | _ | _
    5 | \u3000 | _ | _ | _ | _ | _ | _ | _ | _
    6 | e\x00 | _ | _ | _ | _ | _ | _ | _ | _

    """
    shown = training._shown(conllu(tmp_path / "a.conllu", text))
    assert [token for sentence in shown for token in sentence.tokens] == [
        ("a b", [], False), ("cd", [], True), ("e\ufffd", [], False),
    ]  # fmt: skip
    assert train_tokenizer(conllu(tmp_path / "a.conllu", text)).data


def without_raw_text(sentences: Iterator[Sentence]) -> list[Sentence]:
    return [Sentence.from_words(sentence.words) for sentence in sentences]


def test_tokenizer_needs_raw_text(sample: Path, sample_sdp: Path) -> None:
    for sentences in ([], without_raw_text(read(sample)), list(read(sample_sdp))):
        with pytest.raises(InputError, match=NO_RAW_TEXT):
            train_tokenizer(sentences)


def test_tokenizer_leaves_out_files_without_raw_text(tmp_path: Path, sample: Path) -> None:
    write(without_raw_text(read(sample)), tmp_path / "tokens.conllu")
    both = [*read(tmp_path / "tokens.conllu"), *read(sample)]
    assert train_tokenizer(both).data == train_tokenizer(read(sample)).data == rules().data


@pytest.mark.parametrize(
    ("sentences", "expected"),
    [
        (1, "model=generic"),
        (200, "epochs=3;tokenize_url=1"),
        (4_000, "epochs=8;tokenize_url=1"),
        (20_000, "epochs=30;tokenize_url=1"),
    ],
)
def test_tokenizer_options_depend_on_the_size(sentences: int, expected: str) -> None:
    sentence = training._Shown(False, [training._Token("word", [], False)] * 10)
    assert training._options([sentence] * sentences).endswith(expected)


def test_tokenizer_addresses_are_learned_where_there_are_enough() -> None:
    sentence = training._Shown(False, [training._Token("http://arctag.example/" * 10, [], False)])
    assert training._options([sentence] * 99).endswith("tokenize_url=1")
    assert training._options([sentence] * 100).endswith("tokenize_url=0")


@pytest.mark.usefixtures("networks")
def test_tokenizer_same_files_give_the_same_bytes(sample: Path) -> None:
    options = training._options(training._shown(read(sample)))
    expected = training._train(learnable(), learnable(), options)
    assert [train_tokenizer(read(sample), read(sample)).data for _ in range(2)] == [expected, expected]
    assert expected != training._train(learnable(), "", options.replace("0.01", "0.02"))


@pytest.mark.usefixtures("networks")
def test_tokenizer_failure_is_told(sample: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "_NETWORK", "dimension=17")
    with pytest.raises(InputError, match=r"UDPipe ended with code 1: .*dimension '17' is not supported"):
        train_tokenizer(read(sample))


@pytest.mark.usefixtures("networks")
def test_tokenizer_too_little_for_a_network_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="training data"):
        train_tokenizer(
            conllu(
                tmp_path / "a.conllu",
                "1 | a | _ | _ | _ | _ | _ | _ | _ | SpaceAfter=No\n2 | . | _ | _ | _ | _ | _ | _ | _ | _\n\n",
            )
        )


@pytest.fixture
def endless(sample: Path, networks: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[TokenizerTraining]:
    """A training that takes hours."""
    monkeypatch.setattr(training, "_FEWEST_EPOCHS", 100_000)
    monkeypatch.setattr(training, "_MOST_EPOCHS", 100_000)
    made = TokenizerTraining(read(sample))
    made.start()
    yield made
    made.stop()


def test_tokenizer_training_can_be_stopped(endless: TokenizerTraining) -> None:
    assert not endless.ready
    endless.stop()
    assert endless.ready


def test_tokenizer_training_ends_at_ctrl_c(endless: TokenizerTraining) -> None:
    assert endless._process is not None
    assert endless._process.stderr is not None
    assert endless._process.stderr.readline().startswith(b"Training tokenizer")  # UDPipe is at work
    endless._process.send_signal(signal.SIGINT)
    assert endless._process.wait(timeout=HANGS) == -signal.SIGINT


def test_tokenizer_training_ends_soon_after_its_parent(sample: Path) -> None:
    script = f"""
        import os, signal
        from arctag import read
        from arctag.training import tokenizer as training
        training._FEW, training._FEWEST_EPOCHS, training._MOST_EPOCHS = 0, 100_000, 100_000
        training._NETWORK = {QUICK!r}
        made = training.TokenizerTraining(read({str(sample)!r}))
        made.start()
        made._process.stderr.readline()
        print(made._process.pid, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], stdout=subprocess.PIPE, text=True, timeout=HANGS, cwd=ROOT
    )
    child = int(done.stdout)
    until = time.monotonic() + HANGS
    while is_running(child):
        assert time.monotonic() < until
        time.sleep(0.1)


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
        return Path(f"/proc/{process}/stat").read_text().split()[2] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


parsers_too = pytest.mark.usefixtures("one_thread")
TEXT = "The cat sings. Mia cannot wait."


def notices(told: list[Any]) -> list[str]:
    """What was told beside the encoding that was picked."""
    texts = [event.text for event in told if isinstance(event, Noticed)]
    return [text for text in texts if "the choice for graphs like these" not in text]


@parsers_too
def test_tokenizer_comes_with_the_parser(tmp_path: Path, sample: Path) -> None:
    told = events(small(tmp_path / "m", epochs=1, test=(str(sample),)))
    assert isinstance(told[0], Started)
    assert not notices(told)
    finished = told[-1]
    assert isinstance(finished, Finished)
    loaded = load(tmp_path / "m", "cpu")
    loaded.save(tmp_path / "n")
    for parser in (finished.parser, loaded, load(tmp_path / "n", "cpu")):
        parsed = list(parser.parse_text(TEXT))
        assert [s.text for s in parsed] == ["The cat sings.", "Mia cannot wait."]
        assert [s.rows[1][0] for s in parsed] == ["2", "2-3"]
        assert parser.tokenizer is not None
        assert parser.tokenizer.data == rules().data
    assert [len(s.graph) for s in parsed] == [len(s.graph) for s in loaded.parse([s.words for s in parsed])]


@parsers_too
def test_tokenizer_is_not_made_without_raw_text(tmp_path: Path, sample_sdp: Path) -> None:
    files = (str(sample_sdp),)
    fit(small(tmp_path / "m", epochs=1))
    assert (tmp_path / "m" / FILE).exists()
    told = events(small(tmp_path / "m", epochs=1, train=files, dev=files), force=True)
    assert notices(told) == [f"no tokenizer for raw text: {NO_RAW_TEXT}, as `# text` does"]
    assert not (tmp_path / "m" / FILE).exists()  # that of the model that was there before
    parser = load(tmp_path / "m", "cpu")
    assert parser.tokenizer is None
    with pytest.raises(
        InputError, match="this model has no tokenizer: it was trained on a treebank that does not show"
    ):
        parser.parse_text(TEXT)


@parsers_too
def test_tokenizer_is_not_made_if_not_wanted(tmp_path: Path) -> None:
    told = events(small(tmp_path / "m", epochs=1, tokenizer=False))
    assert not notices(told)
    assert not (tmp_path / "m" / FILE).exists()


@parsers_too
@pytest.mark.usefixtures("networks")
def test_tokenizer_failure_does_not_stop_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "_NETWORK", "dimension=17")
    told = events(small(tmp_path / "m", epochs=1))
    assert isinstance(told[-1], Finished)
    (*_, last) = notices(told)
    assert last.startswith("no tokenizer for raw text: UDPipe ended with code 1")
    assert not (tmp_path / "m" / FILE).exists()


@parsers_too
@pytest.mark.usefixtures("networks")
def test_tokenizer_is_waited_for(tmp_path: Path, sample: Path) -> None:
    told = events(small(tmp_path / "m", epochs=1, encoder="lookup"))
    assert notices(told) == ["the parser is trained; waiting for the tokenizer for raw text"]
    assert (tmp_path / "m" / FILE).read_bytes() == train_tokenizer(read(sample), read(sample)).data


@parsers_too
def test_tokenizer_run_without_a_folder_keeps_it_in_memory(tmp_path: Path, sample: Path) -> None:
    keys = {key: value for key, value in small(tmp_path).to_dict().items() if key not in ("train", "dev", "output")}
    parser = arctag.train(str(sample), str(sample), **{**keys, "epochs": 1})
    assert [s.text for s in parser.parse_text(TEXT)] == ["The cat sings.", "Mia cannot wait."]


@parsers_too
@pytest.mark.usefixtures("networks")
def test_tokenizer_is_the_same_in_a_run_taken_up_again(tmp_path: Path) -> None:
    fit(small(tmp_path / "whole", epochs=2))
    run = train(small(tmp_path / "cut", epochs=2))
    assert isinstance(run, Generator)
    next(event for event in run if isinstance(event, Evaluated))
    run.close()
    assert not list(tmp_path.glob("cut/.*"))
    assert not (tmp_path / "cut" / FILE).exists()
    fit(small(tmp_path / "cut", epochs=2), resume=True)
    assert (tmp_path / "cut" / FILE).read_bytes() == (tmp_path / "whole" / FILE).read_bytes()


@parsers_too
def test_tokenizer_damaged_one_is_told_when_it_is_needed(tmp_path: Path, sample: Path) -> None:
    fit(small(tmp_path / "m", epochs=1))
    (tmp_path / "m" / FILE).write_bytes(rules().data[:-1])
    (tmp_path / "m" / "checksums.json").unlink()
    parser = load(tmp_path / "m", "cpu")
    assert len(list(parser.parse(sample))) == 34
    with pytest.raises(InputError, match=r"tokenizer\.udpipe is damaged"):
        parser.parse_text(TEXT)


def test_tokenizer_learns_dashes_from_hyphens() -> None:
    token = training._Token
    shown = training._Shown(True, [token("fault", [], False), token("--", [], False), token("or", [], False)])
    (dashed,) = training._with_dashes([shown, training._Shown(False, [token("--", [], False), token("no", [], False)])])
    assert dashed == (True, [("fault", [], True), ("—", [], True), ("or", [], False)])
