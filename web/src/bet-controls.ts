/**
 * What a patron does at the felt. Chips are staged here, on this page alone, until they are confirmed and sent as one.
 * What is staged says how the bets shall stand, so that undo is the former state, whatever changed it.
 */
import { computed, effect, signal } from "@preact/signals";
import { waysTo } from "./choices.ts";
import type { LiveTable } from "./live-table";
import type { Cents } from "./money.ts";
import type { Bet, Command, Refusal, Snapshot } from "./wire";

/** What is staked on each bet; nothing is left out. */
type Stakes = Readonly<Record<string, Cents>>;

/** How the bets were to stand before an action, and whether that action was a confirmation. */
interface Former {
  stakes: Stakes;
  confirmed: boolean;
}

/** The sum of the stakes on each bet. */
function totals(bets: readonly Pick<Bet, "on" | "stake_cents">[]): Stakes {
  const sums: Record<string, Cents> = {};
  for (const { on, stake_cents } of bets) sums[on] = (sums[on] ?? 0) + stake_cents;
  return sums;
}

const sum = (stakes: Stakes): Cents => Object.values(stakes).reduce((all, cents) => all + cents, 0);

/** What one state has more on each bet than another. */
function surplus(more: Stakes, less: Stakes): Stakes {
  return Object.fromEntries(Object.entries(more).flatMap(([on, cents]) => (cents > (less[on] ?? 0) ? [[on, cents - (less[on] ?? 0)]] : [])));
}

const isSame = (one: Stakes, other: Stakes): boolean => !sum(surplus(one, other)) && !sum(surplus(other, one));

/** The chip to begin with: the first that is worth the minimum; none while the limits are not known. */
export function firstChip({ limits }: Snapshot["table"]): Cents {
  if (!limits) return 0;
  const { chips_cents, minimum_cents } = limits;
  return chips_cents.find((chip) => chip >= minimum_cents) ?? chips_cents.at(-1) ?? minimum_cents;
}

export class BetControls {
  readonly chip = signal<Cents>(0);
  readonly refused = signal<Refusal | null>(null);
  /** The chips that went back to the tray because the betting ended before they were confirmed; null where none did. */
  readonly returned = signal<Cents | null>(null);
  private readonly staged = signal<Stakes | null>(null);
  private readonly former = signal<readonly Former[]>([]);
  private readonly last = signal<Stakes>({});
  private round = 0;
  /** The phase in which chips may be staged now, if any. */
  private open: Snapshot["phase"] | null = null;
  /** Stop following the table. */
  readonly close: () => void;

  /** What the server has taken at the patron's box, by bet. Insurance is under its own name. */
  readonly placed = computed(() => totals(this.bets));
  /** How the bets shall stand. */
  readonly wanted = computed(() => this.staged.value ?? this.placed.value);
  /** What is staged beyond what is placed, by bet. */
  readonly added = computed(() => surplus(this.wanted.value, this.placed.value));
  readonly isStaged = computed(() => !isSame(this.wanted.value, this.placed.value));
  /** What each bet lacks of its minimum, as the server says it. */
  readonly lacking = computed(() => this.shortfalls());
  readonly isSending = computed(() => this.table.pending.value.some(({ command }) => command.kind === "place-bets" || command.kind === "insure"));
  /** What a confirmation sends: all bets as they shall stand, or the insurance that is added. */
  readonly toConfirm = computed(() => sum(this.isBetting ? this.wanted.value : this.added.value));
  /** The credits that are left once what is staged is sent; below zero where there are too few. */
  readonly creditsLeft = computed(() => (this.table.me.value?.balance_cents ?? 0) - sum(this.wanted.value) + sum(this.placed.value));
  readonly canConfirm = computed(() => this.isStaged.value && !this.isSending.value && !sum(this.lacking.value) && this.creditsLeft.value >= 0);
  readonly canUndo = computed(() => this.former.value.length > 0 && !this.isSending.value);
  readonly canClear = computed(() => sum(this.isBetting ? this.wanted.value : this.added.value) > 0);
  readonly canDouble = computed(() => this.isBetting && sum(this.wanted.value) > 0);
  readonly canRepeat = computed(() => this.isBetting && sum(this.last.value) > 0 && !sum(this.wanted.value));

  constructor(readonly table: LiveTable) {
    this.last.value = this.remembered();
    this.close = effect(() => {
      const snapshot = table.snapshot.value;
      if (!snapshot) return;
      this.chip.value ||= firstChip(snapshot.table);
      if (snapshot.round !== this.round) {
        this.round = snapshot.round;
        this.refused.value = this.returned.value = null;
        this.forget();
      }
      const isBetting = snapshot.phase === "betting";
      const open = isBetting || snapshot.offers?.length ? snapshot.phase : null;
      if (open !== this.open) this.endStaging();
      this.open = open;
      const stakes = totals(this.bets.filter((bet) => !bet.window));
      if (!isBetting && sum(stakes)) this.remember(stakes);
    });
  }

