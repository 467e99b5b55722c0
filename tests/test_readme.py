"""README.md and the pages in docs/ show what really happens: their examples are run (see `tests/documents.py`)."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.documents import code_blocks, run_page, same
from tests.places import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
ELSEWHERE = {
    "arrow.md": "tests/arrow/test_docs.py",
    "scale.md": "tests/arrow/test_engines.py",
    "serve.md": "tests/serve/test_docs.py",
    "spacy.md": "tests/spacy/test_spacy.py",
}
"""Pages that need a server, or a package that may be missing: their tests run them."""
RUN = [page for page in PAGES if page.name not in ELSEWHERE]


@pytest.mark.parametrize("page", RUN, ids=[page.name for page in RUN])
def test_readme_shows_what_happens(page: Path, run: Run, examples_folder: Path) -> None:
    for example in (ROOT / "docs" / "pictures").glob("*.conllu*"):
        shutil.copy(example, examples_folder)
    if not run_page(page, run):
        pytest.skip("nothing on this page is to be run")


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_readme_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#\s]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_readme_is_one_page() -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 120, "what is longer belongs in docs/"


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


WRONG = {
    "output": "```console\n$ echo yes\nno\n```\n",
    "exit code": "```console\n$ cat absent\ncat: absent: No such file or directory\n```\n",
    "command": "```sh\ncat absent\n```\n",
    "comment": "```python\nprint(1)  # 2\n```\n",
    "assertion": "```python\nassert False\n```\n",
}


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_readme_wrong_examples_are_noticed(text: str, run: Run, examples_folder: Path) -> None:
    page = examples_folder / "page.md"
    page.write_text(text, encoding="utf-8")
    with pytest.raises(AssertionError):
        run_page(page, run)
    page.write_text(f'<!-- skip: next "it is wrong" -->\n{text}', encoding="utf-8")
    assert run_page(page, run) == 0


def test_readme_blocks_that_are_skipped_are_not_listed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        '```python\na\n```\n\n<!-- skip: next "b" -->\n```sh\nb\n```\n\n```python\nc\n```\n', encoding="utf-8"
    )
    assert code_blocks(page, "python") == ["a\n", "c\n"]
