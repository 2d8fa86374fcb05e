import { beforeAll, describe, expect, test, vi } from "vitest";
import type { Names } from "../src/templates.ts";
import type { Bet, Event, RoundVoided } from "../src/wire.ts";

vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
vi.stubGlobal("navigator", { language: "en-GB" });
const { eventTexts } = await import("../src/event-texts.ts");
const { setLanguage } = await import("../src/texts.ts");

const SHEET = { bets: { banker: { name: "Banker" } }, insurance: null, irregularities: {}, zh: { Banker: "庄" } } as unknown as Names;
const PEOPLE = { p1: "Ann", p2: "Bo" };
const BET: Bet = { patron: "p1", box: 3, on: "banker", stake_cents: 10_000 };
const BY = "dealer:dan";
const VOIDED: RoundVoided = { kind: "round-voided", by: BY, round: 7, cards: "", reason: "not shuffled", rule: "5.4", lines: [{ bet: BET, reason: "void", rule: "5.4" }] };

describe("a preview", () => {
  beforeAll(() => setLanguage("en"));

  test("tells the ruling, and what goes back to whom", () => {
    const events: Event[] = [
      { kind: "incident-reported", by: BY, case: 1, round: 7, situation: "not-shuffled" },
      { kind: "incident-ruled", by: BY, case: 1, ruling: "void", rule: "5.4" },
      VOIDED,
    ];
    expect(eventTexts(events, SHEET, PEOPLE)).toEqual([
      "Ruling: The round is void: every bet goes back. ¶ 5.4",
      "Round 7 is void: not shuffled ¶ 5.4",
      "Ann, box 3, Banker: 100 back, as the round is void ¶ 5.4",
    ]);
  });

  test("names who must decide, and who may choose", () => {
    const options = { reconstructed: false, rule: "5.12", continue_rule: null, take_back_rule: null };
    const events: Event[] = [
      { kind: "incident-referred", by: BY, case: 1, to: "shift-manager", rule: "5.5" },
      { kind: "options-offered", by: BY, case: 1, round: 7, patrons: ["p1", "p2"], ...options },
    ];
    expect(eventTexts(events, SHEET, PEOPLE)).toEqual([
      "Held: the Table Game Shift Manager or above decides ¶ 5.5",
      "Held for the choice of Ann, Bo: play on, or take the bets back ¶ 5.12",
    ]);
  });

  test("tells what a second person would confirm", () => {
    const told = eventTexts([{ kind: "confirmation-asked", by: BY, case: 1, to: "pit-supervisor", events: [VOIDED] }], SHEET, PEOPLE);
    expect(told[0]).toContain("Round 7 is void");
    expect(told.at(-1)).toBe("Held: a second person must confirm");
  });
});
