"""`/models` and `/process` as in UDPipe's service, so that its clients can use this one.

`tagger` predicts tags, features and lemmas, `parser` the tree and the graph, as far as the model has these layers. A
model without tags accepts `tagger`, since clients always send it, and the columns it would fill stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse

from arctag.errors import InputError, UnknownName
from arctag.formats.conllu import CONLLU
from arctag.formats.json_lines import JSON
from arctag.parsing.parser import ParseOptions, Parser
from arctag.sentence import Sentence
from arctag.serve.answers import UdpipeAnswer, UdpipeModelsAnswer
from arctag.serve.limits import Limits
from arctag.serve.models.batching import BatchedModel, Parsed, Skipped
from arctag.serve.requests.forms import form_fields, url_fields
from arctag.serve.requests.graph_text import read_graphs
from arctag.serve.requests.sentences import text_sentences, token_sentences
from arctag.serve.routes.chunks import chunks, parsed_chunks
from arctag.serve.routes.token_ranges import with_ranges
from arctag.serve.service import Service, service_of
from arctag.text.languages import language_of

router = APIRouter()
_TOKENIZER = ("presegmented", "ranges", "normalized_spaces", "normal", "default")
_LAYERS = {"tagger": ("upos", "xpos", "feats", "lemma"), "parser": ("tree", "graph")}
"""What UDPipe's components predict."""
_NO_BREAK = "\N{NO-BREAK SPACE}"  # how UDPipe writes a space inside a word
_FIELDS = {
    "data": "The text, or the sentences in the format that `input` names.",
    "model": "One of those that `/models` lists, the beginning of its name, or its language (`english`, "
    "`english-ewt`); by default the first.",
    "tokenizer": "If present, `data` is running text. Options, separated by `;`: presegmented (each line is a "
    "sentence), ranges (TokenRange in MISC); normalized_spaces, normal and default have no effect.",
    "tagger": "If present, tags, features and lemmas are predicted, those that the model has layers for.",
    "parser": "If present, sentences are parsed into DEPS, and into HEAD and DEPREL if the model predicts trees.",
    "input": "conllu (the default), horizontal, vertical, or generic_tokenizer for running text.",
    "output": "conllu (the default), horizontal, vertical, plaintext or json.",
}
_EXAMPLE = {"data": "She left.", "tokenizer": "", "parser": ""}
_SCHEMA = {
    "type": "object",
    "properties": {name: {"type": "string", "description": about} for name, about in _FIELDS.items()},
    "required": ["data"],
    "examples": [_EXAMPLE],
}
_QUERY = {
    "parameters": [
        {
            "name": name,
            "in": "query",
            "required": name == "data",
            "schema": {"type": "string"},
            "description": about,
            **({"example": _EXAMPLE[name]} if name in _EXAMPLE else {}),
        }
        for name, about in _FIELDS.items()
    ]
}
_FORM = {
    "requestBody": {
        "required": True,
        "content": {kind: {"schema": _SCHEMA} for kind in ("application/x-www-form-urlencoded", "multipart/form-data")},
    }
}


@dataclass(frozen=True)
class _Input:
    """The data of a request, the options of its format, and what else readers need."""

    data: str
    options: str
    parser: Parser
    limits: Limits


@router.get("/models", response_model=UdpipeModelsAnswer)
async def models(request: Request) -> dict[str, Any]:
    """The models and what each can do, as UDPipe's clients expect it."""
    return _models(service_of(request))


@router.post("/models", response_model=UdpipeModelsAnswer)
async def models_posted(request: Request) -> dict[str, Any]:
    """The same, for clients that always post; the body is ignored."""
    return _models(service_of(request))


def _models(service: Service) -> dict[str, Any]:
    return {
        "models": {name: _components(model.parser) for name, model in service.models.items()},
        "default_model": service.default,
    }


def _components(parser: Parser) -> list[str]:
    """What a model can do."""
    found = [component for component in _LAYERS if _layers(parser, [component])]
    return ["tokenizer", *found] if parser.tokenizer is not None else found


def _layers(parser: Parser, components: Container[str]) -> tuple[str, ...]:
    """The layers of a model that components predict."""
    wanted = [name for component, names in _LAYERS.items() if component in components for name in names]
    return tuple(name for name in wanted if name in parser.config.names)


@router.get("/process", openapi_extra=_QUERY, response_model=UdpipeAnswer)
async def process_query(request: Request) -> JSONResponse:
    """Tokenise, tag and parse, as UDPipe's clients ask for it, with the fields in the URL."""
    return await _process(request, url_fields(request.url.query.encode()))


