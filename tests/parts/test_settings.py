"""Settings of a house: file, environment and command line, the later over the earlier."""

from __future__ import annotations

from pathlib import Path

import pytest

from punto.cli.declare import Database, Output
from punto.cli.output import sentence
from punto.cli.refusals import SettingsRefusedError
from punto.cli.settings import KINDS, SERVED, Settings, read_database, read_settings, show_settings
from punto.rules.refusals import Refused
from punto.service.settings import HouseSettings, LogFormat


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file of settings."""
    (tmp_path / "database").write_text("postgresql://ann:hush@db/punto\n")
    path = tmp_path / "punto.toml"
    path.write_text(
        f"""
        database_file = "{tmp_path / "database"}"
        origins = ["https://floor.example"]
        gaming_day = "06:00+08:00"
        [edge]
        burst = 100
        batch = 8
        [server]
        port = 9000
        """
    )
    return path


def read(file: Path | None, environment: dict[str, str] | None = None, *others: str, **options: object) -> Settings:
    return read_settings(file, environment or {}, options, others)


def test_the_later_source_wins(file: Path) -> None:
    settings = read(file, {"PUNTO_EDGE_BURST": "70", "PUNTO_SERVER_PORT": "9001"}, "edge.burst=60", head="a.head")
    house = settings.house
    assert (house.edge.burst, house.edge.batch, house.server.port, house.head) == (60, 8, 9001, "a.head")
    assert settings.sources["edge.burst"] == settings.sources["head"] == "command line"
    assert (settings.sources["server.port"], settings.sources["edge.batch"]) == ("PUNTO_SERVER_PORT", str(file))
    assert "edge.waiting" not in settings.sources


def test_an_option_that_was_not_given_leaves_the_file_in_force(file: Path) -> None:
    assert read(file, None, owner=None).house.owner == SERVED.owner
    assert read(file).house.gaming_day.shift_ms == (8 - 6) * 3_600_000


def test_secrets_come_from_files_and_are_not_shown(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = read(file)
    assert settings.house.database == "postgresql://ann:hush@db/punto"
    show_settings(Output(as_json=True), settings)
    show_settings(Output(), settings)
    printed = capsys.readouterr().out
    assert "postgresql://ann@db/punto" in printed
    assert "hush" not in printed
    named = read(None, {"PUNTO_DATABASE_FILE": str(file.with_name("database"))})
    assert named.house.database == settings.house.database


def test_text_stands_for_every_kind_of_value() -> None:
    given = ("open_door=true", "origins=https://a.example, https://b.example", "server.log_format=json", "bus=")
    house = read(None, None, *given).house
    assert house.open_door
    assert house.origins == ("https://a.example", "https://b.example")
    assert house.server.log_format is LogFormat.JSON


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("edge.burst=0", "edge.burst must be a whole number from 1, not '0' (command line)."),
        ("edge.burst=many", "a whole number from 1, not 'many'"),
        ("server.port=65536", "a whole number from 0 up to 65535, not '65536'"),
        ("server.base_path=punto/", "text such as /punto, not 'punto/'"),
        ("server.trusted_proxies=localhost", "a list such as 127.0.0.1, 10.0.0.0/8, not 'localhost'"),
        ("server.trusted_proxies=10.0.0.0/33", "a list such as 127.0.0.1, 10.0.0.0/8, not '10.0.0.0/33'"),
        ("server.log_level=loud", "one of debug, info, warning, error, not 'loud'"),
        ("open_door=perhaps", "true or false, not 'perhaps'"),
        ("origins=floor.example", "a list such as https://floor.example, not 'floor.example'"),
        ("timing.pause_ms=-1", "whole milliseconds, from 0 to an hour, not '-1'"),
        ("gaming_day=25:00", "A gaming day starts at a time such as"),
        ("edge.bursts=3", "There is no setting 'edge.bursts' (command line)"),
        ("edge=3", "There is no setting 'edge'"),
        ("", "There is no setting ''"),
        (
            "edge.burst=6\udc85",
            "edge.burst must be a whole number from 1",
        ),  # a byte of the command line that is no text
    ],
)
def test_what_cannot_be_set_is_named_with_where_it_was_given(given: str, said: str) -> None:
    with pytest.raises(Refused) as refused:
        read(None, None, given)
    assert said in sentence(refused.value.refusal)


def test_all_that_is_wrong_is_named_at_once(file: Path) -> None:
    file.write_text("database_file = 'nowhere'\n[edge]\nbursts = 3\nbatch = 0")
    with pytest.raises(SettingsRefusedError) as refused:
        read(file, {"PUNTO_SERVER_PORT": "x", "PUNTO_SERVER_LOG_FORMAT": "json"}, "edge.burst=many")
    codes = [each.code for each in refused.value.refusals]
    assert codes == ["settings-unreadable", "setting-unknown", *["setting-invalid"] * 3]
    assert refused.value.log_format == LogFormat.JSON


def test_a_database_that_is_named_has_its_own_files(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUNTO_HEAD", "var/one.head")
    house = read_database(Database(config=file))
    assert (house.database, house.head_file) == ("postgresql://ann:hush@db/punto", Path("var/one.head"))
    assert house.key_file == Path("var/one.key")
    copy = read_database(Database(config=file, database="sqlite:///copy.db"))
    assert (copy.head_file, copy.key_file) == (Path("copy.db.head"), Path("copy.db.key"))
    own = read_database(Database(config=file, database="sqlite:///copy.db", key=Path("safe.key")))
    assert (own.head_file, own.key_file) == (Path("copy.db.head"), Path("safe.key"))


def test_a_key_that_others_can_read_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = Database(database=f"sqlite:///{tmp_path}/punto.db")
    (key := tmp_path / "punto.db.key").write_text("")
    for mode, named in ((0o600, False), (0o640, True), (0o604, True)):
        key.chmod(mode)
        read_database(options)
        assert (f"chmod 600 {key}" in capsys.readouterr().err) == named


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("edge = 3", "There is no setting 'edge'"),
        ("[edge]\nburst = '60'", "edge.burst must be a whole number from 1, not '60'"),
        ("open_door = 1", "open_door must be true or false, not '1'"),
        ("origins = 'https://a.example'", "origins must be a list such as"),
        ("database_file = 'nowhere'", "Cannot read settings from nowhere"),
        ("burst =", "Cannot read settings from"),
        (f"burst = {'[' * 5_000}", "Cannot read settings from"),
    ],
)
def test_a_file_is_read_strictly(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "punto.toml").write_text(text)
    with pytest.raises(Refused) as refused:
        read(tmp_path / "punto.toml")
    assert said in sentence(refused.value.refusal)


def test_the_default_file_may_be_missing_but_a_named_one_may_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert read(None).house == SERVED
    (tmp_path / "punto.toml").write_text("open_door = true")
    assert read(None).house.open_door
    with pytest.raises(Refused, match="there is no such file"):
        read(tmp_path / "other.toml")


def test_a_variable_that_is_no_setting_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    show_settings(Output(), read(None, {"PUNTO_EDGE_BRUST": "1", "HOME": "/"}))
    assert "PUNTO_EDGE_BRUST" in capsys.readouterr().out


def test_every_field_is_a_setting_that_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert {"edge.burst", "timing.betting_ms", "server.port", "database", "gaming_day"} <= set(KINDS)
    show_settings(Output(as_json=True), Settings(HouseSettings(), {}, ()))
    listed = capsys.readouterr().out
    assert all(f'"{name}"' in listed for name in KINDS)
