"""Every reader of outside input takes what is valid, and refuses the rest with what it documents.

A short form of `python -m tests.fuzzing`, which runs as many cases as it is told.
"""

from __future__ import annotations

import secrets

import pytest

from tests.fuzzing import edge
from tests.fuzzing.runner import run
from tests.fuzzing.targets import TARGETS, Target

CASES = 20
FIRST_FRESH = 10**6
"""Fresh seeds are above those of the fixed cases."""


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_spoiled_input_is_taken_or_refused_as_documented(target: Target) -> None:
    for each in target.corpus():
        target.read(each)
    run(target, CASES)
    fresh = FIRST_FRESH + secrets.randbelow(10**9)
    print(f"--target {target.name} --first {fresh} --cases {CASES}")
    run(target, CASES, fresh)


def test_a_connection_becomes_a_websocket_after_the_answers_before_it() -> None:
    """Found at seed 4137 of `requests`: the answer found the connection gone, and the log had an error of ours."""
    first = next(each for each in edge.requests() if each.startswith(b"GET /api/me HTTP"))
    assert edge.ask(first + edge.UPGRADE) == "200"
    assert edge.ask(edge.UPGRADE) == "101"
