/** Parts of messages that the server is about to send. A part moves out of here when `wire.ts` has it. */
import type { Account, Burn, CardChange, Consent, Device, Winner } from "./wire.ts";

/** Of an account, and of what is one's own at a table. */
export interface Owing {
  readonly owed_cents?: number | null;
}

/** What a patron owes to the House. */
export interface Debt {
  readonly patron: string;
  readonly name: string;
  readonly owed_cents: number;
}

/** Of a card on the table: the name of whoever has its squeeze. */
export interface Squeezed {
  readonly squeezed_by?: string | null;
}

/** How cards come out. */
export interface Outcome {
  readonly winner: Winner;
  readonly player_points: number;
  readonly banker_points: number;
}

/** What a proposal changes: cards, outcome, and what the bets of each patron return. */
export interface IncidentEffect {
  readonly change: CardChange | null;
  readonly void: boolean;
  readonly cards_before: string | null;
  readonly cards_after: string | null;
  readonly outcome_before: Outcome | null;
  readonly outcome_after: Outcome | null;
  readonly money: readonly { readonly patron: string; readonly name: string; readonly before_cents: number | null; readonly after_cents: number | null }[];
}

/** Of an open case, for staff. */
export interface Explained {
  readonly reported_by?: string;
  readonly at_ms?: number | null;
  readonly note?: string | null;
  readonly reason?: string | null;
  readonly effect?: IncidentEffect | null;
}

/** Of a table: how it is set up. */
export interface SetUp {
  readonly second_role?: Account["role"] | null;
  readonly private?: boolean;
  readonly waiver_consent?: Consent | null;
  readonly device?: Device | null;
  readonly burn?: Burn | null;
}
