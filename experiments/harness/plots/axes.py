"""Scales with round numbers as ticks."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, log10

from harness.plots.svg import FAINT, GREY, line, text

_MARGIN = 0.06  # of the range, beyond the outermost points


@dataclass(frozen=True)
class Scale:
    """Maps values to positions in the picture."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    @classmethod
    def around(cls, values: list[float], start: float, end: float, log: bool = False) -> Scale:
        """A scale with a margin at both ends."""
        low, high = min(values), max(values)
        if log:
            margin = (high / low) ** _MARGIN if high > low else 1.5
            return cls(low / margin, high * margin, start, end, True)
        margin = _MARGIN * (high - low) or max(0.02 * abs(high), 1.0)
        return cls(low - margin, high + margin, start, end)

    def __call__(self, value: float) -> float:
        """The position of a value."""
        low, high = (log10(self.low), log10(self.high)) if self.log else (self.low, self.high)
        share = ((log10(value) if self.log else value) - low) / (high - low)
        return self.start + share * (self.end - self.start)

    def ticks(self, wanted: int = 6) -> list[float]:
        """Round values inside the scale."""
        return self._log_ticks() if self.log else self._even_ticks(wanted)

    def _even_ticks(self, wanted: int) -> list[float]:
        rough = (self.high - self.low) / wanted
        power = 10 ** floor(log10(rough))
        step = next(power * m for m in (1, 2, 5, 10) if power * m >= rough)
        first = ceil(self.low / step)
        return [round(k * step, 10) for k in range(first, floor(self.high / step) + 1)]

    def _log_ticks(self) -> list[float]:
        powers = range(floor(log10(self.low)), ceil(log10(self.high)) + 1)
        for steps in ((1,), (1, 3), (1, 2, 5), (1, 1.5, 2, 3, 5, 7)):  # more of them on a short scale
            ticks = [10.0**p * m for p in powers for m in steps if self.low <= 10.0**p * m <= self.high]
            if len(ticks) >= 4:
                return ticks
        return ticks if len(ticks) >= 3 else self._even_ticks(5)


def number(value: float) -> str:
    """The text of a tick: 0.5, 20, 1,500, 20k."""
    if value >= 10_000:
        return f"{value / 1000:,g}k"
    return f"{value:,g}"


def draw_axes(x: Scale, y: Scale, x_title: str, y_title: str) -> list[str]:
    """Both axes, with a grid."""
    parts = []
    for tick in x.ticks():
        parts.append(line(x(tick), y.start, x(tick), y.end, FAINT))
        parts.append(text(x(tick), y.start + 17, number(tick), anchor="middle", fill=GREY))
    for tick in y.ticks():
        parts.append(line(x.start, y(tick), x.end, y(tick), FAINT))
        parts.append(text(x.start - 7, y(tick) + 4, number(tick), anchor="end", fill=GREY))
    parts.append(line(x.start, y.start, x.end, y.start, GREY))
    parts.append(line(x.start, y.start, x.start, y.end, GREY))
    parts.append(text((x.start + x.end) / 2, y.start + 38, x_title, anchor="middle"))
    parts.append(text(x.start - 46, (y.start + y.end) / 2, y_title, anchor="middle", turned=True))
    return parts
