/** What a game costs: exact edges, how often each bet wins, and the insurance charts. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { problemText } from "../api";
import { Edges, InsuranceChart, PayShares, percent } from "../parts/edges";
import { Bar } from "../parts/frame";
import { sheetWords, t } from "../texts";
import { useFetch, useSheet } from "../use";
import type { Figures } from "../wire";

export function Odds({ game }: { game: string }): JSX.Element {
  const sheet = useSheet(game);
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
        {problem && <p role="alert" class="link lost">{problemText(problem)}</p>}
        {!data && !problem && <p>{t("counting")}</p>}
        {sheet && data && (
          <>
            <Edges sheet={sheet} figures={data} />
            <details><summary>{t("how-often-lines-pay")}</summary><PayShares sheet={sheet} figures={data} /></details>
            {data.insurance.length > 0 && <Insurance figures={data} />}
          </>
        )}
      </main>
    </div>
  );
}

function Insurance({ figures }: { figures: Figures }): JSX.Element {
  return (
    <section>
      <h2>{t("insurance")}</h2>
      <p>{t("insurance-chart-key")}</p>
      {figures.play.map((play) => (
        <p key={play.hand}>
          {t("insured-edge", { hand: play.hand, edge: percent(play.edge), best: percent(play.best_edge) })}
        </p>
      ))}
      <div class="charts">
        {(["four-cards", "player-third"] as const).map((window) => (["banker", "player"] as const).map((hand) => <InsuranceChart key={window + hand} figures={figures} window={window} hand={hand} />))}
      </div>
    </section>
  );
}
