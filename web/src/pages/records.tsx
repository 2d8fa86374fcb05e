/** The records of the house: rounds, incidents and significant events, found, read and saved. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { download } from "../api";
import { DeskPage } from "../components/desk-page";
import { Select, type Option } from "../components/forms";
import { Incidents } from "../components/incidents";
import { Significant } from "../components/significant";
import { Waiting } from "../components/waiting";
import { Rounds } from "../dialogs/past-rounds";
import { useFetch, useSheet } from "../hooks";
import { t, wordsOf } from "../texts";
import type { Desk, Member, SignificantEvent, TableSummary } from "../wire";

const TABS = {
  "past-rounds": () => t("past-rounds"),
  "incident-history": () => t("incident-history"),
  "significant-events": () => t("significant-events"),
};
type Tab = keyof typeof TABS;
const PAGE = 100;

export const Records = (): JSX.Element => <DeskPage at="/records" tools={(desk) => desk.may.includes("GET /api/floor.csv") && <DayFigures />}>{(desk) => <All desk={desk} />}</DeskPage>;

const DayFigures = (): JSX.Element => <button type="button" class="quiet" onClick={() => void download("/api/floor.csv", "staff")} data-test="day-csv">{t("figures-of-day")}</button>;

function All({ desk }: { desk: Desk }): JSX.Element {
  const fragment = location.hash.slice(1) as Tab;
  const [tab, setTab] = useState<Tab>(fragment in TABS ? fragment : "past-rounds");
  const [recalled, setRecalled] = useState<{ table: string; round: number | null } | null>(null);
  const tables = useFetch<TableSummary[]>("/api/tables");
  if (!tables.data) return <main class="centre"><Waiting problem={tables.problem} /></main>;
  const recall = (table: string, round: number | null) => {
    setRecalled({ table, round });
    setTab("past-rounds");
  };
  return (
    <main>
      <div class="tabs wide" role="group" aria-label={t("records")}>
        {(Object.keys(TABS) as Tab[]).map((each) => <button key={each} type="button" aria-pressed={tab === each} onClick={() => setTab(each)} data-test={`tab-${each}`}>{TABS[each]()}</button>)}
      </div>
      {tab === "past-rounds" && <RoundsOf tables={tables.data} start={recalled} onTable={(table) => recall(table, null)} />}
      {tab === "incident-history" && <Incidents tables={tables.data} onRecall={recall} />}
      {tab === "significant-events" && <Events desk={desk} tables={tables.data} />}
    </main>
  );
}

function RoundsOf({ tables, start, onTable }: { tables: readonly TableSummary[]; start: { table: string; round: number | null } | null; onTable: (table: string) => void }): JSX.Element {
  const table = tables.find(({ id }) => id === start?.table) ?? tables[0];
  const sheet = useSheet(table?.game);
  if (!table) return <p class="calm">{t("no-tables")}</p>;
  const save = (kind: "csv" | "jsonl") => () => void download(`/api/tables/${table.id}/rounds.${kind}`, "staff", `${table.id}.${kind}`);
  return (
    <>
      <div class="filters">
        <Select label={t("table")} name="table" value={table.id} options={tables.map(({ id, name }): Option => [id, name])} onPick={onTable} />
        <div class="buttons">
          <button type="button" onClick={save("csv")} data-test="rounds-csv">{t("save-as-csv")}</button>
          <button type="button" onClick={save("jsonl")} data-test="rounds-jsonl">{t("save-for-programs")}</button>
        </div>
      </div>
      {sheet && <Rounds key={`${table.id} ${start?.round}`} table={table.id} sheet={sheet} kind="staff" start={start?.round ?? null} />}
    </>
  );
}

function Events({ desk, tables }: { desk: Desk; tables: readonly TableSummary[] }): JSX.Element {
  const [wanted, setWanted] = useState({ table: "", heading: "", before_ms: "" });
  const asked = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value));
  const { data, problem } = useFetch<SignificantEvent[]>(`/api/significant?limit=${PAGE}&${asked}`, "staff");
  const { data: members } = useFetch<Member[]>(desk.may.includes("GET /api/people") ? "/api/people?limit=500" : null, "staff");
  const pick = (name: keyof typeof wanted) => (value: string) => setWanted({ ...wanted, before_ms: "", [name]: value });
  const any: Option = ["", t("any")];
  const people = Object.fromEntries(members?.map(({ id, name }) => [id, name]) ?? []);
  const oldest = data && data.length >= PAGE ? data.at(-1) : null;
  return (
    <>
      <div class="filters">
        <Select label={t("table")} name="table" value={wanted.table} options={[any, ...tables.map(({ id, name }): Option => [id, name])]} onPick={pick("table")} />
        <Select label={t("what")} name="heading" value={wanted.heading} options={[any, ...wordsOf("heading")]} onPick={pick("heading")} />
        <div class="buttons"><button type="button" onClick={() => void download(`/api/significant.csv?${asked}`, "staff", "significant.csv")} data-test="significant-csv">{t("save-as-csv")}</button></div>
      </div>
      {!data && <Waiting problem={problem} />}
      {data && <Significant events={data} tables={Object.fromEntries(tables.map((each) => [each.id, each]))} people={people} dated />}
      {data?.length === 0 && <p class="calm">{t("no-events")}</p>}
      <div class="buttons">
        {wanted.before_ms && <button type="button" class="quiet" onClick={() => pick("before_ms")("")}>{t("newest")}</button>}
        {oldest && <button type="button" class="quiet" onClick={() => pick("before_ms")(`${oldest.at_ms}`)} data-test="older">{t("older")}</button>}
      </div>
    </>
  );
}
