import { signal, computed } from "@preact/signals";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { Book } from "../src/book.ts";
import type { Pending, Table } from "../src/table.ts";
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
    this.snapshot.value = { round, phase, me: { box, bets } } as unknown as Snapshot;
  }
}

function open(): [FakeTable, Book] {
  const table = new FakeTable();
  table.show(7, "betting");
  return [table, new Book(table as unknown as Table)];
}

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("sessionStorage", { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value) });
});

describe("a patron's bet book", () => {
  test("places a new bet and raises one that is there", async () => {
    const [table, book] = open();
    await book.place("player", 500, 3);
    table.show(7, "betting", [{ box: 3, on: "player", stake_cents: 500 }]);
    await book.place("player", 100, 3);
    expect(table.sent).toEqual([
      { kind: "place-bet", stake_cents: 500, box: 3, on: "player", round: 7 },
      { kind: "raise-bet", add_cents: 100, box: 3, on: "player", round: 7 },
    ]);
  });

  test("raises a bet that is sent but not answered yet", async () => {
    const [table, book] = open();
    const command: Command = { kind: "place-bet", box: 3, on: "tie", stake_cents: 500 };
    table.pending.value = [{ key: "k", command, settle: () => undefined }];
    expect(book.waiting.value).toEqual({ tie: 500 });
    await book.place("tie", 100, 3);
    expect(table.sent[0]?.kind).toBe("raise-bet");
  });

  test("counts all bets of a kind that the server acknowledged", () => {
    const [table, book] = open();
    table.show(7, "first-window", [
      { box: 3, on: "player-insurance", stake_cents: 300, window: "four-cards" },
      { box: 3, on: "player-insurance", stake_cents: 200, window: "player-third" },
    ]);
    expect(book.placed.value).toEqual({ "player-insurance": 500 });
  });

  test("undoes the last chips, and only those that were taken", async () => {
    const [table, book] = open();
    await book.place("player", 500, 3);
    table.answer = () => REFUSED;
    await book.place("tie", 100, 3);
    expect(book.refused.value).toBe(REFUSED);
    table.answer = () => null;
    await book.undo();
    expect(table.sent.at(-1)).toEqual({ kind: "withdraw-bet", box: 3, on: "player", take_cents: 500, round: 7 });
    expect(book.canUndo.value).toBe(false);
    await book.undo();
    expect(table.sent).toHaveLength(3);
  });

  test("forgets what can be undone, and the last refusal, with the next round", async () => {
    const [table, book] = open();
    await book.place("player", 500, 3);
    await book.give({ kind: "leave" });
    table.show(8, "betting");
    expect(book.canUndo.value).toBe(false);
    expect(book.refused.value).toBeNull();
  });

  test("clears and doubles the bets of the round, but no insurance", async () => {
    const [table, book] = open();
    table.show(7, "betting", [
      { box: 3, on: "player", stake_cents: 500 },
      { box: 3, on: "player-insurance", stake_cents: 100, window: "four-cards" },
    ]);
    await book.double();
    await book.clear();
    expect(table.sent).toEqual([
      { kind: "raise-bet", add_cents: 500, box: 3, on: "player", round: 7 },
      { kind: "withdraw-bet", box: 3, on: "player", take_cents: null, round: 7 },
    ]);
  });

  test("repeats the bets of the last round at the present box, until one is refused", async () => {
    const [table, book] = open();
    table.show(7, "initial-cards", [{ box: 3, on: "player", stake_cents: 500 }, { box: 3, on: "tie", stake_cents: 100 }]);
    expect(book.canRepeat.value).toBe(false);
    table.show(8, "betting", [], 5);
    expect(book.canRepeat.value).toBe(true);
    table.answer = () => REFUSED;
    await book.repeat();
    expect(table.sent).toEqual([{ kind: "place-bet", stake_cents: 500, box: 5, on: "player", round: 8 }]);
    table.answer = () => null;
    await book.repeat();
    expect(table.sent.slice(1).map((command) => "on" in command && command.on)).toEqual(["player", "tie"]);
  });

  test("remembers the last bets when the page is loaded again", () => {
    const [table, book] = open();
    table.show(7, "initial-cards", [{ box: 3, on: "player", stake_cents: 500 }]);
    book.close();
    const [, again] = open();
    expect(again.canRepeat.value).toBe(true);
  });

  test("insures with the round that it is meant for", async () => {
    const [table, book] = open();
    await book.insure("player-insurance", 300, 3);
    expect(table.sent).toEqual([{ kind: "insure", box: 3, on: "player-insurance", stake_cents: 300, round: 7 }]);
  });
});
