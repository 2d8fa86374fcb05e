/** The lobby: the tables to join, the ways in for staff, and what each game costs. */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { noticeWords, phaseWords, t, words } from "../lang";
import { money } from "../money";
import { Bar } from "../parts/frame";
import type { Sheet, TableSummary } from "../types";
import { useFetch, useSheet } from "../use";

export function Lobby(): JSX.Element {
  const tables = useFetch<TableSummary[]>("/api/tables", null, 3000);
  const games = useFetch<Pick<Sheet, "id" | "title">[]>("/api/games");
  return (
    <div class="page lobby">
      <Bar title="">
        <a class="quiet" href="/pit">{t("Pit desk")}</a>
      </Bar>
      <main>
        <div class="welcome">
          <h1>{t("A table, exactly as its rules say.")}</h1>
          <p>{t("Choose a table and sit down. Every result shows the paragraph it rests on.")}</p>
        </div>
        {tables.problem && <p class="link lost" role="status">{tables.problem.message}</p>}
        <ul class="tables" aria-label={t("Tables")}>
          {tables.data?.map((table) => <TableCard key={table.id} table={table} />)}
        </ul>
        {tables.data?.length === 0 && <p>{t("No table is open yet. Staff set tables up at the pit desk.")}</p>}
        <h2>{t("What each game costs")}</h2>
        <ul class="games">
          {games.data?.map((game) => <GameLink key={game.id} id={game.id} />)}
        </ul>
      </main>
    </div>
  );
}

function GameLink({ id }: { id: string }): JSX.Element | null {
  const sheet = useSheet(id);
  return sheet && (
    <li>
      <a href={`/odds/${id}`}>
        <b>{words(sheet, sheet.title)}</b>
        <span>{words(sheet, sheet.short)}</span>
      </a>
    </li>
  );
}

function TableCard({ table }: { table: TableSummary }): JSX.Element {
  const sheet = useSheet(table.game);
  const title = sheet ? words(sheet, sheet.title) : table.title;
  const beads = useMemo(() => table.last.slice(-12), [table.last]);
  return (
    <li class="table-card" data-test={`table-${table.id}`}>
      <a class="enter" href={`/table/${table.id}`} aria-label={`${title}, ${t("Table {id}", { id: table.id })}`}>
        <h3>{title}</h3>
        <p>{sheet && words(sheet, sheet.short)}</p>
        <div class="beads" aria-hidden="true">
          {beads.map((letter, place) => (
            <i key={place} class={letter}>{letter === "B" ? t("B") : letter === "P" ? t("P") : t("T")}</i>
          ))}
        </div>
        <dl>
          <div><dt>{t("Minimum")}</dt><dd>{money(table.minimum)}</dd></div>
          <div><dt>{t("Differential")}</dt><dd>{money(table.differential)}</dd></div>
          <div><dt>{t("Seats")}</dt><dd>{table.patrons}/{table.boxes}</dd></div>
        </dl>
        {table.notice && <p class="notice">{noticeWords(table.notice)}</p>}
      </a>
      <footer>
        <span class={`state ${table.phase}`}>{phaseWords(table.phase)}</span>
        <span>{t("Table {id}", { id: table.id })} · {table.mode === "live" ? t("live Dealer") : t("automatic")}</span>
        <span class="ways">
          <a href={`/board/${table.id}`}>{t("Board")}</a>
          <a href={`/dealer/${table.id}`}>{t("Dealer")}</a>
        </span>
      </footer>
    </li>
  );
}
