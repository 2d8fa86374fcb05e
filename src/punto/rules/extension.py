"""A sheet that extends another: what it says of its own replaces or adds to what the other says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from punto.rules.sheet_reader import texts_in

_OWN = ("id", "title", "short", "version", "effective")
"""The fields that a sheet never takes from another."""
_WHOLE = "when"
"""A condition is replaced whole, not key by key."""


def extended(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """The data of a sheet that extends another.

    Tables are merged key by key, lists of tables with ids by these ids, and all else is replaced. `remove` names what
    is left out, such as `bets.player-pair` or `limits`. A name that the other sheet does not have stays in `remove`.
    """
    kept = {key: value for key, value in base.items() if key not in _OWN}
    kept, unknown = _without(kept, changes.get("remove", []))
    data = _merged(kept, {key: value for key, value in changes.items() if key not in ("extends", "remove")})
    if unknown:
        data["remove"] = unknown
    said, own = texts_in({key: value for key, value in data.items() if key != "zh"}), changes.get("zh", {})
    if isinstance(data.get("zh"), Mapping):
        data["zh"] = {words: zh for words, zh in data["zh"].items() if words in said or words in own}
    return data


def _merged(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    data = dict(base)
    for key, value in changes.items():
        there: Any = base.get(key)
        if isinstance(there, Mapping) and isinstance(value, Mapping) and key != _WHOLE:
            data[key] = _merged(there, value)
        elif _has_ids(there) and _has_ids(value):
            data[key] = _merged_by_id(there, value)
        else:
            data[key] = value
    return data


def _has_ids(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, Mapping) and "id" in item for item in value)


def _merged_by_id(base: list[Mapping[str, Any]], changes: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Each change goes to the item with its id, once. The rest is added: a second one of the same id is an error."""
    waiting = list(changes)
    items: list[Mapping[str, Any]] = []
    for item in base:
        change = next((each for each in waiting if each["id"] == item["id"]), None)
        if change is not None:
            waiting.remove(change)
        items.append(item if change is None else _merged(item, change))
    return [*items, *waiting]


def _without(data: dict[str, Any], names: object) -> tuple[dict[str, Any], list[object]]:
    """The data without the named parts, and the names that are not there."""
    unknown = []
    for name in names if isinstance(names, list) else [names]:
        smaller = _removed(data, str(name).split("."))
        if smaller is None:
            unknown.append(name)
        else:
            data = smaller
    return data, unknown


def _removed(value: Any, path: list[str]) -> Any:
    """A value without the part at a path; None if it has no such part."""
    first, *rest = path
    place: Any
    if _has_ids(value):
        place = next((i for i, item in enumerate(value) if item["id"] == first), None)
    else:
        place = first if isinstance(value, Mapping) and first in value else None
    if place is None:
        return None
    copy = value.copy() if isinstance(value, list) else dict(value)
    if not rest:
        del copy[place]
        return copy
    inner = _removed(value[place], rest)
    if inner is None:
        return None
    copy[place] = inner
    return copy
