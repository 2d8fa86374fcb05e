"""Values that show themselves: their type and text in one line, and HTML in a notebook."""

from __future__ import annotations


class Shown:
    """A value with a text of one line."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"

    def _repr_html_(self) -> str:
        from punto.rules.html import html_of

        return html_of(self)
