/** The shapes of docs/api.md that the pages read. Amounts are whole cents, times milliseconds since the epoch. */

import type { Rulings, Word } from "./texts.ts";

export type Cents = number;
export type HandName = "player" | "banker";
export type Winner = HandName | "tie";
export type Ruling = keyof Rulings;
export type Role = Word<"role">;

export interface Person {
  id: string;
  name: string;
  role: Role;
}

export interface PayLine {
  says: string;
  odds: string;
  rule: string;
}

export interface OfferedBet {
  id: string;
  name: string;
  hand: HandName | null;
  rule: string;
  pays: PayLine[];
  returned_rule: string | null;
}

export interface InsuranceRow {
  window: Word<"window">;
  hand: HandName;
  player: number[];
  banker: number[];
  odds: string;
  rule: string;
  tie_wins_rule: string | null;
}

export interface Irregularity {
  id: string;
  situation: string;
  ruling: Ruling;
  decides: Role;
  rule: string;
}

export interface Layout {
  id: string;
  name: string;
  boxes: number;
  appendix: string;
}

export interface Sheet {
  id: string;
  title: string;
  short: string;
  effective: string;
  decks: { minimum: number; maximum: number; rule: string };
  boxes: { rule: string; layouts: Layout[]; most: number | null };
  play: { open: { says: string; rule: string }; close: { says: string; rule: string }; squeeze: { by: string; rule: string } | null };
  bets: Record<string, OfferedBet>;
  insurance: { waiver_rule: string; bets: { id: string; name: string; hand: HandName }[]; rows: InsuranceRow[]; cap_rule: string; private_table_rule: string | null } | null;
  irregularities: Record<string, Irregularity>;
  authority: Record<string, string | null>;
  paragraphs: Record<string, string>;
  zh: Record<string, string>;
}

export interface TableSummary {
  id: string;
  game: string;
  title: string;
  mode: "automatic" | "live";
  phase: Phase;
  round: number;
  shoe: number;
  minimum: Cents;
  differential: Cents;
  boxes: number;
  patrons: number;
  notice: string | null;
  last: Word<"bead">[];
}

export type Phase =
  | "not-open"
  | "between-rounds"
  | "betting"
  | "initial-cards"
  | "first-window"
  | "player-third"
  | "second-window"
  | "banker-third"
  | "result"
  | "held";

export interface DealtCard {
  card: string | null;
  hand: HandName | null;
}

export interface Offer {
  window: Word<"window">;
  on: string;
  hand: HandName;
  odds: string;
  rule: string;
}

export interface BoxState {
  box: number;
  seated: string | null;
  standing: number;
  totals: Record<string, Cents>;
}

export interface Result {
  winner: Winner;
  player_points: number;
  banker_points: number;
  round: number;
}

export interface Case {
  case: number;
  situation: string;
  says: string;
  ruling: Ruling | null;
  rule: string | null;
  waits_for: Word<"waits_for"> | null;
  choices?: Record<string, string>;
  answers?: Word<"decision">[];
  waiting?: string | null;
  by?: string;
  facts?: Record<string, unknown>;
}

export interface LyingBet {
  box: number;
  on: string;
  stake: Cents;
  window?: string | null;
  patron?: string;
  seated?: boolean;
}

/** A settled bet; one that went back without a result has `why` in place of a result. */
export interface Line {
  bet: { box: number; patron: string; on: string; stake_cents: Cents; window: string | null };
  name?: string;
  in_play_cents?: Cents;
  result?: "win" | "lose" | "returned";
  odds?: string | null;
  returned_cents?: Cents;
  net_cents?: Cents;
  rule: string | null;
  in_play_rule?: string | null;
  why?: string;
}

export interface Me extends Person {
  balance: Cents;
  box: number | null;
  seated: boolean;
  bets: LyingBet[];
  in_play: Cents;
  lines: Line[];
  options: { case: number; round: number; choices: string[] } | null;
  lines_round?: number | null;
  insurable?: Record<string, { stake_cents_max: Cents; original: Cents }>;
}

export interface RoadCell {
  round: number;
  column: number;
  row: number;
  colour: "red" | "blue" | "green";
  ties: number;
  marks: string[];
}

export type RoadName = "bead_plate" | "big_road" | "big_eye_boy" | "small_road" | "cockroach_pig";

export interface RoadsData {
  rounds: number;
  results: Record<Winner, number>;
  rows: number;
  roads: Record<RoadName, RoadCell[]>;
  ties_waiting: number;
  next_hand: Record<HandName, Record<string, "red" | "blue" | null>>;
  note: string;
}

export interface Snapshot {
  seq: number;
  now: number;
  table: {
    id: string;
    game: string;
    title: string;
    mode: "automatic" | "live";
    decks: number;
    boxes: number;
    layout: string | null;
    face_down: boolean;
    without_insurance: boolean;
    notice: string | null;
    second_person: boolean;
    limits: { minimum: Cents; differential: Cents; unit: Cents; sides: { on: string; minimum: Cents; maximum: Cents }[] };
  };
  phase: Phase;
  round: number;
  clock: { ends_at: number | null };
  shoe: { number: number; count: number; dealt: number; cut: number | null; commitment: string | null; last_round: boolean; over: boolean } | null;
  cards: DealtCard[];
  points: Record<HandName, number | null>;
  next: { hand: HandName | null; why: string | null };
  offers: Offer[];
  boxes: BoxState[];
  result: Result | null;
  squeeze: { name: string; what: Word<"squeeze">; rule: string } | null;
  case: Case | null;
  roads: RoadsData;
  suspended?: string | null;
  me: Me | null;
  bets?: LyingBet[];
  patrons?: Record<string, string>;
}

export interface Refused {
  code: string;
  rule: string | null;
  message: string;
}
