/** The pit desk: what waits for a decision, the tables, what must be known later, and the shoe's live values. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { post, problemText } from "../api";
import { choiceOf, waysTo, type Filled } from "../choices";
import { SetUp } from "../dialogs/setup";
import { Bar, Guard } from "../parts/frame";
import { Act } from "../parts/inputs";
import { ShoeValues } from "../parts/values";
import { keep } from "../session";
import { moment, refusalText, rulingText, sheetWords, significantText, situationText, t, text, waitsFor, word, wordFor } from "../texts";
import { useFetch, useSheet } from "../use";
import type { Account, Command, Figures, Incident, LiveFigures, Sheet, SignificantEvent, Snapshot, TableSummary, Way } from "../wire";

export function Pit(): JSX.Element {
  return (
    <Guard kind="staff" title={t("pit-desk")}>
      <Desk />
    </Guard>
  );
}

const SOON = 1500;

function Desk(): JSX.Element {
  const me = useFetch<Account>("/api/me", "staff");
  const incidents = useFetch<Incident[]>("/api/incidents", "staff", SOON);
  const tables = useFetch<TableSummary[]>("/api/tables", "staff", SOON);
  const significant = useFetch<SignificantEvent[]>("/api/significant?limit=60", "staff", SOON * 2);
  const problem = incidents.problem ?? me.problem;
  const gameOf = (id: string | null) => tables.data?.find((table) => table.id === id)?.game;
  const [settingUp, setSettingUp] = useState(false);
  return (
    <div class="page pit">
      <Bar title={<><span>{t("pit-desk")}</span>{me.data && <small>{me.data.name} · {word("role", me.data.role)}</small>}</>}>
        <button type="button" class="quiet" onClick={() => setSettingUp(true)} data-test="set-up">{t("set-up-table")}</button>
        <button type="button" class="quiet" onClick={() => keep("staff", null)}>{t("sign-out")}</button>
      </Bar>
      {problem && <p class="link lost" role="status">{problemText(problem)}</p>}
      <main>
        <section class="cases" aria-label={t("open-cases")}>
          <h2>{t("open-cases")}</h2>
          {incidents.data?.length === 0 && <p class="calm">{t("no-cases")}</p>}
          {incidents.data?.map((each) => <CaseCard key={`${each.table}${each.case}`} incident={each} game={gameOf(each.table)} onDone={incidents.again} />)}
        </section>
        <section class="log" aria-label={t("significant-events")}>
          <h2>{t("significant-events")}</h2>
          <ol class="significant" data-test="significant">
            {significant.data?.map((each, place) => <Significant key={place} event={each} game={gameOf(each.table)} />)}
          </ol>
        </section>
        <section class="floor" aria-label={t("tables")}>
          <h2>{t("tables")}</h2>
          {tables.data?.map((table) => <FloorTable key={table.id} table={table} onDone={tables.again} />)}
        </section>
      </main>
      {settingUp && <SetUp onClose={() => { setSettingUp(false); tables.again(); }} />}
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

interface DeskView {
  seen: Snapshot | null;
  refused: string | null;
  give: (command: Command) => void;
}

/** A table as the one who is signed in sees it, and their word to it. */
function useDesk(table: string, sheet: Sheet | null, onDone: () => void): DeskView {
  const seen = useFetch<Snapshot>(`/api/tables/${table}`, "staff", SOON);
  const [refused, setRefused] = useState<string | null>(null);
  const done = (wrong: string | null) => {
    setRefused(wrong);
    seen.again();
    onDone();
  };
  const give = (command: Command) =>
    void post(`/api/tables/${table}/commands`, "staff", command).then(
      () => done(null),
      (error: unknown) => done(problemText(error, sheet ?? undefined)),
    );
  return { seen: seen.data, refused, give };
}

