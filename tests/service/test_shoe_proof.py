"""A published shoe: what came out is accounted for card by card, and a record that lies about any of it is named."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from punto.cli.commands.rules import VerifyShoe
from punto.cli.verify_shoe import run as verify
from punto.rules.loader import GAMES
from punto.rules.refusals import Refusal, Refused
from punto.service.shoes.anchors import read_anchor
from punto.service.shoes.house_key import HouseKey
from punto.service.shoes.shuffle import new_shoe
from punto.service.tables.followed_table import FollowedTable, RecordedEvent
from punto.service.viewing.history import published
from punto.store.errors import RefusedStoreError
from punto.table import acts
from punto.table.engine import evolve
from punto.table.phases import Phase
from punto.table.shoe_proof import broken_by_event
from punto.table.state import new_table
from punto.table.values import Burn, Decision, Waits
from tests.service.rig import plain
from tests.table_kit import DEALER, SHIFT, Play

Record = dict[str, Any]
DECKS = 4


class Promised:
    """A table that plays a shuffled shoe under its commitment, and the record of it."""

    def __init__(self, game: str, seed: int, cut: int = 60, **settings: Any) -> None:
        self.play = Play(game, shoe=None, decks=DECKS, **settings)
        self.random = Random(seed)
        self.load(cut)

    def load(self, cut: int) -> None:
        shoe = new_shoe(DECKS, self.random.randbytes)
        self.play.do(acts.LoadShoe(DEALER, shoe.cards, cut, shoe.commitment, shoe.salt.hex()))

    def deal(self, most: int = 6) -> None:
        while most and self.play.state.phase not in {Phase.RESULT, Phase.HELD}:
            self.play.do(acts.Deal(DEALER))
            most -= 1

    def came_out(self, more: int) -> Any:
        shoe = self.play.state.shoe
        assert shoe is not None
        return (*self.play.state.known_cards, *shoe.order[shoe.drawn : shoe.drawn + more])

    def excess(self, more: int) -> None:
        """So many cards come out too early: they are put in order, or carried to the next round."""
        self.play.report("excess-card", cards=self.came_out(more), reconstructible=True)

    def followed(self) -> FollowedTable:
        table = FollowedTable("t1", self.play.sheet)
        for seq, event in enumerate(self.play.log, 1):
            table.apply(RecordedEvent(seq, 0, event))
        return table

    def record(self, shoe: int = 1) -> Record:
        table = self.followed()
        told: Record = plain(published(table, table.shoes[shoe]))
        return told


def void(play: Play) -> None:
    """Who decides otherwise voids the round: the order of the shoe is known, so nothing of its cards is amiss."""
    play.report("anything-else")
    play.do(acts.Decide(SHIFT, Decision.VOID, "seen on camera"))


def full_evening() -> Promised:
    """Cards that came too early in the second round, or were carried out of the fourth and the last; the third void."""
    shoe = Promised("commission", 5, cut=30)
    play = shoe.play
    play.open().close()
    shoe.deal()
    play.settle()
    play.open().close()
    shoe.deal(2)
    shoe.excess(1)
    shoe.deal()
    play.settle()
    play.open().close()
    shoe.deal(3)
    void(play)
    play.open().close()
    shoe.deal()
    shoe.excess(2)
    play.settle()
    shoe.excess(1)  # after the carried ones, before the next round
    while not isinstance(play.decide(acts.OpenBets(DEALER)), Refusal):
        play.open().close()
        shoe.deal()
        if play.state.shoe is not None and play.state.shoe.last_round == play.state.rounds:
            shoe.excess(1)
        play.settle()
    shoe.load(60)
    return shoe


def verdict(record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    file = tmp_path / "shoe.json"
    file.write_text(json.dumps(record))
    status = verify(VerifyShoe(str(file)))
    return status, " ".join(capsys.readouterr().out.split())


def test_every_card_of_a_shoe_is_accounted_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = full_evening().record()
    last = record["rounds"][-1]["round"]
    assert [(each["round"], each["rule"]) for each in record["carried"]] == [(4, "5.7")] * 3 + [(last, "5.7")]
    status, told = verdict(record, tmp_path, capsys)
    assert status == 0, told
    first, *_ = record["carried"]
    assert f"Card {first['place']}," in told
    assert "was carried to the next round: it came out in round 4 (5.7, A card is drawn in excess or exposed)" in told
    assert told.count("was carried to the next round") == 3
    assert told.count("was left over") == 1
    assert "(1 void)" in told
    file = tmp_path / "shoe.json"
    assert verify(VerifyShoe(str(file), as_json=True)) == 0
    assert json.loads(capsys.readouterr().out) == {
        "kept": True,
        "why": None,
        "commitment": record["commitment"],
        "noted": None,
        "dealt": len(record["dealt"].split()),
        "rounds": len(record["rounds"]),
        "void": 1,
        "carried": 4,
        "closed": 0,
        "first_burn": 0,
    }


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(4))
def test_any_evening_gives_a_record_that_holds(
    game: str, seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Burned first, carried, void or neither, in any mixture: nothing true is called a lie."""
    shoe = Promised(game, seed, burn=Burn.FIRST_CARD if seed % 2 else Burn.NONE)
    play, r = shoe.play, shoe.random
    while play.state.shoes < 2:
        if isinstance(play.decide(acts.OpenBets(DEALER)), Refusal):
            shoe.load(60)
            break
        play.open()
        for _ in range(9):
            if play.state.phase is Phase.RESULT or play.state.round is None:
                break
            if r.random() < 0.15:
                cards = shoe.came_out(r.randrange(1, 3))
                play.report("excess-card", cards=cards, reconstructible=r.random() < 0.5, note="nobody saw")
                if play.state.phase is Phase.HELD and play.case.waits is Waits.DECISION:
                    decision = r.choice([Decision.CONTINUE, Decision.RECONSTRUCT, Decision.VOID])
                    play.confirmed(acts.Decide(SHIFT, decision, "seen", cards))
            elif r.random() < 0.03:
                void(play)
            elif play.state.phase is Phase.BETTING:
                play.close()
            else:
                play.do(acts.Deal(DEALER))
        if play.state.phase is Phase.RESULT:
            play.settle()
        elif play.state.round is not None:
            void(play)
    record = shoe.record()
    status, told = verdict(record, tmp_path, capsys)
    assert status == 0, told
    assert bool(record["first_burn"]) == bool(seed % 2) == ("burned before the first round" in told)
    state = new_table(play.sheet)
    for event in play.log:
        assert broken_by_event(state, event) is None
        state = evolve(state, event)


