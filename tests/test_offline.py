"""Nothing is sent anywhere: no telemetry of a dependency, no connection to another machine, no file at home."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.backends.torch.pretrained import save_bert
from tests.networks import SMALL
from tests.patience import HANGS
from tests.places import SAMPLES

GUARD = """
import ipaddress, os, sys

def guard(event, arguments):
    if event in ("socket.getaddrinfo", "socket.gethostbyname"):
        host = arguments[0]
    elif event in ("socket.connect", "socket.sendto") and isinstance(arguments[1], tuple):
        host = arguments[1][0]
    else:
        return
    if host not in ("localhost", "127.0.0.1", "::1"):
        print("network:", event, arguments, file=sys.stderr, flush=True)
        os._exit(97)

sys.addaudithook(guard)
import arctag
"""
TRAIN = """
import sys
out, encoder, keys = sys.argv[1], sys.argv[2], {keys}
if encoder:
    keys["encoder"] = encoder
parser = arctag.train({sample!r}, {sample!r}, output=out, **keys)
assert list(parser.parse([["She", "sings", "."]]))
"""
KEYS = {**SMALL, "epochs": 1, "tokenizer": False}
ACTIONS = {
    "import": "",
    "parse": "assert list(arctag.load('en').parse([['She', 'sings', '.']]))",
    "train": TRAIN.format(keys=KEYS, sample=str(SAMPLES / "sample.conllu")),
    "export": "from arctag.cli import main\nmain(['export', '-m', sys.argv[2], '-o', sys.argv[1]])",
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


def environment(home: Path) -> dict[str, str]:
    """A home of its own, and no setting that would switch something off."""
    names = ("XDG_CACHE_HOME", "ORT_DISABLE_TELEMETRY", "HF_HUB_OFFLINE", "HF_HUB_DISABLE_TELEMETRY", "HF_HOME", "CI")
    kept = {name: value for name, value in os.environ.items() if name not in names}
    return {**kept, "HOME": str(home), "PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(home.parent)}


def done(home: Path, action: str, *arguments: str, before: tuple[str, ...] = ()) -> None:
    """Run an action in a process of its own, which ends at the first word to another machine."""
    command = [*before, sys.executable, "-c", GUARD + action, *arguments]
    result = subprocess.run(command, env=environment(home), capture_output=True, text=True, timeout=HANGS)
    assert result.returncode == 0, result.stderr


def files(home: Path) -> list[str]:
    return [str(path.relative_to(home)) for path in home.rglob("*") if not path.is_dir()]


def test_offline_guard_sees_a_connection(home: Path) -> None:
    with pytest.raises(AssertionError, match=r"network: socket\.getaddrinfo"):
        done(home, "import urllib.request; urllib.request.urlopen('http://example.org/')")


@pytest.mark.parametrize("action", ["import", "parse"])
def test_offline_parsing_sends_nothing_and_writes_nothing(home: Path, action: str) -> None:
    done(home, ACTIONS[action])
    assert files(home) == []


@pytest.mark.parametrize("encoder", ["", pytest.param("bert", marks=pytest.mark.full)])
def test_offline_training_and_exporting_send_nothing(home: Path, one_thread: None, encoder: str) -> None:
    folder = str(save_bert(home.parent / encoder)) if encoder else ""
    done(home, ACTIONS["train"], str(home.parent / "model"), folder)
    done(home, ACTIONS["export"], str(home.parent / "exported"), str(home.parent / "model"))
    assert files(home) == []


def _strace() -> str | None:
    """strace, where it is installed and may trace."""
    found = shutil.which("strace")
    allowed = found and subprocess.run([found, "-f", "-o", os.devnull, "true"], capture_output=True).returncode == 0
    return found if allowed else None


def test_offline_libraries_open_no_connection_of_their_own(home: Path) -> None:
    """What the guard cannot see: libraries that are not written in Python."""
    if (strace := _strace()) is None:
        pytest.skip("strace cannot be used here")
    log = home.parent / "log"
    done(home, ACTIONS["parse"], before=(strace, "-f", "-e", "trace=network,openat", "-o", str(log)))
    calls = log.read_text(errors="replace").splitlines()
    assert any("words.onnx" in call for call in calls)
    asked = [call for call in calls if re.search(r"AF_INET6?|resolv\.conf|/Microsoft/", call)]
    assert asked == []


def test_offline_environment_is_as_it_was_once_onnx_runtime_is_loaded(home: Path) -> None:
    for given in ("", "os.environ['ORT_DISABLE_TELEMETRY'] = '0'\n"):  # whatever it says, nothing is sent
        check = "before = dict(os.environ)\nimport arctag.backends.onnx.runtime\nassert dict(os.environ) == before"
        done(home, f"{given}{check}")
        assert files(home) == []
