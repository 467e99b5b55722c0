"""Sentences of a record batch as the text of a file, which is then read like any other: there is one set of checks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from arctag.cells import Flags, Longs, Spans
from arctag.encodings.labels import offsets_of
from arctag.formats.columnar.arc_lists import ArcLists
from arctag.formats.columnar.layout import Layout
from arctag.formats.columnar.places import Places
from arctag.formats.columnar.rows import Rows
from arctag.formats.columnar.schema import NUMBERS, STRINGS
from arctag.formats.columnar.strings import BLANK, spans_of
from arctag.formats.columnar.text_kernel import arguments, deps, table

_STRINGS = frozenset({"FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "DEPREL", "MISC"})
_FLAGS = np.frombuffer(b"-+", np.uint8)


class TextRows:
    """The rows of a batch on their way to text."""

    def __init__(self, rows: Rows, layout: Layout) -> None:
        self.rows, self.layout = rows, layout
        self.arcs = ArcLists(rows, "graph")
        self.ids = self._ids()
        self.places = Places.of(rows.nodes, self.ids)

    def text(self, lines: Spans, line_starts: Longs, blanks: Longs) -> tuple[bytes, Longs]:
        """The text of all sentences, and where each begins; `lines` are the comments above them."""
        cells = list(map(self._cells, self.layout.names)) if self.layout.universal else self._sdp_cells()
        ranges, range_nodes = self._ranges() if self.layout.universal else (_no_spans(), np.zeros(0, np.int64))
        pool, shifts = _joined([*cells, lines, ranges])
        starts, ends = (
            np.stack([side + shift for side, shift in zip(sides, shifts, strict=False)], axis=1)
            for sides in ([c.starts for c in cells], [c.ends for c in cells])
        )
        room = int((ends - starts).sum()) + starts.size + int(blanks.sum())
        room += int((lines.ends - lines.starts + 1).sum() + (ranges.ends - ranges.starts + 1).sum())
        text, begins = table(
            pool, starts, ends, self.rows.nodes, lines.starts + shifts[-2], lines.ends + shifts[-2], line_starts,
            ranges.starts + shifts[-1], ranges.ends + shifts[-1], range_nodes, blanks, room,
        )  # fmt: skip
        return text.tobytes(), begins

    def _ids(self) -> Spans:
        """The ids of nodes: their places, where there is no such column."""
        rows = self.rows
        if "id" in rows.batch.schema.names:
            return rows.words("id")
        return _numbers(np.arange(rows.nodes[-1]) - rows.nodes[rows.owners] + 1)

    def _cells(self, name: str) -> Spans:
        """The cells of a column of CoNLL-U (Plus)."""
        if name == "ID":
            return self.ids
        if name in _STRINGS:
            return self.rows.words(name.lower())
        if name == "HEAD":
            return self._heads()
        return self._deps() if name == "DEPS" else self.rows.words("layers", name)

    def _heads(self) -> Spans:
        heads, missing = self.rows.numbers("head")
        wrong = np.flatnonzero(~missing & ((heads < 0) | (heads > self.rows.sizes[self.rows.owners])))
        if len(wrong):
            row = int(self.rows.owners[wrong[0]])
            found, expected = f"{heads[wrong[0]]} in column head", f"a number from 0 to {self.rows.sizes[row]}"
            raise self.rows.error(row, found, expected)
        return _numbers(self.places.words_at(self.rows.owners, heads), missing)

    def _deps(self) -> Spans:
        arcs, ids = self.arcs, self.ids
        longest = int((ids.ends - ids.starts).max(initial=1)) + 2
        room = 1 + len(arcs.heads) * longest + int((arcs.relations.ends - arcs.relations.starts).sum())
        return Spans(*deps(self.rows.nodes, arcs.words, arcs.sources, *ids, *arcs.relations, room))

    def _ranges(self) -> tuple[Spans, Longs]:
        """The rows of ranges, and the node above which each stands."""
        (starts, offsets), (ends, _) = (self.rows.lists(NUMBERS, "ranges", name) for name in ("start", "end"))
        if not len(starts):
            return _no_spans(), np.zeros(0, np.int64)
        owners = np.repeat(np.arange(len(self.rows)), np.diff(offsets))
        bounds = [self._bounds(values, owners) for values in (starts, ends)]
        texts = [
            self.rows.checked(spans_of(self.rows.lists(STRINGS, "ranges", name)[0]), owners, "ranges", name).texts()
            for name in ("form", "misc")
        ]
        names, rows = self.layout.names, []
        for start, end, form, misc in zip(*(b.tolist() for b in bounds), *texts, strict=True):
            known = {"ID": f"{start}-{end}", "FORM": form, "MISC": misc}
            rows.append("\t".join([known.get(name, "_") for name in names]))
        nodes = self.rows.nodes[owners] + np.asarray(starts).astype(np.int64) - 1
        return Spans.of(rows), nodes

    def _bounds(self, values: pa.Array, owners: Longs) -> Longs:
        places = np.asarray(values.fill_null(0)).astype(np.int64)
        wrong = np.flatnonzero((places < 1) | (places > self.rows.sizes[owners]))
        if len(wrong):
            row = int(owners[wrong[0]])
            expected = f"numbers from 1 to {self.rows.sizes[row]}"
            raise self.rows.error(row, f"{places[wrong[0]]} in column ranges", expected)
        return self.places.words_at(owners, places)

    # SDP

    def _sdp_cells(self) -> list[Spans]:
        rows = self.rows
        predicates = rows.flags("pred")
        tops = np.zeros(int(rows.nodes[-1]), dtype=np.bool_)
        tops[self.arcs.words[self.arcs.heads == 0]] = True
        return [
            self.ids, *(rows.words(name) for name in ("form", "lemma", "xpos")), _flags(tops), _flags(predicates),
            self._arguments(predicates),
        ]  # fmt: skip

    def _arguments(self, predicates: Flags) -> Spans:
        """The frame of each node with the arguments behind it."""
        rows, arcs = self.rows, self.arcs
        order = np.lexsort((arcs.heads, arcs.words))
        relations = Spans(arcs.relations.data, arcs.relations.starts[order], arcs.relations.ends[order])
        unfit = relations.equal(b"_") | ((arcs.heads[order] == 0) & ~relations.equal(b"root"))
        frames = rows.words("frame")
        widths = np.diff(offsets_of(predicates)[rows.nodes])
        room = int((frames.ends - frames.starts).sum() + (relations.ends - relations.starts).sum())
        data, starts, ends, wrong = arguments(
            rows.nodes, arcs.words[order], arcs.sources[order], predicates, *frames, *relations,
            room + 2 * int((widths * rows.sizes).sum()),
        )  # fmt: skip
        if wrong >= 0 or unfit.any():
            arc = order[wrong if wrong >= 0 else int(np.argmax(unfit))]
            found = (
                f"the arc {arcs.heads[arc]}→{arcs.dependents[arc]} with the relation {arcs.relations.text(int(arc))!r}"
            )
            expected = "one arc from a predicate, or a top that is called root"
            raise rows.error(int(arcs.owners[arc]), found, expected)
        return Spans(data, starts, ends)


def _no_spans() -> Spans:
    return Spans(BLANK, np.zeros(0, np.int64), np.zeros(0, np.int64))


def _flags(flags: Flags) -> Spans:
    starts = flags.astype(np.int64)
    return Spans(_FLAGS, starts, starts + 1)


def _numbers(values: Longs, missing: Flags | None = None) -> Spans:
    """Numbers as they are written; '_' where they are missing."""
    texts = Spans.of(["_", *map(str, range(int(values.max(initial=0)) + 1))])
    places = values + 1 if missing is None else np.where(missing, 0, values + 1)
    return Spans(texts.data, texts.starts[places], texts.ends[places])


def _joined(parts: Sequence[Spans]) -> tuple[np.ndarray, Longs]:
    """All bytes one after another, and where those of each part begin."""
    return np.concatenate([part.data for part in parts]), offsets_of([len(part.data) for part in parts])[:-1]
