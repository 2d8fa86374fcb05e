/** What a trainee has learned, kept in this browser in the form of `punto academy`: by game, and by kind and paragraph. */
import { signal } from "@preact/signals";
import type { LearnedItem } from "./wire.ts";

export type Learned = Readonly<Record<string, LearnedItem>>;
type Kept = Readonly<Record<string, Learned>>;

const STORED = "punto.academy";

const PARTS = ["level", "due_ms", "asked", "right"];

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
const isItem = (item: unknown): boolean => isRecord(item) && PARTS.every((part) => Number.isSafeInteger(item[part]) && Number(item[part]) >= 0);

/** A text as progress; null where it is none. */
export function readProgress(text: string): Kept | null {
  try {
    const read: unknown = JSON.parse(text);
    const isProgress = isRecord(read) && Object.values(read).every((game) => isRecord(game) && Object.values(game).every(isItem));
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

/** What was learned of a game. */
export const learnedOf = (game: string): Learned => progress.value[game] ?? {};

export const learn = (game: string, learned: Learned): void => keep({ ...progress.value, [game]: learned });
