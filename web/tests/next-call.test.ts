import { describe, expect, test, vi } from "vitest";
import type { Choice, Input, Own, Refusal, Snapshot } from "../src/wire.ts";

vi.stubGlobal("localStorage", { getItem: () => null });
const { nextCall } = await import("../src/dealer/next-call.ts");

const CARD: Input = { name: "card", type: "card", missing: "card-not-given" };
const LATE: Refusal = { code: "bets-closed", rule: "3.2", call: "No more bets" };

function console(...choices: Choice[]): Pick<Snapshot, "choices" | "me"> {
  return { choices: [], me: { choices } as unknown as Own };
}

describe("the next call", () => {
  test("is the one that the choices offer", () => {
    expect(nextCall(console({ kind: "open-bets", ways: [{}] }, { kind: "settle", refusal: LATE }))).toEqual({ kind: "open-bets" });
    expect(nextCall(console({ kind: "settle", ways: [{}] }))).toEqual({ kind: "settle" });
  });

  test("is none while a card must be named, and a card that need not be is dealt", () => {
    expect(nextCall(console({ kind: "deal", ways: [{ place: 1, inputs: [CARD] }] }))).toBeNull();
    expect(nextCall(console({ kind: "deal", ways: [{ place: 1, inputs: [{ ...CARD, required: false }] }] }))).toEqual({ kind: "deal", place: 1 });
  });

  test("opens the closed card whose value is known", () => {
    expect(nextCall(console({ kind: "open-card", ways: [{ place: 5, inputs: [CARD] }, { place: 6 }] }))).toEqual({ kind: "open-card", place: 6 });
  });

  test("is none where everything is refused", () => expect(nextCall(console({ kind: "open-bets", refusal: LATE }))).toBeNull());
});
