from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from arctag.draw import svg
from arctag.draw.svg_marks import PLANE_STYLES
from arctag.draw.templates import template
from arctag.errors import UnknownName
from arctag.formats import read
from arctag.glossary import explain
from arctag.graph import Graph
from arctag.sentence import Sentence
from tests.draw.pictured import ALL, ARABIC, CYCLIC, ELLIPSIS, HOSTILE, SIMPLE, SVG, TAGGED, arcs, long_sentence, parsed
from tests.places import treebanks
from tests.steps import assert_linear
from tests.strategies import sentences


@pytest.mark.parametrize("sentence", ALL, ids=lambda sentence: sentence.id)
@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_svg_picture_is_well_formed_and_shows_every_word_and_arc(sentence: Sentence, direction: str) -> None:
    tree = parsed(svg(sentence, direction=direction))  # type: ignore[arg-type]
    names = ["0", *sentence.ids]
    expected = {(names[arc.head], names[arc.dependent]) for arc in sentence.graph}
    assert {(arc.get("data-head"), arc.get("data-dependent")) for arc in arcs(tree)} == expected
    assert len([g for g in tree.iter(f"{SVG}g") if "word" in g.get("class", "").split()]) == len(sentence.words)


@given(sentences())
def test_svg_picture_of_any_sentence_is_well_formed(sentence: Sentence) -> None:
    parsed(svg(sentence))


@pytest.mark.parametrize("name", treebanks(".conllu", ".sdp"))
def test_svg_picture_of_real_sentences_is_well_formed(name: str, shared: Path) -> None:
    for number, sentence in enumerate(read(shared / "data" / name)):
        if number == 15:
            break
        assert len(arcs(parsed(svg(sentence)))) == len(sentence.graph)


def test_svg_picture_is_accessible() -> None:
    tree = parsed(svg(SIMPLE))
    assert tree.get("role") == "img"
    assert [child.tag for child in tree][:2] == [f"{SVG}title", f"{SVG}desc"]
    assert tree.findtext(f"{SVG}desc") == "She wants to leave . (5 words, 6 arcs, 1 planes)"
    titles = {str(arc.findtext(f"{SVG}title")).partition("\n")[::2] for arc in arcs(tree)}
    assert ("leave → She: nsubj:xsubj", explain("nsubj:xsubj")) in titles
    assert ("root → wants: root", explain("root")) in titles
    word = next(group for group in parsed(svg(TAGGED)).iter(f"{SVG}g") if group.get("data-word") == "1")
    assert word.findtext(f"{SVG}title") == "They · they · PRON (pronoun)"


def test_svg_picture_shows_tags_and_lemmas() -> None:
    notes = [text for text in parsed(svg(TAGGED)).iter(f"{SVG}text") if "note" in text.get("class", "").split()]
    assert [(note.get("class"), note.text) for note in notes] == [
        ("note tag", "PRON"), ("note lemma", "they"), ("note lemma", "leave&go"), ("note tag", "VERY-LONG-TAG"),
        ("note lemma", "<do>\ufffd\ufffd[31m"),
    ]  # fmt: skip
    assert len({note.get("y") for note in notes}) == 2
    assert "note" not in svg(TAGGED, tags=False).split("</style>")[1]
    assert "note" not in svg(SIMPLE).split("</style>")[1]


def test_svg_picture_escapes_everything() -> None:
    picture = svg(HOSTILE)
    assert "<script" not in picture
    assert "<img" not in picture
    assert not re.search("[\x00-\x08\x0b-\x1f\u202e]", picture)
    texts = {text.text for text in parsed(picture).iter(f"{SVG}text")}
    assert {"<script>alert(1)</script>", '"q"', "a&b", "x\ufffd\ufffd[31my", "${name}", '<b>&"'} <= texts


def test_svg_picture_stays_inside_its_box() -> None:
    for sentence in ALL:
        tree = parsed(svg(sentence))
        width, height = float(tree.get("width", "")), float(tree.get("height", ""))
        assert tree.get("viewBox") == f"0 0 {tree.get('width')} {tree.get('height')}"
        for rect in tree.iter(f"{SVG}rect"):
            assert float(rect.get("x", "0")) + float(rect.get("width", "")) <= width
            assert -height <= float(rect.get("y", "0"))


def test_svg_picture_marks_empty_nodes_and_isolated_words() -> None:
    picture = svg(ELLIPSIS)
    assert 'class="word empty" data-word="1.1"' in picture
    assert ">1.1</text>" in picture
    assert 'class="word isolated"' in svg(Sentence.from_words(["a"]))


def test_svg_picture_mirrors_for_right_to_left() -> None:
    def places(direction: str) -> list[float]:
        tree = parsed(svg(ARABIC, direction=direction))  # type: ignore[arg-type]
        groups = [g for g in tree.iter(f"{SVG}g") if "word" in g.get("class", "")]
        return [float(text.get("x", "")) for g in groups for text in g.iter(f"{SVG}text")]

    assert places("ltr") == sorted(places("ltr"))
    assert places("rtl") == sorted(places("rtl"), reverse=True)
    with pytest.raises(UnknownName, match="unknown direction"):
        svg(ARABIC, direction="up")  # type: ignore[arg-type]


