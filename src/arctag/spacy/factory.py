"""What spaCy calls for `nlp.add_pipe("arctag")`.

The annotations are types, not strings (no `from __future__`): spaCy checks a pipeline's config against them.
"""

from functools import cache
from typing import Any

from arctag.errors import MissingExtra
from arctag.spacy.component import ArctagComponent
from arctag.spacy.extensions import assigned

NAME = "arctag"
DEFAULTS: dict[str, Any] = {
    "model": "en",
    "ensure": None,
    "batch_tokens": 8192,
    "threshold": None,
    "probabilities": True,
    "annotate": False,
    "set_sents": False,
    "device": None,
}


def make_component(
    nlp: Any,  # noqa: ARG001  # spaCy gives it to every factory
    name: str,
    model: str,
    ensure: list[str] | None,
    batch_tokens: int,
    threshold: float | None,
    probabilities: bool,
    annotate: bool | list[str],
    set_sents: bool,
    device: str | None,
) -> ArctagComponent:
    """The component of a pipeline, from its config; the model is loaded when it is first needed."""
    from arctag.parsing.parser import ParseOptions

    options = ParseOptions(
        batch_tokens=batch_tokens,
        ensure=None if ensure is None else tuple(ensure),
        probabilities=probabilities,
        threshold=threshold,
    )
    return ArctagComponent(name, model, options, annotate=annotate, set_sents=set_sents, device=device)


@cache
def registered() -> Any:
    """`make_component`, registered with spaCy under its name."""
    try:
        from spacy.language import Language
    except ImportError as error:
        raise MissingExtra("The spaCy component", "spacy") from error
    Language.factory(NAME, default_config=DEFAULTS, assigns=assigned(), func=make_component)
    return make_component
