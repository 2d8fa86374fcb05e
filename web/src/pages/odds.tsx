/** What a game costs: exact edges, how often each bet wins, and the insurance charts. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { DataTable, type Column } from "../components/data-table";
import { Bar } from "../components/page-frame";
import { Waiting } from "../components/waiting";
import { useFetch, useSheetAnswer } from "../hooks";
import { betName, percent, sheetWords, t, word } from "../texts";
import type { BetFigures, Figures, Hand, Sheet, Window } from "../wire";
import "../style/odds.css";

export function Odds({ game }: { game: string }): JSX.Element {
  const { data: sheet, problem: unknown } = useSheetAnswer(game);
  const [decks, setDecks] = useState(8);
  const { data, problem } = useFetch<Figures>(sheet && `/api/games/${game}/odds?decks=${decks}`);
  const choices = sheet ? Array.from({ length: sheet.decks.maximum - sheet.decks.minimum + 1 }, (_, more) => sheet.decks.minimum + more) : [];
  return (
    <div class="page odds">
      <Bar title={sheet ? sheetWords(sheet, sheet.title) : game} />
      <main>
        <div class="welcome">
          <h2>{t("what-it-costs")}</h2>
          <p>{t("exact-figures")}</p>
          <div class="decks" role="radiogroup" aria-label={t("decks")}>
            {choices.map((n) => (
              <button key={n} type="button" role="radio" aria-checked={n === decks} onClick={() => setDecks(n)}>{n}</button>
            ))}
            <span>{t("decks")}</span>
          </div>
        </div>
        {(problem || !data) && <Waiting problem={problem ?? unknown} text={t("counting")} />}
        {sheet && data && (
          <>
            <HouseEdges sheet={sheet} figures={data} />
            <p class="hint">{t("edges-mean")}</p>
            <details><summary>{t("how-often-lines-pay")}</summary><PayFrequencies sheet={sheet} figures={data} /></details>
            {data.insurance.length > 0 && <Insurance figures={data} />}
          </>
        )}
      </main>
    </div>
  );
}

interface Props {
  sheet: Sheet;
  figures: Figures;
}

/** House edges as bars. */
function HouseEdges({ sheet, figures }: Props): JSX.Element {
  const most = Math.max(...Object.values(figures.bets).map(({ edge }) => Math.abs(edge)), 0.01);
  const columns: Column<[string, BetFigures]>[] = [
    { title: t("bet"), cell: ([id]) => betName(sheet, id), class: "heading" },
    { title: t("house-edge"), cell: ([, { edge }]) => percent(edge), class: "number" },
    { cell: ([, { edge }]) => <i style={{ width: `${(Math.abs(edge) / most) * 100}%` }} />, class: "chart", spare: true },
    { title: t("wins"), cell: ([, { hit }]) => percent(hit, 2), class: "number" },
    { title: t("spread"), cell: ([, { sd }]) => sd.toFixed(3), class: "number" },
  ];
  return <DataTable rows={Object.entries(figures.bets)} columns={columns} rowProps={([, { edge }]) => ({ class: edge < 0 ? "beaten" : "" })} class="edges" test="edges" />;
}

/** What each pay line is worth: how often it comes. */
function PayFrequencies({ sheet, figures }: Props): JSX.Element {
  const lines = Object.entries(figures.bets).flatMap(([id, { pays }]) => pays.map((line, place) => ({ ...line, name: place ? "" : betName(sheet, id) })));
  const columns: Column<(typeof lines)[number]>[] = [
    { title: t("bet"), cell: ({ name }) => name, class: "heading" },
    { title: t("wins-when"), cell: ({ when }) => sheetWords(sheet, when) },
    { title: t("pays"), cell: ({ odds }) => odds, class: "number" },
    { title: t("how-often"), cell: ({ probability }) => percent(probability), class: "number" },
  ];
  return <DataTable rows={lines} columns={columns} rowProps={({ name }) => ({ class: name && "first" })} />;
}

function Insurance({ figures }: { figures: Figures }): JSX.Element {
  return (
    <section>
      <h2>{t("insurance")}</h2>
      <p>{t("insurance-chart-key")}</p>
      {figures.play.map(({ hand, edge, best_edge }) => <p key={hand}>{t("insured-edge", { hand, edge: percent(edge), best: percent(best_edge) })}</p>)}
      <div class="charts">
        {(["four-cards", "player-third"] as const).map((window) => (["banker", "player"] as const).map((hand) => <InsuranceChart key={window + hand} figures={figures} window={window} hand={hand} />))}
      </div>
    </section>
  );
}

const POINTS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

/** One window and hand of insurance: the patron's gain or loss for each unit, by the points on the table. */
function InsuranceChart({ figures, window, hand }: { figures: Figures; window: Window; hand: Hand }): JSX.Element | null {
  const cells = figures.insurance.filter((cell) => cell.window === window && cell.hand === hand);
  if (!cells.length) return null;
  const rows = POINTS.filter((player) => cells.some((cell) => cell.player === player));
  const columns = POINTS.filter((banker) => cells.some((cell) => cell.banker === banker));
  const tint = (ev: number) => ({ background: ev >= 0 ? `rgb(84 170 116 / ${0.25 + Math.min(0.65, ev * 2)})` : `rgb(196 84 76 / ${Math.min(0.75, 0.08 - ev * 0.9)})` });
  const worth = (player: number, banker: number) => {
    const { ev = null, odds } = cells.find((cell) => cell.player === player && cell.banker === banker) ?? {};
    return ev === null ? <td key={banker} class="none" /> : <td key={banker} style={tint(ev)}><b>{odds}</b><small>{percent(ev, 1)}</small></td>;
  };
  return (
    <table class="chart-table">
      <caption>{t("insuring-hand", { hand, window })}</caption>
      <thead>
        <tr><th>{word("bead", "P")} ↓ {word("bead", "B")} →</th>{columns.map((banker) => <th key={banker}>{banker}</th>)}</tr>
      </thead>
      <tbody>
        {rows.map((player) => <tr key={player}><th scope="row">{player}</th>{columns.map((banker) => worth(player, banker))}</tr>)}
      </tbody>
    </table>
  );
}
