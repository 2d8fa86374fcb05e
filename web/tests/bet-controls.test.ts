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

  show(round: number, phase: string, bets: Bet[] = [], box: number | null = 3, offers: unknown[] = []): void {
    const way = (kind: string, on: string, minimum_cents: number) => ({ kind, ways: [{ box, on, amount: { minimum_cents, maximum_cents: 99_999, step_cents: 100 } }] });
    const choices = [phase === "betting" ? way("place-bets", "player", 500) : way("insure", "player-insurance", 200)];
    this.snapshot.value = { round, phase, offers, choices: [], table: { limits: null }, me: { box, bets, choices, balance_cents: 10_000 } } as unknown as Snapshot;
  }
}

function open(): [FakeTable, BetControls] {
  const table = new FakeTable();
  table.show(7, "betting");
  return [table, new BetControls(table as unknown as LiveTable)];
}

const PLAYER = { box: 3, on: "player", stake_cents: 500 };

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("sessionStorage", { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value) });
});

describe("a patron's bet controls", () => {
  test("count what is staged against the credits, and send nothing beyond them", async () => {
    const [table, controls] = open();
    controls.place("player", 10_100);
    expect([controls.creditsLeft.value, controls.canConfirm.value, await controls.confirm()]).toEqual([-100, false, false]);
    controls.undo();
    controls.place("player", 10_000);
    expect([controls.creditsLeft.value, await controls.confirm(), table.sent.length]).toEqual([0, true, 1]);
  });

  test("stage chips and send all bets as one when they are confirmed", async () => {
    const [table, controls] = open();
    controls.place("player", 500);
    controls.place("tie", 100);
    controls.place("player", 100);
    expect(table.sent).toEqual([]);
    expect(controls.added.value).toEqual({ player: 600, tie: 100 });
    expect(controls.toConfirm.value).toBe(700);
    expect(await controls.confirm()).toBe(true);
    const stakes = [{ on: "player", stake_cents: 600 }, { on: "tie", stake_cents: 100 }];
    expect(table.sent).toEqual([{ kind: "place-bets", box: 3, stakes, round: 7 }]);
    table.show(7, "betting", [{ box: 3, on: "player", stake_cents: 600 }, { box: 3, on: "tie", stake_cents: 100 }]);
    expect(controls.isStaged.value).toBe(false);
  });

  test("take small chips singly and say what is missing to the minimum", async () => {
    const [table, controls] = open();
    controls.place("player", 100);
    expect(controls.lacking.value).toEqual({ player: 400 });
    expect(controls.canConfirm.value).toBe(false);
    expect(await controls.confirm()).toBe(false);
    for (let chips = 0; chips < 4; chips++) controls.place("player", 100);
    expect(controls.lacking.value).toEqual({});
    expect(await controls.confirm()).toBe(true);
    expect(table.sent).toHaveLength(1);
  });

  test("put the chip of the minimum in hand once the limits are known, and leave another one there", () => {
    const [table, controls] = open();
    expect(controls.chip.value).toBe(0);
    const limits = { minimum_cents: 5_000, unit_cents: 100, chips_cents: [100, 500, 2_500, 10_000, 50_000] };
    table.snapshot.value = { ...table.snapshot.value, table: { limits } } as unknown as Snapshot;
    expect(controls.chip.value).toBe(10_000);
    controls.chip.value = 2_500;
    table.snapshot.value = { ...table.snapshot.value, round: 8 } as unknown as Snapshot;
    expect(controls.chip.value).toBe(2_500);
  });

  test("count all bets of a kind that the server took at the patron's box", () => {
    const [table, controls] = open();
    table.show(7, "first-window", [
      { box: 3, on: "player-insurance", stake_cents: 300, window: "four-cards" },
      { box: 3, on: "player-insurance", stake_cents: 200, window: "player-third" },
      { box: 4, on: "player", stake_cents: 900 },
    ]);
    expect(controls.placed.value).toEqual({ "player-insurance": 500 });
  });

  test("undo one action after the other: a chip, double, clear, re-bet", () => {
    const [table, controls] = open();
    table.show(7, "initial-cards", [PLAYER]);
    table.show(8, "betting");
    const steps = [() => controls.repeat(), () => controls.place("tie", 100), () => controls.double(), () => controls.clear()];
    const states = steps.map((step) => {
      const before = controls.wanted.value;
      step();
      return before;
    });
    expect(controls.wanted.value).toEqual({});
    expect(states).toEqual([{}, { player: 500 }, { player: 500, tie: 100 }, { player: 1_000, tie: 200 }]);
    for (const state of states.reverse()) {
      controls.undo();
      expect(controls.wanted.value).toEqual(state);
    }
    expect(controls.canUndo.value).toBe(false);
  });

  test("undo a confirmation by staging what stood before it", async () => {
    const [table, controls] = open();
    table.show(7, "betting", [PLAYER]);
    controls.place("tie", 100);
    controls.place("tie", 100);
    await controls.confirm();
    table.show(7, "betting", [PLAYER, { box: 3, on: "tie", stake_cents: 200 }]);
    controls.undo();
    expect(controls.wanted.value).toEqual({ player: 500 });
    expect(controls.canUndo.value).toBe(false);
    await controls.confirm();
    expect(table.sent.at(-1)).toEqual({ kind: "place-bets", box: 3, stakes: [{ on: "player", stake_cents: 500 }], round: 7 });
  });

  test("keep what is refused staged, with the refusal", async () => {
    const [table, controls] = open();
    table.answer = () => REFUSED;
    controls.place("player", 500);
    expect(await controls.confirm()).toBe(false);
    expect(controls.refused.value).toBe(REFUSED);
    expect(controls.wanted.value).toEqual({ player: 500 });
    controls.undo();
    expect(controls.refused.value).toBeNull();
  });

  test("give unsent chips back when the betting ends, and say how much", () => {
    const [table, controls] = open();
    table.show(7, "betting", [PLAYER]);
    controls.place("player", 100);
    controls.place("tie", 300);
    table.show(7, "initial-cards", [PLAYER]);
    expect(controls.returned.value).toBe(400);
    expect(controls.wanted.value).toEqual({ player: 500 });
    table.show(8, "betting");
    expect(controls.returned.value).toBeNull();
  });

  test("forget what can be undone, and the last refusal, with the next round", async () => {
    const [table, controls] = open();
    controls.place("player", 500);
    table.answer = () => REFUSED;
    await controls.send({ kind: "leave" });
    table.show(8, "betting");
    expect(controls.canUndo.value).toBe(false);
    expect(controls.isStaged.value).toBe(false);
    expect(controls.refused.value).toBeNull();
  });

  test("repeat the bets of the last round, but no insurance, at the present box", async () => {
    const [table, controls] = open();
    table.show(7, "initial-cards", [PLAYER, { box: 3, on: "player-insurance", stake_cents: 100, window: "four-cards" }]);
    expect(controls.canRepeat.value).toBe(false);
    table.show(8, "betting", [], 5);
    expect(controls.canRepeat.value).toBe(true);
    controls.repeat();
    await controls.confirm();
    expect(table.sent).toEqual([{ kind: "place-bets", box: 5, stakes: [{ on: "player", stake_cents: 500 }], round: 8 }]);
  });

  test("remember the last bets when the page is loaded again", () => {
    const [table, controls] = open();
    table.show(7, "initial-cards", [PLAYER]);
    controls.close();
    const [, again] = open();
    expect(again.canRepeat.value).toBe(true);
  });

  test("insure in one tap, or by chips that are sent when they are confirmed, and then are final", async () => {
    const [table, controls] = open();
    table.show(7, "first-window", [PLAYER], 3, [{}]);
    controls.place("player-insurance", 100);
    expect(controls.lacking.value).toEqual({ "player-insurance": 100 });
    controls.place("player-insurance", 200);
    expect(controls.toConfirm.value).toBe(300);
    await controls.confirm();
    await controls.insure("player-insurance", 300, 3);
    const command = { kind: "insure", box: 3, on: "player-insurance", stake_cents: 300, round: 7 };
    expect(table.sent).toEqual([command, command]);
    expect(controls.canUndo.value).toBe(false);
  });
});
