import { describe, expect, test } from "vitest";
import { accepts, choiceOf, commandOf, formValues, isRequired, refusalOf, waysTo } from "../src/choices.ts";
import type { Amount, Choice, Input, Own, Refusal, Snapshot } from "../src/wire.ts";

const CLOSED: Refusal = { code: "bets-closed", rule: "3.2", call: "No more bets" };
const TAKEN: Refusal = { code: "box-taken", rule: null, box: 2 };
const AMOUNT: Amount = { minimum_cents: 5_000, maximum_cents: 9_000, step_cents: 500, below: "stake-below-minimum", above: "over-differential" };

function seen(shared: Choice[], own: Choice[] | null): Pick<Snapshot, "choices" | "me"> {
  return { choices: shared, me: own && ({ choices: own } as unknown as Own) };
}

describe("a choice", () => {
  test("that the table refuses everyone is refused, whatever is one's own", () => {
    const both = seen([{ kind: "sit", refusal: CLOSED }], [{ kind: "sit", ways: [{ box: 1 }] }]);
    expect(refusalOf(both, "sit")).toBe(CLOSED);
    expect(waysTo(both, "sit")).toEqual([]);
  });

  test("is one's own where there is one, and else what all may do", () => {
    const shared: Choice = { kind: "sit", ways: [{ box: 1 }, { box: 2 }] };
    expect(waysTo(seen([shared], [{ kind: "sit", ways: [{ box: 2 }] }]), "sit")).toEqual([{ box: 2 }]);
    expect(waysTo(seen([shared], []), "sit")).toEqual(shared.ways);
    expect(waysTo(seen([shared], null), "sit")).toEqual(shared.ways);
  });

  test("that nobody speaks of offers nothing and says nothing", () => {
    expect(choiceOf(seen([], []), "settle")).toEqual({ kind: "settle" });
    expect(waysTo(seen([], []), "settle")).toEqual([]);
    expect(refusalOf(seen([], []), "settle")).toBeNull();
  });

  test("leaves out the ways that are refused, and says why each is", () => {
    const both = seen([], [{ kind: "sit", ways: [{ box: 1 }, { box: 2, refusal: TAKEN }] }]);
    expect(waysTo(both, "sit")).toEqual([{ box: 1 }]);
    expect(refusalOf(both, "sit", ({ box }) => box === 2)).toBe(TAKEN);
    expect(refusalOf(both, "sit", ({ box }) => box === 1)).toBeNull();
  });
});

describe("an amount", () => {
  test.each([
    [5_000, true],
    [6_500, true],
    [9_000, true],
    [4_500, false],
    [9_500, false],
    [5_250, false],
  ])("of %i is within bounds: %s", (cents, fits) => expect(accepts(AMOUNT, cents)).toBe(fits));

  test("may be all of a bet besides", () => {
    const also = { ...AMOUNT, minimum_cents: 500, maximum_cents: 0, also_cents: 20_000 };
    expect([500, 20_000].map((cents) => accepts(also, cents))).toEqual([false, true]);
  });
});

describe("a field", () => {
  test("is required unless the server says otherwise", () => {
    expect(isRequired({ name: "reason", type: "text" })).toBe(true);
    expect(isRequired({ name: "cut", type: "number", required: false })).toBe(false);
  });

  test("may be required only where cards can, or cannot, be put back in order", () => {
    const note: Input = { name: "note", type: "text", when_reconstructible: false };
    expect([null, true, false].map((value) => isRequired(note, value))).toEqual([false, false, true]);
  });
});

describe("the facts of a report", () => {
  const claims = [
    { patron: "p1", box: 1, hand: "banker" },
    { patron: "p2", box: 3, hand: "banker" },
  ] as const;
  const inputs: Input[] = [
    { name: "cards", type: "cards" },
    { name: "reconstructible", type: "flag" },
    { name: "round", type: "number", minimum: 1, maximum: 6 },
    { name: "claims", type: "claims", claims },
    { name: "note", type: "text", required: false },
    { name: "amount_cents", type: "number", required: false },
    { name: "odds", type: "odds", required: false },
  ];

  function form(entries: Record<string, string | string[]>): FormData {
    const data = new FormData();
    for (const [name, values] of Object.entries(entries)) for (const value of [values].flat()) data.append(name, value);
    return data;
  }

  test("have the types of the wire", () => {
    const typed = form({ cards: " 5h, KD 10s\t9C ", reconstructible: "false", round: "4", claims: [JSON.stringify(claims[1])], note: " seen late ", amount_cents: "1,250.50", odds: "1.5:1" });
    expect(formValues(inputs, typed)).toEqual({ cards: "5h Kd Ts 9c", reconstructible: false, round: 4, claims: [claims[1]], note: "seen late", amount_cents: 125_050, odds: "1.5:1" });
  });

  test("leave out what was left empty", () => {
    const plain = inputs.filter(({ type }) => type !== "claims");
    expect(formValues(plain, form({ cards: "", reconstructible: "", note: "  " }))).toEqual({});
  });

});

describe("a command", () => {
  test("has the fields of its way and of what was filled in, and none of its bounds", () => {
    const inputs: Input[] = [{ name: "reason", type: "text" }];
    expect(commandOf("decide", { decision: "void", inputs }, { reason: "misdeal" })).toEqual({ kind: "decide", decision: "void", reason: "misdeal" });
    expect(commandOf("choose", { patron: "p1", option: "continue", refusal: null }, {})).toEqual({ kind: "choose", patron: "p1", option: "continue" });
  });
});
