"""Where commands write: no input is replaced by accident, names say what is written, and what fails leaves no trace."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.networks import Models
from tests.patience import HANGS

CPU = ("--device", "cpu")
COMMANDS = ("convert", "encode", "decode", "draw", "parse")


@pytest.fixture
def folder(tmp_path: Path, sample: Path, run: Run) -> Path:
    """A folder of one's own with a treebank and its labels."""
    (tmp_path / "in.conllu").write_bytes(sample.read_bytes())
    run("encode", sample, "-o", tmp_path / "in.labels")
    return tmp_path


def arguments(command: str, folder: Path, output: str | Path, models: Models) -> list[str]:
    """A call of the command that reads a file of the folder and writes the output."""
    given: dict[str, list[str | Path]] = {
        "convert": ["convert", folder / "in.conllu", output],
        "encode": ["encode", folder / "in.conllu", "-o", output],
        "decode": ["decode", folder / "in.labels", "--to", "conllu", "-o", output],
        "draw": ["draw", folder / "in.conllu", "--to", "html", "-o", output],
        "parse": ["parse", folder / "in.conllu", "-m", models("verified"), "--to", "conllu", "-o", output, *CPU],
    }
    return [str(argument) for argument in given[command]]


def snapshot(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("link", ["", "symbolic", "hard"])
def test_outputs_never_replace_an_input(run: Run, models: Models, folder: Path, command: str, link: str) -> None:
    source = target = folder / ("in.labels" if command == "decode" else "in.conllu")
    if link:
        target = folder / "link"
        target.symlink_to(source) if link == "symbolic" else target.hardlink_to(source)
    before = snapshot(folder)
    result = run(*arguments(command, folder, target, models))
    assert result.code == 2
    assert f"{target} is an input" in result.err
    assert "--force" in result.err
    assert snapshot(folder) == before
    assert run(*arguments(command, folder, target, models), "--force").code == 0
    assert snapshot(folder) != before or command == "convert"  # which gives the same bytes


def test_outputs_further_inputs_are_spared_too(run: Run, folder: Path) -> None:
    for call in (
        ("decode", folder / "in.labels", "--like", folder / "in.conllu", "-o", folder / "in.conllu"),
        ("draw", folder / "in.labels", "--against", folder / "in.conllu", "--to", "html", "-o", folder / "in.conllu"),
    ):
        result = run(*call)
        assert (result.code, "in.conllu is an input" in result.err) == (2, True)


@pytest.mark.parametrize("command", COMMANDS)
def test_outputs_empty_name_is_refused(run: Run, models: Models, folder: Path, command: str) -> None:
    before = snapshot(folder)
    result = run(*arguments(command, folder, "", models))
    assert (result.code, result.out) == (2, b"")
    assert "the name is empty" in result.err
    assert snapshot(folder) == before


@pytest.mark.parametrize("command", COMMANDS)
def test_outputs_link_to_itself_is_one_line(run: Run, models: Models, folder: Path, command: str) -> None:
    loop = folder / "loop"
    loop.symlink_to(loop)
    result = run(*arguments(command, folder, loop, models))
    assert (result.code, result.out) == (2, b"")
    assert result.err.startswith(f"arctag: cannot write {loop}: ")
    assert result.err.count("\n") == 1
    assert loop.is_symlink()


@pytest.mark.parametrize("command", COMMANDS)
def test_outputs_full_device_is_named(run: Run, models: Models, folder: Path, command: str) -> None:
    result = run(*arguments(command, folder, "/dev/full", models))
    assert result.code == 2
    assert "arctag: cannot write /dev/full: No space left on device\n" in result.err


@pytest.mark.parametrize("command", ["convert", "encode", "diagnose", "encodings", "parse"])
def test_outputs_full_standard_output_is_named(folder: Path, command: str) -> None:
    calls: dict[str, list[str | Path]] = {
        "convert": ["convert", folder / "in.conllu"],
        "encode": ["encode", folder / "in.conllu"],
        "diagnose": ["diagnose", folder / "in.conllu"],
        "encodings": ["encodings"],
        "parse": ["parse", "She sings."],
    }
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "arctag", *map(str, calls[command])],
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=HANGS,
        )
    assert done.returncode == 2
    assert done.stderr == b"arctag: cannot write <stdout>: No space left on device\n"


@pytest.mark.parametrize("name", ["out.png", "out.pdf", "out.docx", "out.svg", "out.xlsx", "out.csv.gz"])
@pytest.mark.parametrize("command", ["convert", "decode"])
def test_outputs_name_of_something_else_is_refused(run: Run, folder: Path, command: str, name: str) -> None:
    call = ["convert", folder / "in.conllu"] if command == "convert" else ["decode", folder / "in.labels", "-o"]
    before = snapshot(folder)
    result = run(*call, folder / name)
    assert result.code == 2
    assert "is no graph format" in result.err
    assert snapshot(folder) == before
    assert run(*call, folder / name, "--to", "conllu").code == 0  # who insists gets it


@pytest.mark.parametrize("name", ["out.png", "out.pdf", "out.docx", "out.v2", "out.csv"])
def test_outputs_parse_refuses_names_it_does_not_know(run: Run, models: Models, folder: Path, name: str) -> None:
    result = run("parse", folder / "in.conllu", "-m", models("verified"), "-o", folder / name, *CPU)
    assert result.code == 2
    assert f"cannot tell what to write from the name {folder / name}: end it in one of .conllu, .sdp" in result.err
    assert not (folder / name).exists()


def test_outputs_pictures_leave_other_files_in_their_folder_alone(run: Run, folder: Path) -> None:
    pictures = folder / "pictures"
    pictures.mkdir()
    mine = pictures / "sample-02.svg"
    mine.write_text("drawn by hand")
    call = ("draw", folder / "in.conllu", "--limit", "3", "-o", pictures)
    result = run(*call)
    assert result.code == 2
    assert f"{mine} exists already" in result.err
    assert mine.read_text() == "drawn by hand"
    assert run(*call, "--force").code == 0
    assert mine.read_text() != "drawn by hand"


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o000])
def test_outputs_have_the_permissions_of_the_user(run: Run, folder: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        assert run("convert", folder / "in.conllu", folder / "out.conllu").code == 0
        assert os.umask(mask) == mask  # nothing changed it
    finally:
        os.umask(before)
    assert (folder / "out.conllu").stat().st_mode & 0o777 == 0o666 & ~mask


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_outputs_open_files_are_written_where_they_stand(models: Models, folder: Path, command: str, name: str) -> None:
    log = folder / "log"
    log.write_text("KEEP\n")
    call = [sys.executable, "-m", "arctag", *arguments(command, folder, name, models)]
    with log.open("ab") as file:
        done = subprocess.run(call, stdout=file, stderr=subprocess.PIPE, timeout=HANGS)
    assert done.returncode == 0, done.stderr
    kept, _, added = log.read_text(encoding="utf-8").partition("\n")
    assert kept == "KEEP"
    assert len(added) > 1000
    assert not list(folder.glob("log *"))


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("letter", ["x", "字"])
def test_outputs_names_may_be_as_long_as_the_system_allows(
    run: Run, models: Models, folder: Path, command: str, letter: str
) -> None:
    path = folder / (letter * ((255 - len(".conllu")) // len(letter.encode())) + ".conllu")
    assert run(*arguments(command, folder, path, models)).code == 0
    assert path.stat().st_size > 1000
    assert not list(folder.glob(".*"))
