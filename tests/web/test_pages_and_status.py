"""Static pages, health and metrics, roads and odds: what is looked up without touching money."""

from __future__ import annotations

import gzip
import json
import time
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from punto import __version__
from punto.rules.refusals import Refused
from punto.web.pages import NOT_BUILT, Pages
from punto.web.requests import Response
from punto.web.server import AddressTakenError, bind
from tests.web.rig import edge, refusal


def headers_of(answer: Response) -> dict[str, str]:
    return {name.decode(): value.decode() for name, value in answer.headers}


def test_pages_are_served_as_files_and_one_page_for_the_rest(tmp_path: Path) -> None:
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<title>Punto</title>")
    (folder / "assets" / "app-1.js").write_text("1")
    (tmp_path / "secret").write_text("no")
    pages = Pages(folder)
    script = pages.answer("/assets/app-1.js")
    headers = headers_of(script)
    assert "immutable" in headers["cache-control"]
    assert "javascript" in headers["content-type"]
    for path in ("/", "/table/one", "/pit", "/../secret", "/secret", "/assets/../../secret"[7:]):
        answer = pages.answer(path)
        assert answer.body == b"<title>Punto</title>", path
        assert headers_of(answer)["cache-control"] == "no-cache"
    for path in ("/api/nothing", "/assets/gone.js", "/assets/../../secret", "/metrics/x", "/schema/x"):
        with pytest.raises(Refused):
            pages.answer(path)
    assert Pages(tmp_path / "nowhere").answer("/").body == NOT_BUILT.format(base_path="").encode()


@pytest.mark.parametrize("base_path", ["", "/punto", "/floor/one"])
def test_the_page_names_its_files_with_the_prefix_of_the_house(tmp_path: Path, base_path: str) -> None:
    (tmp_path / "index.html").write_text('<script src="./assets/app-1.js"></script>')
    (tmp_path / "index.html.br").write_bytes(b"as it was built")
    pages = Pages(tmp_path, base_path)
    wanted = f'<script src="{base_path}/assets/app-1.js"></script>'.encode()
    assert pages.answer("/table/one").body == wanted
    packed = pages.answer("/", "gzip, br")
    assert isinstance(packed.body, bytes)
    assert (headers_of(packed)["content-encoding"], gzip.decompress(packed.body)) == ("gzip", wanted)
    assert Pages(tmp_path / "nowhere", base_path).answer("/").body == NOT_BUILT.format(base_path=base_path).encode()


@pytest.mark.parametrize(
    ("header", "encoding", "content"),
    [
        ("", None, b"whole"),
        ("gzip, deflate, br, zstd", "br", b"b"),
        ("gzip, deflate", "gzip", b"g"),
        ("br;q=0, GZIP;q=0.5", "gzip", b"g"),
        ("br;q=0.000, gzip;q=0", None, b"whole"),
        ("identity", None, b"whole"),
    ],
)
def test_a_file_goes_out_in_an_encoding_that_the_browser_accepts(
    tmp_path: Path, header: str, encoding: str | None, content: bytes
) -> None:
    (tmp_path / "assets").mkdir()
    for end, packed in (("", b"whole"), (".br", b"b"), (".gz", b"g")):
        (tmp_path / "assets" / f"app-1.js{end}").write_bytes(packed)
    answer = Pages(tmp_path).answer("/assets/app-1.js", header)
    headers = headers_of(answer)
    assert (headers.get("content-encoding"), answer.body) == (encoding, content)
    assert headers["vary"] == "Accept-Encoding"
    assert "javascript" in headers["content-type"]
    with pytest.raises(Refused):
        Pages(tmp_path).answer("/assets/app-1.js.br")


async def test_paths_that_leave_the_folder_lead_nowhere() -> None:
    async with edge() as e:
        for path in ("/..%2f..%2fpyproject.toml", "/%2e%2e/%2e%2e/pyproject.toml", "//etc/passwd", "/assets/%00"):
            answer = await e.http.get(path)
            assert answer.status_code in {200, 404}, path
            assert "hatchling" not in answer.text
            assert "root:" not in answer.text


async def test_health_and_metrics() -> None:
    async with edge() as e:
        await e.table()
        dealer, ann = await e.person("Dan", "dealer"), await e.person("Ann", cents=5_000)
        await e.betting(dealer)
        health = await e.http.get("/api/health/ready")
        assert (health.status_code, health.json()["status"]) == (200, "ok")
        assert health.json()["tables"]["pit"]["phase"] == "betting"
        assert "owner" not in health.json(), "the name of a machine is for staff"
        own = {"Authorization": f"Bearer {dealer.token}"}
        assert "owner" in (await e.http.get("/api/health/ready", headers=own)).json()
        assert (await e.http.get("/api/health/live")).json() == {"status": "ok"}
        async with ann.watch("pit") as table:
            await table.command("sit", box=1)
            await table.command("place-bet", box=1, on="tie", stake_cents=1_000)
            refused = await refusal(table.command("place-bet", box=1, on="tie", stake_cents=1))
            answer = await e.http.get("/metrics")
        figures = {
            (sample.name, *sorted(sample.labels.values())): sample.value
            for family in text_string_to_metric_families(answer.text)
            for sample in family.samples
        }
        assert figures["punto_websockets",] == 1
        assert figures["punto_readers", "pit"] == 1
        assert figures["punto_commands_total", refused.code, "refused"] == 1
        assert figures["punto_command_seconds_count", "bet"] == 2
        assert figures["punto_events_total", "bet-placed"] == 1
        assert figures["punto_up", "store"] == figures["punto_up", "tables"] == 1
        assert figures["punto_commit_seconds_count",] > 0
        assert figures["punto_delivery_seconds_count",] > 0
        assert figures["punto_info", __version__] == 1
        assert figures["process_resident_memory_bytes",] > 2**20
        assert figures["process_open_fds",] < figures["process_max_fds",]
        for token in ("nobody's", "nobody's"):
            assert (await e.http.get("/api/me", headers={"Authorization": f"Bearer {token}"})).status_code == 401
        assert e.house.metrics.value("punto_tokens_refused_total") == 2
        days = (figures["punto_staff_token_ends_timestamp_seconds",] - time.time()) / 86_400
        assert 89 < days <= 91
        assert "Ann" not in answer.text
        await e.house.close()
        assert (await e.http.get("/api/health/ready")).status_code == 503
        closing = await refusal(ann.command("pit", "sit", box=1))
        assert (closing.status, closing.code) == (503, "house-closing")


