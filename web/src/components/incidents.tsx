/** The incidents of the past, found by table, situation, day and whether they are open. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { download } from "../api";
import { useFetch, useSheet, useSheets } from "../hooks";
import { moment, rulingText, situationText, t, word, wordFor } from "../texts";
import type { PastIncident, TableSummary } from "../wire";
import { Effect } from "./effect";
import { Select, type Option } from "./forms";
import { Waiting } from "./waiting";

const REFETCH_MS = 5_000;

interface Props {
  tables: readonly TableSummary[];
  onRecall: (table: string, round: number) => void;
}

export function Incidents({ tables, onRecall }: Props): JSX.Element {
  const [wanted, setWanted] = useState({ table: "", situation: "", open: "", day: "" });
  const asked = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value));
  const found = useFetch<PastIncident[]>(`/api/incidents/history?${asked}`, "staff", REFETCH_MS);
  const all = useFetch<PastIncident[]>("/api/incidents/history?limit=500", "staff", REFETCH_MS);
  const pick = (name: keyof typeof wanted) => (value: string) => setWanted({ ...wanted, [name]: value });
  const situations = [...new Map(all.data?.map(({ situation, game }) => [situation, game]) ?? [])];
  const sheets = useSheets([...new Set(situations.map(([, game]) => game))]);
  const days = [...new Set(all.data?.map(({ day }) => day) ?? [])];
  const any: Option = ["", t("any")];
  return (
    <>
      <div class="filters">
        <Select label={t("table")} name="table" value={wanted.table} options={[any, ...tables.map(({ id, name }): Option => [id, name])]} onPick={pick("table")} />
        <Select label={t("situation")} name="situation" value={wanted.situation} options={[any, ...situations.map(([id, game]): Option => [id, situationText(id, sheets.get(game))])]} onPick={pick("situation")} />
        <Select label={t("open-or-closed")} name="open" value={wanted.open} options={[any, ["true", t("still-open")], ["false", t("is-closed")]]} onPick={pick("open")} />
        <Select label={t("gaming-day")} name="day" value={wanted.day} options={[any, ...days.map((day): Option => [day, day])]} onPick={pick("day")} />
        <div class="buttons"><button type="button" onClick={() => void download(`/api/incidents/history.csv?${asked}`, "staff", "incidents.csv")} data-test="incidents-csv">{t("save-as-csv")}</button></div>
      </div>
      {found.problem && <Waiting problem={found.problem} />}
      <ol class="incident-history" data-test="incident-history">
        {found.data?.map((each) => <Past key={`${each.table} ${each.case}`} incident={each} onRecall={onRecall} />)}
        {found.data?.length === 0 && <li class="calm">{t("no-incidents")}</li>}
      </ol>
    </>
  );
}

/** Someone with the role in which they acted. */
const inRole = (name: string, role: PastIncident["reported_role"]): string => (role ? t("person-as", { name, role }) : name);

function Past({ incident, onRecall }: { incident: PastIncident; onRecall: Props["onRecall"] }): JSX.Element {
  const sheet = useSheet(incident.game);
  const { name, table, round, situation, at_ms, reported_by, reported_role, note, rule, decisions, choices = [], closed_at_ms, effect } = incident;
  const ruling = rulingText(incident);
  return (
    <li data-test="past-incident">
      <header>
        <b>{name}</b>
        <button type="button" class="quiet recall" onClick={() => onRecall(table, round)}>{t("round-number", { round })}</button>
        <time>{moment(at_ms)}</time>
        <span class={`state ${closed_at_ms === null ? "waiting" : "not-open"}`}>{closed_at_ms === null ? t("still-open") : t("is-closed")}</span>
      </header>
      <h2>{situationText(situation, sheet ?? undefined)}</h2>
      <p>
        {t("reported-by", { who: inRole(reported_by, reported_role) })}{note && ` · ${note}`}
        {ruling && <> · {t("ruling")}: <b>{ruling}</b>{rule && ` ¶ ${rule}`}</>}
      </p>
      {decisions.map((made) => <p key={made.at_ms}><b>{wordFor("decision", made.decision)}</b> · {inRole(made.by, made.role)}{made.reason && ` · ${made.reason}`}</p>)}
      {choices.map(({ name: patron, option, by, at_ms: at }) => <p key={`${at} ${patron}`} data-test="choice">{patron}: <b>{word("option", option)}</b>{by && ` · ${t("chosen-by-staff", { name: by })}`}</p>)}
      {effect && <details><summary>{t("what-it-changed")}</summary><Effect {...effect} caption={t("what-it-changed")} /></details>}
    </li>
  );
}
