"""README.md and the pages in docs/ show what really happens.

Fences that say `console`, `sh` or `python` are run, page by page, in a folder with the sample
treebanks. A fence that says nothing is not run, nor is one below `<!-- not run: REASON -->`.

- console: lines that begin with `$ ` are commands (a line that ends in `\\` goes on), the rest is
  what they print. A line `…` stands for any lines. Where a command prints tabs, two or more
  spaces may stand for each, so that columns line up.
- sh: commands whose output is not shown.
- python: a comment behind `print(…)` is what it prints, if that is one line.

Pages with a test of their own are left to it.
"""

from __future__ import annotations

import ast
import io
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from arctag import cli, encodings, formats, metrics
from tests.conftest import Run
from tests.places import ROOT, SAMPLES

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
ELSEWHERE = {
    "encodings.md": "tests/encodings/test_documentation.py",
    "extend.md": "tests/encodings/test_documentation.py",
    "pictures.md": "tests/draw/test_docs.py",
}
RUN = [page for page in PAGES if page.name not in ELSEWHERE]
SMALL_PROGRAMS = {"cat", "echo", "cmp", "cp", "cut", "diff", "grep", "gzip", "head", "ls", "mkdir", "rm", "sed", "sort",
                  "tail", "wc"}  # fmt: skip
TABLES: list[dict[str, Any]] = [encodings.ENCODINGS, formats.FORMATS, metrics.METRICS, cli.COMMANDS]
_FENCE = re.compile(
    r"(?P<above>(?:^<!--[^\n]*-->\n+)?)^```(?P<kind>console|sh|python)\n(?P<text>.*?)^```$", re.M | re.S
)
_LOOP = re.compile(r"^for (\w+) in ([^;]*); do\n(.*?)^done$", re.M | re.S)


@dataclass(frozen=True)
class Block:
    """One fence of a page."""

    kind: str
    text: str
    line: int


def blocks(page: Path) -> Iterator[Block]:
    """The fences of a page that are to be run."""
    text = page.read_text(encoding="utf-8")
    for match in _FENCE.finditer(text):
        if "<!-- not run:" not in match["above"]:
            yield Block(match["kind"], match["text"], text.count("\n", 0, match.start("text")) + 1)


def commands(block: Block) -> Iterator[tuple[str, list[str]]]:
    """Each command of a console block, with the lines it prints."""
    found: list[tuple[str, list[str]]] = []
    for line in block.text.replace("\\\n", " ").splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            assert found, f"line {block.line}: a console block begins with '$ '"
            found[-1][1].append(line)
    return iter(found)


class Shell:
    """Pipes and redirection, with `arctag` run in this process."""

    def __init__(self, run: Run) -> None:
        self.run = run

    def __call__(self, command: str) -> tuple[int, str]:
        """The exit code of a command, and all it prints."""
        *words, target = command.rsplit(" > ", 1) if " > " in command else (command, "")
        code, data, errors = 0, b"", ""
        for part in _split(words[0], "|"):
            code, data, error = self._one(part, data)
            errors += error
        if target:
            Path(target.strip()).write_bytes(data)
            data = b""
        return code, data.decode("utf-8") + errors

    def _one(self, words: list[str], data: bytes) -> tuple[int, bytes, str]:
        if words[0] == "arctag":
            result = self.run(*words[1:], stdin=data)
            return result.code, result.out, result.err
        assert words[0] in SMALL_PROGRAMS, f"cannot run {words[0]!r}: put `<!-- not run: WHY -->` above its block"
        done = subprocess.run(words, input=data, capture_output=True, timeout=60)
        return done.returncode, done.stdout, done.stderr.decode("utf-8")


def _split(command: str, separator: str) -> Iterator[list[str]]:
    words: list[str] = []
    lexer = shlex.shlex(command, posix=True, punctuation_chars=separator)
    lexer.whitespace_split, lexer.commenters = True, ""
    for word in lexer:
        if word == separator:
            yield words
            words = []
        else:
            words.append(word)
    yield words


