"""Runs the examples of a document. Sybil finds the code blocks and runs them in order, in one namespace.

- console: lines that begin with `$ ` are commands (a line that ends in `\\` continues on the next), the rest is what
  they print. A line `…` stands for any lines. Where a command prints tabs, two or more spaces may stand for each, so
  that columns line up.
- sh: commands whose output is not shown.
- python: a comment behind `print(…)` is what it prints, if that is one line. A block whose first line is the name of a
  file (`# neighbours.py`) is written to that file.

A block of another kind is not run, nor is one below `<!-- skip: next "reason" -->`, or below
`<!-- skip: next if(not installed("package"), reason="…") -->` where the package is not there.
"""

from __future__ import annotations

import ast
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout, suppress
from importlib.util import find_spec
from pathlib import Path
from unittest import SkipTest

from sybil import Document, Example
from sybil.parsers.markdown import CodeBlockParser, SkipParser
from sybil.typing import Evaluator

from tests.conftest import Run
from tests.patience import HANGS

_PROGRAMS = {"cat", "echo", "cmp", "cp", "cut", "diff", "grep", "gzip", "head", "ls", "mkdir", "rm", "sed", "sort",
             "tail", "wc"}  # fmt: skip
_REDIRECTED = re.compile(r"(.*) > ([^\s'\"]+)\s*")
_FILE = re.compile(r"# (\w+\.py)\n")


def run_page(page: Path, run: Run) -> int:
    """Run the examples of a page in the current folder; their number."""
    shell = Shell(run)
    return evaluate(page, {"console": shell.console, "sh": shell.sh, "python": python})


def code_blocks(page: Path, language: str) -> list[str]:
    """The code blocks of a page that are to be run."""
    blocks: list[str] = []
    evaluate(page, {language: lambda example: blocks.append(str(example.parsed))})
    return blocks


def evaluate(page: Path, evaluators: dict[str, Evaluator]) -> int:
    """Give each example to the evaluator of its language; their number."""
    every = {"console": _nothing, "sh": _nothing, "python": _nothing, **evaluators}
    parsers = [CodeBlockParser(language, evaluator) for language, evaluator in every.items()]
    document = Document.parse(str(page), *parsers, SkipParser())
    document.namespace["__name__"] = "__main__"
    document.namespace["installed"] = lambda name: find_spec(name) is not None
    count = 0
    for example in document:
        with suppress(SkipTest):
            example.evaluate()
            count += isinstance(example.parsed, str)  # and not a comment that skips the next one
    return count


def _nothing(_: Example) -> None:
    pass


def python(example: Example) -> str | None:
    """Run a block of Python, statement by statement, or write it to a file."""
    if match := _FILE.match(example.parsed):
        Path(match[1]).write_text(example.parsed, encoding="utf-8")
        return None
    file = Path(f"{Path(example.path).stem}_{example.line}.py")  # a real file, which numba wants for its cache
    file.write_text(example.parsed, encoding="utf-8")
    lines = example.parsed.splitlines()
    for statement in ast.parse(example.parsed).body:
        printed = io.StringIO()
        with redirect_stdout(printed):
            exec(compile(ast.Module([statement], []), str(file.resolve()), "exec"), example.namespace)
        comment = lines[(statement.end_lineno or 1) - 1].encode()[statement.end_col_offset or 0 :].decode().strip()
        output = printed.getvalue().rstrip("\n")
        if comment.startswith("# ") and output and "\n" not in output and output != comment[2:]:
            return f"line {example.line + statement.lineno} prints {output!r}"
    return None


class Shell:
    """Runs commands with pipes and redirection; `arctag` is run in this process."""

    def __init__(self, run: Run) -> None:
        self.run = run

    def console(self, example: Example) -> str | None:
        """Run commands, and compare what they print."""
        for command, shown in _commands(example.parsed):
            code, text = self(command)
            printed, expected = _lines(text), _lines("\n".join(shown))
            if not same(expected, printed):
                return f"$ {command}\nshown:\n{expected}\nprinted:\n{text}"
            failed = any(line.startswith("arctag: ") for line in expected)
            if (code == 0) == failed:
                return f"$ {command}\nexit code {code}: {text}"
        return None

    def sh(self, example: Example) -> str | None:
        """Run commands, which must succeed."""
        for command in example.parsed.replace("\\\n", " ").splitlines():
            if command.strip() and not command.startswith("#"):
                code, text = self(command.strip())
                if code:
                    return f"{command}\nexit code {code}: {text}"
        return None

    def __call__(self, command: str) -> tuple[int, str]:
        """The exit code of a command, and all it prints."""
        redirected = _REDIRECTED.fullmatch(command)
        command, target = redirected.groups() if redirected else (command, "")
        code, data, errors = 0, b"", ""
        for part in _split(command, "|"):
            code, data, error = self._one(part, data)
            errors += error
        if target:
            Path(target).write_bytes(data)
            data = b""
        return code, data.decode("utf-8") + errors

    def _one(self, words: list[str], data: bytes) -> tuple[int, bytes, str]:
        if words[0] == "arctag":
            result = self.run(*words[1:], stdin=data)
            return result.code, result.out, result.err
        if words[0] == "python":
            words = [sys.executable, *words[1:]]
        else:
            assert words[0] in _PROGRAMS, f'cannot run {words[0]!r}: put `<!-- skip: next "reason" -->` above its block'
        path = os.pathsep.join([".", *filter(None, [os.environ.get("PYTHONPATH")])])
        environment = {**os.environ, "PYTHONPATH": path}
        done = subprocess.run(words, input=data, capture_output=True, timeout=HANGS, env=environment)
        return done.returncode, done.stdout, done.stderr.decode("utf-8")


def _commands(text: str) -> Iterator[tuple[str, list[str]]]:
    """Each command of a console block, with the lines it prints."""
    first, *others = re.split(r"^\$ ", text.replace("\\\n", " "), flags=re.MULTILINE)
    assert not first, "a console block begins with '$ '"
    for other in others:
        command, *shown = other.splitlines()
        yield command, shown


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
