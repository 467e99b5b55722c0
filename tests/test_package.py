"""The package as others see it: its names, its imports, its version."""

from __future__ import annotations

import inspect
import pkgutil
import re
import subprocess
import sys
from importlib.util import find_spec
from types import ModuleType

import pytest

import arctag
from arctag.errors import MissingExtra
from tests.patience import HANGS
from tests.places import ROOT

NETWORK = ("arctag.backends.torch.", "arctag.training.")
PLAIN_IN_TRAINING = ("arctag.training.config", "arctag.training.events")  # read by the command line
TABLES = ("arctag.arrow", "arctag.formats.columnar.")
HEAVY = {"torch", "transformers", "safetensors"}


def _public_names() -> set[str]:
    names = {name for name, value in vars(arctag).items() if not isinstance(value, ModuleType)}
    return {name for name in names if not name.startswith("_")} - {"annotations", "Any", "TYPE_CHECKING"} | {
        "__version__"
    }


def _get(name: str) -> object:
    """A public thing; one that needs a part that is not installed skips the test."""
    try:
        return getattr(arctag, name)
    except MissingExtra as error:
        pytest.skip(str(error))


def _modules() -> list[str]:
    found = [module.name for module in pkgutil.walk_packages(arctag.__path__, "arctag.", onerror=lambda _: None)]
    if find_spec("pyarrow") is None:
        found = [name for name in found if not name.startswith(TABLES) or name == "arctag.formats.columnar.formats"]
    if find_spec("ray") is None:
        found = [name for name in found if not name.startswith("arctag.ray")]
    return [name for name in found if not name.startswith(NETWORK) or name in PLAIN_IN_TRAINING]


def test_package_all_is_what_is_public() -> None:
    assert len(set(arctag.__all__)) == len(arctag.__all__)
    assert _public_names() <= set(arctag.__all__)


def test_package_dir_shows_what_is_public() -> None:
    script = "import arctag; print(*dir(arctag))"  # before anything has been asked for
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=HANGS).stdout.split()
    assert set(arctag.__all__) <= set(shown)
    assert len(set(shown)) == len(shown)
    plain = {name for name in shown if not name.startswith("_") and not isinstance(_get(name), ModuleType)}
    assert plain - {"annotations", "Any", "TYPE_CHECKING"} | {"__version__"} == set(arctag.__all__)


@pytest.mark.parametrize("name", sorted(arctag.__all__))
def test_package_every_name_is_there_and_documented(name: str) -> None:
    value = _get(name)
    if inspect.isclass(value) or callable(value):
        assert inspect.getdoc(value)


def test_package_public_methods_are_documented() -> None:
    bare = []
    for name in arctag.__all__:
        value = vars(arctag).get(name)
        for key, member in vars(value).items() if inspect.isclass(value) else ():
            function = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
            if not key.startswith("_") and inspect.isfunction(function) and not function.__doc__:
                bare.append(f"{name}.{key}")
    assert not bare


@pytest.mark.parametrize("modules", [["arctag"], ["arctag.cli"], _modules()], ids=["package", "cli", "all"])
def test_package_imports_no_network_library(modules: list[str]) -> None:
    script = f"import sys, importlib\nfor name in {modules!r}: importlib.import_module(name)\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=HANGS)
    assert done.returncode == 0, done.stderr
    loaded = set(done.stdout.split())
    assert set(modules) <= loaded
    assert not HEAVY & loaded


def test_package_every_command_is_among_the_modules_checked() -> None:
    from arctag.cli import COMMANDS

    assert {f"arctag.cli.{command}" for command in COMMANDS} <= set(_modules())


def test_package_version_is_in_the_changelog() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"[{arctag.__version__}]" in re.findall(r"^## (\[[^\]]+\])", text, re.MULTILINE)