@router.post("/process", openapi_extra=_FORM, response_model=UdpipeAnswer)
async def process_form(request: Request) -> JSONResponse:
    """Tokenise, tag and parse, as UDPipe's clients ask for it, with the fields in a form."""
    kind = request.headers.get("content-type", "")
    fields = await service_of(request).compute(request, form_fields, kind, await request.body())
    return await _process(request, {**url_fields(request.url.query.encode()), **fields})


async def _process(request: Request, fields: dict[str, str]) -> JSONResponse:
    service = service_of(request)
    if "data" not in fields:
        raise InputError("the parameter 'data' is required")
    model = _model(service, fields.get("model"))
    # options of formats are accepted, since clients send them; only the tokenizer's have an effect
    render = _named(OUTPUTS, "output", fields.get("output", "conllu").partition("=")[0])
    sentences = _sentences(fields, model.parser, service.limits)
    if layers := _layers(model.parser, fields):  # as with UDPipe, all is new, whatever the columns held
        done = parsed_chunks(request, service, model, sentences, ParseOptions(layers=layers))
    else:
        done = chunks(request, service, sentences)
    texts = [await service.compute(request, _rendered, chunk, render) async for chunk in done]
    return JSONResponse({"model": model.name, "acknowledgements": [], "result": "".join(texts)})


def _model(service: Service, name: str | None) -> BatchedModel:
    """A model by name or, as with UDPipe, by the beginning of its name, or by its language (`english-ewt`)."""
    if name and name not in service.models:
        begins = (known for known in service.models if known.startswith(f"{name}-"))
        language = language_of(name)
        speaks = (known for known in service.models if language is not None and language_of(known) == language)
        name = next(begins, None) or next(speaks, name)
    return service.model(name or None)


def _named(table: dict[str, Any], kind: str, name: str) -> Any:
    """An entry by its name."""
    if name not in table:
        raise UnknownName(f"{kind} format", name, table)
    return table[name]


def _sentences(fields: dict[str, str], parser: Parser, limits: Limits) -> Iterator[Sentence]:
    """The sentences of a request; `tokenizer` is another way to say that they are running text."""
    name, _, options = fields.get("input", "conllu").partition("=")
    if "tokenizer" in fields:
        name, options = "generic_tokenizer", fields["tokenizer"]
    read: Callable[[_Input], Iterator[Sentence]] = _named(INPUTS, "input", name)
    return read(_Input(fields["data"], options, parser, limits))


def _read_text(source: _Input) -> Iterator[Sentence]:
    options = {option.partition("=")[0] for option in source.options.split(";")} - {""}
    if unknown := options.difference(_TOKENIZER):
        raise InputError(f"unknown tokenizer option {min(unknown)!r}; known: {', '.join(_TOKENIZER)}")
    sentences = text_sentences(source.parser, source.data, "sentences" if "presegmented" in options else "paragraphs")
    return with_ranges(sentences, source.data) if "ranges" in options else sentences


def _read_conllu(source: _Input) -> Iterator[Sentence]:
    return read_graphs(source.data, "data", source.limits, "conllu")


def _read_horizontal(source: _Input) -> Iterator[Sentence]:
    lines = (line.split(" ") for line in source.data.replace("\t", " ").splitlines())
    words = ([word.replace(_NO_BREAK, " ") for word in line if word] for line in lines)
    return token_sentences(filter(None, words), source.limits)


def _read_vertical(source: _Input) -> Iterator[Sentence]:
    return token_sentences(_vertical_sentences(source.data), source.limits)


def _vertical_sentences(data: str) -> Iterator[list[str]]:
    words: list[str] = []
    for line in [*data.splitlines(), ""]:
        if word := line.split("\t")[0].strip():
            words.append(word)
        elif words:
            yield words
            words = []


def _rendered(parsed: Parsed, render: Callable[[Sentence], str]) -> str:
    texts = []
    for sentence in parsed:
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


INPUTS: dict[str, Callable[[_Input], Iterator[Sentence]]] = {
    "conllu": _read_conllu,
    "horizontal": _read_horizontal,
    "vertical": _read_vertical,
    "generic_tokenizer": _read_text,
}
OUTPUTS: dict[str, Callable[[Sentence], str]] = {
    "conllu": CONLLU.text,
    "horizontal": _as_horizontal,
    "vertical": _as_vertical,
    "plaintext": _as_plain,
    "json": JSON.text,
}
