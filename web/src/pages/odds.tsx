/** What a game costs: exact edges, how often each bet wins, and the insurance charts. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { t, words } from "../lang";
import { Edges, InsuranceChart, PayShares, percent, type Figures } from "../parts/edges";
import { Bar } from "../parts/frame";
import { useFetch, useSheet } from "../use";

export function Odds({ game }: { game: string }): JSX.Element {
  const sheet = useSheet(game);
  const [decks, setDecks] = useState(8);
  const { data, problem } = useFetch<Figures>(sheet && `/api/games/${game}/odds?decks=${decks}`);
  const choices = sheet ? Array.from({ length: sheet.decks.maximum - sheet.decks.minimum + 1 }, (_, more) => sheet.decks.minimum + more) : [];
  return (
    <div class="page odds">
      <Bar title={sheet ? words(sheet, sheet.title) : game} />
      <main>
        <div class="welcome">
          <h2>{t("What it costs")}</h2>
          <p>{t("Exact figures for a full shoe, counted over every possible round.")}</p>
          <div class="decks" role="radiogroup" aria-label={t("Decks")}>
            {choices.map((n) => (
              <button key={n} type="button" role="radio" aria-checked={n === decks} onClick={() => setDecks(n)}>{n}</button>
            ))}
            <span>{t("Decks")}</span>
          </div>
        </div>
        {problem && <p role="alert" class="link lost">{problem.message}</p>}
        {!data && !problem && <p>{t("Counting…")}</p>}
        {sheet && data && (
          <>
            <Edges sheet={sheet} figures={data} />
            <details><summary>{t("How often each line pays")}</summary><PayShares sheet={sheet} figures={data} /></details>
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
      <h2>{t("Insurance")}</h2>
      <p>{t("Each cell: what it pays, and the patron's gain or loss on a full shoe. Green is worth taking.")}</p>
      {figures.play.map((play) => (
        <p key={play.hand}>
          <b>{play.hand === "player" ? t("Player") : t("Banker")}</b>: {t("edge {edge}; insured at its best {best}", { edge: percent(play.edge), best: percent(play.best_edge) })}
        </p>
      ))}
      <div class="charts">
        {["four-cards", "player-third"].map((window) => (["banker", "player"] as const).map((hand) => <InsuranceChart key={window + hand} figures={figures} window={window} hand={hand} />))}
      </div>
    </section>
  );
}
