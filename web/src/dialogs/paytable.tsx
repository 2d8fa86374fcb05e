/** What every bet pays, the limits of this table, and the paragraph for each line: always one tap away. */
import type { JSX } from "preact";
import { money } from "../money";
import { Dialog } from "../parts/frame";
import { sheetWords, t, word } from "../texts";
import type { Sheet, Snapshot } from "../wire";

/** Points in short: 0–4, 6. */
function spread(points: readonly number[]): string {
  const first = points[0];
  const last = points.at(-1);
  return first === last ? `${first}` : `${first}–${last}`;
}

export function PayTable({ sheet, snapshot, onClose }: { sheet: Sheet; snapshot: Snapshot; onClose: () => void }): JSX.Element {
  const { limits } = snapshot.table;
  const side = (on: string) => limits?.sides.find((each) => each.on === on);
  return (
    <Dialog title={t("pays-and-limits", { title: sheet.title }, sheet)} onClose={onClose} wide>
      <p class="limits">
        {limits && <span>{t("minimum")} <b>{money(limits.minimum_cents)}</b></span>}
        {limits && <span>{t("differential")} <b>{money(limits.differential_cents)}</b></span>}
        <span>{t("decks")} <b>{snapshot.table.decks}</b></span>
        <span>{t("in-force-from")} <b>{sheet.effective}</b></span>
      </p>
      <table class="pays">
        <thead>
          <tr><th>{t("bet")}</th><th>{t("wins-when")}</th><th>{t("pays")}</th><th>{t("limits")}</th><th>¶</th></tr>
        </thead>
        <tbody>
          {Object.values(sheet.bets).flatMap((bet) => {
            const limit = side(bet.id);
            const rows = bet.pays.map((line, place) => (
              <tr key={`${bet.id}${place}`} class={place ? "" : "first"}>
                <th scope="row">{place ? "" : sheetWords(sheet, bet.name)}</th>
                <td>{sheetWords(sheet, line.says)}</td>
                <td class="number">{line.odds}</td>
                <td class="number">{place || !limit ? "" : `${money(limit.minimum_cents)}–${money(limit.maximum_cents)}`}</td>
                <td class="rule">{line.rule}</td>
              </tr>
            ));
            const back = bet.returned_rule && (
              <tr key={`${bet.id}-back`}><th /><td>{word("winner", "tie")}</td><td class="number">{word("bet_result", "returned")}</td><td /><td class="rule">{bet.returned_rule}</td></tr>
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
      <caption>{t("insurance-terms")}</caption>
      <thead>
        <tr><th>{t("offered")}</th><th>{t("insures")}</th><th>{t("player-has")}</th><th>{t("banker-has")}</th><th>{t("pays")}</th><th>¶</th></tr>
      </thead>
      <tbody>
        {sheet.insurance?.rows.map((row, place) => (
          <tr key={place}>
            <td>{word("window", row.window)}</td>
            <th scope="row">{word("hand", row.hand)}</th>
            <td class="number">{spread(row.player)}</td>
            <td class="number">{spread(row.banker)}</td>
            <td class="number">{row.odds}{row.tie_wins_rule ? ` (${t("tie-wins-too")})` : ""}</td>
            <td class="rule">{row.rule}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
