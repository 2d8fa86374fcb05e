"""The rule sheets over HTTP: what is played here, by which rules, at which odds."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Annotated

from litestar import Router, get
from litestar.params import FromPath, QueryParameter

from punto.analysis.figures import Figures
from punto.protocol.shown import RuleSheet, show_sheet
from punto.protocol.views import GameSummary
from punto.web.access import Connection, house_of
from punto.web.problems import refusals


@get("/", responses=refusals(), sync_to_thread=False)
def list_games(request: Connection) -> list[GameSummary]:
    """The games of this house: the built-in ones and its own."""
    return [
        GameSummary(
            sheet.id,
            sheet.title,
            sheet.short,
            sheet.effective,
            (sheet.decks.minimum, sheet.decks.maximum),
            {layout.id: layout.boxes for layout in sheet.boxes.layouts},
            tuple(sheet.bet_ids),
            dict(sheet.zh),
        )
        for sheet in house_of(request).registry.sheets
    ]


@get("/{game:str}", responses=refusals(HTTPStatus.NOT_FOUND), sync_to_thread=False)
def read_game(request: Connection, game: FromPath[str]) -> RuleSheet:
    """A whole rule sheet, with its paragraphs."""
    return show_sheet(house_of(request).registry.sheet_of(game))


@get("/{game:str}/odds", responses=refusals(HTTPStatus.NOT_FOUND, HTTPStatus.UNPROCESSABLE_ENTITY))
async def read_odds(
    request: Connection, game: FromPath[str], decks: Annotated[int, QueryParameter(ge=1, le=10)] = 8
) -> Figures:
    """Exact figures for every bet of a full shoe."""
    sheet = house_of(request).registry.sheet_of(game)
    from punto.analysis.sheet_figures import full_shoe_figures  # NumPy and numba, only for those who ask

    return await asyncio.to_thread(full_shoe_figures, sheet, decks)


ROUTER = Router("/api/games", tags=["games"], route_handlers=[list_games, read_game, read_odds])