  private get bets(): readonly Bet[] {
    const me = this.table.me.value;
    return me?.bets.filter(({ box }) => box === me.box) ?? [];
  }

  private get isBetting(): boolean {
    return this.table.snapshot.value?.phase === "betting";
  }

  /** Put chips on a bet. */
  place(on: string, cents: Cents): void {
    this.stage({ ...this.wanted.value, [on]: (this.wanted.value[on] ?? 0) + cents });
  }

  /** Take all chips off again; insurance that was taken stands. */
  clear(): void {
    this.stage(this.isBetting ? {} : this.placed.value);
  }

  /** The bets of the last round again. */
  repeat(): void {
    this.stage(this.last.value);
  }

  double(): void {
    this.stage(Object.fromEntries(Object.entries(this.wanted.value).map(([on, cents]) => [on, cents * 2])));
  }

  /** Go back to how the bets were to stand before the last action. A confirmation counts as one, with all that it sent. */
  undo(): void {
    const last = this.former.value.at(-1);
    if (!last) return;
    this.former.value = this.former.value.slice(0, -1);
    this.staged.value = last.stakes;
    this.refused.value = null;
  }

  /** Send what is staged: all bets as one, or each insurance. What is refused stays staged. */
  async confirm(): Promise<boolean> {
    const box = this.table.me.value?.box;
    if (!box || !this.canConfirm.value) return false;
    const [sent, before] = [this.staged.value, this.placed.value];
    for (const command of this.commands(box)) if (!(await this.send(command))) return false;
    const earlier = this.former.value.filter(({ confirmed }) => confirmed);
    // Insurance that was taken is final; a bet may be changed again while bets are open.
    this.former.value = this.isBetting ? [...earlier, { stakes: before, confirmed: true }] : [];
    if (this.staged.value === sent) this.staged.value = null;
    return true;
  }

  private commands(box: number): Command[] {
    if (this.isBetting) {
      const stakes = Object.entries(this.wanted.value).filter(([, cents]) => cents > 0).map(([on, stake_cents]) => ({ on, stake_cents }));
      return [{ kind: "place-bets", box, stakes, round: this.round }];
    }
    return Object.entries(this.added.value).map(([on, stake_cents]) => ({ kind: "insure", box, on, stake_cents, round: this.round }));
  }

  async insure(on: string, stake_cents: Cents, box: number): Promise<boolean> {
    return this.send({ kind: "insure", box, on, stake_cents, round: this.round });
  }

  /** Send any command and keep its refusal in sight. */
  async send(command: Command): Promise<boolean> {
    this.refused.value = await this.table.send(command);
    return this.refused.value === null;
  }

  private stage(stakes: Stakes): void {
    if (isSame(stakes, this.wanted.value)) return;
    this.former.value = [...this.former.value, { stakes: this.wanted.value, confirmed: false }];
    this.staged.value = stakes;
    this.refused.value = this.returned.value = null;
  }

  /** What is staged and was not sent is no bet: its chips go back, and the patron is told. */
  private endStaging(): void {
    if (this.isStaged.peek() && !this.isSending.peek()) this.returned.value = sum(this.added.peek());
    this.forget();
  }

  private forget(): void {
    this.staged.value = null;
    this.former.value = [];
  }

  private shortfalls(): Stakes {
    const snapshot = this.table.snapshot.value;
    if (!snapshot || !this.isStaged.value) return {};
    const [kind, stakes] = this.isBetting ? (["place-bets", this.wanted.value] as const) : (["insure", this.added.value] as const);
    const ways = waysTo(snapshot, kind).filter(({ box }) => box === snapshot.me?.box);
    const lacks = ways.flatMap(({ on, amount }) => {
      const cents = stakes[on ?? ""] ?? 0;
      return on && amount && cents > 0 && cents !== amount.also_cents && cents < amount.minimum_cents ? [[on, amount.minimum_cents - cents]] : [];
    });
    return Object.fromEntries(lacks);
  }

  private get memory(): string {
    return `punto.last-stakes.${this.table.id}`;
  }

  private remembered(): Stakes {
    return JSON.parse(sessionStorage.getItem(this.memory) ?? "{}");
  }

  private remember(stakes: Stakes): void {
    this.last.value = stakes;
    sessionStorage.setItem(this.memory, JSON.stringify(stakes));
  }
}
