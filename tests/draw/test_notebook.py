"""Sentences, graphs and comparisons draw themselves in notebooks."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from arctag import Graph, Sentence, read
from arctag.draw import picture
from arctag.errors import AlignmentError, InputError

_SVG = "{http://www.w3.org/2000/svg}"


def element(html: str) -> ET.Element:
    """The picture inside what a notebook shows."""
    found = ET.fromstring(html).find(f"{_SVG}svg")
    assert found is not None
    return found


def kinds(html: str) -> set[str]:
    return {name for part in element(html).iter(f"{_SVG}g") for name in part.get("class", "").split()}


def test_notebook_sentence_shows_what_the_tree_lacks(sample: Path) -> None:
    cat = list(read(sample))[3]
    assert {"shared", "further"} <= kinds(cat._repr_html_())
    assert "arcs" in repr(cat)


def test_notebook_sentence_without_a_graph_shows_its_tree(sample: Path) -> None:
    cat = list(read(sample))[3]
    assert len(list(element(cat.with_graph(Graph(7))._repr_html_()).iterfind(f".//{_SVG}path"))) > 7


def test_notebook_further_graph_is_below(sample: Path) -> None:
    cat = list(read(sample))[3].with_layers({"dm": Graph(7, [(6, 2, "ARG1")])})
    assert "under" in kinds(cat._repr_html_())
    only = picture(cat, layer="dm")
    assert "ARG1" in only.svg
    assert "nsubj" not in only.svg
    assert "nsubj" in picture(cat, layer="graph").svg


def test_notebook_long_sentences_are_wrapped() -> None:
    words = ["internationalisation"] * 60
    shown = element(Sentence.from_words(words, Graph(60, [(i, i + 1, "next") for i in range(60)]))._repr_html_())
    assert float(shown.get("width", "")) < 1000
    assert float(shown.get("height", "")) > 400
    assert "too long" in Sentence.from_words(["a"] * 401)._repr_html_()


def test_notebook_graph_has_the_numbers_of_words() -> None:
    shown = element(Graph(3, [(0, 2, "root"), (2, 1, "a"), (2, 3, "b")])._repr_html_())
    texts = {text.text for text in shown.iter(f"{_SVG}text")}
    assert {"1", "2", "3", "root", "a", "b"} <= texts
    assert element(Graph(0)._repr_html_()) is not None


def test_notebook_damaged_sentence_says_so(tmp_path: Path) -> None:
    file = tmp_path / "bad.conllu"
    file.write_text("1\t<b>\n\n")
    (sentence,) = read(file, on_error=lambda _: None)
    assert sentence._repr_html_().startswith("<pre>")
    assert "<b>" not in sentence._repr_html_()


def test_notebook_comparison_is_a_picture_that_can_be_saved(sample: Path, tmp_path: Path) -> None:
    cat = list(read(sample))[3]
    made = picture(cat.with_graph(Graph(7, [(2, 1, "det"), (0, 2, "root")])), against=cat)
    assert {"correct", "missing", "extra"} <= kinds(made._repr_html_())
    assert repr(made) == "<Picture of sample-04>"
    made.save(tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_text(encoding="utf-8") == made.svg
    with pytest.raises(InputError, match=r"a\.png: a picture is saved as \.svg"):
        made.save(tmp_path / "a.png")
    with pytest.raises(AlignmentError):
        picture(cat, against=Sentence.from_words(["Go"]))


def test_notebook_pictures_say_what_they_take(sample: Path) -> None:
    cat = list(read(sample))[3]
    with pytest.raises(InputError, match=r"unknown layer of this sentence 'dm'\. Known: feats, graph"):
        picture(cat, layer="dm")
    with pytest.raises(InputError, match=r"unknown option of pictures 'color'\. Did you mean 'colours'"):
        picture(cat, color="tree")
    with pytest.raises(InputError, match="one sentence"):
        picture([cat])  # type: ignore[arg-type]


def test_notebook_nothing_heavy_is_imported_before_a_picture_is_shown() -> None:
    check = "import sys, arctag; print({'arctag.draw', 'IPython', 'rich', 'torch'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
