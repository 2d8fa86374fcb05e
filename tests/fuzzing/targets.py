"""Every reader of outside input: valid inputs to spoil, the function that reads them, and the errors it documents."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import io
import json
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import msgspec

from punto.cli import check_sheet, replay, roads, verify_shoe
from punto.cli.commands.rules import CheckSheet, Replay, Roads, VerifyShoe
from punto.cli.declare import Output
from punto.cli.json_lines import answer, settle_line
from punto.cli.settings import read_settings, show_settings
from punto.cli.settle import settle_record
from punto.cli.shoes import read_numbers
from punto.client import ConnectionLostError, RefusedByServerError
from punto.client.http import read_answer
from punto.client.live import LiveTable, read_message
from punto.protocol import views as v
from punto.protocol.codec import AnyCommand, command_by, parse_command, parse_event, read_command_by, to_json
from punto.rules.cards import parse_cards, write_cards
from punto.rules.composition import shoe_of
from punto.rules.loader import GALLERY, GAMES, load
from punto.rules.notation import read_line, write_line, write_settlement
from punto.rules.refusals import Refusal, Refused
from punto.service.checkpoints import CheckpointFile
from punto.service.cluster.cluster_link import HouseNews
from punto.service.cluster.cluster_link import _read as read_news
from punto.service.people.look_alikes import look_of
from punto.service.shoes.anchors import read_anchor, write_anchor
from punto.service.shoes.house_key import HouseKey
from punto.service.tables.command_router import Answered, Forwarded
from punto.service.tables.followed_table import FollowedTable, RecordedEvent
from punto.service.tables.saved_table import restore_table, save_table
from punto.service.tables.table_host import ClockNews, EventNews, WatchNews
from punto.store.errors import RefusedStoreError
from punto.store.fold import Checkpoint, LogFold
from punto.store.heads import Heads, _text, read_heads
from punto.store.opening import public
from punto.store.records import Tail
from punto.table import acts
from punto.table.actor import Actor
from punto.texts import negotiate
from punto.web import openapi
from punto.web.access import origin_allowed
from punto.web.proxies import _read_address
from punto.web.requests import read, token_in
from tests.fuzzing import edge
from tests.service.rig import PIT, rig, taken
from tests.table_kit import BANKER_INSURABLE, BOTH_DRAW, DEALER, NATURAL, Play

Corpus = Sequence[bytes]
Read = Callable[[bytes], object]
EXAMPLES = Path("examples")
ROUNDS = (NATURAL, BANKER_INSURABLE, BOTH_DRAW, "6h 2d Ks 3c 4c", "5h 5d 5s 5c Th Td")


@dataclass(frozen=True)
class Target:
    """A reader with valid inputs; `errors` is all that it may raise."""

    name: str
    corpus: Callable[[], Corpus]
    read: Read
    errors: tuple[type[Exception], ...]


TARGETS: dict[str, Target] = {}


def target(
    name: str, corpus: Callable[[], Corpus], errors: tuple[type[Exception], ...] = (Refused,), file: str | None = None
) -> Callable[[Callable[[Any], object]], Callable[[Any], object]]:
    """Make a reader a target: of bytes, or of a file of this name."""

    def add(read: Callable[[Any], object]) -> Callable[[Any], object]:
        TARGETS[name] = Target(name, corpus, in_file(file, read) if file else read, errors)
        return read

    return add


def as_json(*trees: Any) -> Corpus:
    """Trees as JSON."""
    return [json.dumps(each).encode() for each in trees]


def text_of(given: bytes) -> str:
    """Text of any kind, even with half of a surrogate pair: a caller in Python may have such."""
    return given.decode("utf-8", "surrogateescape")


@cache
def scratch() -> Path:
    """A folder for files to read."""
    in_memory = Path("/dev/shm")  # noqa: S108 — where there is one, so that no case waits for a disk
    folder = tempfile.TemporaryDirectory(prefix="punto-fuzzing-", dir=in_memory if in_memory.is_dir() else None)
    _SCRATCH.append(folder)
    return Path(folder.name)


_SCRATCH: list[Any] = []
"""Folders that are removed when the process ends."""


def in_file(name: str, read_file: Callable[[Path], object]) -> Read:
    """A reader of bytes that writes them to a file for a reader of files."""

    def read_bytes(given: bytes) -> object:
        path = scratch() / name
        path.write_bytes(given)
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            return read_file(path)

    return read_bytes


# ------------------------------------------------------------------------------------------- notation and records


@target("rounds", lambda: [each.encode() for cards in ROUNDS for each in (cards, write_line(read_line(cards)))])
def _read_line(given: bytes) -> None:
    line = write_line(read_line(text_of(given)))
    assert write_line(read_line(line)) == line


@target("cards", lambda: [cards.encode() for cards in ROUNDS])
def _read_cards(given: bytes) -> None:
    cards = parse_cards(text_of(given))
    assert parse_cards(write_cards(cards)) == cards


def _records() -> Corpus:
    records: list[dict[str, Any]] = [json.loads((EXAMPLES / "insured-banker.json").read_text("utf-8"))]
    bet = {"box": 1, "patron": "ann", "seated": True}
    for game in (*GAMES, str(EXAMPLES / "moon.toml")):
        on = [name for name in load(game).bet_ids if name not in load(game).insurance_bets]
        bets = [bet | {"on": each, "stake": 2_500 + place} for place, each in enumerate(on)]
        records += [{"game": game, "decks": 8, "cards": cards, "bets": bets} for cards in ROUNDS[:3]]
        limits = {"minimum": 2_500, "differential": 10_000, "unit": 500}
        bets = [bet | {"on": "banker", "stake": 12_000}, bet | {"on": "player", "stake": 5_000}]
        records.append({"game": game, "cards": ROUNDS[3], "limits": limits, "bets": bets})
    return as_json(*records)


@target("records", _records)
def _settle(given: bytes) -> None:
    """The quick way through a record and the long one must agree."""
    text, refused = answer(given)
    record, settled = settle_record(given)
    assert refused == isinstance(settled, Refusal)
    if not isinstance(settled, Refusal):
        assert record is not None
        assert json.loads(text) == write_settlement(settled)
    elif settle_line(given) is not None:
        raise AssertionError(f"settled in one way, and refused in the other: {settled}")
    else:
        raise Refused(settled)


def _road_files() -> Corpus:
    answers = [answer(record)[0] for record in _records()]
    shoe = b"\n".join((EXAMPLES / "shoe.txt").read_bytes().splitlines()[:25])
    return [shoe, *answers, b"\n".join(answers[:5]), *_records()[:4]]


@target("roads", _road_files, file="roads")
def _show_roads(path: Path) -> None:
    roads.run(Roads(str(path), as_json=True))


# ------------------------------------------------------------------------------------------- sheets


def _sheets() -> Corpus:
    own = [(EXAMPLES / name).read_bytes() for name in ("moon.toml", "moon-draft.toml")]
    insurance = b'extends = "commission-insurance"\nid = "own"\ntitle = "Own"\nremove = ["bets.player-pair"]\n'
    gallery = Path("src/punto/sheets")
    return [own[0], insurance, *[(gallery / f"{name}.toml").read_bytes() for name in (*GALLERY[:3], GAMES[1])]]


@target("sheets", _sheets, file="sheet.toml")
def _check_sheet(path: Path) -> None:
    check_sheet.run(CheckSheet(str(path), as_json=True))
    load(path)


@target("sheet-mappings", lambda: [load(name).canonical.encode() for name in (*GALLERY[:3], *GAMES)])
def _read_mapping(given: bytes) -> None:
    try:
        data = json.loads(given)
    except (ValueError, RecursionError):
        return
    load(data)


# ------------------------------------------------------------------------------------------- commands and messages


@cache
def _play() -> Play:
    """A table with some of everything behind it."""
    play = Play("commission-insurance").sit("ann", "bo")
    play.open(("ann", "player", 5_000), ("bo", "banker", 10_000)).close().deal(NATURAL)
    play.settle()
    play.open(("ann", "player", 5_000), ("bo", "banker", 10_000)).close().deal(BOTH_DRAW[:8])
    return play


def _commands() -> Corpus:
    example = (EXAMPLES / "table.jsonl").read_bytes().splitlines()
    return [*example, *[to_json(command).encode() for command, _ in _play().given], *_other_commands()]


def _other_commands() -> Corpus:
    facts = {"cards": "9h 2c", "round": 1, "claims": [{"patron": "ann", "box": 1, "hand": "banker"}]}
    staff: list[dict[str, Any]] = [
        {"kind": "report", "situation": "card-exposed", "facts": {}},
        {"kind": "report", "situation": "insurance-not-offered", "facts": facts | {"window": "player-third"}},
        {"kind": "decide", "decision": "approve"},
        {"kind": "correct-round", "round": 1, "cards": "9h 9s Ks Kd", "reason": "misread"},
        {"kind": "change-limits", "minimum_cents": 2_500, "differential_cents": 10_000},
    ]
    return as_json(*[each | {"by": "pit-supervisor:sue"} for each in staff])


@target("commands", _commands)
def _read_command(given: bytes) -> None:
    command = parse_command(given)
    assert parse_command(to_json(command)) == command


def _events() -> Corpus:
    return [to_json(event).encode() for event in _play().log]


@target("events", _events)
def _read_event(given: bytes) -> None:
    event = parse_event(given)
    assert parse_event(to_json(event)) == event


def _replayed() -> Corpus:
    return [(EXAMPLES / "table.jsonl").read_bytes(), b"\n".join([to_json(each).encode() for each, _ in _play().given])]


@target("command-files", _replayed, file="table.jsonl")
def _replay(path: Path) -> None:
    replay.run(Replay(str(path), as_json=True))


def _at_edge() -> Corpus:
    return as_json(*[{k: w for k, w in json.loads(each).items() if k != "by"} for each in _commands()])


@target("commands-at-edge", _at_edge)
def _read_at_edge(given: bytes) -> None:
    for by in (Actor("ann"), DEALER):
        command_by(read(given, AnyCommand), by)


def _client_messages() -> Corpus:
    hello: list[dict[str, Any]] = [{"type": "hello"}, {"type": "hello", "token": "abc", "after": 3}, {"type": "ping"}]
    given = [{"type": "command", "key": "k1", "command": json.loads(each)} for each in _at_edge()]
    return as_json(*hello, *given)


@target("client-messages", _client_messages)
def _read_client_message(given: bytes) -> None:
    message = read(given, v.ClientMessage)
    if isinstance(message, v.GiveCommand):
        read_command_by(message.command, Actor("ann"))


_BODIES = dict.fromkeys([route.body for route in openapi.ROUTES if route.body is not None])


def _bodies() -> Corpus:
    others: tuple[dict[str, Any], ...] = (
        *({"ids": ["a", "b"]}, PIT | {"mode": "automatic", "timing": {"betting_ms": 5_000}}),
        *({"account": "patron", "token": "abc"}, {"account": "staff"}),
    )
    return as_json(*openapi.EXAMPLES.values(), *others)


@target("bodies", _bodies)
def _read_bodies(given: bytes) -> None:
    """Whatever comes may be sent as any body. It is refused if all refuse it."""
    refused = []
    for kind in _BODIES:
        try:
            read(given, kind)
        except Refused as error:
            refused.append(error)
    if len(refused) == len(_BODIES):
        raise refused[0]


@cache
def _seen() -> Corpus:
    """What two readers of a table are sent."""

    async def play() -> list[bytes]:
        async with rig() as r:
            ann, dan = await r.person("Ann", cents=100_000), await r.person("Dan", "dealer")
            table = await r.table(PIT)
            readers = [r.house.subscribe(table, each, None) for each in (ann, dan)]
            await r.done(ann, table, "sit", box=1)
            await r.done(dan, table, "load-shoe")
            await r.play(dan, table, (ann, "player", 1_000), cards=NATURAL)
            return [json.dumps(message).encode() for reader in readers for message in taken(reader)]

    refused = {"code": "table-busy", "rule": None}
    others = (
        {"type": "reply", "key": "k1", "seq": 3},
        {"type": "reply", "key": "k1", "refused": refused},
        {"type": "pong"},
    )
    return [*asyncio.run(play()), *as_json(*others)]


@target("server-messages", _seen, (ConnectionLostError, RefusedByServerError))
def _follow(given: bytes) -> None:
    """A message after a whole snapshot: applied, or the server is not understood."""

    async def follow() -> None:
        live = LiveTable("http://localhost", "pit")
        snapshot = read_message(next(each for each in _seen() if b'"snapshot"' in each[:80]))
        await live._apply(snapshot)
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        live._pending["k1"] = "", answer
        await live._apply(read_message(given))
        if answer.done():
            with contextlib.suppress(RefusedByServerError):
                answer.result()
        msgspec.json.encode(live.view)
        for act in acts.COMMANDS.values():
            live.ways(act)

    _loop().run_until_complete(follow())


@cache
def _loop() -> asyncio.AbstractEventLoop:
    return asyncio.new_event_loop()


def _answers() -> Corpus:
    problem = {"type": "urn:punto:refusal:table-busy", "title": "x", "status": 503, "detail": "x", "code": "table-busy"}
    return [
        json.dumps(problem | {"rule": None, "refusal": {"code": "table-busy", "rule": None}}).encode(),
        *[each for each in _seen() if b'"snapshot"' in each[:80]],
        json.dumps({"id": "ann", "name": "Ann", "role": "patron", "balance_cents": 5}).encode(),
    ]


@target("server-answers", _answers, ())
def _read_answer(given: bytes) -> None:
    for status, kind in ((200, v.Snapshot), (200, v.Account), (503, v.Snapshot)):
        response = httpx.Response(status, headers={"Content-Type": "application/json"}, content=given)
        with contextlib.suppress(ConnectionLostError, RefusedByServerError):
            read_answer(response, kind)


_NEWS: tuple[Any, ...] = (HouseNews, EventNews, ClockNews, WatchNews, Forwarded, Answered)


def _news() -> Corpus:
    forwarded = {"table": "pit", "person": "ann", "command": json.loads(_at_edge()[0]), "key": "k", "body_hash": "ff"}
    event = json.loads(_events()[0])
    others = ({"balances": {"ann": 5}, "people": ["ann"]}, {"seq": 3, "ends_at": 5}, {"patrons": ["ann"]}, forwarded)
    return as_json(*others, {"records": [[1, 2, event]]}, {"seq": 3})


@target("bus-news", _news, ())
def _hear(given: bytes) -> None:
    for kind in _NEWS:
        read_news(given, kind)


# ------------------------------------------------------------------------------------------- headers and names


def _headers() -> Corpus:
    return [
        *(b"en", b"zh-Hans-CN,zh;q=0.9,en;q=0.8", b"punto-patron=abc; punto-staff=def", b"Bearer abc"),
        *(b"https://floor.example:8443", b"192.0.2.1", b"[2001:db8::1]:4711", b"2001:db8::1", b"192.0.2.1:80"),
        *(b"Ann", "Zoë Müller".encode(), "用户一".encode(), b"sqlite:///data/punto.db", b"postgresql://a:b@h/d"),
    ]


@target("headers", _headers, ())
def _read_header(given: bytes) -> None:
    """A header as any of those that are read, a name as it looks, and an address as it is shown."""
    said = given.decode("latin-1")
    negotiate(said)
    _read_address(said)
    origin_allowed({"origin": said, "host": "localhost"}, ())
    token_in({"authorization": said})
    token_in({"cookie": said, "x-punto-account": "patron"})
    token_in({"cookie": "punto-patron=abc", "x-punto-account": said})
    look_of(text_of(given))
    public(text_of(given))


@target("counts", lambda: [b"32" + b" 32" * 12, b"31" + b",32" * 11 + b",30", b"1" + b" 0" * 12])
def _read_counts(given: bytes) -> None:
    shoe_of(8, read_numbers(text_of(given).split("\n"), int, "--counts", "count-not-whole"))


@target("opened-shoes", lambda: [(EXAMPLES / "opened-shoe.json").read_bytes()], file="shoe.json")
def _verify_shoe(path: Path) -> None:
    verify_shoe.run(VerifyShoe(str(path)))


# ------------------------------------------------------------------------------------------- files of a house


@cache
def _key() -> HouseKey:
    key = HouseKey(scratch() / "house.key", lambda count: bytes(range(count)))
    key.make()
    return key


def _keys() -> Corpus:
    _key()
    return [(scratch() / "house.key").read_bytes()]


target("keys", _keys, (RefusedStoreError,), "other.key")(HouseKey)


def _anchors() -> Corpus:
    tails = [Tail("house", 3, "ab" * 32), Tail("table/pit", 12, "cd" * 32)]
    return [write_anchor(_key(), "store-1", tails, 1_763_200_000_000).encode()]


@target("anchors", _anchors, (RefusedStoreError,), "anchor.json")
def _read_anchor(path: Path) -> None:
    """Anyone can sign an anchor with a key of their own, so a spoiled one is read signed again too."""
    try:
        said = json.loads(path.read_text("utf-8"))
        said.pop("signature", None)
        text = json.dumps(said, sort_keys=True, separators=(",", ":")).encode()
        signed = json.dumps(said | {"public_key": said["public_key"], "signature": _key().sign(text)})
    except Exception:  # it is no longer an anchor
        signed = None
    errors = []
    for content in (None, signed):
        if content is not None:
            path.write_text(content, "utf-8")
        try:
            anchor = read_anchor(path)
            anchor.verifier().tail(Tail("house", 3, "ab" * 32))
        except RefusedStoreError as error:
            errors.append(error)
    if errors:
        raise errors[0]


def _heads() -> Corpus:
    heads = Heads("store-1", {"house": (3, "ab" * 32), "table/pit": (12, "cd" * 32)}, ("an older database",))
    return [text.partition(b" ")[2] for text in (_text(4, heads), _text(5, Heads("store-1")))]


@target("heads", _heads, (RefusedStoreError,), "punto.head")
def _read_heads(path: Path) -> None:
    """A half with the right checksum over whatever it says, beside one that is as it was written."""
    text = path.read_bytes().replace(b"\n", b" ").strip()
    half = hashlib.sha256(text).hexdigest().encode() + b" " + text
    errors = []
    for content in (
        half.ljust(4_000) * 2,
        half.ljust(4_000) + _text(5, Heads("store-1")).ljust(len(half.ljust(4_000))),
    ):
        path.write_bytes(content)
        try:
            read_heads(path)
        except RefusedStoreError as error:
            errors.append(error)
    if errors:
        raise errors[0]


def _settings() -> Corpus:
    secret = scratch() / "secret"
    secret.write_text("memory:", "utf-8")
    whole = f"""database_file = "{secret}"