def same(shown: list[str], printed: list[str]) -> bool:
    """Whether the lines on the page stand for those printed."""
    if not shown or not printed:
        return shown == printed or (shown == ["…"] and not printed)
    if shown[0] == "…":
        return any(same(shown[1:], printed[i:]) for i in range(len(printed) + 1))
    return _same_line(shown[0], printed[0]) and same(shown[1:], printed[1:])


def _same_line(shown: str, printed: str) -> bool:
    if "\t" in printed:
        return re.split(r"\t| {2,}", shown.strip()) == printed.strip().split("\t")
    return shown.rstrip() == printed.rstrip()


def _lines(text: str) -> list[str]:
    return text.rstrip("\n").split("\n") if text.strip("\n") else []


def run_console(block: Block, shell: Shell) -> None:
    for command, shown in commands(block):
        code, text = shell(command)
        printed, expected = _lines(text), _lines("\n".join(shown))
        assert same(expected, printed), f"line {block.line}: $ {command}\nshown:\n{expected}\nprinted:\n{text}"
        failed = any(line.startswith("arctag: ") for line in expected)
        assert (code == 0) != failed, f"line {block.line}: $ {command}\nexit code {code}: {text}"


def run_sh(block: Block, shell: Shell) -> None:
    def unrolled(loop: re.Match[str]) -> str:
        return "".join(loop[3].replace(f"${loop[1]}", value) for value in loop[2].split())

    for command in _LOOP.sub(unrolled, block.text.replace("\\\n", " ")).splitlines():
        if command.strip() and not command.startswith("#"):
            code, text = shell(command.strip())
            assert code == 0, f"line {block.line}: {command}\nexit code {code}: {text}"


def run_python(block: Block, names: dict[str, Any], name: str) -> None:
    file = Path(f"{name}_{block.line}.py")  # a real file, which numba wants for its cache
    file.write_text(block.text, encoding="utf-8")
    lines = block.text.splitlines()
    for statement in ast.parse(block.text).body:
        printed = io.StringIO()
        with redirect_stdout(printed):
            exec(compile(ast.Module([statement], []), str(file.resolve()), "exec"), names)
        comment = lines[(statement.end_lineno or 1) - 1].encode()[statement.end_col_offset or 0 :].decode().strip()
        output = printed.getvalue().rstrip("\n")
        if comment.startswith("# ") and output and "\n" not in output:
            assert output == comment[2:], f"line {block.line + statement.lineno - 1}: prints {output!r}"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a page is run: the sample treebanks at their place, as in the project's root."""
    shutil.copytree(SAMPLES, tmp_path / "src" / "arctag" / "data")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    return tmp_path


@pytest.fixture
def tables() -> Iterator[None]:
    """A page may register things of its own; they go with it."""
    before = [dict(table) for table in TABLES]
    yield
    for table, saved in zip(TABLES, before, strict=True):
        table.clear()
        table.update(saved)


@pytest.mark.usefixtures("folder", "tables")
@pytest.mark.parametrize("page", RUN, ids=[page.name for page in RUN])
def test_readme_shows_what_happens(page: Path, run: Run) -> None:
    found = list(blocks(page))
    if not found:
        pytest.skip("nothing on this page is to be run")
    shell, names = Shell(run), {"__name__": "__main__"}
    for block in found:
        if block.kind == "console":
            run_console(block, shell)
        elif block.kind == "sh":
            run_sh(block, shell)
        else:
            run_python(block, names, page.stem)


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_readme_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#\s]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize(("page", "test"), ELSEWHERE.items(), ids=ELSEWHERE)
def test_readme_other_pages_have_their_test(page: str, test: str) -> None:
    assert page in (ROOT / test).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("shown", "printed", "equal"),
    [
        (["a", "…", "d"], ["a", "b", "c", "d"], True),
        (["a", "…"], ["a"], True),
        (["a", "…", "d"], ["a", "b"], False),
        (["a   b c"], ["a\tb c"], True),
        (["a b"], ["a\tb"], False),
        (["a  b"], ["a b"], False),
        ([], ["a"], False),
    ],
)
def test_readme_comparison(shown: list[str], printed: list[str], equal: bool) -> None:
    assert same(shown, printed) is equal
