/** The lobby: the tables to join, the ways in for staff, and what each game costs. */
import type { JSX } from "preact";
import { problemText } from "../api";
import { addressOf } from "../base";
import { Bar } from "../components/page-frame";
import { SmallRoad } from "../components/roads";
import { useFetch } from "../hooks";
import { money } from "../money";
import { capital, sheetWords, t, text, word } from "../texts";
import type { GameSummary, TableSummary } from "../wire";

export function Lobby(): JSX.Element {
  const tables = useFetch<TableSummary[]>("/api/tables", null, 3000);
  const games = useFetch<GameSummary[]>("/api/games");
  const open = tables.data?.filter(({ phase }) => phase !== "not-open");
  return (
    <div class="page lobby">
      <Bar title="">
        <a class="quiet" href={addressOf("/pit")}>{t("pit-desk")}</a>
      </Bar>
      <main>
        <div class="welcome">
          <h1>{t("welcome")}</h1>
          <p>{t("welcome-more")}</p>
        </div>
        {tables.problem && <p class="link lost" role="status">{problemText(tables.problem)}</p>}
        <ul class="tables" aria-label={t("tables")}>
          {open?.map((table) => <TableCard key={table.id} table={table} game={games.data?.find(({ id }) => id === table.game)} />)}
        </ul>
        {open?.length === 0 && <p>{t("no-tables")}</p>}
        <h2>{t("what-games-cost")}</h2>
        <ul class="games">
          {games.data?.map((game) => <GameLink key={game.id} game={game} />)}
        </ul>
      </main>
    </div>
  );
}

function GameLink({ game }: { game: GameSummary }): JSX.Element {
  return (
    <li>
      <a href={addressOf(`/odds/${game.id}`)}>
        <b>{sheetWords(game, game.title)}</b>
        <span>{sheetWords(game, game.short)}</span>
      </a>
    </li>
  );
}

/** What sets a table apart, in a few words. */
function tags({ mode, face_down, private: isPrivate }: TableSummary): string[] {
  return [mode && capital(word("mode", mode)), face_down && t("face-down"), isPrivate && capital(word("event_note", "private"))].filter((tag) => typeof tag === "string");
}

function TableCard({ table, game }: { table: TableSummary; game: GameSummary | undefined }): JSX.Element {
  const title = game ? sheetWords(game, game.title) : "";
  return (
    <li class="table-card" data-test={`table-${table.id}`}>
      <a class="enter" href={addressOf(`/table/${table.id}`)} aria-label={`${t("table-name", { table: table.name })}, ${title}`}>
        <div class="name">
          <h2>{table.name}</h2>
          <span class={`state ${table.phase}`}>{text("phases", table.phase)}</span>
        </div>
        <p>{title}</p>
        <SmallRoad marks={table.road} />
        <dl>
          <div><dt>{t("minimum")}</dt><dd>{money(table.minimum_cents ?? 0)}</dd></div>
          <div><dt>{t("differential")}</dt><dd>{money(table.differential_cents ?? 0)}</dd></div>
          <div><dt>{t("seats")}</dt><dd>{table.patrons}/{table.boxes}</dd></div>
        </dl>
        <p class="tags">{tags(table).map((tag) => <span key={tag}>{tag}</span>)}</p>
        {table.notice_rule && <p class="notice">{t("no-insurance", { rule: table.notice_rule })}</p>}
      </a>
      <footer>
        <a href={addressOf(`/board/${table.id}`)} aria-label={`${t("board")}, ${table.name}`}>{t("board")}</a>
        <a href={addressOf(`/dealer/${table.id}`)} aria-label={`${t("dealer")}, ${table.name}`}>{t("dealer")}</a>
      </footer>
    </li>
  );
}
