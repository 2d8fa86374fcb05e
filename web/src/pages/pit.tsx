/** The pit desk: the floor at a glance, what waits for a decision, one table under the hand, and what must be known later. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { download } from "../api";
import { addressOf } from "../base";
import { CaseCard } from "../components/case-card";
import { Consoles } from "../components/consoles";
import { DataTable, type Column } from "../components/data-table";
import { FloorGrid, FloorTotals, type Opened } from "../components/floor-grid";
import { Bar, ConnectionState } from "../components/page-frame";
import { TablePanel } from "../components/table-panel";
import { IncidentHistory } from "../dialogs/incident-history";
import { PastRounds } from "../dialogs/past-rounds";
import { NewTableDialog } from "../dialogs/table-form";
import { useFetch, useLiveFloor, useNow, useSheet } from "../hooks";
import type { FloorState } from "../live-floor";
import { money } from "../money";
import { showToast } from "../notices";
import { storeToken } from "../session";
import { actorText, clockTime, significantText, t, word, wordFor } from "../texts";
import type { Account, Debt, FloorTable, SignificantEvent } from "../wire";

type Recalled = { table: FloorTable; round: number | null };

/** What patrons owe to the House. */
const debtColumns = (): Column<Debt>[] => [
  { title: t("patron"), cell: ({ name }) => name, class: "heading" },
  { title: t("amount"), cell: ({ owed_cents }) => money(owed_cents), class: "number" },
];

export function Pit(): JSX.Element {
  const me = useFetch<Account>("/api/me", "staff");
  const floor = useLiveFloor("staff");
  const state = floor.state.value;
  const forbidden = floor.connection.value === "forbidden";
  const [settingUp, setSettingUp] = useState(false);
  const [history, setHistory] = useState(false);
  const [recalled, setRecalled] = useState<Recalled | null>(null);
  const recall = (id: string, round: number | null) => {
    const table = state?.floor.tables.find((each) => each.table === id);
    if (table) setRecalled({ table, round });
  };
  return (
    <div class="page pit">
      <Bar title={<><span>{t("pit-desk")}</span><small>{me.data && `${me.data.name} · ${word("role", me.data.role)}`}{state && ` · ${t("gaming-day-is", { day: state.floor.day })}`}</small></>}>
        <button type="button" class="quiet" onClick={() => setHistory(true)} data-test="history">{t("incident-history")}</button>
        <button type="button" class="quiet" onClick={() => void download("/api/floor.csv", "staff", `floor-${state?.floor.day}.csv`)} data-test="day-csv">{t("save-as-csv")}</button>
        <button type="button" class="quiet" onClick={() => setSettingUp(true)} data-test="set-up">{t("set-up-table")}</button>
        <button type="button" class="quiet" onClick={() => storeToken("staff", null)}>{t("sign-out")}</button>
      </Bar>
      {forbidden ? <main class="centre">{me.data?.role === "dealer" ? <Consoles /> : <><ConnectionState link="forbidden" /><a class="gold" href={addressOf("/")}>{t("back-to-tables")}</a></>}</main> : <ConnectionState link={floor.connection.value} />}
      {state && <Desk state={state} skewMs={floor.clockSkewMs.value} onRecall={recall} />}
      {settingUp && <NewTableDialog onClose={() => setSettingUp(false)} />}
      {history && state && <IncidentHistory tables={state.floor.tables} version={state.incidents} onRecall={recall} onClose={() => setHistory(false)} />}
      {recalled && <Recall {...recalled} onClose={() => setRecalled(null)} />}
    </div>
  );
}

function Recall({ table, round, onClose }: Recalled & { onClose: () => void }): JSX.Element | null {
  const sheet = useSheet(table.game);
  return sheet && <PastRounds table={table.table} sheet={sheet} kind="staff" start={round} onClose={onClose} />;
}

function Desk({ state, skewMs, onRecall }: { state: FloorState; skewMs: number; onRecall: (table: string, round: number | null) => void }): JSX.Element {
  const { floor, incidents, significant, people } = state;
  const nowMs = useNow(skewMs);
  const [opened, setOpened] = useState<Opened>(null);
  const tableOf = (id: string | null) => floor.tables.find(({ table }) => table === id);
  const row = tableOf(opened?.table ?? null);
  useFavourableAlert(floor.tables);
  return (
    <main>
      <FloorTotals floor={floor} />
      <section class="floor" aria-label={t("tables")}>
        <h2>{t("tables")}</h2>
        {floor.tables.length === 0 && <p class="calm">{t("no-tables")}</p>}
        {floor.tables.length > 0 && <FloorGrid floor={floor} opened={opened} nowMs={nowMs} onOpen={setOpened} />}
        {row && opened && <TablePanel key={row.table} row={row} part={opened.part} onRecall={() => onRecall(row.table, null)} onClose={() => setOpened(null)} />}
      </section>
      <section class="cases" aria-label={t("open-cases")}>
        <h2>{t("open-cases")}</h2>
        {incidents.length === 0 && <p class="calm">{t("no-cases")}</p>}
        {incidents.map((each) => (
          <CaseCard key={`${each.table}${each.case}`} incident={each} table={tableOf(each.table)} people={people} nowMs={nowMs} onRecall={(round) => onRecall(each.table, round)} />
        ))}
        {floor.debts.length > 0 && <DataTable rows={floor.debts} columns={debtColumns()} caption={t("debts")} test="debts" />}
      </section>
      <section class="log" aria-label={t("significant-events")}>
        <h2>{t("significant-events")}</h2>
        <ol class="significant" data-test="significant" tabIndex={0} aria-label={t("significant-events")}>
          {significant.map((each, place) => <Significant key={place} event={each} table={tableOf(each.table)} people={people} />)}
        </ol>
      </section>
    </main>
  );
}

/** Say it once, seen and heard, when a bet turns to favour patrons. */
function useFavourableAlert(tables: readonly FloorTable[]): void {
  const known = useRef(new Set<string>());
  useEffect(() => {
    const now = tables.flatMap(({ table, favourable }) => (favourable ?? []).map((bet) => `${table} ${bet}`));
    const fresh = tables.filter(({ table, favourable }) => favourable?.some((bet) => !known.current.has(`${table} ${bet}`)));
    known.current = new Set(now);
    if (fresh.length) showToast(t("favourable-at", { tables: fresh.map(({ name }) => name).join(", ") }));
  }, [tables]);
}

function Significant({ event, table, people }: { event: SignificantEvent; table: FloorTable | undefined; people: FloorState["people"] }): JSX.Element {
  const sheet = useSheet(table?.game);
  return (
    <li class={event.heading}>
      <time>{clockTime(event.at_ms)}</time>
      <b>{wordFor("heading", event.heading)}</b>
      <span>{table && <i>{table.name}</i>} {significantText(event, people, sheet ?? undefined)} {event.rule && `¶ ${event.rule}`}</span>
      <small>{actorText(event.by, people)}</small>
    </li>
  );
}
