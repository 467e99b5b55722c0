"""`arctag train`: options and files, what is printed, interrupting and going on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="training needs torch: pip install 'arctag[train]'")

from arctag.parsing.loading import load
from arctag.training import dev_scores
from arctag.training.config import from_mapping, read_toml
from arctag.training.dev_scores import count
from tests.conftest import Run
from tests.networks import SMALL, Models, as_options
from tests.patience import HANGS
from tests.signals import hear_ctrl_c

pytestmark = pytest.mark.usefixtures("one_thread")


def options(out: Path, **changes: Any) -> list[str]:
    return as_options({**SMALL, "encoder": "lookup", "epochs": 1, "output": out, **changes})


def start(*arguments: str | Path) -> subprocess.Popen[str]:
    """The command in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "arctag", *map(str, arguments)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"},
        preexec_fn=hear_ctrl_c,
    )  # fmt: skip


def wait_for(path: Path, process: subprocess.Popen[str]) -> None:
    """Until something is there."""
    for _ in range(6000):
        if path.exists():
            return
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)
    raise AssertionError(f"{path} does not appear")


def test_train_prints_progress_and_the_final_score(run: Run, tmp_path: Path, sample: Path) -> None:
    result = run("train", "--train", sample, "--dev", sample, "--test", sample, *options(tmp_path / "m"))
    assert result.code == 0
    told = result.err.splitlines()
    assert told[0].startswith("34 sentences, 256 tokens, ")
    assert told[1].startswith("layer graph: encoding bits6-4, labels [39], relations ")
    assert told[2] == "graph: encoding bits6-4, the choice for graphs like these"
    assert told[3].startswith("epoch 1: loss ")
    lines = result.text.splitlines()
    assert lines[0].startswith(f"{tmp_path / 'm'}: development LF ")
    assert lines[1].startswith(f"{sample}: UF ")
    assert " ELAS " in lines[1]


def test_train_out_that_is_a_file_is_refused(run: Run, tmp_path: Path, sample: Path) -> None:
    (tmp_path / "m").write_text("mine")
    result = run("train", "--train", sample, *options(tmp_path / "m"))
    assert result.code == 2
    assert "is a file: choose another name" in result.err
    assert (tmp_path / "m").read_text() == "mine"


def test_train_json_and_quiet(run: Run, tmp_path: Path, sample: Path) -> None:
    files = ("--train", sample, "--dev", sample, "--test", sample)
    result = run("train", *files, "--json", "--quiet", *options(tmp_path / "m"))
    assert (result.code, result.err) == (0, "")
    found = json.loads(result.text)
    assert found["dev"]["epoch"] == 1
    assert {"sdp", "conll", "tag_accuracy"} <= set(found["test"][str(sample)])


def test_train_takes_several_files(run: Run, tmp_path: Path, sample: Path) -> None:
    more = write(tmp_path / "more.conllu", sample.read_text(encoding="utf-8"))
    result = run("train", "--train", sample, more, "--dev", sample, *options(tmp_path / "m"))
    assert result.code == 0
    assert result.err.startswith("68 sentences, ")
    saved = from_mapping(read_toml(tmp_path / "m" / "train.toml"), "train.toml")
    assert saved.train == (str(sample), str(more))


def test_train_learns_from_text_that_teachers_label(run: Run, models: Models, tmp_path: Path, sample: Path) -> None:
    texts = [write(tmp_path / f"{i}.txt", "She wants to leave .\nThey sing .\n") for i in range(2)]
    files = ("--train", sample, "--unlabelled", *texts, "--unlabelled-format", "tokens", "--gold-repeat", "1")
    out = options(tmp_path / "m")
    result = run("train", *files, "--teacher", models("verified"), "--layer", "graph.silver=true", *out)
    assert result.code == 0, result.err
    assert "labels graph" in result.err
    assert "38 sentences, 272 tokens" in result.err
    result = run("train", *files, "--teacher", f"upos={models('verified')}", *options(tmp_path / "n"))
    assert result.code != 0
    assert "upos" in result.err


def test_train_options_win_over_the_file_and_the_file_over_the_preset(run: Run, tmp_path: Path, sample: Path) -> None:
    small = {key: value for key, value in SMALL.items() if key not in ("epochs", "learning_rate")}
    keys = {
        **small,
        "encoder": "lookup",
        "epochs": 7,
        "warmup": 0.5,
        "train": str(sample),
        "output": str(tmp_path / "m"),
    }
    path = tmp_path / "my.toml"
    path.write_text("".join(f"{key} = {json.dumps(value)}\n" for key, value in keys.items()))
    result = run("train", "--preset", "paper-bilstm", "--config", path, "--epochs", "1", "--no-tags", "--seed", "0")
    assert result.code == 0
    saved = from_mapping(read_toml(tmp_path / "m" / "train.toml"), "train.toml")
    assert (saved.epochs, saved.tags, saved.seed) == (1, False, 0)
    assert (saved.encoder, saved.warmup, saved.batch_tokens) == ("lookup", 0.5, SMALL["batch_tokens"])
    assert (saved.verify, saved.linear_decay, saved.relation_head) == (False, False, "concat")


