"""What `punto.table` gives to whoever plays a table without a house."""

from __future__ import annotations

import punto.table


def test_the_names_of_the_package() -> None:
    names = {"State", "choices", "decide", "evolve", "new_table", "recover", "replay"}
    assert set(punto.table.__all__) == names
    assert names <= set(vars(punto.table))
