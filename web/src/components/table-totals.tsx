/** What lies on each side of the table, of all who play there. */
import type { JSX } from "preact";
import type { TableView } from "../hooks";
import { money } from "../money";
import { betName, t } from "../texts";

/** The totals of the bets on each hand, always in sight, and of every other bet that someone made. */
export function TableTotals({ snapshot, sheet }: TableView): JSX.Element {
  const sums = snapshot.totals_cents;
  const onHands = Object.values(sheet.bets).filter(({ hand }) => hand !== null);
  const others = Object.entries(sums).filter(([on, cents]) => cents > 0 && !sheet.bets[on]?.hand);
  return (
    <dl class="totals" aria-label={t("bets-on-table")} data-test="totals">
      {onHands.map(({ id, hand }) => <div key={id} class={hand ?? ""}><dt>{betName(sheet, id)}</dt><dd>{money(sums[id] ?? 0)}</dd></div>)}
      {others.map(([on, cents]) => <div key={on}><dt>{betName(sheet, on)}</dt><dd>{money(cents)}</dd></div>)}
    </dl>
  );
}
