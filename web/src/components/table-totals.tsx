/** What lies on each side of the table, of all who play there. */
import type { JSX } from "preact";
import type { TableView } from "../hooks";
import { money, type Cents } from "../money";
import { betName, t } from "../texts";

/** The sums of all boxes, by bet. */
export function totalsOf({ boxes }: TableView["snapshot"]): Record<string, Cents> {
  const sums: Record<string, Cents> = {};
  for (const { totals_cents } of boxes) {
    for (const [on, cents] of Object.entries(totals_cents)) sums[on] = (sums[on] ?? 0) + cents;
  }
  return sums;
}

/** The totals of the bets on each hand, always in sight, and of every other bet that someone made. */
export function TableTotals({ snapshot, sheet }: TableView): JSX.Element {
  const sums = totalsOf(snapshot);
  const onHands = Object.values(sheet.bets).filter(({ hand }) => hand !== null);
  const others = Object.entries(sums).filter(([on, cents]) => cents > 0 && !sheet.bets[on]?.hand);
  return (
    <dl class="totals" aria-label={t("bets-on-table")} data-test="totals">
      {onHands.map(({ id, hand }) => <div key={id} class={hand ?? ""}><dt>{betName(sheet, id)}</dt><dd>{money(sums[id] ?? 0)}</dd></div>)}
      {others.map(([on, cents]) => <div key={on}><dt>{betName(sheet, on)}</dt><dd>{money(cents)}</dd></div>)}
    </dl>
  );
}
