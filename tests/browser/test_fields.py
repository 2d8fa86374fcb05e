"""Hostile typing in every field of every form: what cannot be read is never sent, and the reason stands beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.house import House
from tests.browser.seats import Seat, Seats

RANDOM = Random(33)
WRITTEN = """|   |abc|1OO|１００|٣|1e3|-5|+5|0x10|12,50|1,00,000|1.005|1 000|NaN|null|'; --|<b>9</b>|9999999999999999
0|8|9|250|1,000|12.5|9h|10s|9x|h9|5 h|5h Kd|5h, 10d|5h 5x|8:1|2.5:1|8:|:1|8:1:1"""
MADE = ["".join(RANDOM.choices("0159,.:- hsdcKTx", k=RANDOM.randint(1, 8))) for _ in range(6)]
HOSTILE = [*re.split(r"[|\n]", WRITTEN), *MADE]
GOOD = {
    "money": "250",
    "number": "2",
    "seconds": "1.5",
    "ticket": "4" * 24,
    "card": "9h",
    "cards": "4h 9d 4s Kc",
    "odds": "8:1",
    "text": "as agreed",
}

SOURCES = Path(__file__).parents[2] / "web" / "src"
FORMS = {
    name or written
    for path in SOURCES.rglob("*.tsx")
    for name, written in re.findall(
        r'<(?:Form name|form data-form)="([\w-]+)"|(<form (?!data-form=)\S+)', path.read_text()
    )
}
"""Every form of the pages, by its name."""
ANSWER = "The server could not answer. Try again."
# What leaves the page is noted and goes no further. Each text is typed into each field in turn, and the form is sent.
WATCH = """() => {
  window.left = [];
  const {fetch} = window;
  window.fetch = (path, options = {}) => {
    if (options.method !== 'POST' && !/rounds.[0-9]+$|[/]exam[?]/.test(path)) return fetch(path, options);
    const parts = path.split(/[/?&=]/).map(decodeURIComponent);
    if (!path.endsWith('/preview')) left.push([parts, parts.map(Number), JSON.parse(options.body ?? 'null')]);
    return Promise.resolve(new Response(null, {status: 400}));
  };
  const {send} = WebSocket.prototype;
  WebSocket.prototype.send = function (text) {
    const {type, command} = JSON.parse(text);
    if (type === 'command') left.push(command); else send.call(this, text);
  };
}"""
TYPE = """async ([selector, texts, good, ms, kinds]) => {
  const tried = [];
  const drawn = () => new Promise(done => setTimeout(done, ms));
  const {set} = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
  const write = async (field, text) => {
    set.call(field, text);
    field.dispatchEvent(new Event('input', {bubbles: true}));
    await drawn();
  };
  for (const form of document.querySelectorAll(selector)) {
    for (const field of form.querySelectorAll('input[data-kind]:not([name=find])')) {
      if (!field.value) await write(field, good[field.dataset.kind]);
    }
    const found = {form: form.dataset.form};
    for (const select of form.querySelectorAll('select:has(option[value=""])')) {
      left.length = 0;
      form.requestSubmit();
      await drawn();
      if (select.required) {
        tried.push({...found, name: select.name, kind: 'choice', text: '', left: [...left], beside: 'empty'});
      }
      left.length = 0;
      select.value = select.options[1].value;
      form.requestSubmit();
      await drawn();
      tried.push({...found, name: select.name, kind: 'choice', text: select.value, left: [...left], beside: ''});
    }
    for (const {name} of [...form.querySelectorAll('input[data-kind]:not([name=find])')]) {
      const field = () => form.querySelector(`[name="${name}"]`);
      const first = field().value;
      const turn = kinds.push(field().dataset.kind);
      const again = kinds.indexOf(kinds.at(-1)) < turn - 1; // another field is read in the same way: it gets a part
      for (const text of [...texts.filter((_, place) => !again || place % 12 === turn % 12), first]) {
        await write(field(), text);
        left.length = 0;
        form.requestSubmit();
        await drawn();
        const beside = field().closest('.field').querySelector('.wrong')?.textContent ?? '';
        tried.push({...found, name, kind: field().dataset.kind, text: field().value, left: [...left], beside});
      }
    }
  }
  return [tried, kinds];
}"""
# Keys of a card in a form that has no field, each text from the first card on. Returns what was typed and what left.
KEYS = """async texts => {
  const form = document.querySelector('form.mis-key');
  const tried = [];
  for (const text of texts) {
    form.querySelector('[data-test=dealt-1]').click();
    await new Promise(done => setTimeout(done, 30));
    for (const key of ['Escape', ...text]) form.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
    await new Promise(done => setTimeout(done, 30));
    left.length = 0;
    form.requestSubmit();
    await new Promise(done => setTimeout(done, 0));
    tried.push([text, [...left]]);
  }
  return tried;
}"""


def _meant(kind: str, text: str) -> str | int | None:
    """What a text says in a field of a kind, read here by other means than the page's; None where it says nothing."""
    text = text.strip()
    if kind in {"text", "choice"}:
        return text or None
    if not text.isascii():
        return None
    if kind == "number":
        return int(text) if text.isdigit() else None
    if kind == "money":
        whole, _, part = text.partition(".")
        first, *groups = whole.split(",")
        parts = [first, *groups, part or "0"] if "." not in text or part else [""]
        tidy = all(each.isdigit() for each in parts) and len(part) <= 2 and all(len(each) == 3 for each in groups)
        return int(Decimal(text.replace(",", "")) * 100) if tidy and (not groups or len(first) <= 3) else None
    if kind == "seconds":
        whole, dot, part = text.partition(".")
        tidy = whole.isdigit() and (not dot or part.isdigit()) and len(whole) <= 4 and len(part) <= 3
        return int(Decimal(text) * 1000) if tidy else None
    if kind == "ticket":
        digits = re.sub(r"[\s-]", "", text)
        return digits if digits.isdigit() and len(digits) == 24 else None
    if kind == "odds":
        sides = text.split(":")
        return text if len(sides) == 2 and all(re.fullmatch(r"\d+(\.\d+)?", side) for side in sides) else None
    cards = [_card(each) for each in re.split(r"[\s,]+", text)]
    return None if None in cards or (kind == "card" and len(cards) > 1) else " ".join(map(str, cards))


