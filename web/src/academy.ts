/** What a trainee has learned, kept in this browser in the form of `punto academy`: by game, and by kind and paragraph. */
import { signal } from "@preact/signals";
import type { LearnedItem } from "./wire.ts";

type Row = readonly [level: number, due_ms: number, asked: number, right: number];
type Kept = Readonly<Record<string, Readonly<Record<string, Row>>>>;
export type Learned = Readonly<Record<string, LearnedItem>>;

const STORED = "punto.academy";

const isRow = (row: unknown): row is Row => Array.isArray(row) && row.length === 4 && row.every((part) => Number.isSafeInteger(part) && part >= 0);
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

/** A text as progress; null where it is none. */
export function readProgress(text: string): Kept | null {
  try {
    const read: unknown = JSON.parse(text);
    const isProgress = isRecord(read) && Object.values(read).every((game) => isRecord(game) && Object.values(game).every(isRow));
    return isProgress ? (read as Kept) : null;
  } catch {
    return null;
  }
}

export const progress = signal<Kept>(readProgress(localStorage.getItem(STORED) ?? "") ?? {});

export function keep(to: Kept): void {
  progress.value = to;
  localStorage.setItem(STORED, JSON.stringify(to));
}

/** What was learned of a game, as messages have it. */
export const learnedOf = (game: string): Learned =>
  Object.fromEntries(Object.entries(progress.value[game] ?? {}).map(([item, [level, due_ms, asked, right]]) => [item, { level, due_ms, asked, right }]));

export const learn = (game: string, learned: Learned): void =>
  keep({ ...progress.value, [game]: Object.fromEntries(Object.entries(learned).map(([item, { level, due_ms, asked, right }]): [string, Row] => [item, [level, due_ms, asked, right]])) });
