"""`Graph`: the arcs of one sentence as flat, read-only integer arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from arctag.errors import InputError

IntArray = npt.NDArray[np.int32]
FloatArray = npt.NDArray[np.float32]
BoolArray = npt.NDArray[np.bool_]
Relations = tuple[str, ...]


_NO_ARCS = np.zeros(0, dtype=np.int32)
_NO_ARCS.flags.writeable = False


class Arc(NamedTuple):
    """One arc, with every relation between its two words."""

    head: int
    dependent: int
    relations: Relations


class Graph:
    """A dependency graph over words 1..n and the virtual root 0.

    A root (or top) arc is an ordinary arc from 0. An arc is a unique (head, dependent) pair; several relations
    between the same two words are one arc that has them all. Arcs are sorted by (dependent, head), and arrays
    are read-only. Iterating gives an `Arc` for each; `len` is the number of arcs.

    Two graphs are equal if they have the same words, arcs and relations, in any order; probabilities are ignored.
    """

    n: int
    """The number of words."""
    heads: IntArray
    """The head of each arc."""
    dependents: IntArray
    """The dependent of each arc."""
    probabilities: FloatArray | None
    """The probability of each arc in a parsed graph, else None."""
    _relations: tuple[Relations, ...] | None
    _numbers: IntArray | None
    _names: Sequence[Relations]

    def __init__(self, n: int, arcs: Iterable[tuple[int, int, str]] = ()) -> None:
        """Build a graph of `n` words from (head, dependent, relation) triples, in any order; repeated ones count once.

        Raises `InputError` for an arc that does not fit.
        """
        if n < 0:
            raise InputError(f"a graph cannot have {n} words")
        merged: dict[tuple[int, int], dict[str, None]] = {}  # relations in order: an arc may have any number of them
        for head, dependent, relation in arcs:
            if not (0 <= head <= n and 1 <= dependent <= n):
                raise InputError(f"arc {head}→{dependent} does not fit a graph of {n} words")
            merged.setdefault((dependent, head), {})[relation] = None
        order = sorted(merged)
        self._fill(
            n,
            np.array([head for _, head in order], dtype=np.int32),
            np.array([dependent for dependent, _ in order], dtype=np.int32),
            tuple(tuple(merged[key]) for key in order),
        )

    @classmethod
    def from_arrays(
        cls,
        n: int,
        heads: npt.ArrayLike,
        dependents: npt.ArrayLike,
        relations: Sequence[Relations] | None = None,
        probabilities: npt.ArrayLike | None = None,
    ) -> Graph:
        """Build from parallel arrays of unique arcs, in any order.

        Without `relations` every arc is labelled '_'. Raises `InputError` for arcs that do not fit or come twice.
        """
        head_array = np.array(heads, dtype=np.int32)
        dependent_array = np.array(dependents, dtype=np.int32)
        count = len(head_array)
        probable = None if probabilities is None else np.array(probabilities, dtype=np.float32)
        columns = [dependent_array, *(column for column in (relations, probable) if column is not None)]
        if any(len(column) != count for column in columns):
            raise InputError("heads, dependents, relations and probabilities differ in length")
        if count and (
            head_array.min() < 0 or dependent_array.min() < 1 or max(head_array.max(), dependent_array.max()) > n
        ):
            raise InputError(f"an arc does not fit a graph of {n} words")
        order = np.lexsort((head_array, dependent_array))
        head_array, dependent_array = head_array[order], dependent_array[order]
        if np.any((np.diff(head_array) == 0) & (np.diff(dependent_array) == 0)):
            raise InputError("the same arc is given twice")
        if relations is not None and not all(relations):
            raise InputError("an arc has no relation; label it '_'")
        sorted_relations = None if relations is None else tuple(relations[i] for i in order)
        return cls.trusted(
            n, head_array, dependent_array, sorted_relations, None if probable is None else probable[order]
        )

    @classmethod
    def trusted(
        cls,
        n: int,
        heads: IntArray,
        dependents: IntArray,
        relations: tuple[Relations, ...] | None = None,
        probabilities: FloatArray | None = None,
    ) -> Graph:
        """Wrap arrays known to be valid, unique and sorted; nothing is checked or copied."""
        graph = cls.__new__(cls)
        graph._fill(n, heads, dependents, (("_",),) * len(heads) if relations is None else relations, probabilities)
        return graph

    @classmethod
    def numbered(
        cls,
        n: int,
        heads: IntArray,
        dependents: IntArray,
        numbers: IntArray,
        names: Sequence[Relations],
        probabilities: FloatArray | None = None,
    ) -> Graph:
        """The same, with the relations of each arc as a number into `names`: they are looked up when asked for."""
        graph = cls.__new__(cls)
        graph._fill(n, heads, dependents, None, probabilities)
        graph._numbers, graph._names = numbers, names
        return graph

    @classmethod
    def without_arcs(cls, n: int) -> Graph:
        """A graph of `n` words without arcs; all such graphs share their empty arrays."""
        return cls.trusted(n, _NO_ARCS, _NO_ARCS, ())

    def _fill(
        self,
        n: int,
        heads: IntArray,
        dependents: IntArray,
        relations: tuple[Relations, ...] | None,
        probabilities: FloatArray | None = None,
    ) -> None:
        for array in (heads, dependents, probabilities):
            if array is not None and array.flags.writeable:
                array.flags.writeable = False
        self.n, self.heads, self.dependents, self._relations = n, heads, dependents, relations
        self.probabilities, self._numbers, self._names = probabilities, None, ()

    @property
    def relations(self) -> tuple[Relations, ...]:
        """The relations of each arc."""
        if self._relations is None:
            assert self._numbers is not None
            names = self._names
            self._relations = tuple([names[number] for number in self._numbers.tolist()])
        return self._relations

    @property
    def relation_numbers(self) -> tuple[IntArray, Sequence[Relations]]:
        """A number for the relations of each arc, and the relations behind each number."""
        if self._numbers is None:
            known: dict[Relations, int] = {}
            self._numbers = np.array([known.setdefault(r, len(known)) for r in self.relations], dtype=np.int32)
            self._names = list(known)
        return self._numbers, self._names

    def __getstate__(self) -> dict[str, object]:
        """Without the names of a whole file, which other graphs share."""
        return {**self.__dict__, "_relations": self.relations, "_numbers": None, "_names": ()}

    def copy(self) -> Graph:
        """The same graph with arrays of its own."""
        probabilities = None if self.probabilities is None else self.probabilities.copy()
        return Graph.trusted(self.n, self.heads.copy(), self.dependents.copy(), self.relations, probabilities)

    def __len__(self) -> int:
        """The number of arcs."""
        return len(self.heads)

    def __iter__(self) -> Iterator[Arc]:
        return map(Arc, self.heads.tolist(), self.dependents.tolist(), self.relations)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Graph):
            return NotImplemented
        return self.same_arcs(other) and [set(r) for r in self.relations] == [set(r) for r in other.relations]

    __hash__ = None  # type: ignore[assignment]  # equality looks at arrays; use `arc_set()` as a key

    def __repr__(self) -> str:
        arcs = ", ".join(f"{arc.head}→{arc.dependent}:{'+'.join(arc.relations)}" for arc in self)
        return f"Graph(n={self.n}, {arcs or 'no arcs'})"

    def _repr_html_(self) -> str:
        """A picture, for notebooks."""
        from arctag.draw.notebook import graph_html

        return graph_html(self)

    def same_arcs(self, other: Graph) -> bool:
        """Whether both graphs have the same words and arcs, whatever the relations."""
        return (
            self.n == other.n
            and np.array_equal(self.heads, other.heads)
            and np.array_equal(self.dependents, other.dependents)
        )

    def triples(self) -> Iterator[tuple[int, int, str]]:
        """Every (head, dependent, relation); an arc with two relations gives two triples."""
        for arc in self:
            for relation in arc.relations:
                yield arc.head, arc.dependent, relation

    def arc_set(self) -> frozenset[tuple[int, int]]:
        """The (head, dependent) pairs."""
        return frozenset(zip(self.heads.tolist(), self.dependents.tolist(), strict=True))

    def restricted(self, keep: BoolArray) -> Graph:
        """The same graph with only the arcs for which `keep` is true."""
        relations = tuple(r for r, kept in zip(self.relations, keep.tolist(), strict=True) if kept)
        probabilities = None if self.probabilities is None else self.probabilities[keep]
        return Graph.trusted(self.n, self.heads[keep], self.dependents[keep], relations, probabilities)

    @cached_property
    def cyclic(self) -> bool:
        """Whether some word can be reached from itself (a self-loop counts)."""
        waiting = np.bincount(self.dependents, minlength=self.n + 1)
        children: list[list[int]] = [[] for _ in range(self.n + 1)]
        for head, dependent in zip(self.heads.tolist(), self.dependents.tolist(), strict=True):
            children[head].append(dependent)
        free = [word for word in range(self.n + 1) if waiting[word] == 0]
        removed = 0
        while free:
            removed += 1
            for child in children[free.pop()]:
                waiting[child] -= 1
                if waiting[child] == 0:
                    free.append(child)
        return removed <= self.n
