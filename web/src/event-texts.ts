/** What a command would lead to, described event by event. */
import type { PatronNames } from "./choices.ts";
import type { Names } from "./templates.ts";
import { narrationText, patronName } from "./texts.ts";
import type { Adjustment, Bet, Claim, Event, Line, Paid, Returned } from "./wire.ts";

type ChangedLine = Line | Returned | Paid | Adjustment;

/** A preview in words, each with its paragraph: the ruling, whose bets go back or change, and who must decide. */
export function eventTexts(events: readonly Event[], sheet: Names, patrons: PatronNames): string[] {
  const name = (id = "") => patronName(patrons, id);
  const sentence = (kind: string, fill: object, rule?: string | null) => `${narrationText(kind, { ...fill }, sheet)}${rule ? ` ¶ ${rule}` : ""}`;
  const betText = (of: Bet | Claim) => sentence("on" in of ? "bet" : "claim", { ...of, patron: name(of.patron) });
  const lineText = (line: ChangedLine) => {
    const kind = "reason" in line ? "returned" : "result" in line ? "settled" : "correction_cents" in line ? "adjusted" : "paid";
    return sentence(kind, { returned_cents: line.bet.stake_cents, stake_cents: line.bet.stake_cents, ...line, bet: betText(line.bet), bet_result: "result" in line ? line.result : null }, line.rule);
  };
  const describe = (event: Event): string[] => {
    const rule = "rule" in event ? event.rule : null;
    switch (event.kind) {
      case "incident-ruled":
        return [sentence(event.kind, { ruling: event.finding ?? event.ruling }, rule)];
      case "options-offered":
        return [sentence(event.kind, { patrons: event.patrons?.map(name) }, rule)];
      case "insurance-claimed":
        return [sentence(event.kind, { ...event, claims: event.claims?.map(betText) }, rule)];
      case "bet-displaced":
      case "raise-asked":
        return [sentence(event.kind, { ...event, bet: betText(event.bet) }, rule)];
      case "confirmation-asked":
        return [...(event.events ?? []).flatMap(describe), sentence(event.kind, {})];
      case "round-settled":
        return [sentence(event.kind, event), ...event.lines.map(lineText), ...event.returned.map(lineText)];
      case "round-adjusted":
        return [sentence(event.kind, { ...event, notes: event.void ? ["void"] : [] }, rule), ...event.lines.map(lineText)];
      case "round-voided":
      case "bets-returned":
      case "bets-paid":
        return [sentence(event.kind, event, rule), ...event.lines.map(lineText)];
      case "amount-decided":
        return [sentence(event.kind, { ...event, patron: name(event.patron) }, rule)];
      case "incident-referred":
      case "order-asked":
      case "approval-asked":
      case "cards-reordered":
      case "limits-lifted":
      case "shoe-removed":
        return [sentence(event.kind, event, rule)];
      default: // what was reported is on the page, and what follows from the ruling is described by the rest
        return [];
    }
  };
  return events.flatMap(describe);
}
