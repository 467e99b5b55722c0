"""`EncoderSettings`: the training keys that say which encoder is trained, and its shape."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from arctag.backends.inputs.subwords import Pooling
from arctag.backends.torch.encoders import ENCODERS, TRANSFORMER
from arctag.errors import InputError
from arctag.layers.settings import Count, Share
from arctag.modelfile.settings import NetworkSettings


@dataclass(frozen=True, kw_only=True)
class EncoderSettings(NetworkSettings):
    """What reads the words, and of what size it is."""

    encoder: str = "bilstm"
    """A kind of encoder, or a Hugging Face encoder by name or folder."""
    size: Count = 400
    """Units of each BiLSTM layer and direction."""
    encoder_layers: Count = 3
    """BiLSTM layers."""
    word_size: Count = 400
    """Size of word vectors."""
    chars: bool = True
    """Whether an encoder of words reads characters."""
    char_size: Count = 30
    """Size of character vectors."""
    tags: bool = False
    """Whether an encoder of words reads tags (gold tags from the file)."""
    tag_size: Count = 100
    """Size of tag vectors, and of the vectors of words from their characters."""
    vectors: str = ""
    """A text file of static word vectors: a word and its numbers on each line."""
    min_word_count: Count = 2
    """Words seen less often than this are unknown words."""
    word_dropout: Share = 0.1
    """How often a known word is hidden in training."""
    pooling: Pooling = "first"
    """How the vectors of a word's subwords become one: first or mean."""
    window: Annotated[int, Meta(ge=0)] = 0
    """Maximum number of subwords that a pretrained encoder reads at once; 0 for as many as it can take."""
    encoder_dropout: Share | None = None
    """Dropout inside a pretrained encoder, in training; by default what it comes with."""

    def __post_init__(self) -> None:
        if self.chars and not self.pretrained and self.tag_size % 2:
            raise InputError(f"tag_size must be even, not {self.tag_size}: characters are read in two directions")
        if self.vectors and self.pretrained:
            raise InputError(f"vectors are for encoders that read words; {self.encoder} brings its own")
        if self.encoder_dropout is not None and not self.pretrained:
            raise InputError(f"encoder_dropout is for pretrained encoders; {self.encoder} has dropout")

    @property
    def encoder_kind(self) -> str:
        """The name of the encoder in `ENCODERS`."""
        return self.encoder if self.encoder in ENCODERS else TRANSFORMER

    @property
    def pretrained(self) -> bool:
        """Whether the encoder is a pretrained one."""
        return ENCODERS[self.encoder_kind].pretrained
