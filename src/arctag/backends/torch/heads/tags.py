"""`TagHead`: the labels of words."""

from __future__ import annotations

from torch import Tensor, nn

from arctag.backends.torch.heads.layers import feed_forward


class TagHead(nn.Module):
    """Scores for the labels of one encoding; the groups of its label space stand side by side."""

    def __init__(self, input_size: int, groups: tuple[int, ...], hidden: int, dropout: float) -> None:
        super().__init__()
        self.groups = list(groups)
        self.hidden = feed_forward(input_size, hidden, dropout)
        self.out = nn.Linear(hidden, sum(groups))

    def forward(self, words: Tensor) -> list[Tensor]:
        """[words, d] → for each group [words, labels of the group]."""
        return list(self.out(self.hidden(words)).split(self.groups, dim=-1))
