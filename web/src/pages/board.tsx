/** The display board over a table: 16:9, readable across a room, public, without a sound. */
import type { JSX } from "preact";
import { addressOf } from "../base";
import { Call, isBetweenShoes, resultOf } from "../components/call";
import { Hands } from "../components/hands";
import { ConnectionState, LanguageSwitch } from "../components/page-frame";
import { ShoeStatistics } from "../components/roads";
import { TableTotals } from "../components/table-totals";
import { useLiveTable, type TableView } from "../hooks";
import { money } from "../money";
import { maximumName, t, titleParts, word } from "../texts";
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

/** What stands in the place of the cards while no round can come; null while one can. */
function pause(snapshot: Snapshot): { state: string; title: string; more: string } | null {
  const { suspended, phase } = snapshot;
  if (phase === "not-open") return { state: "closed", title: t("table-closed"), more: t("table-closed-more") };
  if (suspended) return { state: "suspended", title: t("play-suspended"), more: t("table-suspended") };
  if (isBetweenShoes(snapshot)) return { state: "between-shoes", title: t("shuffling"), more: t("next-shoe-soon") };
  return null;
}

export function Board({ id }: { id: string }): JSX.Element {
  const { table, view, seconds } = useLiveTable(id, null);
  const link = table.connection.value;
  return (
    <div class={`board ${link === "live" ? "" : "dim"}`}>
      {view ? (
        <Display {...view} seconds={seconds}><ConnectionState link={link} /></Display>
      ) : (
        <main class="centre">
          <h1>{t("table-name", { table: id })}</h1>
          <ConnectionState link={link} />
          {link === "unknown" && <a class="gold" href={addressOf("/")}>{t("back-to-tables")}</a>}
        </main>
      )}
    </div>
  );
}

interface Props extends TableView {
  seconds: number | null;
  /** What is said of the connection. */
  children: JSX.Element;
}

function Display({ snapshot, sheet, seconds, children }: Props): JSX.Element {
  const { offers, shoe, round, table: { limits, name, notice_rule } } = snapshot;
  const left = roundsLeft(snapshot);
  const sides = sideLimits(snapshot);
  const paused = pause(snapshot);
  const title = titleParts(sheet);
  return (
    <>
      <header>
        <h1>
          {title.name}
          <small>{title.more && `${title.more.slice(1, -1)} · `}{t("table-name", { table: name })}</small>
        </h1>
        <dl>
          {limits && <div><dt>{t("minimum")}</dt><dd>{money(limits.minimum_cents)}</dd></div>}
          {limits && <div><dt>{maximumName(sheet)}</dt><dd>{money(limits.differential_cents)}</dd></div>}
          {sides && <div><dt>{t("side-bets")}</dt><dd>{sides}</dd></div>}
          <div><dt>{t("shoe")}</dt><dd>{shoe?.number ?? "–"}</dd></div>
          <div><dt>{t("round")}</dt><dd>{round}</dd></div>
          {(shoe?.last_round || left !== null) && <div><dt>{t("rounds-to-cut-card")}</dt><dd>{shoe?.last_round ? t("last-round") : t("about", { n: left ?? 0 })}</dd></div>}
        </dl>
        <LanguageSwitch />
      </header>
      <main>
        {children}
        {notice_rule && <p class="notice" role="note">{t("no-insurance", { rule: notice_rule })}</p>}
        <section class="now" aria-label={t("table-says")}>
          {paused ? (
            <div class={`paused ${paused.state}`} data-test="paused" data-state={paused.state}>
              <strong>{paused.title}</strong>
              <p>{paused.more}</p>
            </div>
          ) : (
            <>
              <Call snapshot={snapshot} sheet={sheet} seconds={seconds}>
                {offers.length > 0 && (
                  <div class="lammer" data-test="lammer">
                    {offers.map(({ on, hand, odds }) => <div key={on} class={hand}><span>{word("hand", hand)}</span><b>{odds}</b></div>)}
                  </div>
                )}
              </Call>
              <Hands cards={snapshot.cards} points={snapshot.points} winner={resultOf(snapshot)?.winner ?? null} />
              <TableTotals snapshot={snapshot} sheet={sheet} />
            </>
          )}
        </section>
        <ShoeStatistics roads={snapshot.roads} sheet={sheet} size="full" />
      </main>
    </>
  );
}
