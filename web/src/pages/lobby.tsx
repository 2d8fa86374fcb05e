/** The lobby: one table as it is played now, the tables to join, and what each game costs. */
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { problemText } from "../api";
import { addressOf } from "../base";
import { Call, resultOf } from "../components/call";
import { Select } from "../components/forms";
import { Hands } from "../components/hands";
import { Bar } from "../components/page-frame";
import { SmallRoad } from "../components/roads";
import { WithAccount } from "../components/sign-in";
import { useFetch, useLiveTable } from "../hooks";
import { money } from "../money";
import { sessions } from "../session";
import { academyText, betName, capital, percent, sheetWords, t, text, word } from "../texts";
import type { Account, Figures, GameSummary, TableSummary } from "../wire";

/** What most tables are dealt from; the page of a game has the figures for every number. */
const USUAL_DECKS = 8;

/** Whether nothing of a round is to be seen at a table yet. */
const isBetting = ({ phase }: TableSummary): boolean => phase === "betting";

/** The table that a newcomer is shown: one that plays by itself, has cards on it, open ones, and the lowest minimum. */
function recommended(tables: readonly TableSummary[]): TableSummary | null {
  const rank = (table: TableSummary) => [table.mode !== "automatic", table.without_dealer, table.private, table.face_down, isBetting(table), table.minimum_cents ?? 0].map(Number);
  const before = (one: number[], other: number[]) => one.map((part, at) => part - other[at]!).find((difference) => difference !== 0) ?? 0;
  return [...tables].sort((one, other) => before(rank(one), rank(other)))[0] ?? null;
}

export function Lobby(): JSX.Element {
  const tables = useFetch<TableSummary[]>("/api/tables", null, 3000);
  const games = useFetch<GameSummary[]>("/api/games");
  const me = useFetch<Account>(sessions.patron.value ? "/api/me" : null, "patron", 5000);
  const [game, setGame] = useState("");
  const [most, setMost] = useState("");
  const open = tables.data?.filter(({ phase }) => phase !== "not-open");
  const shown = open?.filter((table) => (!game || table.game === game) && (!most || (table.minimum_cents ?? 0) <= Number(most)));
  const kept = useRef("");
  const first = open && (open.find(({ id }) => id === kept.current) ?? recommended(open));
  if (first && !isBetting(first)) kept.current = first.id; // once cards were seen there, another takes its place no more
  const any: [string, string] = ["", t("any")];
  const minimums = [...new Set(open?.map(({ minimum_cents }) => minimum_cents ?? 0))].sort((one, other) => one - other);
  const playable = games.data?.filter(({ id }) => open?.some((table) => table.game === id)) ?? [];
  return (
    <div class="page lobby">
      <WithAccount kind="patron">
        <Bar title="" aside={me.data?.balance_cents != null && <span class="purse-now" data-test="lobby-balance">{me.data.name} · {t("credits")} <b>{money(me.data.balance_cents)}</b></span>}>
          <a class="quiet" href={addressOf("/academy")}>{academyText("academy")}</a>
          <a class="quiet" href={addressOf("/pit")}>{t("pit-desk")}</a>
        </Bar>
      </WithAccount>
      <main>
        <div class="welcome">
          <h1>{t("welcome")}</h1>
          <p>{t("welcome-more")}</p>
        </div>
        {tables.problem && <p class="link lost" role="status">{problemText(tables.problem)}</p>}
        {first && <Recommended key={first.id} table={first} game={games.data?.find(({ id }) => id === first.game)} />}
        {open && open.length > 1 && (
          <div class="filters" data-test="filters">
            <Select label={t("game")} name="game" value={game} options={[any, ...playable.map((each): [string, string] => [each.id, sheetWords(each, each.title)])]} onPick={setGame} />
            <Select label={t("minimum-up-to")} name="minimum" value={most} options={[any, ...minimums.map((cents): [string, string] => [`${cents}`, money(cents)])]} onPick={setMost} />
          </div>
        )}
        <ul class="tables" aria-label={t("tables")}>
          {shown?.map((table) => <TableCard key={table.id} table={table} game={games.data?.find(({ id }) => id === table.game)} />)}
        </ul>
        {open?.length === 0 && <p>{t("no-tables")}</p>}
        {open && open.length > 0 && shown?.length === 0 && <p>{t("no-table-fits")}</p>}
        <h2>{t("what-games-cost")}</h2>
        <ul class="games">
          {games.data?.map((each) => <GameLink key={each.id} game={each} />)}
        </ul>
      </main>
    </div>
  );
}

interface CardProps {
  table: TableSummary;
  game: GameSummary | undefined;
}

/** One table as it is played now, to be joined in one tap. */
function Recommended({ table, game }: CardProps): JSX.Element {
  const { view, seconds } = useLiveTable(table.id, null);
  const { data: figures } = useFetch<Figures>(`/api/games/${encodeURIComponent(table.game)}/odds?decks=${USUAL_DECKS}`);
  return (
    <section class="now" aria-label={t("recommended")} data-test="recommended">
      <div class="glimpse">
        {view && <Call {...view} seconds={seconds} />}
        {view && <Hands cards={view.snapshot.cards} points={view.snapshot.points} winner={resultOf(view.snapshot)?.winner ?? null} />}
      </div>
      <div class="invitation">
        <small>{t("recommended")}</small>
        <h2>{table.name}</h2>
        <p>{game && sheetWords(game, game.title)} · {t("minimum")} <b>{money(table.minimum_cents ?? 0)}</b></p>
        <SmallRoad marks={table.road} />
        {view && figures && (
          <p class="edges-now" data-test="edges-now">
            {t("house-edge")} {Object.entries(figures.bets).slice(0, 3).map(([on, { edge }]) => <span key={on}>{betName(view.sheet, on)} <b>{percent(edge, 2)}</b></span>)}
          </p>
        )}
        <a class="gold" href={addressOf(`/table/${table.id}`)} data-test="sit-down">{t("sit-down")}</a>
        <a href={addressOf(`/odds/${table.game}`)}>{t("what-it-costs")}</a>
      </div>
    </section>
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
function tags({ mode, without_dealer, face_down, private: isPrivate }: TableSummary): string[] {
  return [without_dealer ? t("no-dealer-yet") : mode && capital(word("mode", mode)), face_down && t("face-down"), isPrivate && capital(word("event_note", "private"))].filter((tag) => typeof tag === "string");
}

function TableCard({ table, game }: CardProps): JSX.Element {
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
          <div><dt>{t("maximum")}</dt><dd>{money(table.differential_cents ?? 0)}</dd></div>
          <div><dt>{t("seats")}</dt><dd>{table.patrons}/{table.boxes}</dd></div>
        </dl>
        <p class="tags">{tags(table).map((tag) => <span key={tag}>{tag}</span>)}</p>
        {table.notice_rule && <p class="notice">{t("no-insurance", { rule: table.notice_rule })}</p>}
      </a>
      <footer>
        <a href={addressOf(`/board/${table.id}`)} aria-label={`${t("board")}, ${table.name}`}>{t("board")}</a>
        <a href={addressOf(`/odds/${table.game}`)} aria-label={`${t("what-it-costs")}, ${table.name}`}>{t("what-it-costs")}</a>
        {sessions.staff.value && <a href={addressOf(`/dealer/${table.id}`)} aria-label={`${t("dealer")}, ${table.name}`}>{t("dealer")}</a>}
      </footer>
    </li>
  );
}
