"""The rule sheets over HTTP: what is played here, by which rules, at which odds."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Annotated, Any

from litestar import get
from litestar.params import FromPath, QueryParameter

from punto.rules.loader import load, load_all
from punto.rules.plain import plain
from punto.web.access import house_of
from punto.web.problems import refusals
from punto.web.requests import StrictRequest
from punto.web.schemas import GameOut

TAGS = ["games"]
NOT_FOUND = refusals(HTTPStatus.NOT_FOUND)


@get("/api/games", tags=TAGS, sync_to_thread=False)
def list_games(request: StrictRequest) -> list[GameOut]:
    """The games of this house: the built-in ones and its own."""
    own = [load(path) for path in house_of(request).settings.sheets]
    return [
        GameOut(
            sheet.id,
            sheet.title,
            sheet.short,
            sheet.effective,
            [sheet.decks.minimum, sheet.decks.maximum],
            {layout.id: layout.boxes for layout in sheet.boxes.layouts},
            list(sheet.bet_ids),
            dict(sheet.zh),
        )
        for sheet in (*load_all(), *own)
    ]


@get("/api/games/{game:str}", tags=TAGS, responses=NOT_FOUND, sync_to_thread=False)
def read_game(request: StrictRequest, game: FromPath[str]) -> dict[str, Any]:
    """A whole rule sheet, with its paragraphs."""
    sheet = house_of(request).sheet_of(game)
    return {**plain(sheet), "paragraphs": sheet.paragraphs}


@get(
    "/api/games/{game:str}/odds",
    tags=TAGS,
    responses=refusals(HTTPStatus.BAD_REQUEST, HTTPStatus.NOT_FOUND, HTTPStatus.UNPROCESSABLE_ENTITY),
)
async def read_odds(
    request: StrictRequest, game: FromPath[str], decks: Annotated[int, QueryParameter(ge=1, le=10)] = 8
) -> dict[str, Any]:
    """Exact figures for every bet of a full shoe."""
    sheet = house_of(request).sheet_of(game)
    from punto.web.values import odds  # NumPy and numba, only for those who ask

    return await asyncio.to_thread(odds, sheet, decks)


ROUTES = [list_games, read_game, read_odds]
