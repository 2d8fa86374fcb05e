/** Who draws next and why, in the language of the page. The server decides and says it in English; Chinese is put together from what lies. */
import { lang, t } from "./lang";
import type { Snapshot } from "./types";

/** What a card counts: tens and court cards nothing. */
const pips = (card: string): number => "A23456789".indexOf(card[0]!) + 1;

/** The server's reason for the next card; null when it gives none, or when Chinese would need a card that lies face down. */
export function reasonOf({ cards, points, next }: Snapshot): string | null {
  if (!next.why) return null;
  if (lang.value === "en") return next.why;
  const of = (hand: string) => cards.filter((each) => each.hand === hand);
  const [player, banker, third] = [points.player, points.banker, of("player")[2]?.card];
  if (cards.length < 4) return t("the first four cards go to Player and Banker in turn");
  if (cards.length > 5) return t("both hands have three cards");
  if (player === null || banker === null) return null;
  if (third) {
    const fill = { third: pips(third), banker };
    return next.hand ? t("Player drew {third}: Banker draws on {banker}", fill) : t("Player drew {third}: Banker stands on {banker}", fill);
  }
  if (cards.length === 5) return t("Player stood on {player} and Banker has drawn", { player });
  if (next.hand === "player") return t("Player has {player} and draws", { player });
  return next.hand ? t("Player stands on {player}: Banker draws on {banker}", { player, banker }) : t("Player has {player}, Banker {banker}: nobody draws", { player, banker });
}
