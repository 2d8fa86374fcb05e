/** The pit desk: what waits for a decision, the tables, what must be known later, and the shoe's live values. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { post, problemText } from "../api";
import { waysTo } from "../choices";
import { DataTable, type Column } from "../components/data-table";
import { Effect } from "../components/effect";
import { CommandButtons, Form } from "../components/forms";
import { LiveValues } from "../components/live-values";
import { Bar } from "../components/page-frame";
import { NewTableDialog, setUpAgain } from "../dialogs/new-table";
import { useFetch, usePastBets, useSheet } from "../hooks";
import { money, parseMoney } from "../money";
import { storeToken } from "../session";
import { betName, commandName, moment, patronName, rulingText, sheetWords, significantText, situationText, t, text, waitsFor, word, wordFor } from "../texts";
import type { Account, Command, Debt, Incident, Sheet, SignificantEvent, Snapshot, TableSummary, Way } from "../wire";

const REFRESH_MS = 1500;

/** What patrons owe to the House. */
const debtColumns = (): Column<Debt>[] => [
  { title: t("patron"), cell: ({ name }) => name, class: "heading" },
  { title: t("amount"), cell: ({ owed_cents }) => money(owed_cents), class: "number" },
];

export function Pit(): JSX.Element {
  const me = useFetch<Account>("/api/me", "staff");
  const incidents = useFetch<Incident[]>("/api/incidents", "staff", REFRESH_MS);
  const tables = useFetch<TableSummary[]>("/api/tables", "staff", REFRESH_MS);
  const significant = useFetch<SignificantEvent[]>("/api/significant?limit=60", "staff", REFRESH_MS * 2);
  const debts = useFetch<Debt[]>("/api/debts", "staff", REFRESH_MS * 2);
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
          {debts.data && debts.data.length > 0 && (
            <DataTable rows={debts.data} columns={debtColumns()} caption={t("debts")} test="debts" />
          )}
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

interface Actions {
  snapshot: Snapshot | null;
  refused: string | null;
  onSend: (command: Command) => void;
  act: (path: string, body: unknown) => void;
}

/** A table as the one who is signed in sees it, and what they do with it. */
function useActions(table: string, sheet: Sheet | null, onDone: () => void): Actions {
  const { data, refetch } = useFetch<Snapshot>(`/api/tables/${table}`, "staff", REFRESH_MS);
  const [refused, setRefused] = useState<string | null>(null);
  const done = (refusal: string | null) => {
    setRefused(refusal);
    refetch();
    onDone();
  };
  const act = (path: string, body: unknown) =>
    void post(path, "staff", body).then(
      () => done(null),
      (error: unknown) => done(problemText(error, sheet ?? undefined)),
    );
  return { snapshot: data, refused, onSend: (command) => act(`/api/tables/${table}/commands`, command), act };
}

/** One case: what was seen, what the sheet says, what it waits for, and the answers that this person may give. */
function CaseCard({ incident, game, onDone }: { incident: Incident; game: string | undefined; onDone: () => void }): JSX.Element {
  const sheet = useSheet(game);
  const { snapshot, refused, onSend } = useActions(incident.table, sheet, onDone);
  const past = usePastBets(incident.table, incident.facts?.round);
  const ruling = rulingText(incident);
  const undecided = Object.entries(incident.patrons ?? {});
  const { by, reported_by: reporter, at_ms, reason, note } = incident;
  return (
    <article class="case" data-test="case">
      <header>
        <b>{t("table-name", { table: incident.table })} · {t("round-number", { round: incident.facts?.round ?? incident.round })}</b>
        <span class="waits">{waitsFor(incident)}</span>
      </header>
      <h3>{situationText(incident.situation, sheet ?? undefined)}</h3>
      {ruling && <p class="ruling">{t("ruling")}: <b>{ruling}</b></p>}
      {incident.rule && <p class="paragraph"><b>¶ {incident.rule}</b> {sheet?.paragraphs[incident.rule]}</p>}
      {note && <p>{t("note")}: {note}</p>}
      {reason && reason !== note && <p>{t("reason")}: {reason}</p>}
      <small>{t("reported-by", { who: reporter })}{at_ms ? ` · ${moment(at_ms)}` : ""}{by && by !== reporter && ` · ${t("proposed-by", { who: by })}`}</small>
      {incident.effect && <Effect {...incident.effect} />}
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
          <CommandButtons snapshot={snapshot} kind="decide" sheet={sheet} patrons={{ ...snapshot.patrons, ...incident.patrons }} past={past} onSend={onSend} />
          {incident.waits === "correction" && <CommandButtons kind="correct-cards" snapshot={snapshot} sheet={sheet} onSend={onSend} />}
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

/** What staff may put right or change at a table on their own authority. */
const OVERRIDES = ["correct-cards", "correct-round", "replace-shoe", "assign-position", "close-table"] as const;

function Overrides({ id, sheet, onDone }: { id: string; sheet: Sheet | null; onDone: () => void }): JSX.Element {
  const { snapshot, refused, onSend, act } = useActions(id, sheet, onDone);
  if (!snapshot) return <p>{t("connecting")}</p>;
  const again = snapshot.phase === "not-open" ? setUpAgain(snapshot) : null;
  const { patrons, duty = [] } = snapshot;
  const staff = Object.fromEntries(duty.map((each) => [each.id, each.name]));
  const insurance = ({ patron, offered }: Way) => {
    const name = patronName(patrons, patron ?? "");
    return offered ? t("insurance-on", { name }) : t("insurance-off", { name });
  };
  return (
    <div class="overrides">
      <p data-test="duty">{t("on-duty")}: {duty.map(({ name, role, position }) => `${name} (${word("role", position)}${position === role ? "" : ` ← ${word("role", role)}`})`).join(", ") || "–"}</p>
      {OVERRIDES.map((kind) => <CommandButtons key={kind} kind={kind} snapshot={snapshot} sheet={sheet} patrons={{ ...patrons, ...staff }} onSend={onSend} />)}
      <CommandButtons kind="change-insurance" label={insurance} snapshot={snapshot} onSend={onSend} />
      {waysTo(snapshot, "change-limits").length > 0 && <ChangeLimits snapshot={snapshot} sheet={sheet} onSend={onSend} />}
      {again && <button type="button" class="gold" data-test="reopen" onClick={() => act("/api/tables", again)}>{t("open-the-table")}</button>}
      {refused && <p role="alert" class="loss">{refused}</p>}
    </div>
  );
}

/** New limits for the rounds to come, beginning with those of now. */
function ChangeLimits({ snapshot: { table: { limits } }, sheet, onSend }: { snapshot: Snapshot; sheet: Sheet | null; onSend: (command: Command) => void }): JSX.Element | null {
  if (!limits || !sheet) return null;
  const send = (form: FormData) => {
    const cents = (name: string) => parseMoney(String(form.get(name))) ?? 0;
    const sides = limits.sides.map(({ on }) => ({ on, minimum_cents: cents(`${on}-minimum`), maximum_cents: cents(`${on}-maximum`) }));
    onSend({ kind: "change-limits", minimum_cents: cents("minimum"), differential_cents: cents("differential"), sides });
  };
  const field = (name: string, value: number, label: string) => <input key={name} name={name} inputMode="decimal" required aria-label={label} defaultValue={money(value)} />;
  return (
    <details data-test="change-limits">
      <summary>{commandName("change-limits")}</summary>
      <Form class="inline" onSubmit={send}>
        <label>{t("minimum")} {field("minimum", limits.minimum_cents, t("minimum"))}</label>
        <label>{t("differential")} {field("differential", limits.differential_cents, t("differential"))}</label>
        {limits.sides.map(({ on, minimum_cents, maximum_cents }) => (
          <label key={on}>{betName(sheet, on)} {field(`${on}-minimum`, minimum_cents, t("side-bets-from"))}–{field(`${on}-maximum`, maximum_cents, t("side-bets-to"))}</label>
        ))}
        <button type="submit" class="gold" data-test="change-limits-send">{commandName("change-limits")}</button>
      </Form>
    </details>
  );
}
