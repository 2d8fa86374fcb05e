/** What a proposal or a decision changes: cards, outcome, and what each patron's bets return, before and after. */
import type { ComponentChildren, JSX } from "preact";
import { money } from "../money";
import { patronName, t, word } from "../texts";
import type { IncidentEffect, Outcome } from "../wire";
import { SmallCards } from "./card-picker";
import { DataTable, type Column } from "./data-table";

const UNKNOWN = "–";

/** How cards come out, in short; a void round has no outcome. */
const outcomeText = (outcome: Outcome | null): string => (outcome ? `${word("winner", outcome.winner)} ${outcome.player_points}–${outcome.banker_points}` : UNKNOWN);

/** Rows that say nothing, because all depends on cards to come or on a decision, are left out. */
export function Effect({ caption, ...effect }: IncidentEffect & { caption?: string }): JSX.Element {
  const amount = (cents: number | null) => (cents === null ? UNKNOWN : money(cents));
  const cards = (dealt: string): ComponentChildren => (dealt ? <SmallCards cards={dealt} /> : UNKNOWN);
  const rows: { what: string; before: ComponentChildren; after: ComponentChildren }[] = [
    ...(effect.change ? [{ what: t("cards-changed", { card_change: effect.change }), before: cards(effect.cards_before), after: cards(effect.cards_after) }] : []),
    ...(effect.carried_after ? [{ what: t("cards-carried"), before: UNKNOWN, after: cards(effect.carried_after) }] : []),
    { what: t("result"), before: outcomeText(effect.outcome_before), after: effect.void ? t("void") : outcomeText(effect.outcome_after) },
    ...effect.money.map(({ patron, name, before_cents, after_cents }) => ({ what: patronName({ [patron]: name }, patron), before: amount(before_cents), after: amount(after_cents) })),
  ].filter(({ before, after }) => before !== UNKNOWN || after !== UNKNOWN);
  const columns: Column<(typeof rows)[number]>[] = [
    { title: t("what"), cell: ({ what }) => what, class: "heading" },
    { title: t("before"), cell: ({ before }) => before, class: "number" },
    { title: t("after"), cell: ({ after }) => after, class: "number", tone: ({ before, after }) => (before === after ? "" : "changed") },
  ];
  return <DataTable rows={rows} columns={columns} {...(caption ? { caption } : {})} class="effect" test="effect" />;
}
