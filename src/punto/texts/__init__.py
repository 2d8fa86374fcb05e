"""The texts for people: one catalogue for each language. The words of a game are in its sheet.

A text is a template. `{name}` is a parameter:

- `{stake_cents}`: a name that ends in `_cents` is an amount, shown as 1,234 or 1,234.50.
- `{hand}`: a name of a table of `[words]` is looked up there.
- `{on:bet}`: the name after the colon is the format: `money`, `number` (1,234), `bet` (the sheet's name of a bet),
  `sheet` (a word of the sheet), `cards` (9h Td), a table of `[words]`, or a section in which the value is a key. With
  `situations`, a sheet with a ruling on the situation describes it itself.
- `{copies|card|cards}`: a number with its noun in singular and plural; a language without plurals has one form.
- `[ in box {box}]`: a part in brackets is left out if one of its parameters is None or empty.
- Several values are joined with the catalogue's `list_separator`.

`web/src/texts.ts` renders the same catalogues by the same rules; a test compares the two. A missing text, parameter or
word raises LookupError, so that people never see a template.
"""

from __future__ import annotations

from punto.texts.catalogues import LANGUAGE, LANGUAGES, Catalogue, catalogue, negotiate
from punto.texts.rendering import Coded, money, parameters_of, render, say, text

__all__ = [
    "LANGUAGE",
    "LANGUAGES",
    "Catalogue",
    "Coded",
    "catalogue",
    "money",
    "negotiate",
    "parameters_of",
    "render",
    "say",
    "text",
]