async def test_roads_shoes_and_values() -> None:
    async with edge() as e:
        await e.table()
        dealer = await e.person("Dan", "dealer")
        await e.betting(dealer)
        await e.deal(dealer)
        roads = await e.public.get("/api/tables/pit/roads")
        assert roads["results"] == {"player": 1, "banker": 0, "tie": 0}
        svg = await e.http.get("/api/tables/pit/roads.svg")
        assert svg.headers["Content-Type"].startswith("image/svg+xml")
        assert svg.text.startswith("<svg")
        shoe = await e.public.get("/api/tables/pit/shoes/1")
        assert (shoe["over"], shoe["salt"], shoe["order"]) == (False, None, None)
        assert (shoe["dealt"], shoe["rounds"]) == (None, None)  # what has come out is a counter's aid
        assert (await dealer.get("/api/tables/pit/shoes/1"))["dealt"] == "5h Ks 4d 7c"
        await dealer.command("pit", "open-bets")
        await dealer.command("pit", "close-bets")
        await dealer.command("pit", "deal", card="9h")
        values = await dealer.get("/api/tables/pit/values")
        assert values["left"] == 8 * 52 - 5
        assert values["bets"].keys() >= {"player", "banker", "tie"}
        # With a 9 as its first card, Player is ahead.
        assert values["bets"]["player"]["edge"] < 0 < values["bets"]["banker"]["edge"]
        # What the shoe offers the next round does not hang on that card's place.
        shoe = values["shoe"]
        assert (values["on_table"], shoe.keys()) == (1, values["bets"].keys())
        assert 0 < shoe["player"]["edge"] < 0.02
        assert shoe["player"]["count"]["tags"][:4] == [-1, -1, -1, -3]
        assert shoe["player"]["count"]["true_count"] < shoe["player"]["count"]["even_at"]
        assert shoe["player-pair"]["count"] is None  # every rank makes as many pairs


async def test_a_taken_port_is_said_so() -> None:
    async with edge() as e:
        with pytest.raises(AddressTakenError, match="cannot listen at"):
            bind("127.0.0.1", e.port)


async def test_head_is_get_without_its_body() -> None:
    async with edge() as e:
        await e.table()
        for path in (
            "/",
            "/schema",
            "/schema/openapi.json",
            "/api/games",
            "/api/tables/pit",
            "/api/nothing",
            "/metrics",
        ):
            whole, head = await e.http.get(path), await e.http.head(path)
            assert (head.status_code, head.content) == (whole.status_code, b""), path
            same = ("Content-Type", "Content-Encoding", "Cache-Control")
            assert [head.headers.get(name) for name in same] == [whole.headers.get(name) for name in same]
            changes = path in {"/metrics", "/api/tables/pit"}  # with the time
            assert changes or head.headers["Content-Length"] == whole.headers["Content-Length"], path
        posted = await e.http.head("/api/join")
        assert (posted.status_code, posted.content, posted.headers["Allow"]) == (405, b"", "OPTIONS, POST")
        assert (await e.http.delete("/api/games")).headers["Allow"] == "GET, HEAD, OPTIONS"


async def test_an_unknown_address_of_the_api_is_refused_as_all_else() -> None:
    async with edge() as e:
        for path in ("/api", "/api/", "/api/nothing", "/api/tables/pit/nothing"):
            for method in ("GET", "POST"):
                answer = await e.http.request(method, path)
                assert (answer.status_code, answer.json()["code"]) == (404, "route-unknown"), (method, path)
                assert answer.headers["Content-Type"] == "application/problem+json"
        assert (await e.http.get("/schema/nothing")).json()["code"] == "route-unknown"


async def test_long_answers_to_look_ups_are_compressed_and_those_to_posts_never() -> None:
    async with edge() as e:
        ann = await e.person("Ann", cents=1_000)
        asking = {"Authorization": f"Bearer {ann.token}", "Accept-Encoding": "gzip"}
        for path in ("/api/games", "/api/games/commission", "/api/me/statement.csv", "/schema/openapi.json"):
            packed = await e.http.get(path, headers=asking)
            assert packed.headers["Content-Encoding"] == "gzip", path
            assert "Accept-Encoding" in packed.headers["Vary"]
            plain = await e.http.get(path, headers=asking | {"Accept-Encoding": "identity"})
            assert "Content-Encoding" not in plain.headers
            assert plain.text == packed.text
        assert "Content-Encoding" not in (await e.http.get("/api/me", headers=asking)).headers, "it is short"
        said = json.dumps({"name": "B" * 40}).encode()
        joined = await e.http.post("/api/join", content=said, headers=asking | {"Content-Type": "application/json"})
        assert (joined.status_code, joined.headers.get("Content-Encoding")) == (201, None)
