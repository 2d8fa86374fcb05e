"""Who acts at a table, as it is written, and what a change of recorded cards is called."""

from __future__ import annotations

import pytest

from punto.rules.cards import parse_cards
from punto.rules.sheet import Role
from punto.table.actor import Actor
from punto.table.values import CardChange
from tests.table_kit import DEALER, patron


@pytest.mark.parametrize(
    ("text", "actor"),
    [
        ("patron:ann", patron("ann")),
        ("patron:ann@dealer", patron("ann@dealer")),
        ("dealer:dan", DEALER),
        ("dealer:dan@home", Actor("dan@home", Role.DEALER)),
        ("pit-supervisor:dan@dealer", Actor("dan", Role.PIT_SUPERVISOR, Role.DEALER)),
        ("pit-supervisor:d@n@dealer", Actor("d@n", Role.PIT_SUPERVISOR, Role.DEALER)),
        ("dealer:a:b", Actor("a:b", Role.DEALER)),
        ("dealer:pit-manager", Actor("pit-manager", Role.DEALER)),
    ],
)
def test_who_acts_is_written_with_a_role(text: str, actor: Actor) -> None:
    assert Actor.parse(text) == actor
    assert actor.text == text


@pytest.mark.parametrize(
    ("actor", "most"),
    [
        (DEALER, Role.DEALER),
        (Actor("dan", Role.PIT_SUPERVISOR, Role.DEALER), Role.PIT_SUPERVISOR),
        (Actor("pam", Role.DEALER, Role.PIT_SUPERVISOR), Role.PIT_SUPERVISOR),
        (patron("ann"), None),
    ],
)
def test_one_has_the_authority_of_the_position_or_of_the_own_role(actor: Actor, most: Role | None) -> None:
    allowed = {role for role in Role if actor.may_act_as(role)}
    assert allowed == {role for role in Role if most is not None and role.level <= most.level}


@pytest.mark.parametrize(
    "text", ["", "dan", "dealer", "patron", "dealer:", "patron:", "cook:dan", ":dan", "dealer dan"]
)
def test_who_acts_without_a_role_or_a_name_is_nobody(text: str) -> None:
    with pytest.raises(ValueError, match="is not role:person with a role of patron, "):
        Actor.parse(text)


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        ("9h 2c", "2c 9h", CardChange.ORDER),
        ("9h 2c", "9h 2c", CardChange.ORDER),
        ("9h 2c", "2c 9h Kd", CardChange.ORDER),
        ("9h 2c", "9h Kd 2c", CardChange.ORDER),
        ("9h 2c", "9h 2c Kd", CardChange.ADDITION),
        ("", "9h", CardChange.ADDITION),
        ("9h 9h", "9h", CardChange.REMOVAL),
        ("9h 2c", "2c", CardChange.REMOVAL),
        ("9h 2c", "9h 3c", CardChange.SUBSTITUTION),
        ("9h 2c", "9h 9h", CardChange.SUBSTITUTION),
        ("9h 2c", "3c", CardChange.SUBSTITUTION),
    ],
)
def test_what_a_change_of_recorded_cards_is_called(before: str, after: str, change: CardChange) -> None:
    assert CardChange.between(parse_cards(before), parse_cards(after)) is change