def _card(text: str) -> str | None:
    rank, suit = text[:-1].upper(), text[-1:].lower()
    rank = {"10": "T", "0": "T", "1": "A"}.get(rank, rank)
    return rank + suit if rank in [*"A23456789TJQK"] and suit in [*"shdc"] else None


def _values(body: Any) -> Iterator[Any]:
    """Everything that a message says."""
    if isinstance(body, dict | list):
        for each in body.values() if isinstance(body, dict) else body:
            yield from _values(each)
    else:
        yield body


KINDS: list[str] = []
"""The kinds of the fields so far: the first of each gets all texts, the others a part."""


def _nothing_unread_leaves(seat: Seat, form: str, wait_ms: int = 0) -> set[str]:
    """The names of the forms that were typed into; of each, every field."""
    expect(seat.page.locator(form).first).to_be_visible()
    tried, KINDS[:] = seat.page.evaluate(TYPE, [form, HOSTILE, GOOD, wait_ms, KINDS])
    sent = set()
    for _, name, kind, text, left, beside in (each.values() for each in tried):
        meant = _meant(kind, text)
        what = f"{form}: {text!r} in {name}: {left}"
        assert len(left) <= 1, what
        if not left:
            continue
        if text.strip():
            assert meant is not None, what
            assert str(meant).lower() in {str(each).lower() for each in _values(left[0])}, what
        assert beside in {"", ANSWER}, what
        sent.add(name)
    for _, name, kind, text, left, beside in (each.values() for each in tried):
        if (text.strip() or kind == "choice") and _meant(kind, text) is None:
            assert not left and beside, f"{form}: {text!r} in {name}"
    assert sent == {each["name"] for each in tried} != set(), f"of {form} was never sent"
    return {each["form"] for each in tried}


