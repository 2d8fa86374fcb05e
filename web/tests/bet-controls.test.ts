import { signal, computed } from "@preact/signals";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { BetControls } from "../src/bet-controls.ts";
import type { Pending, LiveTable } from "../src/live-table.ts";
import type { Bet, Command, Refusal, Snapshot } from "../src/wire.ts";

const REFUSED: Refusal = { code: "bets-closed", rule: "3.2", call: "No more bets" };

/** A table that takes every command, or refuses it, and keeps what it was sent. */
class FakeTable {
  readonly id = "one";
  readonly snapshot = signal<Snapshot | null>(null);
  readonly pending = signal<readonly Pending[]>([]);
  readonly me = computed(() => this.snapshot.value?.me ?? null);
  readonly sent: Command[] = [];
  answer: (command: Command) => Refusal | null = () => null;

  send(command: Command): Promise<Refusal | null> {
    this.sent.push(command);
    return Promise.resolve(this.answer(command));
  }

  show(round: number, phase: string, bets: Bet[] = [], box: number | null = 3): void {
    this.snapshot.value = { round, phase, table: { limits: null }, me: { box, bets } } as unknown as Snapshot;
  }
}

function open(): [FakeTable, BetControls] {
  const table = new FakeTable();
  table.show(7, "betting");
  return [table, new BetControls(table as unknown as LiveTable)];
}

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("sessionStorage", { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value) });
});

describe("a patron's bet controls", () => {
  test("places a new bet and raises one that is there", async () => {
    const [table, controls] = open();
    await controls.place("player", 500, 3);
    table.show(7, "betting", [{ box: 3, on: "player", stake_cents: 500 }]);
    await controls.place("player", 100, 3);
    expect(table.sent).toEqual([
      { kind: "place-bet", stake_cents: 500, box: 3, on: "player", round: 7 },
      { kind: "raise-bet", add_cents: 100, box: 3, on: "player", round: 7 },
    ]);
  });

  test("puts the chip of the minimum in hand once the limits are known, and leaves another one there", () => {
    const [table, controls] = open();
    expect(controls.chip.value).toBe(0);
    const limits = { minimum_cents: 5_000, unit_cents: 100 };
    table.snapshot.value = { ...table.snapshot.value, table: { limits } } as unknown as Snapshot;
    expect(controls.chip.value).toBe(10_000);
    controls.chip.value = 2_500;
    table.snapshot.value = { ...table.snapshot.value, round: 8 } as unknown as Snapshot;
    expect(controls.chip.value).toBe(2_500);
  });

  test("raises a bet that is sent but not answered yet", async () => {
    const [table, controls] = open();
    const command: Command = { kind: "place-bet", box: 3, on: "tie", stake_cents: 500 };
    table.pending.value = [{ key: "k", command, resolve: () => undefined }];
    expect(controls.pending.value).toEqual({ tie: 500 });
    await controls.place("tie", 100, 3);
    expect(table.sent[0]?.kind).toBe("raise-bet");
  });

  test("counts all bets of a kind that the server acknowledged", () => {
    const [table, controls] = open();
    table.show(7, "first-window", [
      { box: 3, on: "player-insurance", stake_cents: 300, window: "four-cards" },
      { box: 3, on: "player-insurance", stake_cents: 200, window: "player-third" },
    ]);
    expect(controls.placed.value).toEqual({ "player-insurance": 500 });
  });

  test("undoes the last chips, and only those that were taken", async () => {
    const [table, controls] = open();
    await controls.place("player", 500, 3);
    table.answer = () => REFUSED;
    await controls.place("tie", 100, 3);
    expect(controls.refused.value).toBe(REFUSED);
    table.answer = () => null;
    await controls.undo();
    expect(table.sent.at(-1)).toEqual({ kind: "withdraw-bet", box: 3, on: "player", take_cents: 500, round: 7 });
    expect(controls.canUndo.value).toBe(false);
    await controls.undo();
    expect(table.sent).toHaveLength(3);
  });

  test("forgets what can be undone, and the last refusal, with the next round", async () => {
    const [table, controls] = open();
    await controls.place("player", 500, 3);
    await controls.send({ kind: "leave" });
    table.show(8, "betting");
    expect(controls.canUndo.value).toBe(false);
    expect(controls.refused.value).toBeNull();
  });

  test("clears and doubles the bets of the round, but no insurance", async () => {
    const [table, controls] = open();
    table.show(7, "betting", [
      { box: 3, on: "player", stake_cents: 500 },
      { box: 3, on: "player-insurance", stake_cents: 100, window: "four-cards" },
    ]);
    await controls.double();
    await controls.clear();
    expect(table.sent).toEqual([
      { kind: "raise-bet", add_cents: 500, box: 3, on: "player", round: 7 },
      { kind: "withdraw-bet", box: 3, on: "player", take_cents: null, round: 7 },
    ]);
  });

  test("repeats the bets of the last round at the present box, until one is refused", async () => {
    const [table, controls] = open();
    table.show(7, "initial-cards", [{ box: 3, on: "player", stake_cents: 500 }, { box: 3, on: "tie", stake_cents: 100 }]);
    expect(controls.canRepeat.value).toBe(false);
    table.show(8, "betting", [], 5);
    expect(controls.canRepeat.value).toBe(true);
    table.answer = () => REFUSED;
    await controls.repeat();
    expect(table.sent).toEqual([{ kind: "place-bet", stake_cents: 500, box: 5, on: "player", round: 8 }]);
    table.answer = () => null;
    await controls.repeat();
    expect(table.sent.slice(1).map((command) => "on" in command && command.on)).toEqual(["player", "tie"]);
  });

  test("remembers the last bets when the page is loaded again", () => {
    const [table, controls] = open();
    table.show(7, "initial-cards", [{ box: 3, on: "player", stake_cents: 500 }]);
    controls.close();
    const [, again] = open();
    expect(again.canRepeat.value).toBe(true);
  });

  test("insures with the round that it is meant for", async () => {
    const [table, controls] = open();
    await controls.insure("player-insurance", 300, 3);
    expect(table.sent).toEqual([{ kind: "insure", box: 3, on: "player-insurance", stake_cents: 300, round: 7 }]);
  });
});
