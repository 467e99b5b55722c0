"""`arctag parse`: columns kept byte for byte, damage passed through, comments, guarantees, exit codes."""

from __future__ import annotations

import gzip
import re
import subprocess
import sys
from pathlib import Path

import pytest

from arctag import read
from arctag.parsing.loading import load
from tests.conftest import Run
from tests.networks import Models, graphs
from tests.patience import HANGS

CPU = ("--device", "cpu")


def blocks(data: bytes) -> list[bytes]:
    return [block for block in data.split(b"\n\n") if block]


def without_graph(block: bytes) -> list[bytes]:
    """All lines and columns but DEPS and what belongs to empty nodes."""
    rows = []
    for line in block.split(b"\n"):
        cells = line.split(b"\t")
        if b"." not in cells[0] or line.startswith(b"#"):
            rows.append(b"\t".join([*cells[:8], *cells[9:]]) if not line.startswith(b"#") else line)
    return rows


def test_parse_conllu_keeps_everything_but_the_graph(run: Run, models: Models, sample: Path) -> None:
    result = run("parse", sample, "-m", models("verified"), *CPU)
    assert (result.code, result.err) == (0, "lost: 4 empty nodes\n")
    before, after = blocks(sample.read_bytes()), blocks(result.out)
    assert [without_graph(b) for b in before] == [without_graph(b) for b in after]
    assert any(line.count(b"-") and re.match(rb"\d+-\d+\t", line) for b in after for line in b.split(b"\n"))
    assert before != after


def test_parse_sdp_keeps_everything_but_the_graph(run: Run, models: Models, sample_sdp: Path) -> None:
    result = run("parse", sample_sdp, "-m", models("sdp"), *CPU)
    assert (result.code, result.err) == (0, "")
    for before, after in zip(blocks(sample_sdp.read_bytes()), blocks(result.out), strict=True):
        kept = [[line if line.startswith(b"#") else line.split(b"\t")[:4] + line.split(b"\t")[6:7]
                 for line in block.strip().split(b"\n")] for block in (before, after)]  # fmt: skip
        assert kept[0] == kept[1]


