"""Opening files: atomic writing, permissions, links, devices, pipes, gzip by content."""

from __future__ import annotations

import gzip
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from arctag.errors import InputError, UnknownName
from arctag.formats import format_of_file, format_of_name, get_format, read, write
from arctag.sentence import Sentence
from tests.patience import HANGS
from tests.places import ROOT

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "src")}


def _failing(sentence: Sentence) -> Iterator[Sentence]:
    for _ in range(5000):  # more than any buffer holds
        yield sentence
    raise ZeroDivisionError


@pytest.fixture
def one(sample: Path) -> Sentence:
    return next(read(sample))


@pytest.mark.parametrize("name", ["old.conllu", "old.conllu.gz"])
def test_files_failure_leaves_the_old_file_untouched(tmp_path: Path, one: Sentence, name: str) -> None:
    old = tmp_path / name
    old.write_bytes(b"precious")
    with pytest.raises(ZeroDivisionError):
        write(_failing(one), old)
    assert old.read_bytes() == b"precious"
    assert list(tmp_path.iterdir()) == [old]


def test_files_failure_leaves_no_new_file(tmp_path: Path, one: Sentence) -> None:
    with pytest.raises(ZeroDivisionError):
        write(_failing(one), tmp_path / "new.conllu")
    assert list(tmp_path.iterdir()) == []


def test_files_nothing_is_visible_before_the_end(tmp_path: Path, one: Sentence) -> None:
    target = tmp_path / "new.conllu"

    def watching() -> Iterator[Sentence]:
        yield one
        assert not target.exists()

    assert write(watching(), target) == 1
    assert target.exists()


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_files_existing_permissions_are_kept(tmp_path: Path, one: Sentence, mode: int) -> None:
    target = tmp_path / "old.conllu"
    target.write_text("old")
    target.chmod(mode)
    write([one], target)
    assert stat.S_IMODE(target.stat().st_mode) == mode
    assert target.read_text().startswith("# newdoc")


def test_files_new_file_has_the_usual_permissions(tmp_path: Path, one: Sentence) -> None:
    (tmp_path / "usual").touch()
    write([one], tmp_path / "new.conllu")
    assert (tmp_path / "new.conllu").stat().st_mode == (tmp_path / "usual").stat().st_mode


@pytest.mark.parametrize("exists", [True, False])
def test_files_links_are_written_through(tmp_path: Path, one: Sentence, exists: bool) -> None:
    (tmp_path / "inner").mkdir()
    target, link = tmp_path / "inner" / "real.conllu", tmp_path / "link.conllu"
    if exists:
        target.write_text("old")
    link.symlink_to(target)
    write([one], link)
    assert link.is_symlink()
    assert target.read_text().startswith("# newdoc")


def test_files_links_in_a_circle_are_refused(tmp_path: Path, one: Sentence) -> None:
    (tmp_path / "a.conllu").symlink_to("b.conllu")
    (tmp_path / "b.conllu").symlink_to("a.conllu")
    with pytest.raises(InputError, match="cannot write"):
        write([one], tmp_path / "a.conllu")


def test_files_devices_are_written_directly(one: Sentence) -> None:
    assert write([one], "/dev/null") == 1
    assert not Path("/dev/null").is_file()


