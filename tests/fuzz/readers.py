"""The table of readers: sound files to start from, and what is done with a damaged one."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from arctag.encodings import encoding
from arctag.errors import ArctagError
from arctag.formats import FORMATS, label_files, read, write
from arctag.formats.json_lines import sentence_json
from arctag.formats.label_files import EncodedBatch, decoded, header
from arctag.metrics import METRICS, score
from arctag.parsing.sources import Source
from arctag.sentence import Sentence
from arctag.text.chunks import LAYOUTS
from arctag.text.files import read_text
from arctag.text.tokenizer import TextTokenizer
from arctag.training.config import TrainConfig, from_mapping, read_preset, read_toml, to_toml
from arctag.transforms import empty_nodes
from arctag.transforms.basic_tree import with_tree
from tests.places import SAMPLES

_MOST = 6_000  # bytes of a sound file: small ones are damaged more thoroughly


class Reader(NamedTuple):
    """How a kind of file is read."""

    sound: Callable[[], list[bytes]]
    suffix: str
    read: Callable[[Path], object]


def _sample(name: str) -> list[bytes]:
    """Pieces of a sample file, at sentence borders."""
    header = b"#SDP 2015\n" if name.endswith("sdp") else b""
    blocks = (SAMPLES / name).read_bytes().removeprefix(header).split(b"\n\n")
    return [header + b"\n\n".join(blocks[i : i + 4]) + b"\n\n" for i in range(0, len(blocks) - 1, 4)]


def _plus() -> list[bytes]:
    """CoNLL-U Plus: with the columns of CoNLL-U, and with others in another order."""
    header = b"# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC\n"
    rows = b"ab\t1-2\t_\t_\na\t1\t0:top\t0:root\nb\t2\t1:x|0:y\t1:z\n\n"
    other = b"# global.columns = FORM ID A:B DEPS\n# sent_id = x\n" + rows
    return [*(header + text for text in (*_sample("sample.conllu")[:3], *_empty())), other]


def _empty() -> list[bytes]:
    """Sentences with ranges and empty nodes, and the comments of collapsed ones."""
    row = "\t_\t_\t_\t_\t"
    text = (
        f"# sent_id = e\n1-2\tdu{row}_\t_\t_\t_\n1\tde{row}0\troot\t0:root|2:x|2:y\t_\n"
        f"1.1\tle\t_\t_\t_\t_\t_\t_\t1:conj\t_\n1.2\tla\t_\t_\t_\t_\t_\t_\t1.1:obj\t_\n2\tle{row}1\tdep\t1.1:nsubj|1.2:obj|1:ref\t_\n\n"
    ).encode()
    path_labels = b"# empty_node = 1.1\tle\t_\t_\t_\t_\t_\t_\t1:conj\t_\n# empty_arc = 1.1 2 x\n" + (
        f"1\ta{row}_\t_\t0:root\t_\n2\tb{row}_\t_\t1:conj>1.1>obj|1:conj>1.1>x>1.2>y\t_\n\n".encode()
    )
    return [text, path_labels]


def _texts() -> list[bytes]:
    text = (SAMPLES / "paragraph.txt").read_bytes()
    return [
        text[:_MOST],
        "Où? «Là-bas», dit-il… 3,5 % de www.example.org!\n\n你好。 再见！\n".encode(),
        b"a b c . " * 40,
    ]


def _labels() -> list[bytes]:
    sentences = list(read(SAMPLES / "sample.conllu"))[:6]
    names = ("bits6-4", "bits4-2", "hierarchical", "relative", "absolute", "brackets-2")
    return [
        "".join([header(encoding(name)), *EncodedBatch.of(sentences, encoding(name)).texts()]).encode()
        for name in names
    ]


def _gzipped() -> list[bytes]:
    return [gzip.compress(data, mtime=0) for data in (*_sample("sample.conllu"), *_sample("sample.sdp"))]


def _configs() -> list[bytes]:
    full = TrainConfig(train=("a.conllu", "b.conllu"), dev=("c.conllu",), output="ü", seed=3)
    preset = TrainConfig(train=("a",), dev=("b",), **read_preset("paper-bilstm"))
    return [to_toml(full).encode(), to_toml(preset).encode(), b'train = "a"\ndev = ["b"]\noutput = "c"\n']


@cache
def tokenizer() -> TextTokenizer:
    """The English one."""
    return TextTokenizer.load(SAMPLES.parent / "models" / "en" / "tokenizer.udpipe")


def _used(sentences: Iterable[Sentence]) -> None:
    """Do with sentences what the commands do with them; what a command refuses is fine."""
    for sentence in sentences:
        for format in FORMATS.values():
            format.losses(sentence)
        for treat in (*empty_nodes.TREATMENTS.values(), with_tree):
            try:
                treated = treat(sentence)
            except ArctagError:
                continue
            sentence_json(treated)
            for format in FORMATS.values():
                _written(format.text, treated.with_graph(treated.graph))


def _written(text: Callable[[Sentence], str], sentence: Sentence) -> None:
    with suppress(ArctagError):
        text(sentence).encode(errors="surrogateescape")


def _tables(format: str) -> list[bytes]:
    """Tables of the samples; the last one is not compressed, so that what is in its columns can be damaged, too."""
    import pyarrow as pa

    out: list[bytes] = []
    for source in ("sample.conllu", "sample.sdp"):
        with TemporaryDirectory() as folder:
            path = Path(folder) / f"table.{format}"
            write(list(read(SAMPLES / source))[:2], path)
            out.append(path.read_bytes())
            if format == "arrow":
                plain = pa.BufferOutputStream()
                with pa.ipc.open_file(path) as reader, pa.ipc.new_file(plain, reader.schema) as writer:
                    writer.write_table(reader.read_all())
                out.append(plain.getvalue().to_pybytes())
    return out


def _texts_in_json() -> list[bytes]:
    lines = [
        '{"text": "She sings. He \\u00fc \\ud83d\\ude00."}',
        '{"text": null, "id": [1, {"a": "b"}]}',
        "",
        '{"text": ""}',
    ]
    return ["\n".join(lines).encode(), "\n".join(reversed(lines)).encode()]


def _strictly(format: str) -> Callable[[Path], None]:
    return lambda path: _used(read(path, format))


def _tolerantly(format: str) -> Callable[[Path], None]:
    def work(path: Path) -> None:
        for words_only in (True, False):
            for sentence in read(path, format, words_only, on_error=lambda error: None):
                FORMATS[format].text(sentence)

    return work


def _as_source(kind: str | None) -> Callable[[Path], None]:
    """As `arctag parse` reads it, up to the words."""

    def work(path: Path) -> None:
        source = Source(str(path), kind)
        chunks = source.chunks(_any_report)
        for sentence in source.origin.sentences(chunks, tokenizer(), _any_report):
            FORMATS[sentence.format].text(sentence)

    return work


def _any_report(message: str) -> None:
    assert message


def _labelled(path: Path) -> None:
    _used(sentence for sentence, _ in decoded(label_files.read(path)))


def _raw(path: Path) -> None:
    for layout in LAYOUTS:
        for sentence in read_text(path, tokenizer(), layout, on_bad=lambda error: None):
            FORMATS["conllu"].text(sentence)


def _scored(path: Path) -> None:
    for metric in METRICS:
        score(path, path, metric)


def _config(path: Path) -> None:
    from_mapping(read_toml(path), str(path)).resolved()


READERS = {
    "conllu": Reader(lambda: [*_sample("sample.conllu"), *_empty()], ".conllu", _strictly("conllu")),
    "conllu, tolerant": Reader(lambda: [*_sample("sample.conllu"), *_empty()], ".conllu", _tolerantly("conllu")),
    "conllup": Reader(_plus, ".conllup", _strictly("conllup")),
    "conllup, tolerant": Reader(_plus, ".conllup", _tolerantly("conllup")),
    "sdp": Reader(lambda: _sample("sample.sdp"), ".sdp", _strictly("sdp")),
    "sdp, tolerant": Reader(lambda: _sample("sample.sdp"), ".sdp", _tolerantly("sdp")),
    "json": Reader(_texts_in_json, ".jsonl", _as_source("json")),
    "labels": Reader(_labels, ".labels", _labelled),
    "tokens": Reader(_texts, ".tok", _as_source("tokens")),
    "text": Reader(_texts, ".txt", _raw),
    "unnamed": Reader(lambda: [*_texts(), *_sample("sample.sdp"), *_empty(), *_gzipped()], "", _as_source(None)),
    "gzip": Reader(_gzipped, ".gz", lambda path: _used(read(path))),
    "score": Reader(lambda: [*_sample("sample.conllu"), *_empty()], ".conllu", _scored),
    "training config": Reader(_configs, ".toml", _config),
}
if find_spec("pyarrow") is not None:
    for _format in ("parquet", "arrow"):
        READERS[_format] = Reader(partial(_tables, _format), f".{_format}", _strictly(_format))
        READERS[f"{_format}, tolerant"] = Reader(partial(_tables, _format), f".{_format}", _as_source(_format))