def test_svg_picture_gives_each_plane_a_style_and_a_legend() -> None:
    planes = list(range(len(CYCLIC.graph)))
    picture = svg(CYCLIC, planes=planes)
    assert f"plane {len(planes)}<" in picture
    assert f"plane-{PLANE_STYLES + 1}" not in picture
    assert ">plane 1<" not in svg(SIMPLE)


def test_svg_picture_style_sheet_has_the_colours_of_the_paper_and_dashes_for_all_other_planes() -> None:
    css = template("picture.css")
    light, dark = css.split("@media (prefers-color-scheme: dark)")
    for plane, colour in enumerate(["#0000ff", "#e62020", "#018e42"], start=1):
        assert re.search(rf"\.plane-{plane} \.line.*stroke: {colour};", light)
    dashes = re.findall(r"\.plane-\d \.line.*stroke-dasharray: ([^;]*);", light)
    assert len(set(dashes)) == PLANE_STYLES - 1
    assert all(f".plane-{plane + 1} .line" in dark for plane in range(PLANE_STYLES))


def test_svg_picture_against_gold_uses_three_styles_and_a_legend() -> None:
    predicted = SIMPLE.with_graph(
        Graph(5, [(0, 2, "root"), (2, 1, "obj"), (4, 3, "mark"), (2, 4, "xcomp"), (4, 5, "punct")])
    )
    tree = parsed(svg(predicted, against=SIMPLE))
    kinds = {(a.get("data-head"), a.get("data-dependent")): a.get("class") for a in arcs(tree)}
    assert kinds["2", "1"] == "arc relabelled"
    assert kinds["4", "1"] == kinds["2", "5"] == "arc missing"
    assert kinds["4", "5"] == "arc extra"
    assert kinds["0", "2"] == "arc correct"
    texts = [text.text for text in tree.iter(f"{SVG}text")]
    assert {"correct", "missing: only in gold", "extra: only predicted", "−nsubj +obj", "+punct"} <= set(texts)


def test_svg_picture_work_grows_with_the_words() -> None:
    assert_linear(lambda n: lambda: svg(long_sentence(n)), 150)
    assert len(arcs(parsed(svg(long_sentence(5000))))) == 9999


LOOKS: list[dict[str, Any]] = [
    {"wrap": 300}, {"wrap": 300, "direction": "rtl"}, {"vertical": True}, {"vertical": True, "compact": True},
    {"compact": True, "punctuation": False}, {"colours": "tree"}, {"below": "further"},
    {"below": "further", "wrap": 260}, {"below": "further", "vertical": True},
]  # fmt: skip


@pytest.mark.parametrize("options", LOOKS, ids=lambda options: " ".join(options))
@pytest.mark.parametrize("sentence", ALL, ids=lambda sentence: sentence.id)
def test_svg_picture_has_many_looks(sentence: Sentence, options: dict[str, Any]) -> None:
    layered = sentence.with_layers({"further": Graph(sentence.size, [(0, 1, "<top>"), (1, 1, "self")])})
    tree = parsed(svg(layered, **options))
    width = float(tree.get("width", ""))
    for rect in tree.iter(f"{SVG}rect"):
        assert float(rect.get("x", "0")) >= -0.1
        assert float(rect.get("x", "0")) + float(rect.get("width", "")) <= width
    assert "<script" not in svg(layered, **options)
    words = {group.get("data-word") for group in tree.iter(f"{SVG}g") if "word" in group.get("class", "").split()}
    assert words == set(sentence.ids) or options.get("punctuation") is False


def test_svg_picture_wraps_into_lines() -> None:
    wide, wrapped = (parsed(svg(long_sentence(60), wrap=wrap)) for wrap in (None, 800))
    assert float(wide.get("width", "")) > 3000
    assert float(wrapped.get("width", "")) <= 800 + 24
    assert float(wrapped.get("height", "")) > float(wide.get("height", ""))
    parts = [(arc.get("data-head"), arc.get("data-dependent")) for arc in arcs(wrapped)]
    assert len(parts) > len(set(parts)) == len(arcs(wide))
    tips = [arc for arc in arcs(wrapped) if arc.find(f"{SVG}path[@class='tip']") is not None]
    assert len(tips) == len(set(parts))  # an arc ends once


def test_svg_picture_vertical_names_heads() -> None:
    texts = [text.text for text in parsed(svg(SIMPLE, vertical=True)).iter(f"{SVG}text")]
    assert {"nsubj ← wants", "nsubj:xsubj ← leave", "root"} <= set(texts)
    assert len(arcs(parsed(svg(SIMPLE, vertical=True)))) == 5 + 6  # brackets, and relations beside the words