def test_train_model_parses(run: Run, models: Models, tmp_path: Path, sample: Path) -> None:
    assert run("train", "--train", sample, *options(tmp_path / "m")).code == 0
    assert run("parse", sample, "-m", tmp_path / "m", "--device", "cpu").code == 0


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def test_train_refuses_what_cannot_be_trained_on(run: Run, tmp_path: Path, sample: Path) -> None:
    bare = "1\tShe\t_\tX\t_\t_\t_\t_\t_\t_\n\n"
    cases: list[tuple[list[str | Path], str]] = [
        ([], "training needs at least one --train file"),
        (["--train", tmp_path / "none.conllu"], "cannot read"),
        (["--train", write(tmp_path / "empty.conllu", "")], "the file is empty"),
        (["--train", write(tmp_path / "bare.conllu", bare)], "the training files do not fill DEPS; they have upos"),
        (["--train", write(tmp_path / "bad.conllu", "1\tx\n\n")], "bad.conllu:1: found 2 columns"),
        (["--train", sample, "--dev", tmp_path / "none.conllu"], "cannot read"),
        (["--train", sample, "--dev", write(tmp_path / "empty.conllu", "")], "the file is empty"),
        (["--train", sample, "--encoding", "bits9-1"], "unknown encoding 'bits9-1'"),
        (["--train", sample, "--encoding", "relative", "--tag-head", "factored"], "relative has no bounded columns"),
        (["--train", sample, "--min-label-count", "1000"], "no label occurs 1000 times"),
        (["--train", sample, "--preset", "best"], "unknown preset 'best'"),
        (["--train", sample, "--config", tmp_path / "none.toml"], "cannot read"),
        (["--train", sample, "--config", write(tmp_path / "x.toml", "epoch = 5")], "unknown key in"),
        (["--train", sample, "--config", write(tmp_path / "y.toml", 'clip = "5"')], "clip: found '5'; expected float"),
        (["--train", sample, "--epochs", "many"], "'many' is not a valid integer"),
        (["--train", sample, "--dropout", "1"], "dropout: found 1.0; expected float < 1"),
    ]
    for arguments, message in cases:
        result = run("train", *options(tmp_path / "m"), *arguments)
        assert (result.code, result.out) == (2, b""), arguments
        assert message in result.err
        assert "Traceback" not in result.err
    assert not (tmp_path / "m").exists()


def test_train_development_file_without_arcs_is_no_trouble(run: Run, tmp_path: Path, sample: Path) -> None:
    bare = write(tmp_path / "bare.conllu", "1\tShe\t_\tX\t_\t_\t_\t_\t_\t_\n\n")
    result = run("train", "--train", sample, "--dev", bare, *options(tmp_path / "m"))
    assert result.code == 0
    assert "development LF 0.00" in result.text


def test_train_into_a_file_is_refused(run: Run, tmp_path: Path, sample: Path) -> None:
    result = run("train", "--train", sample, *options(write(tmp_path / "file", "")))
    assert result.code == 2
    assert result.err.count("arctag: ") == 1


def test_train_ctrl_c_leaves_a_usable_model(run: Run, tmp_path: Path, sample: Path) -> None:
    out = tmp_path / "m"
    chosen = options(out, epochs=100_000, patience=100_000)
    arguments: list[str | Path] = ["train", "--train", sample, "--dev", sample, *chosen]
    process = start(*arguments)
    wait_for(out / "checkpoints" / "epoch-00002", process)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=HANGS)
    assert process.returncode == 130
    assert stdout == ""
    assert f"interrupted; {out} holds the best model so far" in stderr
    assert "the same command with --resume continues" in stderr
    assert "Traceback" not in stderr
    assert len(list(load(out, "cpu").parse(sample))) == 34
    result = run(*arguments)
    assert result.code == 2
    assert "holds an unfinished run" in result.err
    result = run(*arguments, "--resume", "--seed", "5")
    assert result.code == 2
    assert "cannot resume: seed was 0 and now is 5" in result.err


@pytest.mark.parametrize("fate", ["turned into an error", "swallowed"])
def test_train_ctrl_c_is_heard_whatever_becomes_of_it(
    run: Run, tmp_path: Path, sample: Path, monkeypatch: pytest.MonkeyPatch, fate: str
) -> None:
    """Compiled code that is interrupted raises an error of its own."""

    def interrupted(*arguments: Any) -> Any:
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt as error:
            if fate != "swallowed":
                raise SystemError("returned a result with an exception set") from error
        return count(*arguments)

    monkeypatch.setattr(dev_scores, "count", interrupted)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        result = run("train", "--train", sample, *options(tmp_path / "m", epochs=100_000, patience=100_000))
    finally:
        assert signal.signal(signal.SIGINT, before) is signal.default_int_handler
    assert (result.code, result.out) == (130, b"")
    assert "interrupted" in result.err
    assert "the same command with --resume continues" in result.err


def test_train_killed_and_resumed_gives_the_same_weights(run: Run, tmp_path: Path, sample: Path) -> None:
    def arguments(name: str) -> tuple[str | Path, ...]:
        return ("train", "--train", sample, *options(tmp_path / name, epochs=12, dropout=0.2))

    assert run(*arguments("whole")).code == 0
    process = start(*arguments("killed"))
    wait_for(tmp_path / "killed" / "checkpoints" / "epoch-00001", process)
    process.kill()
    process.communicate(timeout=HANGS)
    assert process.returncode == -signal.SIGKILL
    result = run(*arguments("killed"), "--resume")
    assert result.code == 0
    assert "resuming after epoch " in result.err
    whole, killed = ((tmp_path / name / "model.safetensors").read_bytes() for name in ("whole", "killed"))
    assert whole == killed
