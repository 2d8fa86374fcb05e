"""The registry of refusals: each code once, with a status, and every refusal travels."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from punto.protocol.refusals import BY_STATUS, EDGE_REFUSALS, HOUSE_REFUSALS, REFUSALS
from punto.protocol.shown import AnyRefusal, build_refusal, show_refusal
from punto.rules.refusals import RECORD_REFUSALS, Refusal, kebab
from punto.table.refusals import TABLE_REFUSALS
from tests.unit.test_protocol_codec import instances

KINDS = (*EDGE_REFUSALS, *HOUSE_REFUSALS, *RECORD_REFUSALS, *TABLE_REFUSALS)


def test_a_code_is_one_class() -> None:
    assert set(REFUSALS.values()) == set(KINDS)
    assert all(code == kebab(kind.__name__) for code, kind in REFUSALS.items())
    named = [kind for kinds in BY_STATUS.values() for kind in kinds]
    assert len(set(named)) == len(named)
    assert set(named) <= set(KINDS)


@pytest.mark.parametrize("kind", REFUSALS.values(), ids=REFUSALS.keys())
@settings(max_examples=5, derandomize=True, deadline=None)
@given(data=st.data())
def test_every_refusal_travels(kind: type[Refusal], data: st.DataObject) -> None:
    refusal = data.draw(instances(kind))
    text = msgspec.json.encode(show_refusal(refusal))
    assert msgspec.json.decode(text)["code"] == refusal.code
    assert build_refusal(msgspec.json.decode(text, type=AnyRefusal)) == refusal
