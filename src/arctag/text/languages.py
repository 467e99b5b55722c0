"""Languages by their codes, and which one a model's name stands for."""

from __future__ import annotations

import re

_NAMES = """
af Afrikaans|am Amharic|ar Arabic|be Belarusian|bg Bulgarian|br Breton|ca Catalan|cs Czech|cu Old Church Slavonic|
cy Welsh|da Danish|de German|el Greek|en English|es Spanish|et Estonian|eu Basque|fa Persian|fi Finnish|fo Faroese|
fr French|ga Irish|gd Scottish Gaelic|gl Galician|gv Manx|he Hebrew|hi Hindi|hr Croatian|hu Hungarian|hy Armenian|
id Indonesian|is Icelandic|it Italian|ja Japanese|ka Georgian|kk Kazakh|ko Korean|la Latin|lt Lithuanian|lv Latvian|
mr Marathi|mt Maltese|nl Dutch|no Norwegian|pl Polish|pt Portuguese|ro Romanian|ru Russian|sa Sanskrit|sk Slovak|
sl Slovenian|sr Serbian|sv Swedish|ta Tamil|te Telugu|th Thai|tr Turkish|ug Uyghur|uk Ukrainian|ur Urdu|vi Vietnamese|
wo Wolof|zh Chinese
"""
NAMES: dict[str, str] = dict(entry.strip().split(" ", 1) for entry in _NAMES.split("|"))
"""Code → name in English."""
_CODES = {name.casefold().replace(" ", "_"): code for code, name in NAMES.items()}
_THREE = {"eng": "en", "deu": "de", "fra": "fr", "spa": "es", "ita": "it", "ces": "cs", "nld": "nl", "por": "pt"}
_END = re.compile(r"[-._](?=[a-z0-9])")


def language_of(name: str) -> str | None:
    """The code of the language that a model's name begins with (`en`, `english-ewt`, `eng_gum`), if it does."""
    lower = name.casefold()
    for beginning in (lower, _END.split(lower, maxsplit=1)[0], lower.split("-", 1)[0]):
        if code := beginning if beginning in NAMES else _CODES.get(beginning) or _THREE.get(beginning):
            return code
    return None


def title_of(name: str) -> str:
    """What people call a model: `English` for en, `en-small (English)`; its own name if it names no language."""
    code = language_of(name)
    if code is None:
        return name
    return NAMES[code] if name.casefold() in (code, NAMES[code].casefold()) else f"{name} ({NAMES[code]})"
