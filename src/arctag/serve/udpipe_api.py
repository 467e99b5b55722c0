"""`/models` and `/process` as UDPipe's service has them, so that its clients can be pointed here.

There is no tagger: `tagger` is taken, for clients always send it, and the columns it would fill stay as they are.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse

from arctag.errors import InputError, UnknownName
from arctag.formats import conllu
from arctag.json_output import sentence_json
from arctag.parser import ParseOptions, Parser
from arctag.sentence import Sentence
from arctag.serve.batching import BatchedModel, Parsed, Skipped
from arctag.serve.forms import form_fields, url_fields
from arctag.serve.graph_text import read_graphs
from arctag.serve.limits import Limits
from arctag.serve.pipeline import parsed_slices, slices, text_sentences, token_sentences
from arctag.serve.service import Service, is_small, service_of

router = APIRouter()
Reader = Callable[[str, Parser, Limits], Iterator[Sentence]]
_NO_BREAK = "\N{NO-BREAK SPACE}"  # how UDPipe shows a space inside a word
_FIELDS = {
    "data": "The text, or the sentences in the format that `input` names.",
    "model": "One of those that `/models` lists, or how its name begins; else the default one.",
    "tokenizer": "If given, `data` is running text; `presegmented` if each line of it is a sentence.",
    "tagger": "Taken, and without effect: there is no tagger.",
    "parser": "If given, sentences are parsed: DEPS, and HEAD and DEPREL if the model knows trees, are new.",
    "input": "conllu (unless said), horizontal, vertical, or generic_tokenizer for running text.",
    "output": "conllu (unless said), horizontal, vertical, plaintext or json.",
}
_SCHEMA = {
    "type": "object",
    "properties": {name: {"type": "string", "description": about} for name, about in _FIELDS.items()},
    "required": ["data"],
}
_QUERY = {
    "parameters": [
        {"name": name, "in": "query", "required": name == "data", "schema": {"type": "string"}, "description": about}
        for name, about in _FIELDS.items()
    ]
}
_FORM = {
    "requestBody": {
        "required": True,
        "content": {kind: {"schema": _SCHEMA} for kind in ("application/x-www-form-urlencoded", "multipart/form-data")},
    }
}


@router.get("/models")
async def models(request: Request) -> dict[str, Any]:
    """The models and what each can do, as UDPipe's clients want it."""
    service = service_of(request)
    able = {
        name: ["tokenizer", "parser"] if model.parser.tokenizer is not None else ["parser"]
        for name, model in service.models.items()
    }
    return {"models": able, "default_model": service.default}


@router.get("/process", openapi_extra=_QUERY)
async def process_query(request: Request) -> JSONResponse:
    """Tokenise and parse, as UDPipe's clients ask for it; the fields stand in the URL."""
    return await _process(request, url_fields(request.url.query.encode()))


@router.post("/process", openapi_extra=_FORM)
async def process_form(request: Request) -> JSONResponse:
    """Tokenise and parse, as UDPipe's clients ask for it; the fields stand in a form."""
    kind = request.headers.get("content-type", "")
    fields = await service_of(request).compute(is_small(request), form_fields, kind, await request.body())
    return await _process(request, {**url_fields(request.url.query.encode()), **fields})


async def _process(request: Request, fields: dict[str, str]) -> JSONResponse:
    service = service_of(request)
    if "data" not in fields:
        raise InputError("the parameter 'data' is required")
    model = _model(service, fields.get("model"))
    render = _named(OUTPUTS, "output", fields.get("output", "conllu"))
    sentences = _sentences(fields, model.parser, service.limits)
    if "parser" in fields:  # as with UDPipe, the tree too is a new one, whatever the columns held
        found = parsed_slices(request, service, model, sentences, ParseOptions(tree=True))
    else:
        found = slices(request, service, sentences)
    texts = [await service.compute(is_small(request), _rendered, some, render) async for some in found]
    return JSONResponse({"model": model.name, "acknowledgements": [], "result": "".join(texts)})


def _model(service: Service, name: str | None) -> BatchedModel:
    """A model by name or, as with UDPipe, by how its name begins."""
    if name and name not in service.models:
        name = next((known for known in service.models if known.startswith(f"{name}-")), name)
    return service.model(name or None)


def _named(table: dict[str, Any], kind: str, name: str) -> Any:
    """An entry by its name; options behind '=' are taken, for clients send them, and make no difference here."""
    name = name.partition("=")[0]
    if name not in table:
        raise UnknownName(f"{kind} format", name, table)
    return table[name]


def _sentences(fields: dict[str, str], parser: Parser, limits: Limits) -> Iterator[Sentence]:
    """The sentences of a request."""
    if "tokenizer" in fields:
        return text_sentences(parser, fields["data"], _layout(fields["tokenizer"]))
    read: Reader = _named(INPUTS, "input", fields.get("input", "conllu"))
    return read(fields["data"], parser, limits)


def _layout(options: str) -> str:
    """What lines mean, from the options of UDPipe's tokenizer."""
    given = {option.partition("=")[0] for option in options.split(";")} - {"", "normalized_spaces"}
    if given - {"presegmented"}:
        raise InputError(f"unknown tokenizer option {min(given - {'presegmented'})!r}; known: presegmented")
    return "sentences" if given else "paragraphs"


def _read_conllu(data: str, _: Parser, limits: Limits) -> Iterator[Sentence]:
    return read_graphs(data, "data", limits, "conllu")


def _read_text(data: str, parser: Parser, _: Limits) -> Iterator[Sentence]:
    return text_sentences(parser, data, "paragraphs")


def _read_horizontal(data: str, _: Parser, limits: Limits) -> Iterator[Sentence]:
    lines = (line.split(" ") for line in data.replace("\t", " ").splitlines())
    words = ([word.replace(_NO_BREAK, " ") for word in line if word] for line in lines)
    return token_sentences(filter(None, words), limits)


def _read_vertical(data: str, _: Parser, limits: Limits) -> Iterator[Sentence]:
    return token_sentences(_vertical_sentences(data), limits)


def _vertical_sentences(data: str) -> Iterator[list[str]]:
    words: list[str] = []
    for line in [*data.splitlines(), ""]:
        if word := line.split("\t")[0].strip():
            words.append(word)
        elif words:
            yield words
            words = []


def _rendered(found: Parsed, render: Callable[[Sentence], str]) -> str:
    texts = []
    for sentence in found:
        if isinstance(sentence, Skipped):
            raise InputError(f"{sentence.id}: {sentence.why}")
        texts.append(render(sentence))
    return "".join(texts)


def _as_horizontal(sentence: Sentence) -> str:
    return " ".join(word.replace(" ", _NO_BREAK) for word in sentence.words) + "\n"


def _as_vertical(sentence: Sentence) -> str:
    return "".join(f"{word}\n" for word in sentence.words) + "\n"


def _as_plain(sentence: Sentence) -> str:
    return sentence.text + "\n"


def _as_json(sentence: Sentence) -> str:
    return json.dumps(sentence_json(sentence), ensure_ascii=False) + "\n"


INPUTS: dict[str, Reader] = {
    "conllu": _read_conllu,
    "horizontal": _read_horizontal,
    "vertical": _read_vertical,
    "generic_tokenizer": _read_text,
}
OUTPUTS: dict[str, Callable[[Sentence], str]] = {
    "conllu": conllu.text,
    "horizontal": _as_horizontal,
    "vertical": _as_vertical,
    "plaintext": _as_plain,
    "json": _as_json,
}
