"""Pictures of dependency graphs, of one graph or of predicted against gold: `svg`, `html`, `text`, and `picture`."""

from __future__ import annotations

from arctag.draw.html_page import html, html_parts
from arctag.draw.notebook import Picture, picture
from arctag.draw.svg_picture import svg
from arctag.draw.text_picture import text

__all__ = ["Picture", "html", "html_parts", "picture", "svg", "text"]
