/** The display board over a table: 16:9, readable across a room, public. */
import type { JSX } from "preact";
import { Call } from "../components/call";
import { Hands } from "../components/hands";
import { ConnectionState, LanguageSwitch } from "../components/page-frame";
import { ShoeStatistics } from "../components/roads";
import { useLiveTable, type TableView } from "../hooks";
import { money } from "../money";
import { sheetWords, t, word } from "../texts";
import type { Snapshot } from "../wire";

/** Cards a round takes on average, times ten: for an honest "about" on rounds left. */
const CARDS_A_ROUND_TENFOLD = 49;

function roundsLeft({ shoe }: Snapshot): number | null {
  if (!shoe || shoe.cut === null) return null;
  const cards = Math.max(0, shoe.cut - shoe.dealt) * 10;
  return (cards - (cards % CARDS_A_ROUND_TENFOLD)) / CARDS_A_ROUND_TENFOLD;
}

/** The limits of the side bets in short: the lowest and the highest there are. */
function sideLimits({ table }: Snapshot): string | null {
  const sides = table.limits?.sides ?? [];
  if (!sides.length) return null;
  return `${money(Math.min(...sides.map((side) => side.minimum_cents)))}–${money(Math.max(...sides.map((side) => side.maximum_cents)))}`;
}

export function Board({ id }: { id: string }): JSX.Element {
  const { table, view, seconds } = useLiveTable(id, null);
  return (
    <div class="board">
      <ConnectionState link={table.connection.value} />
      {view ? <Display {...view} seconds={seconds} /> : <p class="centre">{t("connecting")}</p>}
    </div>
  );
}

function Display({ snapshot, sheet, seconds }: TableView & { seconds: number | null }): JSX.Element {
  const { offers, table: { limits } } = snapshot;
  const left = roundsLeft(snapshot);
  const sides = sideLimits(snapshot);
  const [title, more] = sheetWords(sheet, sheet.title).split(/[(（]/);
  return (
    <>
      <header>
        <h1>{title?.trim()}{more && <small>{more.replace(/[)）]$/, "")}</small>}</h1>
        <dl>
          {limits && <div><dt>{t("minimum")}</dt><dd>{money(limits.minimum_cents)}</dd></div>}
          {limits && <div><dt>{t("differential")}</dt><dd>{money(limits.differential_cents)}</dd></div>}
          {sides && <div><dt>{t("side-bets")}</dt><dd>{sides}</dd></div>}
          <div><dt>{t("shoe")}</dt><dd>{snapshot.shoe?.number ?? "–"}</dd></div>
          <div><dt>{t("round")}</dt><dd>{snapshot.round}</dd></div>
          <div><dt>{t("rounds-to-cut-card")}</dt><dd>{snapshot.shoe?.last_round ? t("last-round") : left === null ? "–" : t("about", { n: left })}</dd></div>
        </dl>
        <LanguageSwitch />
      </header>
      {snapshot.table.notice_rule && <p class="notice" role="note">{t("no-insurance", { rule: snapshot.table.notice_rule })}</p>}
      <section class="now">
        <Call snapshot={snapshot} sheet={sheet} seconds={seconds}>
          {offers.length > 0 && (
            <div class="lammer" data-test="lammer">
              {offers.map(({ on, hand, odds }) => <div key={on} class={hand}><span>{word("hand", hand)}</span><b>{odds}</b></div>)}
            </div>
          )}
        </Call>
        <Hands cards={snapshot.cards} points={snapshot.points} winner={snapshot.result?.winner ?? null} />
      </section>
      <ShoeStatistics roads={snapshot.roads} sheet={sheet} size="full" />
    </>
  );
}
