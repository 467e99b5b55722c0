"""The last step of decoding a tree: each word keeps one head, and what is no tree is made one.

As `arctag.encodings.trees.repair` does, and `arctag.encodings.trees.one_head` before it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from arctag.trace.recorder import Recorder
from arctag.trace.wording import arrow, first_up, listed, named

TREE = "tree"
"""The pass of this step."""


def make_tree(recorder: Recorder) -> None:
    """Repair the arcs that were decoded; no step where they are a tree."""
    n = len(recorder.rows)
    recorder.begin(None, sweep=TREE)
    _keep_one_head_each(recorder)
    top = _top(recorder)
    if n and not top:
        top = next((word for word in range(1, n + 1) if word not in recorder.heads), 1)
        _attach(recorder, top, 0, "no word is below the root")
    for word in range(1, n + 1):
        if word not in recorder.heads:
            _attach(recorder, word, top, f"{named(word)} has no head")
    for cycle in _cycles(recorder.heads):
        _attach(recorder, min(cycle), top, f"{listed(sorted(cycle))} are above each other")
    if recorder.repaired:
        recorder.end({})


def _keep_one_head_each(recorder: Recorder) -> None:
    """The leftmost one; none is the word itself."""
    found = defaultdict[int, list[int]](list)
    for head, word in recorder.arcs:
        found[word].append(head)
    for word, heads in sorted(found.items()):
        kept = min((head for head in heads if head != word), default=None)
        for head in sorted(heads):
            if head == kept:
                continue
            recorder.lose(head, word)
            if kept is None:  # the repair is to attach the word
                recorder.note(f"{first_up(named(word))} is no head of itself: {arrow(word, word)} goes.")
            else:
                recorder.repair(f"{named(word)} keeps one head, {named(kept)}, so {arrow(head, word)} goes")


def _top(recorder: Recorder) -> int:
    """The first word below the root; 0 if there is none."""
    return min((word for word, head in recorder.heads.items() if head == 0), default=0)


def _attach(recorder: Recorder, word: int, head: int, why: str) -> None:
    """Give a word this head in place of any that it has."""
    old = recorder.heads.get(word)
    if old is not None:
        recorder.lose(old, word)
        why += f", so {arrow(old, word)} goes"
    recorder.repair(f"{why}; {named(word)} goes below {named(head)}: arc {arrow(head, word)}")
    recorder.arc(head, word)


def _cycles(heads: dict[int, int]) -> Iterator[list[int]]:
    """The words of each cycle, by the first of the words that lead to it."""
    met = {0}
    for start in sorted(heads):
        walk, word = dict[int, None](), start
        while word not in met:
            met.add(word)
            walk[word] = None
            word = heads[word]
        if word in walk:
            path = list(walk)
            yield path[path.index(word) :]
