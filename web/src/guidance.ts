/** Who draws next and why, from the cards on the table. */
import { text } from "./texts";
import type { Snapshot } from "./types";

/** What a card counts: tens and court cards nothing. */
const pips = (card: string): number => "A23456789".indexOf(card[0]!) + 1;

/** The reason for the next card; null when the server gives none, or when it would need a card that lies face down. */
export function reasonOf({ cards, points, next }: Snapshot): string | null {
  if (!next.why) return null;
  const { player, banker } = points;
  const third = cards.filter((each) => each.hand === "player")[2]?.card;
  if (cards.length < 4) return text("guidance", "initial-cards");
  if (cards.length > 5) return text("guidance", "both-drew");
  if (player === null || banker === null) return null;
  if (third) return text("guidance", next.hand ? "player-drew-banker-draws" : "player-drew-banker-stands", { third: pips(third), banker });
  if (cards.length === 5) return text("guidance", "player-stood-banker-drew", { player });
  if (next.hand === "player") return text("guidance", "player-draws", { player });
  return text("guidance", next.hand ? "player-stands-banker-draws" : "nobody-draws", { player, banker });
}
