/** The pit desk: what waits for a decision, the tables, what must be known later, and the shoe's live values. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { post, problemText } from "../api";
import { CommandButtons } from "../components/forms";
import { LiveValues } from "../components/live-values";
import { Bar } from "../components/page-frame";
import { NewTableDialog } from "../dialogs/new-table";
import { useFetch, useSheet } from "../hooks";
import { storeToken } from "../session";
import { moment, rulingText, sheetWords, significantText, situationText, t, text, waitsFor, word, wordFor } from "../texts";
import type { Account, Command, Incident, Sheet, SignificantEvent, Snapshot, TableSummary } from "../wire";

const REFRESH_MS = 1500;

export function Pit(): JSX.Element {
  const me = useFetch<Account>("/api/me", "staff");
  const incidents = useFetch<Incident[]>("/api/incidents", "staff", REFRESH_MS);
  const tables = useFetch<TableSummary[]>("/api/tables", "staff", REFRESH_MS);
  const significant = useFetch<SignificantEvent[]>("/api/significant?limit=60", "staff", REFRESH_MS * 2);
  const problem = incidents.problem ?? me.problem;
  const gameOf = (id: string | null) => tables.data?.find((table) => table.id === id)?.game;
  const [settingUp, setSettingUp] = useState(false);
  return (
    <div class="page pit">
      <Bar title={<><span>{t("pit-desk")}</span>{me.data && <small>{me.data.name} · {word("role", me.data.role)}</small>}</>}>
        <button type="button" class="quiet" onClick={() => setSettingUp(true)} data-test="set-up">{t("set-up-table")}</button>
        <button type="button" class="quiet" onClick={() => storeToken("staff", null)}>{t("sign-out")}</button>
      </Bar>
      {problem && <p class="link lost" role="status">{problemText(problem)}</p>}
      <main>
        <section class="cases" aria-label={t("open-cases")}>
          <h2>{t("open-cases")}</h2>
          {incidents.data?.length === 0 && <p class="calm">{t("no-cases")}</p>}
          {incidents.data?.map((each) => <CaseCard key={`${each.table}${each.case}`} incident={each} game={gameOf(each.table)} onDone={incidents.refetch} />)}
        </section>
        <section class="log" aria-label={t("significant-events")}>
          <h2>{t("significant-events")}</h2>
          <ol class="significant" data-test="significant">
            {significant.data?.map((each, place) => <Significant key={place} event={each} game={gameOf(each.table)} />)}
          </ol>
        </section>
        <section class="floor" aria-label={t("tables")}>
          <h2>{t("tables")}</h2>
          {tables.data?.map((table) => <FloorTable key={table.id} table={table} onDone={tables.refetch} />)}
        </section>
      </main>
      {settingUp && <NewTableDialog onClose={() => { setSettingUp(false); tables.refetch(); }} />}
    </div>
  );
}

function Significant({ event, game }: { event: SignificantEvent; game: string | undefined }): JSX.Element {
  const sheet = useSheet(game);
  return (
    <li class={event.heading}>
      <time>{moment(event.at_ms)}</time>
      <b>{wordFor("heading", event.heading)}</b>
      <span>{event.table && `${t("table-name", { table: event.table })}: `}{significantText(event, sheet ?? undefined)} {event.rule && `¶ ${event.rule}`}</span>
      <small>{event.by}</small>
    </li>
  );
}

/** A table as the one who is signed in sees it, and the commands they give it. */
function useActions(table: string, sheet: Sheet | null, onDone: () => void): { snapshot: Snapshot | null; refused: string | null; onSend: (command: Command) => void } {
  const { data, refetch } = useFetch<Snapshot>(`/api/tables/${table}`, "staff", REFRESH_MS);
  const [refused, setRefused] = useState<string | null>(null);
  const done = (refusal: string | null) => {
    setRefused(refusal);
    refetch();
    onDone();
  };
  const onSend = (command: Command) =>
    void post(`/api/tables/${table}/commands`, "staff", command).then(
      () => done(null),
      (error: unknown) => done(problemText(error, sheet ?? undefined)),
    );
  return { snapshot: data, refused, onSend };
}

