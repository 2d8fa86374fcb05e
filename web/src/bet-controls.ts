/** What a patron does at the felt: the chip in hand, and what undo, clear, re-bet and double mean as commands. */
import { computed, effect, signal } from "@preact/signals";
import type { LiveTable, Pending } from "./live-table";
import { rack, type Cents } from "./money.ts";
import type { Bet, Command, Refusal, Snapshot } from "./wire";

type Stake = Pick<Bet, "on" | "stake_cents">;
type PlacedStake = Stake & Pick<Bet, "box">;

/** What a pending command adds to a bet, if it does. */
function addedBy({ command }: Pending): Stake[] {
  if (command.kind === "place-bet" || command.kind === "insure") return [command];
  return command.kind === "raise-bet" ? [{ on: command.on, stake_cents: command.add_cents }] : [];
}

/** The sum of the stakes on each bet. */
function totals(stakes: readonly Stake[]): Record<string, Cents> {
  const sums: Record<string, Cents> = {};
  for (const { on, stake_cents } of stakes) sums[on] = (sums[on] ?? 0) + stake_cents;
  return sums;
}

/** The chip of a table's minimum; none while its limits are not known. */
export function firstChip({ limits }: Snapshot["table"]): Cents {
  if (!limits) return 0;
  const chips = rack(limits.minimum_cents, limits.unit_cents);
  return chips.find((chip) => chip >= limits.minimum_cents) ?? chips.at(-1) ?? limits.minimum_cents;
}

export class BetControls {
  readonly chip = signal<Cents>(0);
  readonly refused = signal<Refusal | null>(null);
  private readonly done = signal<readonly PlacedStake[]>([]);
  private readonly last = signal<readonly PlacedStake[]>([]);
  private round = 0;
  /** Stop following the table. */
  readonly close: () => void;

  /** What is placed, acknowledged by the server, by bet. Insurance is under its own name. */
  readonly placed = computed(() => totals(this.table.me.value?.bets ?? []));
  /** What was sent and not answered yet, by bet. */
  readonly pending = computed(() => totals(this.table.pending.value.flatMap(addedBy)));
  readonly canUndo = computed(() => this.done.value.length > 0);
  readonly canRepeat = computed(() => this.last.value.length > 0 && Object.keys(this.placed.value).length === 0);

  constructor(readonly table: LiveTable) {
    this.last.value = JSON.parse(sessionStorage.getItem(`punto.last-bets.${table.id}`) ?? "[]");
    this.close = effect(() => {
      const snapshot = table.snapshot.value;
      if (!snapshot) return;
      this.chip.value ||= firstChip(snapshot.table);
      if (snapshot.round !== this.round) {
        this.round = snapshot.round;
        this.done.value = [];
        this.refused.value = null;
      }
      if (snapshot.phase !== "betting" && this.bets.length) this.remember(this.bets);
    });
  }

  /** The patron's bets besides insurance. */
  private get bets(): readonly PlacedStake[] {
    return (this.table.me.value?.bets ?? []).filter((bet) => !bet.window);
  }

  /** Put an amount on a bet: a new bet, or more on the one that is there. */
  async place(on: string, cents: Cents, box: number): Promise<boolean> {
    const exists = on in this.placed.value || on in this.pending.value;
    const spot = { box, on, round: this.round };
    const taken = await this.send(exists ? { kind: "raise-bet", add_cents: cents, ...spot } : { kind: "place-bet", stake_cents: cents, ...spot });
    if (taken) this.done.value = [...this.done.value, { box, on, stake_cents: cents }];
    return taken;
  }

  async insure(on: string, stake_cents: Cents, box: number): Promise<boolean> {
    return this.send({ kind: "insure", box, on, stake_cents, round: this.round });
  }

  /** Take the last chips back. */
  async undo(): Promise<void> {
    const last = this.done.value.at(-1);
    if (!last) return;
    this.done.value = this.done.value.slice(0, -1);
    await this.withdraw(last, last.stake_cents);
  }

  async clear(): Promise<void> {
    this.done.value = [];
    for (const bet of this.bets) await this.withdraw(bet, null);
  }

  /** The bets of the last round again, at the box where the patron is now; the first refusal stops it. */
  async repeat(): Promise<void> {
    const box = this.table.me.value?.box;
    for (const bet of this.last.value) if (box && !(await this.place(bet.on, bet.stake_cents, box))) return;
  }

  async double(): Promise<void> {
    for (const bet of this.bets) if (!(await this.place(bet.on, bet.stake_cents, bet.box))) return;
  }

  /** Send any command and keep its refusal in sight. */
  async send(command: Command): Promise<boolean> {
    this.refused.value = await this.table.send(command);
    return this.refused.value === null;
  }

  private withdraw({ box, on }: PlacedStake, take_cents: Cents | null): Promise<boolean> {
    return this.send({ kind: "withdraw-bet", box, on, take_cents, round: this.round });
  }

  private remember(bets: readonly PlacedStake[]): void {
    this.last.value = bets;
    sessionStorage.setItem(`punto.last-bets.${this.table.id}`, JSON.stringify(bets));
  }
}
