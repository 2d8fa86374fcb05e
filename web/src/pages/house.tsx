/** The house: the first steps of a new one, its tables, limits and gaming day, its health, and the software that runs. */
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { post, problemText } from "../api";
import { addressOf } from "../base";
import { DataTable, type Column } from "../components/data-table";
import { DeskPage } from "../components/desk-page";
import { Waiting } from "../components/waiting";
import { NewTableDialog } from "../dialogs/table-form";
import { useFetch, useSheets } from "../hooks";
import { money } from "../money";
import { showToast } from "../notices";
import { sheetWords, t, text, word, wordFor } from "../texts";
import type { Desk, Floor, FloorTable, HouseView, Sheet } from "../wire";

const REFETCH_MS = 10_000;
type Step = NonNullable<HouseView["first_steps"]>[number];
const STEPS: readonly Step[] = ["second-person", "key", "table"];

export const House = (): JSX.Element => <DeskPage at="/house">{(desk) => <AboutHouse desk={desk} />}</DeskPage>;

function AboutHouse({ desk }: { desk: Desk }): JSX.Element {
  const { data: house, problem, refetch } = useFetch<HouseView>("/api/house", "staff", REFETCH_MS);
  const floor = useFetch<Floor>("/api/floor", "staff", REFETCH_MS);
  const [settingUp, setSettingUp] = useState(false);
  const sheets = useSheets(Object.keys(house?.sheets ?? {}));
  if (!house) return <main class="centre"><Waiting problem={problem} /></main>;
  const close = () => {
    setSettingUp(false);
    refetch();
    floor.refetch();
  };
  const { checks, status, owner } = house.health;
  return (
    <main>
      {house.first_steps && house.first_steps.length > 0 && <FirstSteps house={house} toDo={house.first_steps} onTable={() => setSettingUp(true)} onDone={refetch} />}
      <section class="wide" aria-label={t("tables")}>
        <header><h2>{t("tables")}</h2>{desk.may.includes("POST /api/tables") && <button type="button" onClick={() => setSettingUp(true)} data-test="set-up">{t("set-up-table")}</button>}</header>
        {floor.data?.tables.length === 0 && <p class="calm">{t("no-tables")}</p>}
        {floor.data && floor.data.tables.length > 0 && <div class="scroll"><DataTable rows={floor.data.tables} columns={tableColumns(house)} class="grid" test="tables" /></div>}
      </section>
      <section aria-label={t("health")}>
        <h2>{t("health")} <span class={`state ${status === "ok" ? "" : "alarm"}`} data-test="status">{word("health", status)}</span></h2>
        <Facts facts={Object.entries(checks).map(([check, state]) => [wordFor("check", check), <span class={state === "ok" ? "gain" : "loss"}>{word("health", state)}</span>])} />
        {owner && <p class="hint">{t("answered-by", { owner })}</p>}
      </section>
      <section aria-label={t("limits-of-house")}>
        <h2>{t("limits-of-house")}</h2>
        <Facts facts={[[t("gaming-day"), house.day], [t("day-starts"), t("at-utc", { time: house.day_starts })], ...Object.entries(house.limits).map(([name, cents]): Fact => [wordFor("house_limit", name), money(cents)])]} />
      </section>
      <section class="wide" aria-label={t("software")}>
        <h2>{t("software")}</h2>
        <Facts facts={[[`Punto ${house.version}`, <code>{house.software}</code>], ...Object.entries(house.sheets).map(([id, mark]): Fact => [titleOf(sheets.get(id)) ?? id, <code>{mark}</code>]), ...(house.key ? [[t("key-in-use"), <code>{house.key}</code>] as Fact] : [])]} />
        <p class="hint">{t("software-is")}</p>
      </section>
      {settingUp && <NewTableDialog onClose={close} />}
    </main>
  );
}

const titleOf = (sheet: Sheet | undefined): string | undefined => sheet && sheetWords(sheet, sheet.title);

type Fact = readonly [name: string, value: ComponentChildren];

function Facts({ facts }: { facts: readonly Fact[] }): JSX.Element {
  return <dl class="facts-list">{facts.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}</dl>;
}

/** Every table: its state, its limits, and how its process fares. */
function tableColumns({ health }: HouseView): Column<FloorTable>[] {
  const wrong = ({ table }: FloorTable) => health.tables[table]?.stuck ?? health.tables[table]?.suspended ?? null;
  return [
    { title: t("table"), cell: ({ table, name }) => <><a href={addressOf(`/board/${table}`)}>{name}</a><small>{table}</small></>, class: "heading" },
    { title: t("run-by"), cell: ({ mode }) => (mode ? word("mode", mode) : "–"), spare: true },
    { title: t("state"), cell: (row) => <>{text("phases", row.phase)}{wrong(row) && <small>{wrong(row)}</small>}</>, tone: (row) => (wrong(row) ? "loss" : "") },
    { title: t("minimum"), cell: ({ minimum_cents }) => (minimum_cents === null ? "–" : money(minimum_cents)), class: "number" },
    { title: t("differential"), cell: ({ differential_cents }) => (differential_cents === null ? "–" : money(differential_cents)), class: "number" },
    { title: t("seats"), cell: ({ seats_taken, seats }) => `${seats_taken}/${seats}`, class: "number" },
  ];
}

interface StepsProps {
  house: HouseView;
  toDo: readonly Step[];
  onTable: () => void;
  onDone: () => void;
}

/** What makes a new house ready, one step after the other; each is ticked off when the server says that it is done. */
function FirstSteps({ house, toDo, onTable, onDone }: StepsProps): JSX.Element {
  const keep = () => void post("/api/house/key-kept", "staff").then(onDone, (error: unknown) => showToast(problemText(error)));
  const about: Record<Step, { title: string; says: string; does: ComponentChildren }> = {
    "second-person": { title: t("step-second-person"), says: t("step-second-person-does"), does: <a class="gold" href={addressOf("/people")} data-test="step-people">{t("people")}</a> },
    key: { title: t("step-key"), says: t("step-key-does", { file: house.key_file ?? null }), does: <button type="button" class="gold" onClick={keep} data-test="step-key">{t("step-key-done")}</button> },
    table: { title: t("step-table"), says: t("step-table-does"), does: <button type="button" class="gold" onClick={onTable} data-test="step-table">{t("set-up-table")}</button> },
  };
  const next = toDo[0];
  return (
    <section class="wide first" aria-label={t("first-steps")} data-test="first-steps">
      <h2>{t("first-steps")}</h2>
      <ol>
        <li class="done"><b>{t("step-admin")}</b></li>
        {STEPS.map((step) => (
          <li key={step} class={toDo.includes(step) ? (step === next ? "next" : "") : "done"} {...(step === next ? { "aria-current": "step" } : {})}>
            <b>{about[step].title}</b>
            {toDo.includes(step) && <><p>{about[step].says}</p>{about[step].does}</>}
          </li>
        ))}
      </ol>
      <p class="hint">{t("token-again")}</p>
    </section>
  );
}