def test_parse_graphs_are_the_parser_s(run: Run, models: Models, sample: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.conllu"
    assert run("parse", sample, "-m", models("verified"), "-o", out, "--batch-tokens", "30", *CPU).code == 0
    assert [list(s.graph.triples()) for s in read(out)] == graphs(load(models("verified"), "cpu"), sample)


def test_parse_does_not_read_the_gold_graphs(run: Run, models: Models, sample: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare.conllu"
    rows = (line.split("\t") for line in sample.read_text(encoding="utf-8").split("\n"))
    bare.write_text("\n".join("\t".join([*r[:8], "_", r[9]]) if len(r) == 10 else r[0] for r in rows), encoding="utf-8")
    options = ("-m", models("verified"), *CPU)
    assert run("parse", bare, *options).out == run("parse", sample, *options).out


def test_parse_several_files_come_out_as_one_in_order(run: Run, models: Models, sample: Path) -> None:
    once = run("parse", sample, "-m", models("verified"), *CPU).out
    twice = run("parse", sample, sample, "-m", models("verified"), *CPU).out
    assert twice == once + once


def test_parse_tokens_from_standard_input(run: Run, models: Models) -> None:
    stdin = b"The kettle sings .\n\nShe\n"
    result = run("parse", "-", "--format", "tokens", "-m", models("verified"), *CPU, stdin=stdin)
    assert result.code == 0
    assert [line.split("\t")[1] for line in result.text.splitlines() if line[:1].isdigit()] == [
        "The", "kettle", "sings", ".", "She",
    ]  # fmt: skip


def test_parse_tokens_to_sdp(run: Run, models: Models, tmp_path: Path) -> None:
    (tmp_path / "in.tok").write_text("The kettle sings .\n")
    result = run("parse", tmp_path / "in.tok", "--to", "sdp", "-m", models("sdp"), *CPU)
    assert result.code == 0
    assert result.text.startswith("#SDP 2015\n#in-1\n1\tThe\t")


def test_parse_gzip_there_and_back(run: Run, models: Models, sample: Path, tmp_path: Path) -> None:
    packed, out = tmp_path / "in.conllu.gz", tmp_path / "out.conllu.gz"
    packed.write_bytes(gzip.compress(sample.read_bytes()))
    assert run("parse", packed, "-m", models("verified"), "-o", out, *CPU).code == 0
    assert gzip.decompress(out.read_bytes()) == run("parse", sample, "-m", models("verified"), *CPU).out


DAMAGE = {
    "columns": b"# sent_id = broken\n1\tonly\tthree",
    "utf8": b"# sent_id = broken\n1\tb\xffd\t_\tX\t_\t_\t0\troot\t0:root\t_",
    "utf8 comment": b"# text = b\xffd\n1\tbad\t_\tX\t_\t_\t0\troot\t0:root\t_",
    "comment": b"1\ta\t_\tX\t_\t_\t0\troot\t0:root\t_\n# in between\n2\tb\t_\tX\t_\t_\t1\tdep\t1:dep\t_",
    "id": b"1\ta\t_\tX\t_\t_\t0\troot\t0:root\t_\n7\tb\t_\tX\t_\t_\t1\tdep\t1:dep\t_",
}


@pytest.mark.parametrize("name", DAMAGE)
def test_parse_broken_sentence_is_told_and_passed_through(
    run: Run, models: Models, sample: Path, tmp_path: Path, name: str
) -> None:
    whole = blocks(sample.read_bytes())
    path = tmp_path / "in.conllu"
    path.write_bytes(b"\n\n".join([*whole[:3], DAMAGE[name], *whole[3:]]) + b"\n\n")
    result = run("parse", path, "-m", models("verified"), *CPU)
    good = blocks(run("parse", sample, "-m", models("verified"), *CPU).out)
    assert result.code == 1
    assert blocks(result.out) == [*good[:3], DAMAGE[name], *good[3:]]
    told = result.err.splitlines()
    assert len(told) == 3
    assert told[0].startswith(f"passed through: {path}:")
    assert told[1] == "lost: 4 empty nodes"
    assert told[2] == "1 of 35 sentences were passed through unparsed"


def test_parse_broken_sentence_in_sdp_is_passed_through(
    run: Run, models: Models, sample_sdp: Path, tmp_path: Path
) -> None:
    whole = blocks(sample_sdp.read_bytes())
    broken = b"#broken\n1\ta\ta\tX\t?\t?\t_"
    path = tmp_path / "in.sdp"
    path.write_bytes(b"\n\n".join([*whole[:2], broken, *whole[2:]]) + b"\n\n")
    result = run("parse", path, "-m", models("sdp"), *CPU)
    good = blocks(run("parse", sample_sdp, "-m", models("sdp"), *CPU).out)
    assert result.code == 1
    assert blocks(result.out) == [*good[:2], broken, *good[2:]]


@pytest.mark.parametrize("to", ["sdp", "conllu"])
def test_parse_broken_sentence_with_another_output_format_is_no_traceback(
    run: Run, models: Models, sample: Path, sample_sdp: Path, tmp_path: Path, to: str
) -> None:
    source = sample if to == "sdp" else sample_sdp
    path = tmp_path / f"in{source.suffix}"
    path.write_bytes(source.read_bytes().rstrip() + b"\n\n1\tonly\n\n")
    result = run("parse", path, "--to", to, "-m", models("verified"), *CPU)
    assert result.code == 1
    assert result.out.endswith(b"\n\n1\tonly\n\n")
    assert "passed through: " in result.err


def test_parse_bad_bytes_among_tokens(run: Run, models: Models, tmp_path: Path) -> None:
    path = tmp_path / "in.tok"
    path.write_bytes(b"She sings\nb\xffd words\nYes\n")
    result = run("parse", path, "-m", models("verified"), *CPU)
    assert result.code == 1
    assert b"\tb\xffd\t" in result.out
    assert result.out.count(b"# sent_id") == 3


def test_parse_chunks_keep_the_order(run: Run, models: Models, sample: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from arctag.parsing import parser

    expected = run("parse", sample, "-m", models("verified"), *CPU).out
    monkeypatch.setattr(parser.ParseOptions.__init__, "__defaults__", _with_chunk(5))
    assert run("parse", sample, "-m", models("verified"), *CPU).out == expected


def _with_chunk(size: int) -> tuple[object, ...]:
    from arctag.parsing.parser import ParseOptions

    return tuple(size if value == 4_096 else value for value in ParseOptions.__init__.__defaults__ or ())


@pytest.mark.parametrize("kind", ["verified", "plain", "baseline", "collapsed"])
def test_parse_probabilities_are_comments(run: Run, models: Models, sample: Path, kind: str) -> None:
    result = run("parse", sample, "-m", models(kind), "--probabilities", "--threshold", "0", *CPU)
    assert result.code == 0
    plain = run("parse", sample, "-m", models(kind), "--threshold", "0", *CPU)
    kept = [line for line in result.text.splitlines() if not line.startswith(("# score = ", "# probabilities = "))]
    assert kept == plain.text.splitlines()
    arcs = 0
    for block in result.text.split("\n\n")[:-1]:
        (score,) = re.findall(r"^# score = (-?\d+\.\d{4})$", block, re.MULTILINE)
        assert float(score) <= 0
        (line,) = re.findall(r"^# probabilities =(.*)$", block, re.MULTILINE)
        for head, dependent, probability in re.findall(r"([\d.]+)>([\d.]+)=(\d\.\d{3})(?: |$)", line):
            assert re.search(rf"^{re.escape(dependent)}\t(?:.*\t|.*\|){re.escape(head)}:", block, re.MULTILINE)
            assert 0 <= float(probability) <= 1
            arcs += 1
        assert len(line.split()) == sum(
            len({part.split(":")[0] for part in row.split("\t")[8].split("|")})
            for row in block.split("\n") if row[:1].isdigit() and row.split("\t")[8] != "_"
        )  # fmt: skip
    assert arcs > 20


def test_parse_probabilities_leave_sdp_ids_alone(run: Run, models: Models, sample_sdp: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.sdp"
    assert run("parse", sample_sdp, "-m", models("sdp"), "--probabilities", "-o", out, *CPU).code == 0
    assert [s.id for s in read(out)] == [s.id for s in read(sample_sdp)]
    assert b"probabilities = " in out.read_bytes()


@pytest.mark.parametrize("names", ["attached", "top", "acyclic", "attached,top,acyclic"])
def test_parse_ensure_reports_the_number_of_changes(
    run: Run, models: Models, sample: Path, tmp_path: Path, names: str
) -> None:
    plain, sure = tmp_path / "plain.conllu", tmp_path / "sure.conllu"
    options = ("-m", models("plain"), *CPU)
    assert run("parse", sample, "-o", plain, *options).code == 0
    result = run("parse", sample, "-o", sure, "--ensure", names, *options)
    assert result.code == 0
    changes = 0
    for before, after in zip(read(plain), read(sure), strict=True):
        changes += len(before.graph.arc_set() ^ after.graph.arc_set())
        if "acyclic" in names:
            assert not after.graph.cyclic
        if "attached" in names:
            assert set(after.graph.dependents.tolist()) == set(range(1, after.graph.n + 1))
        if "top" in names:
            assert 0 in after.graph.heads
    assert result.err == f"lost: 4 empty nodes\n{changes} arcs added or removed to ensure {names}\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--ensure", "tree"), "unknown guarantee 'tree'"),
        (("--threshold", "7"), "the threshold must be from 0 to 1"),
        (("--batch-tokens", "0"), "'--batch-tokens': 0 is not in the range x>=1"),
        (("--device", "nonsense"), "device 'nonsense' cannot be used"),
    ],
)
def test_parse_bad_options_are_refused(
    run: Run, models: Models, sample: Path, options: tuple[str, ...], message: str
) -> None:
    result = run("parse", sample, "-m", models("verified"), *options)
    assert (result.code, result.out) == (2, b"")
    assert message in result.err


