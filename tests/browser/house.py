"""A real server in a process of its own, and short ways to set it up: the tests' hands behind the pages."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import uuid
from itertools import count
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from tests.patience import PATIENCE_SECONDS

PACE = {"betting_ms": 4_000, "card_ms": 300, "insurance_ms": 3_000, "pause_ms": 1_500}
SQUEEZE_PACE = {"betting_ms": 2_000, "card_ms": 1_000, "insurance_ms": 1_000, "squeeze_ms": 600_000, "pause_ms": 1_000}
"""The table waits for whoever has the squeeze of a card."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class House:
    """`punto serve` on a database of its own; may be killed and started again at the same address."""

    def __init__(self, folder: Path, base_path: str = "", *options: str) -> None:
        self.options, self.folder, self.port, self.base_path = options, folder, free_port(), base_path
        self.address = f"http://127.0.0.1:{self.port}{base_path}"
        self.tokens: dict[str, str] = {}
        self.sheets: dict[str, Any] = {}
        self.tables = 0
        """How many tables were set up."""
        self._numbers = count(1)
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "punto", "serve", "--database", f"sqlite:///{self.folder / 'house.db'}"]
        command += ["--port", str(self.port), "--open-door", "--free-credit", "--json", *self.options]
        command += ["--base-path", self.base_path] if self.base_path else []
        for limit in ("messages_per_second", "burst"):  # of tests that ask all at once, none is to wait
            command += ["--set", f"edge.{limit}=1000000"]
        with (self.folder / "server.log").open("a") as log:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
        assert self.process.stdout is not None
        while "address" not in (told := json.loads(self.process.stdout.readline())):
            self.tokens[told["role"]] = told["token"]

    def kill(self) -> None:
        """A power cut: nothing is finished."""
        assert self.process is not None
        self.process.kill()
        self.process.communicate()

    def stop(self) -> None:
        assert self.process is not None
        self.process.terminate()
        try:
            self.process.communicate(timeout=PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()

    # --------------------------------------------------------------------------------------- over HTTP

    def ask(self, method: str, path: str, body: Any = None, token: str | None = None) -> Any:
        headers = {"Content-Type": "application/json", "Idempotency-Key": uuid.uuid4().hex}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        data = None if body is None else json.dumps(body).encode()
        try:
            request = Request(f"{self.address}{path}", data, headers, method=method)  # noqa: S310 — our own
            with urlopen(request, timeout=PATIENCE_SECONDS) as answer:  # noqa: S310
                return json.loads(answer.read() or b"null")
        except HTTPError as error:
            raise AssertionError(f"{method} {path} {body}: {error.code} {error.read().decode()}") from None

    def staff(self, role: str) -> str:
        """A token of this role."""
        if role not in self.tokens:
            body = {"name": role.title(), "role": role}
            self.tokens[role] = self.ask("POST", "/api/people", body, self.tokens["admin"])["token"]
        return self.tokens[role]

    def patron(self, name: str, cents: int = 1_000_000) -> str:
        token: str = self.ask("POST", "/api/join", {"name": name})["token"]
        if cents:
            self.ask("POST", "/api/me/credits", {"amount_cents": cents}, token)
        return token

    def balance(self, token: str) -> int:
        cents: int = self.ask("GET", "/api/me", None, token)["balance_cents"]
        return cents

    def new_name(self) -> str:
        """A name that nothing else has here."""
        return f"t{next(self._numbers)}"

    def table(self, game: str, *, id: str = "", live: bool = True, loaded: bool = True, **changes: Any) -> str:  # noqa: A002
        """Set a table up: live, so that the test says which cards come, or automatic at a brisk pace."""
        table = id or self.new_name()
        if game not in self.sheets:
            self.sheets[game] = self.ask("GET", f"/api/games/{game}")
        sheet = self.sheets[game]
        layouts = sheet["boxes"]["layouts"]
        place = {"layout": layouts[0]["id"]} if layouts else {"boxes": 6}
        sides = [on for on, bet in sheet["bets"].items() if bet["hand"] is None]
        spec = {
            "table": table,
            "game": game,
            "mode": "live" if live else "automatic",
            "decks": 8,
            "minimum_cents": 5_000,
            "differential_cents": 5_000_000,
            "unit_cents": 100,
            "sides": [{"on": on, "minimum_cents": 1_000, "maximum_cents": 500_000} for on in sides],
            **place,
            **({} if live else {"timing": PACE}),
            **changes,
        }
        self.ask("POST", "/api/tables", spec, self.staff("admin"))
        self.tables += 1
        if live and loaded:
            self.deal(table, "load-shoe")
        return table

    def deal(self, table: str, kind: str, role: str = "dealer", **fields: Any) -> Any:
        """A command of the staff."""
        return self.ask("POST", f"/api/tables/{table}/commands", {"kind": kind, **fields}, self.staff(role))

    def approve(self, table: str) -> None:
        """A second person agrees to what was proposed."""
        self.deal(table, "decide", "pit-manager", decision="approve")

    def cards(self, table: str, cards: str) -> None:
        """Cards out of the shoe, one by one."""
        for card in cards.split():
            self.deal(table, "deal", card=card)

    def play(self, table: str, cards: str, *, settled: bool = True) -> None:
        """Close bets, deal these cards and settle."""
        self.deal(table, "close-bets")
        self.cards(table, cards)
        if settled:
            self.deal(table, "settle")

    def snapshot(self, table: str, token: str | None = None) -> Any:
        return self.ask("GET", f"/api/tables/{table}", None, token)
