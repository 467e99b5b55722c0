"""Record batches in, record batches out: what `arctag parse` gives, every document there, the schema known before."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import arctag
from arctag.arrow import ArrowParser, Fields, parse_batch
from arctag.errors import ArctagError, FormatError, InputError
from arctag.formats.columnar.layout import Layout
from arctag.formats.columnar.schema import schema_of
from arctag.parsing.parser import ParseOptions, Parser
from tests.conftest import Run
from tests.networks import Models
from tests.places import SAMPLES

TEXTS = [
    "She wants to leave. He stays.\n\nA second paragraph.", "", None, "Don't!", " \n\t ", "😀 smiles \udc80 \x00.",
    (SAMPLES / "paragraph.txt").read_text(encoding="utf-8"), "no end",
]  # fmt: skip
IDS = ["a/1", "a/2", "b 3", "ü", "5", "6\n7", "", "8"]


@pytest.fixture(scope="module")
def english() -> ArrowParser:
    return ArrowParser("en", text="body", id="id")


def _batch(texts: list[str | None] = TEXTS, ids: list[str] = IDS) -> pa.RecordBatch:
    fit = [text and text.encode("utf-8", "surrogatepass").decode("utf-8", "replace") for text in texts]
    return pa.record_batch({"id": ids, "body": pa.array(fit, pa.string()), "other": range(len(texts))})


def test_arrow_parser_gives_what_the_command_line_writes(
    english: ArrowParser, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    batch = _batch()
    objects = ({"id": i, "body": t} for i, t in zip(IDS, batch["body"].to_pylist(), strict=True))
    Path("texts.jsonl").write_text("".join(json.dumps(value) + "\n" for value in objects))
    pq.write_table(pa.Table.from_batches([batch]), "texts.parquet")
    parsed = english(batch)
    for source in ("texts.jsonl", "texts.parquet"):
        call = ("parse", source, "--text-field", "body", "--id-field", "id")
        assert run(*call, "-o", "out.parquet").code == 1
        written = pq.read_table("out.parquet")
        assert written.schema.equals(parsed.schema, check_metadata=True)
        assert written.to_pylist() == parsed.to_pylist()
        assert run(*call, "-o", "out.conllu").code == 1
        assert run("convert", "out.parquet").out == Path("out.conllu").read_bytes()


def test_arrow_parser_has_a_row_for_every_document(english: ArrowParser) -> None:
    parsed = english(_batch())
    rows = parsed.to_pylist()
    assert list(dict.fromkeys(row["doc_id"] for row in rows)) == IDS
    errors = {row["doc_id"]: row["error"] for row in rows if row["error"]}
    assert errors == {"a/2": "no words", "b 3": "nothing in body", "5": "no words"}
    for row in rows:
        assert bool(row["form"]) == bool(row["sent_id"]) == bool(row["text"]) == (row["error"] is None)
    texts = "".join(row["text"] for row in rows if row["doc_id"] == "a/1")
    assert texts == "She wants to leave.He stays.A second paragraph."


@pytest.mark.parametrize("size", [1, 3])
def test_arrow_parser_does_not_depend_on_batches(english: ArrowParser, size: int) -> None:
    batch = _batch()
    parts = [batch.slice(start, size) for start in range(0, len(batch), size)]
    apart = [row for part in english.batches(iter(parts)) for row in part.to_pylist()]
    assert apart == english(batch).to_pylist()
    table = english(pa.Table.from_batches(parts))
    assert isinstance(table, pa.Table)
    assert table.to_pylist() == apart


def test_arrow_parser_schema_is_known_before_and_the_same_for_nothing(english: ArrowParser) -> None:
    fresh = ArrowParser("en", text="body", id="id")
    assert fresh.schema.equals(schema_of(Layout()), check_metadata=True)
    assert "parser" not in vars(fresh)  # nothing was loaded
    empty = _batch([], [])
    assert english(empty).schema.equals(fresh.schema, check_metadata=True)
    assert len(english(empty)) == 0
    nothing = english(pa.Table.from_batches([], empty.schema))
    assert (len(nothing), nothing.schema.equals(fresh.schema, check_metadata=True)) == (0, True)


def test_arrow_parser_can_be_sent_to_another_process(english: ArrowParser) -> None:
    assert english.parser
    sent = pickle.dumps(english)
    assert len(sent) < 2_000  # without the model
    again = pickle.loads(sent)
    assert again == english
    assert hash(again) == hash(english)
    assert again(_batch(["She sings."], ["x"])).to_pylist() == english(_batch(["She sings."], ["x"])).to_pylist()


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([["She", "sings"], ["No"]], [(["She", "sings"], "x", None), (["No"], "y", None)]),
        ([[["She", "sings"], [], ["No"]], [["Yes"]]],
         [(["She", "sings"], "x-s1", None), (["No"], "x-s2", None), (["Yes"], "y", None)]),
        ([[], None], [([], None, "no words"), ([], None, "nothing in w")]),
        ([["a", "b\tc"], ["a", None]], [([], None, "word 2 ('b\\tc') is empty or holds a tab or line break"),
                                        ([], None, "found ['a', None] in w; expected a list of words")]),
    ],
)  # fmt: skip
def test_arrow_parser_takes_words(values: Any, expected: Any) -> None:
    kind = pa.list_(pa.list_(pa.string())) if values[0] and isinstance(values[0][0], list) else pa.list_(pa.string())
    parser = ArrowParser(words="w", id="i")
    rows = parser(pa.record_batch({"i": ["x", "y"], "w": pa.array(values, kind)})).to_pylist()
    assert [(row["form"], row["sent_id"], row["error"]) for row in rows] == expected
    assert all(row["graph"]["head"] for row in rows if row["form"])


def test_arrow_parser_without_ids(english: ArrowParser) -> None:
    rows = ArrowParser()(pa.record_batch({"text": ["She sings.", None]})).to_pylist()
    assert [(row["doc_id"], row["sent_id"]) for row in rows] == [(None, "p1-s1"), (None, None)]


@pytest.mark.parametrize(
    ("fields", "batch", "message"),
    [
        ({}, {"body": ["x"]}, r"no column text \(there are body\)"),
        ({"text": "text", "id": "key"}, {"text": ["x"]}, "no column key"),
        ({"text": "text"}, {"text": [1]}, "the type int64 in column text; expected texts, or lists of words"),
        ({"text": "text"}, {"text": [b"x"]}, "the type binary in column text"),
        ({"text": "text", "id": "i"}, {"text": ["x"], "i": [[1]]}, "the type list<.*> in column i; expected ids"),
    ],
)
def test_arrow_parser_refuses_columns_that_cannot_be_right(fields: Any, batch: Any, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        ArrowParser("en", **fields)(pa.record_batch(batch))


def test_arrow_parser_takes_text_or_words(english: ArrowParser) -> None:
    with pytest.raises(InputError, match="name one of them"):
        ArrowParser(text="a", words="b")(_batch())


def test_arrow_parser_strings_of_all_kinds(english: ArrowParser) -> None:
    wanted = english(_batch(["She sings."], ["7"])).to_pylist()
    for kind in (pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())):
        texts = pa.array(["She sings."]).cast(kind)
        assert english(pa.record_batch({"id": [7], "body": texts})).to_pylist() == wanted


def test_arrow_parser_document_that_fails_spares_the_others(
    parsers: Callable[[str], Parser], monkeypatch: pytest.MonkeyPatch
) -> None:
    parser = parsers("verified")
    arrays = parser.inputs.arrays

    def fails(batch: Any) -> Any:
        if any("poison" in tokens.words for tokens in batch):
            raise RuntimeError("not enough memory\nfor this")
        return arrays(batch)

    monkeypatch.setattr(parser.inputs, "arrays", fails)
    words = [["She", "sings"], ["a", "poison"], *[["No", "."]] * 300]
    batch = pa.record_batch({"w": words, "i": range(302)})
    rows = parse_batch(batch, parser, Fields(words="w", id="i")).to_pylist()
    assert [row["doc_id"] for row in rows] == [str(i) for i in range(302)]
    assert [row["error"] for row in rows] == [None, "not enough memory", *[None] * 300]
    assert (rows[1]["form"], rows[1]["graph"]["head"]) == (["a", "poison"], [])


def test_arrow_parser_probabilities(english: ArrowParser) -> None:
    batch = _batch(["She wants to leave."], ["x"])
    (row,) = ArrowParser("en", text="body", options=ParseOptions(probabilities=True))(batch).to_pylist()
    (sentence,) = arctag.load("en").parse("She wants to leave.", ParseOptions(probabilities=True))
    assert sentence.graph.probabilities is not None
    assert row["graph"]["probability"] == pytest.approx(sentence.graph.probabilities.tolist())
    assert row["score"] == pytest.approx(sentence.score)
    (plain,) = english(batch).to_pylist()
    assert set(plain["graph"]["probability"]) == {None}
    assert plain["score"] is None


@pytest.mark.parametrize(
    ("kind", "options", "layers"),
    [("further", {}, ["dm"]), ("further", {"layers": ("graph",)}, []), ("full", {}, []), ("tags", {}, [])],
)
def test_arrow_parser_layers(models: Models, kind: str, options: Any, layers: list[str]) -> None:
    parser = ArrowParser(models(kind), words="w", options=ParseOptions(**options), device="cpu")
    parsed = parser(pa.record_batch({"w": [["She", "sings", "."], None, ["Go"]]}))
    assert parsed.schema.equals(parser.schema, check_metadata=True)
    names = [field.name for field in parsed.schema.field("layers").type] if "layers" in parsed.schema.names else []
    assert names == layers
    expected = list(arctag.load(models(kind), "cpu").parse([["She", "sings", "."], ["Go"]], ParseOptions(**options)))
    rows = [row for row in parsed.to_pylist() if row["form"]]
    for row, sentence in zip(rows, expected, strict=True):
        assert [tag or "_" for tag in row["upos"]] == sentence.tags
        assert [lemma or "_" for lemma in row["lemma"]] == sentence.column(2)
        triples = zip(*(row["graph"][name] for name in ("head", "dependent", "relation")), strict=True)
        assert list(triples) == list(sentence.graph.triples())
        for name in layers:
            further = row["layers"][name]
            triples = zip(*(further[key] for key in ("head", "dependent", "relation")), strict=True)
            assert list(triples) == list(sentence.graphs[name].triples())


def test_arrow_parser_models_without_a_tokenizer_say_so(models: Models) -> None:
    with pytest.raises(ArctagError, match="this model has no tokenizer"):
        ArrowParser(models("sdp"), device="cpu")(pa.record_batch({"text": ["She sings."]}))
