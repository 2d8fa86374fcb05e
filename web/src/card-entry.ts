/** Cards keyed by hand (rank, then suit) or typed by a scanner: one that counts its readings sends `17:9h`. */
import { signal } from "@preact/signals";
import { readCard } from "./field-readers.ts";

/** The keys so far; a card is whole when `read` says so, and nothing is sent before it is confirmed. */
export class CardEntry {
  readonly text = signal("");

  /** Take one key; true when it was one of ours. A colon makes what came before it the number of a reading. */
  press(key: string): boolean {
    const text = this.text.value;
    if (key === "Backspace") this.text.value = text.slice(0, -1);
    else if (key === "Delete" || key === "Escape") this.text.value = "";
    else if (/^[a0-9tjqk]$/i.test(key) && !/[shdc]$/.test(text)) this.text.value = text + key.toUpperCase();
    else if (key === ":" && /^\d+$/.test(text)) this.text.value = `${text}:`;
    else if (/^[shdc]$/i.test(key) && /^(\d+:)?[A0-9TJQK]$/.test(text)) this.text.value = text + key.toLowerCase();
    else return false;
    return true;
  }

  /** The card that was keyed, or null while it is not whole. */
  read(): { card: string; reading: number | null } | null {
    const [, reading, text = ""] = /^(?:(\d+):)?(..)$/.exec(this.text.value) ?? [];
    const card = readCard(text);
    if (!card) return null;
    return { card, reading: reading === undefined ? null : Number(reading) };
  }

  clear(): void {
    this.text.value = "";
  }
}