owner = "one"
gaming_day = "06:00+08:00"
origins = ["https://floor.example"]
standing_order = "conclude-or-void"
token_days = 30
[edge]
burst = 60
[timing]
betting_ms = 5000
[server]
trusted_proxies = ["127.0.0.1", "10.0.0.0/8"]
log_format = "json"
port = 8080
base_path = "/punto"
"""
    return [whole.encode(), Path("examples/deploy/punto.toml").read_bytes()]


@target("settings", _settings, file="punto.toml")
def _read_settings(path: Path) -> None:
    """A file; and its lines as options of the command line and as variables of the environment."""
    show_settings(Output(as_json=True), read_settings(path, {}, {}))


def _options() -> Corpus:
    (scratch() / "empty.toml").write_text("", "utf-8")
    lines = (
        "database=memory:",
        "edge.burst=60\nserver.port=0",
        'gaming_day="06:00"',
        "origins=https://a.example,https://b",
    )
    return [each.encode() for each in lines]


@target("options", _options)
def _read_options(given: bytes) -> None:
    lines = [line for line in text_of(given).split("\n") if "=" in line]
    pairs = [line.partition("=") for line in lines]
    environment = {f"PUNTO_{name.strip().upper()}": value.strip(' "') for name, _, value in pairs}
    settings = read_settings(scratch() / "empty.toml", environment, {}, [line.replace('"', "") for line in lines])
    with contextlib.redirect_stdout(io.StringIO()):
        show_settings(Output(as_json=True), settings)


@cache
def _followed() -> FollowedTable:
    table = FollowedTable("t1", _play().sheet)
    for seq, event in enumerate(_play().log, 1):
        table.apply(RecordedEvent(seq, seq * 1_000, event))
    return table


@target("saved-tables", lambda: [save_table(_followed())], (ValueError,))
def _read_table(given: bytes) -> None:
    restore_table(FollowedTable("t1", _play().sheet), given)


def _checkpoints() -> Corpus:
    checkpoint = Checkpoint(LogFold().save(), {"house": (3, "ab" * 32)}, {"table/t1": b"abc"})
    file = CheckpointFile(scratch() / "valid.checkpoint", _key())
    file.write(checkpoint)
    return [msgspec.msgpack.encode(checkpoint), file.path.read_bytes()]


@target("checkpoints", _checkpoints, (ValueError,), "punto.checkpoint")
def _read_checkpoint(path: Path) -> None:
    """The file as it stands; or, if it is none, as the contents of one that the house has signed."""
    file = CheckpointFile(path, _key())
    if not (given := path.read_bytes()).startswith(b"punto-checkpoint"):
        file.write(msgspec.Raw(given))  # type: ignore[arg-type]  # written as it is
    checkpoint = file.read()
    if checkpoint is not None:
        LogFold.restore(checkpoint.fold)


target("requests", edge.requests, ())(edge.ask)
target("sockets", edge.sessions, ())(edge.talk)