/** One case: what was seen, what the sheet says, what it waits for, and the answers that this person may give. */
function CaseCard({ incident, game, onDone }: { incident: Incident; game: string | undefined; onDone: () => void }): JSX.Element {
  const sheet = useSheet(game);
  const { seen, refused, give } = useDesk(incident.table, sheet, onDone);
  const ruling = rulingText(incident);
  const decide = seen && choiceOf(seen, "decide");
  const people = { ...seen?.patrons, ...incident.patrons };
  const decision = (way: Way) => way.decision && (
    <Act
      key={way.decision}
      way={way}
      label={word("decision", way.decision)}
      test={`decide-${way.decision}`}
      gold={way.decision === "approve" || way.decision === "continue"}
      people={people}
      onGive={({ reason = "", cards = "" }) => way.decision && give({ kind: "decide", decision: way.decision, reason, cards })}
    />
  );
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
      {Object.keys(incident.patrons ?? {}).length > 0 && (
        <div class="choices">
          <p>{t("still-to-choose")}:</p>
          {Object.entries(incident.patrons ?? {}).map(([patron, name]) => (
            <span key={patron}>
              {name}
              {seen && waysTo(seen, "choose").map(({ patron: whose, option }) => option && whose === patron && (
                <button key={option} type="button" onClick={() => give({ kind: "choose", patron, option })}>{word("option", option)}</button>
              ))}
            </span>
          ))}
        </div>
      )}
      <div class="answers">
        {seen && waysTo(seen, "decide").map(decision)}
        {incident.waits === "correction" && seen && <Correction seen={seen} sheet={sheet} give={give} />}
      </div>
      {decide?.refusal && <p class="hint">{refusalText(decide.refusal, sheet ?? undefined)}</p>}
      {refused && <p role="alert" class="loss">{refused}</p>}
    </article>
  );
}

interface OverrideProps {
  seen: Snapshot;
  sheet: Sheet | null;
  give: (command: Command) => void;
}

/** The cards that are on the table, by the word of the one who is signed in. */
const Correction = (props: OverrideProps): JSX.Element => (
  <Override kind="correct-cards" label={t("correct-the-cards")} {...props} command={({ cards = "", reason = "" }) => ({ kind: "correct-cards", cards, reason })} />
);

/** One thing that staff may put right by their word; or why not now. */
function Override({ kind, label, command, seen, sheet, give }: OverrideProps & { kind: Command["kind"]; label: string; command: (filled: Filled) => Command }): JSX.Element {
  const { refusal } = choiceOf(seen, kind);
  return (
    <>
      {waysTo(seen, kind).map((way, place) => <Act key={place} way={way} label={label} test={kind} people={seen.patrons} onGive={(filled) => give(command(filled))} />)}
      {refusal && <p class="hint">{label}: {refusalText(refusal, sheet ?? undefined)}</p>}
    </>
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

/** What staff may put right at a table by their word. */
function Overrides({ id, sheet, onDone }: { id: string; sheet: Sheet | null; onDone: () => void }): JSX.Element {
  const { seen, refused, give } = useDesk(id, sheet, onDone);
  return (
    <div class="overrides">
      {seen && (
        <>
          <Correction seen={seen} sheet={sheet} give={give} />
          <Override kind="replace-shoe" label={t("replace-the-shoe")} seen={seen} sheet={sheet} give={give} command={({ reason = "" }) => ({ kind: "replace-shoe", reason })} />
          <Override kind="close-table" label={t("close-the-table")} seen={seen} sheet={sheet} give={give} command={() => ({ kind: "close-table" })} />
        </>
      )}
      {refused && <p role="alert" class="loss">{refused}</p>}
    </div>
  );
}

/** The exact value of every bet for the cards left, beside those of a full shoe: staff only. */
function LiveValues({ id, game }: { id: string; game: string }): JSX.Element | null {
  const sheet = useSheet(game);
  const now = useFetch<LiveFigures>(`/api/tables/${id}/values`, "staff", 5000);
  const full = useFetch<Figures>(now.data ? `/api/games/${game}/odds?decks=${now.data.decks}` : null);
  if (now.problem) return <p role="alert" class="loss">{problemText(now.problem)}</p>;
  if (!now.data || !sheet) return <p>{t("counting")}</p>;
  return (
    <div class="values" data-test="values">
      <ShoeValues sheet={sheet} now={now.data} full={full.data} />
    </div>
  );
}
