/** Figures of the analysis: what each bet costs, and where insurance is worth taking. */
import type { JSX } from "preact";
import { betName, sheetWords, t, word } from "../texts";
import type { Figures, Hand, Sheet, Window } from "../wire";

/** A share as a percentage of four places; a real minus sign. */
export const percent = (share: number, places = 4): string => `${(share * 100).toFixed(places)}%`.replace("-", "−");

/** House edges as bars. */
export function Edges({ sheet, figures }: { sheet: Sheet; figures: Figures }): JSX.Element {
  const most = Math.max(...Object.values(figures.bets).map((price) => Math.abs(price.edge)), 0.01);
  return (
    <table class="pays edges" data-test="edges">
      <thead>
        <tr>
          <th>{t("bet")}</th><th>{t("house-edge")}</th><th class="chart" /><th>{t("wins")}</th><th>{t("spread")}</th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(figures.bets).map(([id, price]) => (
          <tr key={id} class={price.edge < 0 ? "beaten" : ""}>
            <th scope="row">{betName(sheet, id)}</th>
            <td class="number">{percent(price.edge)}</td>
            <td class="chart"><i style={{ width: `${(Math.abs(price.edge) / most) * 100}%` }} /></td>
            <td class="number">{percent(price.hit, 2)}</td>
            <td class="number">{price.sd.toFixed(3)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What each pay line is worth: how often it comes. */
export function PayShares({ sheet, figures }: { sheet: Sheet; figures: Figures }): JSX.Element {
  return (
    <table class="pays">
      <thead><tr><th>{t("bet")}</th><th>{t("wins-when")}</th><th>{t("pays")}</th><th>{t("how-often")}</th></tr></thead>
      <tbody>
        {Object.entries(figures.bets).flatMap(([id, price]) =>
          price.pays.map((line, place) => (
            <tr key={`${id}${place}`} class={place ? "" : "first"}>
              <th scope="row">{place ? "" : betName(sheet, id)}</th>
              <td>{sheetWords(sheet, line.when)}</td>
              <td class="number">{line.odds}</td>
              <td class="number">{percent(line.probability)}</td>
            </tr>
          )),
        )}
      </tbody>
    </table>
  );
}

const POINTS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

/** One window and hand of insurance: the patron's gain or loss for each unit, by the points on the table. */
export function InsuranceChart({ figures, window, hand }: { figures: Figures; window: Window; hand: Hand }): JSX.Element | null {
  const cells = figures.insurance.filter((cell) => cell.window === window && cell.hand === hand);
  if (!cells.length) return null;
  const at = (player: number, banker: number) => cells.find((cell) => cell.player === player && cell.banker === banker);
  const rows = POINTS.filter((player) => cells.some((cell) => cell.player === player));
  const columns = POINTS.filter((banker) => cells.some((cell) => cell.banker === banker));
  const tint = (ev: number) => ({ background: ev >= 0 ? `rgb(84 170 116 / ${0.25 + Math.min(0.65, ev * 2)})` : `rgb(196 84 76 / ${Math.min(0.75, 0.08 - ev * 0.9)})` });
  return (
    <table class="chart-table">
      <caption>{t("insuring-hand", { hand, window })}</caption>
      <thead>
        <tr><th>{word("bead", "P")} ↓ {word("bead", "B")} →</th>{columns.map((banker) => <th key={banker}>{banker}</th>)}</tr>
      </thead>
      <tbody>
        {rows.map((player) => (
          <tr key={player}>
            <th scope="row">{player}</th>
            {columns.map((banker) => {
              const cell = at(player, banker);
              return cell && cell.ev !== null ? (
                <td key={banker} style={tint(cell.ev)}><b>{cell.odds}</b><small>{percent(cell.ev, 1)}</small></td>
              ) : (
                <td key={banker} class="none" />
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