def test_parse_missing_and_empty_files_are_refused(run: Run, models: Models, tmp_path: Path) -> None:
    (tmp_path / "empty.conllu").touch()
    for name, message in (("none.conllu", "no file at"), ("empty.conllu", "no sentence")):
        result = run("parse", tmp_path / name, "-m", models("verified"), *CPU)
        assert (result.code, result.out) == (2, b"")
        assert message in result.err


BLOCKED = """
import sys
class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("torch", "transformers", "safetensors"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Blocker())
from arctag.cli import main
from arctag.errors import ArctagError
if sys.argv[1] == "load":
    from arctag import load
    try:
        load(sys.argv[2])
    except ArctagError as error:
        print(type(error).__name__, error)
else:
    main(sys.argv[1:])
"""


def _without_torch(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", BLOCKED, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=HANGS)


def test_parse_without_torch_says_what_to_install(models: Models, sample: Path, tmp_path: Path) -> None:
    loaded = _without_torch("load", models("verified"))
    assert loaded.stdout.startswith("MissingExtra ")
    assert loaded.stdout.rstrip().endswith("pip install 'arctag[train]'")
    for arguments in (
        ("parse", sample, "-m", models("verified")),
        ("train", "--train", sample, "-o", tmp_path / "m"),
    ):
        done = _without_torch(*arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.rstrip().endswith("pip install 'arctag[train]'")
        assert done.stderr.count("\n") == 1
