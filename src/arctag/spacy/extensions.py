"""The extension attributes of docs, spans and tokens: `doc._.graph`, `token._.heads` …"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arctag.errors import InputError
from arctag.spacy.doc_graph import DocGraph
from arctag.spacy.storage import read

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token


def doc_graph(doc: Doc) -> DocGraph | None:
    """The graph of a doc; none if it was not parsed."""
    stored = read(doc)
    return None if stored is None else DocGraph(doc, stored, 0, len(doc))


def span_graph(span: Span) -> DocGraph | None:
    """The graph of a sentence, or of any span: the arcs that do not leave it."""
    stored = read(span.doc)
    return None if stored is None else DocGraph(span.doc, stored, span.start, span.end)


def token_heads(token: Token) -> list[tuple[Token | None, str]]:
    """The heads of a token, each with a relation; the root is None."""
    doc, stored = token.doc, read(token.doc)
    arcs = stored.into.get(token.i, ()) if stored else ()
    return [(None if arc.head is None else doc[arc.head], relation) for arc in arcs for relation in arc.relations]


def token_dependents(token: Token) -> list[tuple[Token, str]]:
    """The dependents of a token, each with a relation."""
    doc, stored = token.doc, read(token.doc)
    arcs = stored.out_of.get(token.i, ()) if stored else ()
    return [(doc[arc.dependent], relation) for arc in arcs for relation in arc.relations]


def token_relations(token: Token) -> list[str]:
    """The relations of a token to its heads."""
    return [relation for _, relation in token_heads(token)]


GETTERS: dict[str, dict[str, Any]] = {
    "doc": {"graph": doc_graph},
    "span": {"graph": span_graph},
    "token": {"heads": token_heads, "dependents": token_dependents, "graph_relations": token_relations},
}


def assigned() -> list[str]:
    """The extensions as spaCy's `analyze_pipes` writes them."""
    return [f"{kind}._.{name}" for kind, getters in GETTERS.items() for name in getters]


def set_extensions() -> None:
    """Register the extensions with spaCy; the component does so itself.

    Needed where docs that were parsed elsewhere are read without a pipeline.
    """
    from spacy.tokens import Doc, Span, Token

    owners: dict[str, type[Doc] | type[Span] | type[Token]] = {"doc": Doc, "span": Span, "token": Token}
    for kind, owner in owners.items():
        for name, getter in GETTERS[kind].items():
            if not owner.has_extension(name):
                owner.set_extension(name, getter=getter)
            elif owner.get_extension(name)[2] is not getter:
                raise InputError(
                    f"{kind}._.{name} is used by another extension: remove it with "
                    f"{owner.__name__}.remove_extension({name!r}) before arctag is added"
                )
