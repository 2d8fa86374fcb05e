"""The rule sheets over HTTP: what is played here, by which rules, at which odds."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Annotated

from litestar import Router, get
from litestar.params import FromPath, QueryParameter

from punto.analysis.figures import Figures
from punto.protocol.shown import RuleSheet, show_input, show_sheet
from punto.protocol.views import GameSummary, SetUp
from punto.rules.defaults import DEFAULT_DECKS
from punto.table.opening import bets_with_limits, set_up_inputs
from punto.web.access import Connection, house_of
from punto.web.problems import refusals

SUGGESTED = {
    "decks": DEFAULT_DECKS,
    "boxes": 8,
    "minimum_cents": 5_000,
    "differential_cents": 1_000_000,
    "unit_cents": 100,
    "side_minimum_cents": 1_000,
    "side_maximum_cents": 100_000,
}
"""Values with which the form of a new table begins."""


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
    from punto.analysis.sheet_figures import full_shoe_figures  # NumPy, only for those who ask

    return await asyncio.to_thread(full_shoe_figures, sheet, decks)


@get("/{game:str}/set-up", responses=refusals(HTTPStatus.NOT_FOUND), sync_to_thread=False)
def read_set_up(request: Connection, game: FromPath[str], live: Annotated[bool, QueryParameter()] = False) -> SetUp:
    """What may be said of a new table of a game, for a form: run by a Dealer, or automatic."""
    sheet = house_of(request).registry.sheet_of(game)
    inputs = tuple(map(show_input, set_up_inputs(sheet, live=live)))
    return SetUp(sheet.id, inputs, SUGGESTED, tuple(bets_with_limits(sheet)))


ROUTER = Router("/api/games", tags=["games"], route_handlers=[list_games, read_game, read_odds, read_set_up])
