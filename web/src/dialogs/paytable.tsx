/** What every bet pays, the limits of this table, and the paragraph for each line: always one tap away. */
import type { JSX } from "preact";
import { spread, t, words } from "../lang";
import { money } from "../money";
import { Dialog } from "../parts/frame";
import type { Sheet, Snapshot } from "../types";

export function PayTable({ sheet, snapshot, onClose }: { sheet: Sheet; snapshot: Snapshot; onClose: () => void }): JSX.Element {
  const { limits } = snapshot.table;
  const side = (on: string) => limits.sides.find((each) => each.on === on);
  return (
    <Dialog title={`${words(sheet, sheet.title)}: ${t("pays and limits")}`} onClose={onClose} wide>
      <p class="limits">
        <span>{t("Minimum")} <b>{money(limits.minimum)}</b></span>
        <span>{t("Differential")} <b>{money(limits.differential)}</b></span>
        <span>{t("Decks")} <b>{snapshot.table.decks}</b></span>
        <span>{t("In force from")} <b>{sheet.effective}</b></span>
      </p>
      <table class="pays">
        <thead>
          <tr><th>{t("Bet")}</th><th>{t("Wins when")}</th><th>{t("Pays")}</th><th>{t("Limits")}</th><th>¶</th></tr>
        </thead>
        <tbody>
          {Object.values(sheet.bets).flatMap((bet) => {
            const limit = side(bet.id);
            const rows = bet.pays.map((line, place) => (
              <tr key={`${bet.id}${place}`} class={place ? "" : "first"}>
                <th scope="row">{place ? "" : words(sheet, bet.name)}</th>
                <td>{words(sheet, line.says)}</td>
                <td class="number">{line.odds}</td>
                <td class="number">{place || !limit ? "" : `${money(limit.minimum)}–${money(limit.maximum)}`}</td>
                <td class="rule">{line.rule}</td>
              </tr>
            ));
            const back = bet.returned_rule && (
              <tr key={`${bet.id}-back`}><th /><td>{t("Tie")}</td><td class="number">{t("returned")}</td><td /><td class="rule">{bet.returned_rule}</td></tr>
            );
            return back ? [...rows, back] : rows;
          })}
        </tbody>
      </table>
      {sheet.insurance && !snapshot.table.without_insurance && <InsuranceTable sheet={sheet} />}
    </Dialog>
  );
}

/** The insurance pay table of a sheet. */
export function InsuranceTable({ sheet }: { sheet: Sheet }): JSX.Element {
  return (
    <table class="pays">
      <caption>{t("Insurance pays when the insured hand loses, and goes back on a tie.")}</caption>
      <thead>
        <tr><th>{t("Offered")}</th><th>{t("Insures")}</th><th>{t("Player has")}</th><th>{t("Banker has")}</th><th>{t("Pays")}</th><th>¶</th></tr>
      </thead>
      <tbody>
        {sheet.insurance?.rows.map((row, place) => (
          <tr key={place}>
            <td>{row.window === "four-cards" ? t("after four cards") : t("after Player's third card")}</td>
            <th scope="row">{row.hand === "player" ? t("Player") : t("Banker")}</th>
            <td class="number">{spread(row.player)}</td>
            <td class="number">{spread(row.banker)}</td>
            <td class="number">{row.odds}{row.tie_wins_rule ? ` (${t("a tie wins too")})` : ""}</td>
            <td class="rule">{row.rule}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