def test_files_standard_output(one: Sentence, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    write([one], "-")
    assert capsysbinary.readouterr().out.startswith(b"# newdoc id = sample-home\n")


def test_files_folder_as_target_is_refused(tmp_path: Path, one: Sentence) -> None:
    with pytest.raises(InputError, match="it is a folder"):
        write([one], tmp_path)


def test_files_target_in_a_missing_folder_is_refused(tmp_path: Path, one: Sentence) -> None:
    with pytest.raises(InputError, match=r"cannot write .*: No such file"):
        write([one], tmp_path / "none" / "out.conllu")


def test_files_source_can_be_its_own_target(sample: Path, tmp_path: Path) -> None:
    path = tmp_path / "same.conllu"
    path.write_bytes(sample.read_bytes())
    assert write(read(path), path) == 34
    assert path.read_bytes() == sample.read_bytes()


def test_files_gzip_output_is_reproducible(sample: Path, tmp_path: Path) -> None:
    write(read(sample), tmp_path / "a.conllu.gz")
    write(read(sample), tmp_path / "b.conllu.gz")
    assert (tmp_path / "a.conllu.gz").read_bytes() == (tmp_path / "b.conllu.gz").read_bytes()


def test_files_gzip_is_recognised_by_content(sample_sdp: Path, tmp_path: Path) -> None:
    path = tmp_path / "no-suffix"
    path.write_bytes(gzip.compress(sample_sdp.read_bytes()))
    assert format_of_file(path) == "sdp"
    assert len(list(read(path))) == len(list(read(sample_sdp)))


@pytest.mark.parametrize(
    ("name", "format"),
    [("a.conllu", "conllu"), ("a.sdp.gz", "sdp"), ("a.conll", "conllu"), ("a.conllu.txt", "conllu"), ("a.txt", None)],
)
def test_files_format_of_name(name: str, format: str | None) -> None:
    assert format_of_name(name) == format


def test_files_format_of_file_looks_at_the_first_line(sample: Path, sample_sdp: Path, tmp_path: Path) -> None:
    for source, format in ((sample, "conllu"), (sample_sdp, "sdp")):
        path = tmp_path / f"{format}-file"
        path.write_bytes(source.read_bytes())
        assert format_of_file(path) == format


def test_files_unknown_format_lists_the_known_ones() -> None:
    with pytest.raises(UnknownName, match=r"unknown format 'sdq'\. Did you mean 'sdp'\? Known: conllu, conllup, sdp"):
        get_format("sdq")


def test_files_write_refuses_an_unknown_format_before_opening(tmp_path: Path, one: Sentence) -> None:
    with pytest.raises(UnknownName):
        write([one], tmp_path / "out", "xml")
    assert list(tmp_path.iterdir()) == []


def test_files_named_pipe_is_read_once(sample: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    feeder = threading.Thread(target=lambda: pipe.write_bytes(sample.read_bytes()))
    feeder.start()
    assert len(list(read(pipe))) == 34
    feeder.join()


def _shell(command: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"],
        env={**ENVIRONMENT, "PY": sys.executable, **environment},
        capture_output=True,
        timeout=HANGS,
    )


def test_files_output_is_utf8_whatever_the_locale(tmp_path: Path) -> None:
    content = "1\tżółć\t_\t_\t_\t_\t_\t_\t_\t_\n\n".encode()
    (tmp_path / "a.conllu").write_bytes(content)
    done = _shell(f'"$PY" -m arctag convert {tmp_path / "a.conllu"}', PYTHONIOENCODING="latin-1", LC_ALL="C")
    assert (done.returncode, done.stdout, done.stderr) == (0, content, b"")


def test_files_reader_that_stops_early_is_no_error(sample: Path, tmp_path: Path) -> None:
    big = tmp_path / "big.conllu"
    big.write_bytes(sample.read_bytes() * 60)  # more than a pipe holds
    done = _shell(f'"$PY" -m arctag convert {big} - | head -n 1')
    assert (done.returncode, done.stdout, done.stderr) == (0, b"# newdoc id = sample-home\n", b"")


def test_files_standard_input_and_output_of_a_process(any_sample: Path) -> None:
    done = _shell(f'"$PY" -m arctag convert - --from {any_sample.suffix[1:]} < {any_sample}')
    assert (done.returncode, done.stdout) == (0, any_sample.read_bytes())


@pytest.mark.parametrize("length", range(60))
def test_files_line_ends_of_two_bytes_may_be_cut_in_two(tmp_path: Path, length: int) -> None:
    row = "1\tRain\t_\t_\t_\t_\t0\troot\t0:root\t_"
    text = f"# {'c' * length}\r\n" + f"{row}\r\n\r\n" * 3000
    (tmp_path / "dos.conllu").write_bytes(text.encode())
    found = list(read(tmp_path / "dos.conllu"))
    assert len(found) == 3000
    assert {sentence.rows[0][9] for sentence in found} == {"_"}


@pytest.mark.parametrize("name", ["sample.conllu", "sample.sdp", "sample"])
def test_files_byte_order_mark_goes(name: str, sample_sdp: Path, sample: Path, tmp_path: Path) -> None:
    source = sample if name.endswith("conllu") else sample_sdp
    (tmp_path / name).write_bytes(b"\xef\xbb\xbf" + source.read_bytes())
    write(read(tmp_path / name), tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == source.read_bytes()


def test_files_hold_one_format(sample: Path, sample_sdp: Path, tmp_path: Path) -> None:
    both = [*read(sample), *read(sample_sdp)]
    write(both, tmp_path / "out")  # a name that announces none: the first sentence decides
    assert [s.graph for s in read(tmp_path / "out", "conllu")] == [s.graph for s in both]
