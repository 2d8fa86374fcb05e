/** The lobby: the tables to join, the ways in for staff, and what each game costs. */
import type { JSX } from "preact";
import { problemText } from "../api";
import { Bar } from "../components/page-frame";
import { useFetch, useSheet } from "../hooks";
import { money } from "../money";
import { sheetWords, t, text, word } from "../texts";
import type { GameSummary, TableSummary } from "../wire";

const BEADS = { banker: "B", player: "P", tie: "T" } as const;

export function Lobby(): JSX.Element {
  const tables = useFetch<TableSummary[]>("/api/tables", null, 3000);
  const games = useFetch<GameSummary[]>("/api/games");
  const open = tables.data?.filter(({ phase }) => phase !== "not-open");
  return (
    <div class="page lobby">
      <Bar title="">
        <a class="quiet" href="/pit">{t("pit-desk")}</a>
      </Bar>
      <main>
        <div class="welcome">
          <h1>{t("welcome")}</h1>
          <p>{t("welcome-more")}</p>
        </div>
        {tables.problem && <p class="link lost" role="status">{problemText(tables.problem)}</p>}
        <ul class="tables" aria-label={t("tables")}>
          {open?.map((table) => <TableCard key={table.id} table={table} />)}
        </ul>
        {open?.length === 0 && <p>{t("no-tables")}</p>}
        <h2>{t("what-games-cost")}</h2>
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
        <b>{sheetWords(sheet, sheet.title)}</b>
        <span>{sheetWords(sheet, sheet.short)}</span>
      </a>
    </li>
  );
}

function TableCard({ table }: { table: TableSummary }): JSX.Element {
  const sheet = useSheet(table.game);
  const title = sheet ? sheetWords(sheet, sheet.title) : table.title;
  return (
    <li class="table-card" data-test={`table-${table.id}`}>
      <a class="enter" href={`/table/${table.id}`} aria-label={`${title}, ${t("table-name", { table: table.name })}`}>
        <h3>{title}</h3>
        <p>{sheet && sheetWords(sheet, sheet.short)}</p>
        <div class="beads" aria-hidden="true">
          {table.last.slice(-12).map((winner, place) => <i key={place} class={winner}>{word("bead", BEADS[winner])}</i>)}
        </div>
        <dl>
          <div><dt>{t("minimum")}</dt><dd>{money(table.minimum_cents ?? 0)}</dd></div>
          <div><dt>{t("differential")}</dt><dd>{money(table.differential_cents ?? 0)}</dd></div>
          <div><dt>{t("seats")}</dt><dd>{table.patrons}/{table.boxes}</dd></div>
        </dl>
        {table.notice_rule && <p class="notice">{t("no-insurance", { rule: table.notice_rule })}</p>}
      </a>
      <footer>
        <span class={`state ${table.phase}`}>{text("phases", table.phase)}</span>
        <span>{t("table-name", { table: table.name })}{table.mode && ` · ${word("mode", table.mode)}`}</span>
        <span class="ways">
          <a href={`/board/${table.id}`}>{t("board")}</a>
          <a href={`/dealer/${table.id}`}>{t("dealer")}</a>
        </span>
      </footer>
    </li>
  );
}
