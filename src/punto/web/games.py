"""The rule sheets over HTTP: what is played here, by which rules, at which odds."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from http import HTTPStatus
from typing import Annotated

from msgspec import Meta

from punto.analysis.figures import Figures
from punto.protocol.shown import RuleSheet, show_input, show_sheet
from punto.protocol.views import GameSummary, SetUp
from punto.rules.defaults import DEFAULT_DECKS
from punto.table.acts.settings import bets_with_limits, set_up_inputs
from punto.web.access import PUBLIC
from punto.web.requests import Request
from punto.web.routes import Routes

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
routes = Routes("games")


@routes.get("/api/games", PUBLIC)
async def list_games(request: Request) -> list[GameSummary]:
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
        for sheet in request.house.registry.sheets
    ]


@routes.get("/api/games/{game}", PUBLIC)
async def read_game(request: Request, game: str) -> RuleSheet:
    """A whole rule sheet, with its paragraphs."""
    return show_sheet(request.house.registry.sheet_of(game))


@routes.get("/api/games/{game}/odds", PUBLIC, HTTPStatus.UNPROCESSABLE_ENTITY)
async def read_odds(request: Request, game: str, decks: Annotated[int, Meta(ge=1, le=10)] = 8) -> Figures:
    """Exact figures for every bet of a full shoe."""
    sheet = request.house.registry.sheet_of(game)
    from punto.analysis.sheet_figures import full_shoe_figures  # NumPy, only for those who ask

    return await asyncio.to_thread(full_shoe_figures, sheet, decks)


@routes.get("/api/games/{game}/set-up", PUBLIC)
async def read_set_up(request: Request, game: str, live: bool = False) -> SetUp:
    """The settings of a new table of a game, for a form: run by a Dealer, or automatic."""
    sheet = request.house.registry.sheet_of(game)
    inputs = tuple(map(show_input, set_up_inputs(sheet, live=live)))
    exact = sheet.exact_unit_cents
    unit = -(-SUGGESTED["unit_cents"] // exact) * exact
    timing = {} if live else asdict(request.house.settings.timing)
    return SetUp(sheet.id, inputs, SUGGESTED | {"unit_cents": unit}, tuple(bets_with_limits(sheet)), exact, timing)
