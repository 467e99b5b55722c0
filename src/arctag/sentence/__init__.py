"""`Sentence`: the words of one sentence, every column and comment of its file, and its graphs; `Token`: a word."""

from __future__ import annotations

from arctag.sentence.sentence import Row, Sentence, check_id
from arctag.sentence.token import Token

__all__ = ["Row", "Sentence", "Token", "check_id"]
