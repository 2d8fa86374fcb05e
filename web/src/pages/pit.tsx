/** The pit desk: the floor at a glance, what waits for a decision, one table under the hand, and what must be known later. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { download } from "../api";
import { CaseCard } from "../components/case-card";
import { Debts } from "../components/debts";
import { DeskPage } from "../components/desk-page";
import { Field } from "../components/field";
import { FloorGrid, FloorTotals, type Opened } from "../components/floor-grid";
import { Graph } from "../components/graph";
import { ConnectionState } from "../components/page-frame";
import { Significant } from "../components/significant";
import { TablePanel } from "../components/table-panel";
import { PastRounds } from "../dialogs/past-rounds";
import { NewTableDialog } from "../dialogs/table-form";
import { useFetch, useLiveFloor, useNow, useSheet } from "../hooks";
import type { LiveFloor } from "../live-floor";
import { signed } from "../money";
import { showToast } from "../notices";
import { clockTime, t } from "../texts";
import type { FloorHour, FloorTable } from "../wire";

const HOURS_AGAIN_MS = 30_000;
const HOUR_MS = 3_600_000;
type Recalled = { table: FloorTable; round: number | null };

export function Pit(): JSX.Element {
  const [day, setDay] = useState<string | null>(null);
  const [settingUp, setSettingUp] = useState(false);
  const tools = () => (
    <>
      <button type="button" class="quiet" onClick={() => void download("/api/floor.csv", "staff", `floor-${day}.csv`)} data-test="day-csv">{t("save-as-csv")}</button>
      <button type="button" class="quiet" onClick={() => setSettingUp(true)} data-test="set-up">{t("set-up-table")}</button>
    </>
  );
  return (
    <DeskPage at="/pit" more={day && t("gaming-day-is", { day })} tools={tools}>
      {() => (
        <>
          <LiveDesk onDay={setDay} />
          {settingUp && <NewTableDialog onClose={() => setSettingUp(false)} />}
        </>
      )}
    </DeskPage>
  );
}

function LiveDesk({ onDay }: { onDay: (day: string) => void }): JSX.Element {
  const floor = useLiveFloor("staff");
  const state = floor.state.value;
  const day = state?.floor.day;
  useEffect(() => {
    if (day) onDay(day);
  }, [day]);
  return (
    <>
      <ConnectionState link={floor.connection.value} />
      {state && <Desk state={state} skewMs={floor.clockSkewMs.value} />}
    </>
  );
}

function Recall({ table, round, onClose }: Recalled & { onClose: () => void }): JSX.Element | null {
  const sheet = useSheet(table.game);
  return sheet && <PastRounds table={table.table} sheet={sheet} kind="staff" start={round} onClose={onClose} />;
}

function Desk({ state, skewMs }: { state: NonNullable<LiveFloor["state"]["value"]>; skewMs: number }): JSX.Element {
  const { floor, incidents, significant, people } = state;
  const nowMs = useNow(skewMs);
  const [opened, setOpened] = useState<Opened>(null);
  const [recalled, setRecalled] = useState<Recalled | null>(null);
  const [part, setPart] = useState("");
  const found = floor.tables.filter(({ table, name }) => `${name} ${table}`.toLowerCase().includes(part.trim().toLowerCase()));
  const tables = Object.fromEntries(floor.tables.map((each) => [each.table, each]));
  const recall = (id: string, round: number | null) => {
    const table = tables[id];
    if (table) setRecalled({ table, round });
  };
  const row = opened && tables[opened.table];
  useFavourableAlert(floor.tables);
  return (
    <main class={row ? `beside ${opened?.part}-open` : ""}>
      <FloorTotals floor={floor} />
      <DayGraph day={floor.day} />
      <section class="floor" aria-label={t("tables")}>
        <header><h2>{t("tables")}</h2><Field name="find" label="" spoken={t("find-table")} placeholder={t("find-table")} maximum={40} text={part} onText={setPart} /></header>
        {floor.tables.length === 0 && <p class="calm">{t("no-tables")}</p>}
        {floor.tables.length > 0 && <FloorGrid tables={found} opened={opened} nowMs={nowMs} onOpen={setOpened} />}
      </section>
      {row && opened && <TablePanel key={row.table} row={row} part={opened.part} onRecall={() => recall(row.table, null)} onClose={() => setOpened(null)} />}
      <section class="cases" aria-label={t("open-cases")}>
        <h2>{t("open-cases")}</h2>
        {incidents.length === 0 && <p class="calm">{t("no-cases")}</p>}
        {incidents.map((each) => (
          <CaseCard key={`${each.table}${each.case}`} incident={each} table={tables[each.table]} people={people} nowMs={nowMs} onRecall={(round) => recall(each.table, round)} />
        ))}
        {floor.debts.length > 0 && <Debts debts={floor.debts} caption={t("debts")} />}
      </section>
      <section class="log" aria-label={t("significant-events")}>
        <h2>{t("significant-events")}</h2>
        <Significant events={significant} tables={tables} people={people} />
      </section>
      {recalled && <Recall {...recalled} onClose={() => setRecalled(null)} />}
    </main>
  );
}

/** How the win of the day came about, beside what the exact edges give. */
function DayGraph({ day }: { day: string }): JSX.Element | null {
  const { data } = useFetch<FloorHour[]>("/api/floor/hours", "staff", HOURS_AGAIN_MS, day);
  const last = data?.at(-1);
  if (!data?.some((hour) => hour.win_cents || hour.theoretical_cents) || !last) return null;
  const { win_cents, theoretical_cents } = last;
  return (
    <section class="day" aria-label={t("win-of-day")}>
      <h2>{t("win-of-day")}</h2>
      <Graph
        label={`${t("win")} ${signed(win_cents)}, ${t("theoretical")} ${signed(theoretical_cents)}`}
        lines={[["theoretical", [0, ...data.map((hour) => hour.theoretical_cents)]], ["win", [0, ...data.map((hour) => hour.win_cents)]]]}
      />
      <p class="key"><span class="win">{t("win")} <b>{signed(win_cents)}</b></span> <span class="theoretical">{t("theoretical")} <b>{signed(theoretical_cents)}</b></span> <small>{t("hours-since", { time: clockTime(data[0]!.ends_ms - HOUR_MS) })}</small></p>
    </section>
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
