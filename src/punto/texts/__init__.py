"""What people read: one catalogue a language for what the code itself says. Words of a game stay in its sheet.

A text is a template. `{name}` stands for a parameter:

- `{stake_cents}`: a name that ends in `_cents` is an amount, written 1,234 or 1,234.50.
- `{hand}`: a name that is a table of `[words]` is looked up there.
- `{on:bet}`: the name after the colon is the format: `money`, `number` (1,234), `bet` (the sheet's name of a bet),
  `sheet` (a word of the sheet), `cards` (9h Td), a table of `[words]`, or a section whose text the value names; with
  `situations`, a sheet that has an answer to the situation describes it itself.
- `{copies|card|cards}`: a number with its noun, for one and for more; a language without plurals gives one form.
- `[ in box {box}]`: a part in brackets is left out where one of its parameters is None or empty.
- A parameter that holds several values is written with the catalogue's `list_separator` between them.

`web/src/texts.ts` renders the same catalogues by the same rules; a test holds the two against each other. A text,
parameter or word that is missing raises a LookupError: people never see a template.
"""

from __future__ import annotations

from punto.texts.catalogues import LANGUAGES, Catalogue, catalogue, negotiate
from punto.texts.rendering import Coded, money, parameters_of, render, say, text

__all__ = [
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
