"""Heads: what is predicted from word vectors. All work on flat words or flat arcs, never on padding.

Arcs are given as node numbers into the table of vectors: 0 is the root, which all sentences of a
batch share, and the words follow one after another from 1.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

from arctag.backends.torch.layers import Inputs, pad

SLOPE = 0.01  # of the LeakyReLU, as in the paper
_ARCS_AT_A_TIME = 1024
_NODES_AT_ONCE = 1 << 16


def feed_forward(input_size: int, size: int, dropout: float) -> nn.Sequential:
    """One hidden layer."""
    return nn.Sequential(nn.Linear(input_size, size), nn.LeakyReLU(SLOPE), nn.Dropout(dropout))


class TagHead(nn.Module):
    """Scores for the labels of one encoding; the groups of its label space stand side by side."""

    def __init__(self, input_size: int, groups: tuple[int, ...], size: int, dropout: float) -> None:
        super().__init__()
        self.groups = list(groups)
        self.hidden = feed_forward(input_size, size, dropout)
        self.out = nn.Linear(size, sum(groups))

    def forward(self, words: Tensor) -> list[Tensor]:
        """[words, d] → for each group [words, labels of the group]."""
        return list(self.out(self.hidden(words)).split(self.groups, dim=-1))


class ConcatRelationHead(nn.Module):
    """The paper's: a feed-forward network over the vectors of head and dependent, side by side."""

    def __init__(self, input_size: int, relations: int, size: int, dropout: float) -> None:
        super().__init__()
        # W [h; d] is split into W_h h + W_d d, so that each word is multiplied once, not once an arc
        self.head = nn.Linear(input_size, size)
        self.dependent = nn.Linear(input_size, size, bias=False)
        self.after = nn.Sequential(nn.LeakyReLU(SLOPE), nn.Dropout(dropout), nn.Linear(size, relations))

    def forward(self, nodes: Tensor, heads: Tensor, dependents: Tensor) -> Tensor:
        """[nodes, d] and arcs [arcs] → [arcs, relations]."""
        scores: Tensor = self.after(of_words(self.head, nodes, heads) + of_words(self.dependent, nodes, dependents))
        return scores


class BiaffineRelationHead(nn.Module):
    """Dozat and Manning's: a bilinear form for each relation, here scored for given arcs only."""

    def __init__(self, input_size: int, relations: int, size: int, dropout: float) -> None:
        super().__init__()
        self.head = feed_forward(input_size, size, dropout)
        self.dependent = feed_forward(input_size, size, dropout)
        self.weight = nn.Parameter(torch.zeros(relations, size + 1, size + 1))
        nn.init.normal_(self.weight, std=1 / (size + 1))

    def forward(self, nodes: Tensor, heads: Tensor, dependents: Tensor) -> Tensor:
        """[nodes, d] and arcs [arcs] → [arcs, relations]."""
        head = with_one(of_words(self.head, nodes, heads))
        dependent = with_one(of_words(self.dependent, nodes, dependents))
        # a matrix for each relation and arc is large: in parsing, so many arcs at a time
        chunk = max(1, len(heads) if self.training else _ARCS_AT_A_TIME)
        parts = zip(torch.split(dependent, chunk), torch.split(head, chunk), strict=True)
        return torch.cat([torch.einsum("ax,rxy,ay->ar", d, self.weight, h) for d, h in parts])


class ProductRelationHead(nn.Module):
    """A biaffine form of low rank: vectors of head and dependent multiplied cell by cell, beside each of them alone.

    As cheap as the concatenation, and close to the full form, which needs a matrix for each relation.
    """

    def __init__(self, input_size: int, relations: int, size: int, dropout: float) -> None:
        super().__init__()
        self.head = feed_forward(input_size, size, dropout)
        self.dependent = feed_forward(input_size, size, dropout)
        self.out = nn.Linear(3 * size, relations)

    def forward(self, nodes: Tensor, heads: Tensor, dependents: Tensor) -> Tensor:
        """[nodes, d] and arcs [arcs] → [arcs, relations]."""
        head, dependent = of_words(self.head, nodes, heads), of_words(self.dependent, nodes, dependents)
        scores: Tensor = self.out(torch.cat([head * dependent, head, dependent], dim=-1))
        return scores


class ArcScorer(nn.Module):
    """How likely there is an arc: a biaffine form of head and dependent, for all pairs or for given ones."""

    def __init__(self, input_size: int, size: int, dropout: float) -> None:
        super().__init__()
        self.head = feed_forward(input_size, size, dropout)
        self.dependent = feed_forward(input_size, size, dropout)
        self.weight = nn.Parameter(torch.zeros(size + 1, size + 1))
        nn.init.normal_(self.weight, std=1 / (size + 1))

    def forward(self, nodes: Tensor, heads: Tensor, dependents: Tensor) -> Tensor:
        """Scores [arcs] of given arcs: linear in their number."""
        left = of_words(self._left, nodes, dependents)
        right = with_one(of_words(self.head, nodes, heads))
        return (left * right).sum(-1)

    def all_pairs(self, nodes: Tensor, inputs: Inputs) -> tuple[Tensor, Tensor]:
        """Scores [sentences, dependents, heads] of every pair (head 0 is the root), and what is no padding."""
        left = pad(self._left(nodes[1:]), inputs)
        right = pad(self.head(nodes[1:]), inputs)
        root = self.head(nodes[:1]).expand(len(right), 1, -1)
        right = with_one(torch.cat([root, right], dim=1))
        lengths = inputs["lengths"].to(nodes.device, non_blocking=True)[:, None]
        heads = torch.arange(right.shape[1], device=nodes.device)[None, :] <= lengths
        mask = heads[:, 1:, None] & heads[:, None, :]
        return left @ right.transpose(1, 2), mask

    def _left(self, dependents: Tensor) -> Tensor:
        return with_one(self.dependent(dependents)) @ self.weight


def of_words(layer: Callable[[Tensor], Tensor], nodes: Tensor, numbers: Tensor) -> Tensor:
    """`layer(nodes)[numbers]`; on a processor, words that no number asks for are not multiplied.

    Half of the words of a sentence are the head of nothing. A GPU multiplies them sooner than it could find out, unless
    they are many more than the numbers: some arcs of a very long sentence.
    """
    if nodes.requires_grad or (nodes.device.type != "cpu" and len(nodes) <= max(len(numbers), _NODES_AT_ONCE)):
        return layer(nodes)[numbers]
    asked, places = torch.unique(numbers, return_inverse=True)
    return layer(nodes[asked])[places]


def with_one(vectors: Tensor) -> Tensor:
    """Append a constant, so that a bilinear form also has linear terms and a bias."""
    return torch.cat([vectors, vectors.new_ones(*vectors.shape[:-1], 1)], dim=-1)


RELATION_HEADS = {"concat": ConcatRelationHead, "product": ProductRelationHead, "biaffine": BiaffineRelationHead}
"""Name → head, for the names in `model_config.RELATION_KINDS`; the one that is missing here, `tuple`, is a tag head."""
