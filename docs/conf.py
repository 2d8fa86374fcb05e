"""How Sphinx builds the documentation: `make docs`. Nothing is fetched, neither by the build nor by the pages."""

from __future__ import annotations

import sys
from pathlib import Path

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

import punto

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

project = "Punto"
author = "the authors of Punto"
version = release = punto.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "command_pages", "notebook_pages", "state_tables"]
exclude_patterns = ["_extensions"]

# Markdown
myst_enable_extensions = ["attrs_block", "colon_fence", "deflist"]
myst_heading_anchors = 3
myst_fence_as_directive = ["mermaid"]

# Python. Docstrings say `name` for code.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_class_signature = "mixed"
autodoc_use_legacy_class_based = False
python_maximum_signature_line_length = 88
python_use_unqualified_type_names = True
add_module_names = False

# Pages
html_theme = "furo"
html_title = f"Punto {release}"
html_static_path = ["_static"]
html_css_files = ["punto.css"]
html_search_scorer = str(Path(__file__).parent / "_static" / "scorer.js")

html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
highlight_language = "none"
pygments_style = "friendly"
pygments_dark_style = "native"
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#0b6b3a",
        "color-brand-content": "#0b6b3a",
        "color-brand-visited": "#0b6b3a",
        "font-stack": "system-ui, -apple-system, 'Segoe UI', 'Noto Sans', sans-serif",
    },
    "dark_css_variables": {
        "color-brand-primary": "#6fd39c",
        "color-brand-content": "#6fd39c",
        "color-brand-visited": "#6fd39c",
    },
}


def setup(app: Sphinx) -> None:
    """Name the languages of our examples that no highlighter knows."""
    app.add_lexer("rounds", TextLexer)
