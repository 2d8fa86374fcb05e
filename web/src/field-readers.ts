/** What people type, read strictly: a text that is not what its field holds gives null, and never another value. */
import { parseMoney } from "./money.ts";
import type { Input } from "./wire.ts";

export type FieldKind = "text" | "money" | "number" | "seconds" | "card" | "cards" | "odds" | "ticket";

/** Ranks that may be typed in another way. */
const RANKS: Readonly<Record<string, string>> = { "0": "T", "1": "A", "10": "T" };

/** A card as it is written, `Th`, however it was typed. */
export function readCard(text: string): string | null {
  const [, rank, suit] = /^(10|[0-9ATJQK])([SHDC])$/.exec(text.toUpperCase()) ?? [];
  return rank && suit ? (RANKS[rank] ?? rank) + suit.toLowerCase() : null;
}

function readCards(text: string): string | null {
  const cards = text.split(/[\s,]+/).map(readCard);
  return cards.includes(null) ? null : cards.join(" ");
}

/** Seconds and their parts, as milliseconds. */
function readSeconds(text: string): number | null {
  const [, whole, part = ""] = /^(\d{1,4})(?:\.(\d{1,3}))?$/.exec(text) ?? [];
  return whole ? Number(whole) * 1_000 + Number(part.padEnd(3, "0")) : null;
}

const readIf = (pattern: RegExp) => (text: string) => (pattern.test(text) ? text : null);

const READERS: Record<FieldKind, (text: string) => string | number | null> = {
  text: (text) => text,
  money: parseMoney,
  number: (text) => (/^\d{1,15}$/.test(text) ? Number(text) : null),
  seconds: readSeconds,
  card: readCard,
  cards: readCards,
  ticket: (text) => readIf(/^\d{24}$/)(text.replace(/[\s-]/g, "")),
  odds: readIf(/^\d{1,9}(\.\d{1,9})?:\d{1,9}(\.\d{1,9})?$/),
};

/** What a text says in a field of this kind; null where it says nothing of the kind. */
export const readField = (kind: FieldKind, text: string): string | number | null => READERS[kind](text.trim());

/** The amount in a field of a form that was let through. */
export const moneyIn = (form: FormData, name: string): number => read("money", name, form) as number;

/** What is in a field of a form that was let through. */
export function read(kind: FieldKind, name: string, form: FormData): string | number {
  const value = readField(kind, String(form.get(name) ?? ""));
  if (value === null) throw new Error(`the field ${name} cannot be read`);
  return value;
}

/** Whether a field is an amount of money, which people write as money. */
export const isMoney = ({ name, type }: Input): boolean => type === "number" && name.endsWith("_cents");

const KINDS: Partial<Record<Input["type"], FieldKind>> = { number: "number", card: "card", cards: "cards", odds: "odds" };

/** How what is typed for an input is read. */
export const kindOf = (input: Input): FieldKind => (isMoney(input) ? "money" : (KINDS[input.type] ?? "text"));
