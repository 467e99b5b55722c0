"""Many sentences as one web page that needs nothing else: no network, no other file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from string import Template
from typing import Any

from arctag.draw.compared import MEANINGS
from arctag.draw.look import Look
from arctag.draw.measure import xml_text
from arctag.draw.scene import Scene, make_scene
from arctag.draw.svg_picture import svg_element
from arctag.draw.templates import template
from arctag.sentence import Sentence

Pair = tuple[Sentence, Sentence | None]


def html(
    sentences: Sentence | Iterable[Sentence],
    *,
    against: Sentence | Iterable[Sentence] | None = None,
    title: str = "Dependency graphs",
    **options: Any,
) -> str:
    """A page with a section for each sentence; the further options are those of `svg`."""
    predicted = [sentences] if isinstance(sentences, Sentence) else list(sentences)
    if against is None:
        pairs: list[Pair] = [(sentence, None) for sentence in predicted]
    else:
        gold = [against] if isinstance(against, Sentence) else list(against)
        pairs = list(zip(predicted, gold, strict=True))
    return "".join(html_parts(pairs, title=title, **options))


def html_parts(pairs: Iterable[Pair], *, title: str = "Dependency graphs", **options: Any) -> Iterator[str]:
    """The page in parts, from (sentence, gold or None) pairs; a long file is never in memory as a whole."""
    look = Look(**options)
    return _parts(pairs, title, look)


def _parts(pairs: Iterable[Pair], title: str, look: Look) -> Iterator[str]:
    yield _filled(
        "page_head.html",
        title=xml_text(title),
        picture_css=template("picture.css"),
        page_css=template("page.css"),
    )
    totals: Counter[str] = Counter()
    number, compared = 0, False
    for number, (sentence, gold) in enumerate(pairs, start=1):
        scene = make_scene(sentence, gold, look=look)
        totals.update(scene.counts)
        compared = compared or scene.compared
        yield _section(scene, number, look)
    yield _filled("page_foot.html", footer=_footer(number, totals, compared), page_js=template("page.js"))


def _section(scene: Scene, number: int, look: Look) -> str:
    return _filled(
        "page_section.html",
        number=str(number),
        name=xml_text(scene.name),
        text=xml_text(scene.text),
        direction=look.direction,
        picture=svg_element(scene, look),
        counts=f'<p class="counts">{_counts(scene.counts)}</p>\n' if scene.compared else "",
    )


def _footer(sentences: int, totals: Counter[str], compared: bool) -> str:
    noun = "sentence" if sentences == 1 else "sentences"
    return f"{sentences} {noun}" + (f": {_counts(totals)}" if compared else "")


def _counts(counts: Counter[str]) -> str:
    return " · ".join(f"{counts[kind]} {kind}" for kind in MEANINGS)


def _filled(file: str, /, **values: str) -> str:
    """A template with its blanks filled; `values` must be escaped already."""
    return Template(template(file)).substitute(values)