def test_a_card_too_many_of_a_new_shoe_is_not_mixed_with_the_round_before_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shoe = Promised("commission", 9, cut=0)
    play = shoe.play
    play.open().close()
    shoe.deal()
    play.settle()
    shoe.load(0)
    shoe.excess(1)
    shoe.excess(1)
    play.open().close()
    shoe.deal()
    play.settle()
    play.do(acts.ReplaceShoe(DEALER, "worn"))
    for number in (1, 2):
        status, told = verdict(shoe.record(number), tmp_path, capsys)
        assert status == 0, told


NOTHING = '"commitment": "", "salt": "", "order": "", "dealt": ""'


@pytest.mark.parametrize(
    ("text", "code"),
    [
        *[(text, "unreadable") for text in ("", "[]", "[" * 5_000, '{"order": NaN}', "\ufffe")],
        ("{}", "field-missing"),
        ('{"commitment": "00", "salt": null, "order": null}', "shoe-not-open"),
        (f'{{{NOTHING}, "decks": 800000000, "rounds": []}}', "field-type"),
        (f'{{{NOTHING}, "decks": 8, "rounds": [5]}}', "field-type"),
    ],
)
def test_what_is_no_record_of_a_shoe_is_refused(text: str, code: str, tmp_path: Path) -> None:
    (tmp_path / "shoe.json").write_text(text, "utf-8")
    with pytest.raises(Refused) as refused:
        verify(VerifyShoe(str(tmp_path / "shoe.json")))
    assert refused.value.refusal.code == code


@pytest.mark.parametrize("noted", ["", "g" * 64])
def test_what_is_no_commitment_is_refused(noted: str) -> None:
    with pytest.raises(Refused) as refused:
        verify(VerifyShoe("nowhere.json", commitment=noted))
    assert refused.value.refusal.code == "commitment-invalid"


@pytest.mark.parametrize("at_ms", ["Infinity", "[" * 5_000, "null"])
def test_an_anchor_that_was_signed_with_nonsense_is_refused(at_ms: str, tmp_path: Path) -> None:
    """Anyone can sign an anchor, with a key of their own."""
    key = HouseKey(tmp_path / "key")
    key.make()
    text = f'{{"at_ms":{at_ms},"public_key":"{key.public}","store":"s","streams":{{}}}}'
    signed = f'{text[:-1]},"signature":"{key.sign(text.encode())}"}}'
    (tmp_path / "anchor").write_text(signed, "utf-8")
    with pytest.raises(RefusedStoreError, match="is not an anchor"):
        read_anchor(tmp_path / "anchor")
