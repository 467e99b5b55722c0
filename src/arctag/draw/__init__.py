"""Pictures of dependency graphs: `svg`, `html` and `text`, of one graph or of predicted against gold."""

from __future__ import annotations

from arctag.draw.html_page import html, html_parts
from arctag.draw.svg_picture import svg
from arctag.draw.text_picture import text

__all__ = ["html", "html_parts", "svg", "text"]