def _play(house: House, table: str) -> None:
    """A round without bets, up to its last card."""
    house.deal(table, "open-bets")
    house.play(table, "4h 7d 4s Kc", settled=False)


def test_no_request_leaves_with_a_value_that_was_not_read(house: House, seats: Seats) -> None:
    table, held, game = house.new_name(), house.table("easy-six"), "da-hu-ying-xiong"
    house.table(game, id=table)
    _play(house, table)
    house.deal(table, "settle")
    bo, path = house.patron("Bo"), f"/api/tables/{held}/commands"
    house.deal(held, "open-bets")
    house.ask("POST", path, {"kind": "sit", "box": 1}, bo)
    house.ask("POST", path, {"kind": "place-bet", "box": 1, "on": "player", "stake_cents": 10_000}, bo)
    house.deal(held, "close-bets")
    house.deal(held, "report", situation="not-shuffled", facts={"note": "seen"})
    duty = house.table("commission")
    house.deal(duty, "come-on-duty")
    ann, newcomer = seats.terminal(table), seats.open(f"/table/{table}")
    ann.sit(1)
    dealer, pit = seats.staff(f"/dealer/{table}", "dealer"), seats.staff("/pit", "shift-manager")
    stranger, people = seats.open("/pit"), seats.staff("/people", "admin")
    pupil = seats.open("/academy/commission")
    reached: set[str] = set()
    for seat in (newcomer, stranger):
        expect(seat.page.locator("form")).to_be_visible()
    pupil.see("kind-paying").click()
    expect(pupil.page.locator("form.steps input[data-kind=money]").first).to_be_visible()
    for seat in (newcomer, stranger, ann, dealer, pit, people, pupil):
        seat.page.evaluate(WATCH)
    for seat in (newcomer, stranger):
        reached |= _nothing_unread_leaves(seat, "form.sign-in")
    reached |= _nothing_unread_leaves(people, "form.admission")
    people.page.locator("[data-test^=token-]").first.click()
    reached |= _nothing_unread_leaves(people, "dialog form")
    people.page.keyboard.press("Escape")
    reached |= _nothing_unread_leaves(pupil, "form.steps")
    pupil.see("examination").click()
    reached |= _nothing_unread_leaves(pupil, ".examination form")

    ann.see("cashier").click()
    for form in ("dialog form.inline:first-of-type", "dialog .notes + form"):
        reached |= _nothing_unread_leaves(ann, form)

    pit.see("set-up").click()
    expect(pit.page.locator("input[name=minimum_cents]")).to_be_visible()
    for mode in ("automatic", "live"):
        pit.page.locator("select[name=mode]").select_option(mode)
        reached |= _nothing_unread_leaves(pit, "form.table-form")
    pit.page.keyboard.press("Escape")
    pit.see(f"override-{table}").click()
    pit.see("change-limits").locator("summary").click()
    reached |= _nothing_unread_leaves(pit, ".limits-form")
    for kind in ("suspend-play", "correct-round", "replace-shoe"):
        pit.see(kind).click()
        reached |= _nothing_unread_leaves(pit, ".controls form.inline")
        pit.see(kind).click()
    pit.see("recall").click()
    reached |= _nothing_unread_leaves(pit, "dialog form.inline", 60)  # what it shows is asked for once it is drawn
    pit.page.keyboard.press("Escape")
    case = pit.see("case").filter(has_text=held)
    for decision in ("pay-bets", "pay-amount"):
        case.locator(f"[data-test=decide-{decision}]").click()
        reached |= _nothing_unread_leaves(pit, ".case form.inline")
        case.locator(f"[data-test=decide-{decision}]").click()
    _go(pit, "/cage")
    reached |= _nothing_unread_leaves(pit, "main form")
    _go(pit, "/people")
    pit.page.locator("[data-test^=position-]").first.click()
    pit.see("assign-position").click()
    reached |= _nothing_unread_leaves(pit, "dialog form")

    _play(house, table)
    dealer.phase("result")
    dealer.see("report").click()
    dealer.see("group-card").click()
    dealer.see("situation-excess-card").check()
    dealer.page.locator("input[name=reconstructible][value=true]").check()
    reached |= _nothing_unread_leaves(dealer, "form.report")
    dealer.see("group-mis-keyed").click()
    expect(dealer.see("dealt-1")).to_be_visible()
    for text, left in dealer.page.evaluate(KEYS, [GOOD["card"], *HOSTILE]):
        assert len(left) == 1, text
        first, *others = left[0]["cards"].split()
        assert _card(first) == first, f"{text!r} in the first card: {left}"
        assert others == ["7d", "4s", "Kc"], f"{text!r} in the first card: {left}"
    assert reached | {"mis-key"} == FORMS


