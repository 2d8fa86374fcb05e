/** One's own bets in a line, where something else lies over the felt. */
import type { JSX } from "preact";
import type { TableView } from "../hooks";
import { money } from "../money";
import { betName, t } from "../texts";

export function OwnBets({ snapshot: { me }, sheet }: TableView): JSX.Element | null {
  const bets = me?.bets.filter(({ window }) => !window) ?? [];
  if (!bets.length) return null;
  return (
    <p class="own-bets" data-test="own-bets">
      {t("your-bets-now")} {bets.map(({ on, stake_cents }) => <span key={on} class={sheet.bets[on]?.hand ?? ""}>{betName(sheet, on)} <b>{money(stake_cents)}</b></span>)}
    </p>
  );
}
