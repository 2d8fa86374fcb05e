/** A patron's hands over the felt: the chip in hand, and what undo, clear, re-bet and double mean as commands. */
import { computed, effect, signal } from "@preact/signals";
import type { Cents } from "./money";
import type { Table } from "./table";
import type { Command, Refusal } from "./wire";

interface Chips {
  box: number;
  on: string;
  cents: Cents;
}

/** What a command adds to a bet, if it does. */
function added(command: Command): { on: string; cents: Cents } | null {
  switch (command.kind) {
    case "place-bet":
    case "insure":
      return { on: command.on, cents: command.stake_cents };
    case "raise-bet":
      return { on: command.on, cents: command.add_cents };
    default:
      return null;
  }
}

export class Book {
  readonly chip = signal<Cents>(0);
  readonly refused = signal<Refusal | null>(null);
  private readonly done = signal<readonly Chips[]>([]);
  private readonly last = signal<readonly Chips[]>([]);
  private round = 0;
  private readonly stop: () => void;

  /** What is placed, acknowledged by the server, by bet. Insurance is under its own name. */
  readonly placed = computed(() => {
    const placed: Record<string, Cents> = {};
    for (const bet of this.table.me.value?.bets ?? []) placed[bet.on] = (placed[bet.on] ?? 0) + bet.stake_cents;
    return placed;
  });

  /** What was sent and not answered yet, by bet. */
  readonly waiting = computed(() => {
    const waiting: Record<string, Cents> = {};
    for (const { command } of this.table.pending.value) {
      const bet = added(command);
      if (bet) waiting[bet.on] = (waiting[bet.on] ?? 0) + bet.cents;
    }
    return waiting;
  });

  readonly canUndo = computed(() => this.done.value.length > 0);
  readonly canRepeat = computed(() => this.last.value.length > 0 && Object.keys(this.placed.value).length === 0);

  constructor(readonly table: Table) {
    this.last.value = JSON.parse(sessionStorage.getItem(`punto.bets.${table.id}`) ?? "[]");
    this.stop = effect(() => {
      const snapshot = table.snapshot.value;
      if (!snapshot) return;
      if (snapshot.round !== this.round) {
        this.round = snapshot.round;
        this.done.value = [];
        this.refused.value = null;
      }
      const bets = (snapshot.me?.bets ?? []).filter((bet) => !bet.window);
      if (snapshot.phase !== "betting" && bets.length) this.remember(bets.map((bet) => ({ box: bet.box, on: bet.on, cents: bet.stake_cents })));
    });
  }

  close(): void {
    this.stop();
  }

  /** Put an amount on a bet: a new bet, or more on the one that is there. */
  async place(on: string, cents: Cents, box: number): Promise<boolean> {
    const more = (this.placed.value[on] ?? 0) + (this.waiting.value[on] ?? 0) > 0;
    const spot = { box, on, round: this.round };
    const taken = await this.give(more ? { kind: "raise-bet", add_cents: cents, ...spot } : { kind: "place-bet", stake_cents: cents, ...spot });
    if (taken) this.done.value = [...this.done.value, { box, on, cents }];
    return taken;
  }

  async insure(on: string, cents: Cents, box: number): Promise<boolean> {
    return this.give({ kind: "insure", box, on, stake_cents: cents, round: this.round });
  }

  /** Take the last chips back. */
  async undo(): Promise<void> {
    const last = this.done.value.at(-1);
    if (!last) return;
    this.done.value = this.done.value.slice(0, -1);
    await this.give({ kind: "withdraw-bet", box: last.box, on: last.on, take_cents: last.cents, round: this.round });
  }

  async clear(): Promise<void> {
    this.done.value = [];
    for (const bet of this.table.me.value?.bets ?? []) {
      if (!bet.window) await this.give({ kind: "withdraw-bet", box: bet.box, on: bet.on, take_cents: null, round: this.round });
    }
  }

  /** The bets of the last round again, at the box where the patron is now; the first refusal stops it. */
  async repeat(): Promise<void> {
    const box = this.table.me.value?.box;
    for (const bet of this.last.value) if (box && !(await this.place(bet.on, bet.cents, box))) return;
  }

  async double(): Promise<void> {
    for (const bet of this.table.me.value?.bets ?? []) {
      if (!bet.window && !(await this.place(bet.on, bet.stake_cents, bet.box))) return;
    }
  }

  /** Give any command and keep its refusal in sight. */
  async give(command: Command): Promise<boolean> {
    this.refused.value = await this.table.send(command);
    return this.refused.value === null;
  }

  private remember(bets: Chips[]): void {
    this.last.value = bets;
    sessionStorage.setItem(`punto.bets.${this.table.id}`, JSON.stringify(bets));
  }
}
