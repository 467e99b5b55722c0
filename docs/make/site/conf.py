"""Settings of Sphinx: Markdown in, pages out that load nothing from a network."""

from __future__ import annotations

from arctag import __version__

project = "Arctag"
release = version = __version__
html_title = f"Arctag {__version__}"
extensions = ["myst_parser"]
myst_heading_anchors = 4  # the anchors that code hosts make
myst_enable_extensions = ["attrs_inline"]
myst_links_external_new_tab = False
suppress_warnings = ["misc.highlighting_failure"]  # label files and patterns are in no language
html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["arctag.css"]
html_js_files = ["accessible.js"]
html_show_sphinx = html_show_copyright = False
html_copy_source = False
html_use_index = False
html_show_search_summary = False  # it would be fetched, which browsers refuse in a folder
html_theme_options = {"navigation_with_keys": True}
pygments_style, pygments_dark_style = "a11y-high-contrast-light", "a11y-high-contrast-dark"