def _go(seat: Seat, path: str) -> None:
    """Another page without a load, so that what leaves is noted on."""
    seat.page.evaluate("to => { history.pushState(null, '', to); dispatchEvent(new Event('popstate')) }", path)


def test_a_typing_error_opens_no_table_and_changes_no_limit(house: House, seats: Seats) -> None:
    """At the keyboard alone; a minimum of nothing is refused by the server."""
    table, name = house.table("commission"), house.new_name()
    pit = seats.staff("/pit", "pit-manager")
    keys = pit.page.keyboard
    pit.enter("set-up")
    pit.page.locator("input[name=table]").press_sequentially(name)
    field = pit.page.locator("input[name=minimum_cents]")
    for typed, says in (("abc", "Not an amount"), ("", "Fill this in"), ("0", "from 0.01")):
        field.fill("")
        field.press_sequentially(typed)
        field.press("Enter")
        expect(pit.see("wrong-minimum_cents")).to_contain_text(says)
        expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_be_focused()
    keys.press("Escape")
    pit.enter(f"override-{table}")
    pit.see("change-limits").locator("summary").press("Enter")
    minimum = pit.page.locator("input[name=minimum]")
    for typed in ("1OO", "0"):
        minimum.fill(typed)
        minimum.press("Enter")
        expect(pit.see("wrong-minimum")).to_be_visible()
    minimum.fill("200")
    minimum.press("Enter")
    expect(pit.see("limits-now")).to_contain_text("Minimum200")
    assert [each["id"] for each in house.ask("GET", "/api/tables") if each["id"] == name] == []
    with pytest.raises(AssertionError, match="limits-invalid"):
        house.table("commission", minimum_cents=0)


def test_a_dealer_who_signs_in_at_the_pit_page_gets_to_a_console(house: House, seats: Seats) -> None:
    table, automatic = house.table("commission"), house.table("commission", live=False)
    dealer = seats.open("/pit")
    dealer.page.locator("input[name=token]").press_sequentially(house.staff("dealer"))
    dealer.page.keyboard.press("Enter")
    expect(dealer.see(f"console-{table}")).to_be_visible()
    expect(dealer.see(f"console-{automatic}")).to_have_count(0)
    dealer.enter(f"console-{table}")
    expect(dealer.see("open-bets")).to_be_enabled()
    patron = seats.open("/pit", house.patron("Ann"), "staff")
    expect(patron.page.locator("main")).to_contain_text("This is for staff")
    expect(patron.page.locator("main a")).to_have_text("Back to the tables")


def test_no_page_waits_for_what_was_refused(house: House, seats: Seats) -> None:
    for path, says in (("/odds/nothing", "No game or sheet"), ("/dealer/nothing", "There is no such table")):
        page = seats.staff(path, "dealer").page
        expect(page.locator("body")).to_contain_text(says)
        expect(page.locator("body")).not_to_contain_text("…")