/** One case: what was seen, what the sheet says, what it waits for, and the answers that this person may give. */
function CaseCard({ incident, game, onDone }: { incident: Incident; game: string | undefined; onDone: () => void }): JSX.Element {
  const sheet = useSheet(game);
  const { snapshot, refused, onSend } = useActions(incident.table, sheet, onDone);
  const ruling = rulingText(incident);
  const undecided = Object.entries(incident.patrons ?? {});
  return (
    <article class="case" data-test="case">
      <header>
        <b>{t("table-name", { table: incident.table })} · {t("round-number", { round: incident.round })}</b>
        <span class="waits">{waitsFor(incident)}</span>
      </header>
      <h3>{situationText(incident.situation, sheet ?? undefined)}</h3>
      {ruling && <p class="ruling">{t("ruling")}: <b>{ruling}</b></p>}
      {incident.rule && <p class="paragraph"><b>¶ {incident.rule}</b> {sheet?.paragraphs[incident.rule]}</p>}
      {incident.by && <small>{t("reported-by", { who: incident.by })}</small>}
      {undecided.length > 0 && (
        <div class="choices">
          <p>{t("still-to-choose")}:</p>
          {undecided.map(([patron, name]) => (
            <span key={patron}>{name}{snapshot && <CommandButtons snapshot={snapshot} kind="choose" fits={(way) => way.patron === patron} onSend={onSend} />}</span>
          ))}
        </div>
      )}
      {snapshot && (
        <div class="answers">
          <CommandButtons snapshot={snapshot} kind="decide" sheet={sheet} patrons={{ ...snapshot.patrons, ...incident.patrons }} onSend={onSend} />
          {incident.waits === "correction" && <CommandButtons kind="correct-cards" label={t("correct-the-cards")} snapshot={snapshot} sheet={sheet} onSend={onSend} />}
        </div>
      )}
      {refused && <p role="alert" class="loss">{refused}</p>}
    </article>
  );
}

function FloorTable({ table, onDone }: { table: TableSummary; onDone: () => void }): JSX.Element {
  const sheet = useSheet(table.game);
  const [values, setValues] = useState(false);
  const [overrides, setOverrides] = useState(false);
  return (
    <article class="floor-table">
      <header>
        <h3>{sheet ? sheetWords(sheet, sheet.title) : table.title}</h3>
        <span class={`state ${table.phase}`}>{text("phases", table.phase)}</span>
      </header>
      <p>{t("table-name", { table: table.id })} · {t("round-number", { round: table.round })} · {t("shoe-number", { shoe: table.shoe })}{table.mode && ` · ${word("mode", table.mode)}`}</p>
      <div class="links">
        <a href={`/dealer/${table.id}`}>{t("console")}</a>
        <a href={`/board/${table.id}`}>{t("board")}</a>
        <button type="button" class="quiet" aria-expanded={values} onClick={() => setValues(!values)} data-test={`values-${table.id}`}>{t("live-values")}</button>
        <button type="button" class="quiet" aria-expanded={overrides} onClick={() => setOverrides(!overrides)} data-test={`override-${table.id}`}>{t("override")}</button>
      </div>
      {overrides && <Overrides id={table.id} sheet={sheet} onDone={onDone} />}
      {values && <LiveValues id={table.id} game={table.game} />}
    </article>
  );
}

/** What staff may put right at a table on their own authority. */
function Overrides({ id, sheet, onDone }: { id: string; sheet: Sheet | null; onDone: () => void }): JSX.Element {
  const { snapshot, refused, onSend } = useActions(id, sheet, onDone);
  const overrides = [["correct-cards", t("correct-the-cards")], ["replace-shoe", t("replace-the-shoe")], ["close-table", t("close-the-table")]] as const;
  return (
    <div class="overrides">
      {snapshot && overrides.map(([kind, label]) => <CommandButtons key={kind} kind={kind} label={label} snapshot={snapshot} sheet={sheet} onSend={onSend} />)}
      {refused && <p role="alert" class="loss">{refused}</p>}
    </div>
  );
}
