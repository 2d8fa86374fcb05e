/** A patron's hands over the felt: the chip in hand, and what undo, clear, re-bet and double mean as commands. */
import { computed, effect, signal } from "@preact/signals";
import type { Command, Table } from "./table";
import type { Cents, Refused } from "./types";

interface Placed {
  box: number;
  on: string;
  cents: Cents;
}

const BETS = new Set(["place-bet", "raise-bet", "insure"]);
const added = (command: Command): Cents => Number(command["stake_cents"] ?? command["add_cents"] ?? 0);

export class Book {
  readonly chip = signal<Cents>(0);
  readonly refused = signal<Refused | null>(null);
  private readonly done = signal<readonly Placed[]>([]);
  private readonly last = signal<readonly Placed[]>([]);
  private round = 0;
  private readonly stop: () => void;

  /** What lies, acknowledged by the server, by bet. Insurance is under its own name. */
  readonly lying = computed(() => {
    const lying: Record<string, Cents> = {};
    for (const bet of this.table.me.value?.bets ?? []) lying[bet.on] = (lying[bet.on] ?? 0) + bet.stake;
    return lying;
  });

  /** What was sent and not answered yet, by bet. */
  readonly waiting = computed(() => {
    const waiting: Record<string, Cents> = {};
    for (const { command } of this.table.pending.value) {
      const on = String(command["on"]);
      if (BETS.has(command.kind)) waiting[on] = (waiting[on] ?? 0) + added(command);
    }
    return waiting;
  });

  readonly canUndo = computed(() => this.done.value.length > 0);
  readonly canRepeat = computed(() => this.last.value.length > 0 && Object.keys(this.lying.value).length === 0);

  constructor(readonly table: Table) {
    this.last.value = JSON.parse(sessionStorage.getItem(`punto.bets.${table.id}`) ?? "[]") as Placed[];
    this.stop = effect(() => {
      const snapshot = table.snapshot.value;
      if (!snapshot) return;
      if (snapshot.round !== this.round) {
        this.round = snapshot.round;
        this.done.value = [];
        this.refused.value = null;
      }
      const bets = (snapshot.me?.bets ?? []).filter((bet) => !bet.window);
      if (snapshot.phase !== "betting" && bets.length) this.remember(bets.map((bet) => ({ box: bet.box, on: bet.on, cents: bet.stake })));
    });
  }

  close(): void {
    this.stop();
  }

  /** Put an amount on a bet: a new bet, or more on the one that lies. */
  async place(on: string, cents: Cents, box: number): Promise<boolean> {
    const more = (this.lying.value[on] ?? 0) + (this.waiting.value[on] ?? 0) > 0;
    const amount = more ? { kind: "raise-bet", add_cents: cents } : { kind: "place-bet", stake_cents: cents };
    const taken = await this.give({ ...amount, box, on, round: this.round });
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
      if (!bet.window && !(await this.place(bet.on, bet.stake, bet.box))) return;
    }
  }

  /** Give any command and keep its refusal in sight. */
  async give(command: Command): Promise<boolean> {
    this.refused.value = await this.table.send(command);
    return this.refused.value === null;
  }

  private remember(bets: Placed[]): void {
    this.last.value = bets;
    sessionStorage.setItem(`punto.bets.${this.table.id}`, JSON.stringify(bets));
  }
}
