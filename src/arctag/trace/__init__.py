"""Labels and graphs explained: the steps of decoding, and what each part of a label stands for.

    from arctag.trace import trace, explain_encoding

    for step in trace("brackets-1", ["/", ">"]).steps:
        print(step.word, step.text, step.stacks)

The decoders here are plain Python and describe each step. They give the same arcs and count the same
repairs as `Encoding.decode`, whatever the labels; tests compare the compiled decoders with them.
"""

from __future__ import annotations

from arctag.trace.decoding import trace
from arctag.trace.explaining import ArcPlace, Explanation, WordLabel, encode_explained, explain_encoding
from arctag.trace.layout import Part
from arctag.trace.steps import PlacedArc, Step, Trace

__all__ = [
    "ArcPlace", "Explanation", "Part", "PlacedArc", "Step", "Trace", "WordLabel", "encode_explained",
    "explain_encoding", "trace",
]  # fmt: skip
