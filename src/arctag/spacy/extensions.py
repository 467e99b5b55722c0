"""What a doc, a span and a token can say about the graph: `doc._.graph`, `token._.heads` …"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arctag.errors import InputError
from arctag.spacy.doc_graph import DocGraph
from arctag.spacy.storage import read

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token


def doc_graph(doc: Doc) -> DocGraph | None:
    """The graph of a doc; none if it was not parsed."""
    reading = read(doc)
    return None if reading is None else DocGraph(doc, reading, 0, len(doc))


def span_graph(span: Span) -> DocGraph | None:
    """The graph of a sentence, or of any span: the arcs that do not leave it."""
    reading = read(span.doc)
    return None if reading is None else DocGraph(span.doc, reading, span.start, span.end)


def token_heads(token: Token) -> list[tuple[Token | None, str]]:
    """The heads of a token, each with a relation; the root is None."""
    doc, reading = token.doc, read(token.doc)
    arcs = reading.into.get(token.i, ()) if reading else ()
    return [(None if arc.head is None else doc[arc.head], relation) for arc in arcs for relation in arc.relations]


def token_dependents(token: Token) -> list[tuple[Token, str]]:
    """The tokens whose head this one is, each with a relation."""
    doc, reading = token.doc, read(token.doc)
    arcs = reading.out_of.get(token.i, ()) if reading else ()
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
    """Make the extensions known to spaCy; the component does so itself.

    To be called where docs that were parsed elsewhere are read without a pipeline.
    """
    from spacy.tokens import Doc, Span, Token

    owners: dict[str, type[Doc] | type[Span] | type[Token]] = {"doc": Doc, "span": Span, "token": Token}
    for kind, owner in owners.items():
        for name, getter in GETTERS[kind].items():
            if not owner.has_extension(name):
                owner.set_extension(name, getter=getter)
            elif owner.get_extension(name)[2] is not getter:
                raise InputError(
                    f"{kind}._.{name} is taken by another extension: take that away with "
                    f"{owner.__name__}.remove_extension({name!r}) before arctag is added"
                )
