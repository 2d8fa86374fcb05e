/** What a command would lead to, described event by event. */
import type { PatronNames } from "./choices.ts";
import type { Names } from "./templates.ts";
import { narrationText } from "./texts.ts";
import type { Adjustment, Bet, Claim, Event, Line, Returned } from "./wire.ts";

type Moved = Line | Returned | Adjustment;

/** A preview in words, each with its paragraph: the ruling, whose bets go back or change, and who must decide. */
export function eventTexts(events: readonly Event[], sheet: Names, patrons: PatronNames): string[] {
  const name = (id = "") => patrons?.[id] ?? id;
  const said = (kind: string, fill: object, rule?: string | null) => `${narrationText(kind, { ...fill }, sheet)}${rule ? ` ¶ ${rule}` : ""}`;
  const bet = (of: Bet | Claim) => said("on" in of ? "bet" : "claim", { ...of, patron: name(of.patron) });
  const moved = (line: Moved) => {
    const kind = "why" in line ? "returned" : "result" in line ? "settled" : "adjusted";
    return said(kind, { returned_cents: line.bet.stake_cents, stake_cents: line.bet.stake_cents, ...line, bet: bet(line.bet), bet_result: "result" in line ? line.result : null }, line.rule);
  };
  const described = (event: Event): string[] => {
    const rule = "rule" in event ? event.rule : null;
    switch (event.kind) {
      case "incident-ruled":
        return [said(event.kind, { ruling: event.finding ?? event.ruling }, rule)];
      case "options-offered":
        return [said(event.kind, { patrons: event.patrons?.map(name) }, rule)];
      case "insurance-claimed":
        return [said(event.kind, { ...event, claims: event.claims?.map(bet) }, rule)];
      case "bet-displaced":
      case "raise-asked":
        return [said(event.kind, { ...event, bet: bet(event.bet) }, rule)];
      case "confirmation-asked":
        return [...(event.events ?? []).flatMap(described), said(event.kind, {})];
      case "round-settled":
        return [said(event.kind, event), ...event.lines.map(moved), ...event.returned.map(moved)];
      case "round-adjusted":
        return [said(event.kind, { ...event, notes: event.void ? ["void"] : [] }, rule), ...event.lines.map(moved)];
      case "round-voided":
      case "bets-returned":
        return [said(event.kind, event, rule), ...event.lines.map(moved)];
      case "incident-referred":
      case "order-asked":
      case "approval-asked":
      case "cards-relaid":
      case "limits-lifted":
      case "shoe-removed":
        return [said(event.kind, event, rule)];
      default: // what was reported is on the page, and what follows from the ruling is described by the rest
        return [];
    }
  };
  return events.flatMap(described);
}
