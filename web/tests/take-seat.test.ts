import { describe, expect, test } from "vitest";
import { boxesToChangeTo, firstFree } from "../src/terminal/take-seat.ts";
import type { Snapshot } from "../src/wire.ts";

type Seen = Pick<Snapshot, "choices" | "me" | "table">;

const free = { kind: "sit", ways: [{ box: 2 }, { box: 3 }] };
const leave = { kind: "leave", ways: [{}] };

/** What a patron at a terminal sees. */
function seen(me: object, table: object = { mode: "automatic", layout: null }): Seen {
  return { choices: [free], me: { box: null, seated: false, bets: [], choices: [], ...me }, table } as unknown as Seen;
}

describe("a seat", () => {
  test("is the first that is offered, where bets are made at terminals", () => {
    expect(firstFree(seen({}))).toBe(2);
    expect(firstFree(seen({}, { mode: "live", layout: null }))).toBe(2);
    expect(firstFree(seen({}, { mode: "live", layout: "bean-9" }))).toBeNull();
    expect(firstFree(seen({ box: 1 }))).toBeNull();
  });

  test("can be changed for a free one while nothing is bet", () => {
    const seated = { box: 1, seated: true, choices: [leave, { kind: "sit", refusal: { code: "already-there" } }] };
    expect(boxesToChangeTo(seen(seated))).toEqual([2, 3]);
    expect(boxesToChangeTo(seen({ ...seated, bets: [{}] }))).toEqual([]);
    expect(boxesToChangeTo(seen({}))).toEqual([]);
  });
});
