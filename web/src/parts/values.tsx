/** A running shoe for staff: how each bet stands now against a full shoe, and what counting makes of it. */
import type { JSX } from "preact";
import { betName, t } from "../texts";
import type { Figures, LiveFigures, Sheet } from "../wire";
import { percent } from "./edges";

const RANKS = [..."A23456789TJQK"];

/** A count with its sign, to one place. */
function counted(count: number): string {
  const told = Math.abs(count).toFixed(1);
  return told === "0.0" ? told : `${count > 0 ? "+" : "−"}${told}`;
}

export function ShoeValues({ sheet, now, full }: { sheet: Sheet; now: LiveFigures; full: Figures | null }): JSX.Element {
  const all = now.decks * 52;
  const dealt = all - now.left;
  const shoe = now.shoe ?? {};
  const ahead = Object.keys(shoe).filter((id) => shoe[id]!.edge < 0);
  const told = { dealt, all, share: percent(dealt / all, 0), left: now.left };
  return (
    <>
      <small>{t("cards-dealt", told)}</small>
      <progress max={all} value={dealt} aria-hidden="true" />
      <p class={ahead.length ? "gain" : "calm"} data-test="ahead">
        {ahead.length ? t("bets-favour-patron", { bets: ahead }, sheet) : t("no-bet-favours-patron")}
      </p>
      <table class="pays edges">
        <thead>
          <tr>
            <th>{t("bet")}</th><th>{t("house-edge-now")}</th><th>{t("full-shoe")}</th><th>{t("moved")}</th>
            {now.on_table > 0 && <th>{t("this-round")}</th>}
            <th>{t("true-count")}</th><th>{t("patron-ahead-from")}</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(now.bets).map(([id, price]) => {
            const edge = shoe[id]?.edge ?? price.edge;
            const count = shoe[id]?.count;
            const before = full?.bets[id]?.edge ?? edge;
            return (
              <tr key={id} class={edge < 0 ? "beaten" : ""} data-test={`value-${id}`}>
                <th scope="row">{betName(sheet, id)}</th>
                <td class="number"><b>{percent(edge)}</b></td>
                <td class="number">{percent(before)}</td>
                <td class="number">{edge > before ? "+" : ""}{percent(edge - before, 2)}</td>
                {now.on_table > 0 && <td class="number">{percent(price.edge, 1)}</td>}
                {count ? (
                  <><td class="number">{counted(count.true_count)}</td><td class="number">{counted(count.even_at)}</td></>
                ) : (
                  <td class="number" colSpan={2}>{t("no-simple-count")}</td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
      <small>{t("live-values-key")}</small>
      <details>
        <summary>{t("how-to-count")}</summary>
        <Tags sheet={sheet} shoe={shoe} />
      </details>
    </>
  );
}

/** The best whole-number count of each bet. */
function Tags({ sheet, shoe }: { sheet: Sheet; shoe: NonNullable<LiveFigures["shoe"]> }): JSX.Element {
  return (
    <table class="pays tags">
      <caption>{t("card-tags")}</caption>
      <thead><tr><th>{t("bet")}</th>{RANKS.map((rank) => <th key={rank}>{rank}</th>)}<th>{t("fit")}</th></tr></thead>
      <tbody>
        {Object.entries(shoe).map(([id, { count }]) => count && (
          <tr key={id}>
            <th scope="row">{betName(sheet, id)}</th>
            {count.tags.map((tag, place) => <td key={place} class={tag > 0 ? "gain" : tag < 0 ? "loss" : ""}>{tag > 0 ? `+${tag}` : `${tag}`.replace("-", "−")}</td>)}
            <td>{count.fit.toFixed(3)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
