"""Settings of layers that training and a saved model share.

`None` means: what suits the other settings. Training fills it in, and a saved model has a value for every key.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta

from arctag.encodings import Encoding, encoding
from arctag.encodings.recommendation import AUTO

TAG_LAYER = "upos"
"""The layer whose tags are those that encodings need."""
BIAFFINE = "biaffine"
"""The name of the baseline, in place of an encoding."""
Count = Annotated[int, Meta(ge=1)]
AtMostThousand = Annotated[int, Meta(ge=0, le=1000)]
Share = Annotated[float, Meta(ge=0, lt=1)]
Probability = Annotated[float, Meta(ge=0, le=1)]
Finite = Annotated[float, Meta(ge=-1e9, le=1e9)]


@dataclass(frozen=True, kw_only=True)
class TagSettings:
    """How a layer of tags is predicted."""

    hidden: AtMostThousand = 256
    """Hidden units of its head; 0 for none."""
    shapes: bool | None = None
    """Whether the head also sees the shape of a word: by default with a pretrained encoder, which may not tell capitals
    from other letters."""


@dataclass(frozen=True, kw_only=True)
class TagTraining(TagSettings):
    """The same, with what matters in training alone."""

    min_count: Count = 1
    """Tags seen less often than this in training are not learned."""


@dataclass(frozen=True, kw_only=True)
class GraphSettings:
    """How a graph or a tree is predicted: by which labels, and how they become arcs."""

    encoding: str = "auto"
    """One encoding, several with commas (their arcs are joined), 'biaffine' for the baseline, or 'auto': what suits
    the training graphs."""
    planes: Literal["greedy", "best"] = "greedy"
    """Plane assignment: greedy (as in the paper) or best."""
    crossing: Literal["relaxed", "strict"] = "relaxed"
    """Which crossing arcs need two planes in brackets: relaxed or strict."""
    empty: Literal["drop", "collapse"] = "drop"
    """Empty nodes: drop (as in the paper), or collapse into path labels."""
    relation_head: str | None = None
    """How relations are predicted: by default biaffine for the baseline and product for others; concat as in the
    paper; tuple: the relations of a word's arcs as one tag."""
    arc_scorer: bool | None = None
    """Train an arc scorer beside the tagger; by default as `verify`."""
    verify: bool = True
    """Drop proposed arcs that the arc scorer doubts; without it, plain tagging as in the paper."""
    alternatives: AtMostThousand = 4
    """With `verify`: label sequences besides the best one that propose arcs (uncertain words take their second
    label); 0 for none."""
    certain: Probability = 0.95
    """The probability from which a label is certain, and has no alternative."""
    nearby: AtMostThousand | None = None
    """With `verify`: also ask the arc scorer about words at most this far apart; by default 10 in trees; in graphs 0,
    or more for an encoding that does not cover those of the training files."""
    combine: Literal["union", "vote"] = "union"
    """With several encodings: union of their arcs, or vote."""
    lexical: Literal["lemma", "form", "none"] | None = None
    """What the words in relations (`obl:despite`) are copied from: by default the lemma of the preposition or
    conjunction where lemmas are learned, too, else its form; none: all relations are classified."""
    tag_hidden: Count = 400
    """Hidden units of the tag heads, which predict labels."""
    relation_hidden: Count | None = None
    """Hidden units of the relation head; by default 100 for biaffine and 400 for others."""
    arc_hidden: Count = 400
    """Hidden units of the arc scorer."""

    @property
    def encodings(self) -> tuple[str, ...]:
        """The encodings by name; none for the baseline."""
        return tuple(name for name in self.encoding.replace(",", " ").split() if name != BIAFFINE)

    @property
    def biaffine(self) -> bool:
        """Whether arcs are found by scoring all pairs of words."""
        return not self.encodings

    @property
    def verifies(self) -> bool:
        """Whether the arc scorer is asked about proposed arcs; the baseline has scored all pairs."""
        return self.verify and not self.biaffine

    @property
    def needs_tags(self) -> bool:
        """Whether the labels of an encoding depend on the tags of words."""
        return any(encoding(name).needs_tags for name in self.encodings if name != AUTO)

    def make_encodings(self) -> list[Encoding]:
        """The encodings, ready to use."""
        # the root's null arc keeps the label set of bits4 small
        options = {"planes": self.planes, "crossing": self.crossing, "first_null": "root"}
        return [encoding(name, **options) for name in self.encodings]


@dataclass(frozen=True, kw_only=True)
class GraphTraining(GraphSettings):
    """The same, with what matters in training alone."""

    tag_head: Literal["softmax", "factored"] = "softmax"
    """softmax over whole labels (as in the paper), or factored: one for each plane (bits only)."""
    min_label_count: Count = 1
    """Labels seen less often than this in training are not learned."""
