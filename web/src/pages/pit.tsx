/** The pit desk: what waits for a decision, the tables, what must be known later, and the shoe's live values. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { newKey, post, type Problem } from "../api";
import { SetUp } from "../dialogs/setup";
import type { Figures } from "../parts/edges";
import { Bar, Guard } from "../parts/frame";
import { ShoeValues, type LiveFigures } from "../parts/values";
import { keep } from "../session";
import { moment, refusalText, sheetWords, t, text, waitsFor, word } from "../texts";
import type { Case, Person, TableSummary } from "../types";
import { useFetch, useSheet, type Fetched } from "../use";

interface Incident extends Case {
  table: string;
  round: number;
  phase: string;
}

interface Significant {
  at: number;
  table: string | null;
  seq: number;
  kind: string;
  says: string;
  rule: string | null;
  by: string;
}

export function Pit(): JSX.Element {
  return (
    <Guard kind="staff" title={t("pit-desk")}>
      <Desk />
    </Guard>
  );
}

const SOON = 1500;

function Desk(): JSX.Element {
  const me = useFetch<Person>("/api/me", "staff");
  const incidents = useFetch<Incident[]>("/api/incidents", "staff", SOON);
  const tables = useFetch<TableSummary[]>("/api/tables", "staff", SOON);
  const significant = useFetch<Significant[]>("/api/significant?limit=60", "staff", SOON * 2);
  const [settingUp, setSettingUp] = useState(false);
  const gone = me.problem?.code === "token-unknown" || incidents.problem;
  return (
    <div class="page pit">
      <Bar title={<><span>{t("pit-desk")}</span>{me.data && <small>{me.data.name} · {word("role", me.data.role)}</small>}</>}>
        <button type="button" class="quiet" onClick={() => setSettingUp(true)} data-test="set-up">{t("set-up-table")}</button>
        <button type="button" class="quiet" onClick={() => keep("staff", null)}>{t("sign-out")}</button>
      </Bar>
      {gone && <p class="link lost" role="status">{refusalText((incidents.problem ?? me.problem)!)}</p>}
      <main>
        <section class="cases" aria-label={t("open-cases")}>
          <h2>{t("open-cases")}</h2>
          {incidents.data?.length === 0 && <p class="calm">{t("no-cases")}</p>}
          {incidents.data?.map((each) => <CaseCard key={`${each.table}${each.case}`} incident={each} game={gameOf(tables, each.table)} onDone={incidents.again} />)}
        </section>
        <section class="log" aria-label={t("significant-events")}>
          <h2>{t("significant-events")}</h2>
          <ol class="significant" data-test="significant">
            {significant.data?.map((each, place) => (
              <li key={place} class={each.kind}>
                <time>{moment(each.at)}</time>
                <b>{each.kind}</b>
                <span>{each.table && `${t("table-name", { table: each.table })}: `}{each.says} {each.rule && `¶ ${each.rule}`}</span>
                <small>{each.by}</small>
              </li>
            ))}
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

const gameOf = (tables: Fetched<TableSummary[]>, id: string) => tables.data?.find((table) => table.id === id)?.game;

/** Give a command to a table as the one who is signed in; the sentence of a refusal, or null. */
async function give(table: string, command: Record<string, unknown>): Promise<string | null> {
  try {
    await post(`/api/tables/${table}/commands`, "staff", command, newKey());
    return null;
  } catch (error) {
    return refusalText(error as Problem);
  }
}

/** One case: what was seen, what the sheet says, whom it waits for, and the answers that person may give. */
function CaseCard({ incident, game, onDone }: { incident: Incident; game: string | undefined; onDone: () => void }): JSX.Element {
  const sheet = useSheet(game);
  const [reason, setReason] = useState("");
  const [cards, setCards] = useState("");
  const [refused, setRefused] = useState<string | null>(null);
  const asksOrder = incident.answers?.includes("order");
  const asksCards = incident.waiting !== null && incident.answers?.length === 0 && incident.waits_for !== "patrons";
  const answer = async (command: Record<string, unknown>) => {
    const wrong = await give(incident.table, command);
    setRefused(wrong);
    if (!wrong) onDone();
  };
  const decide = (decision: string) => answer({ kind: "decide", decision, reason, ...(asksOrder ? { cards } : {}) });
  const paragraph = incident.rule && sheet?.paragraphs[incident.rule];
  return (
    <article class="case" data-test="case">
      <header>
        <b>{t("table-name", { table: incident.table })} · {t("round-number", { round: incident.round })}</b>
        <span class="waits">{waitsFor(incident.waits_for)}</span>
      </header>
      <h3>{sheet ? sheetWords(sheet, incident.says) : incident.says}</h3>
      {incident.ruling && <p class="ruling">{t("ruling")}: <b>{text("rulings", incident.ruling)}</b></p>}
      {incident.rule && <p class="paragraph"><b>¶ {incident.rule}</b> {paragraph}</p>}
      {incident.by && <small>{t("reported-by", { who: incident.by })}</small>}
      {Object.keys(incident.choices ?? {}).length > 0 && (
        <div class="choices">
          <p>{t("still-to-choose")}:</p>
          {Object.entries(incident.choices ?? {}).map(([patron, name]) => (
            <span key={patron}>
              {name}
              <button type="button" onClick={() => void answer({ kind: "choose", patron, option: "continue" })}>{word("option", "continue")}</button>
              <button type="button" onClick={() => void answer({ kind: "choose", patron, option: "take-back" })}>{t("takes-bets-back")}</button>
            </span>
          ))}
        </div>
      )}
      {(asksOrder || asksCards) && (
        <label>{t("cards-in-order")} <input value={cards} onInput={(event) => setCards(event.currentTarget.value)} placeholder="5h Kd" spellcheck={false} name="cards" /></label>
      )}
      {(incident.answers?.length || asksCards) && (
        <label>{t("reason")} <input value={reason} onInput={(event) => setReason(event.currentTarget.value)} name="reason" maxLength={500} /></label>
      )}
      <div class="answers">
        {incident.answers?.map((each) => (
          <button key={each} type="button" class={each === "approve" || each === "continue" ? "gold" : ""} data-test={`decide-${each}`} onClick={() => void decide(each)}>
            {word("decision", each)}
          </button>
        ))}
        {asksCards && <button type="button" class="gold" onClick={() => void answer({ kind: "correct-cards", cards, reason })}>{t("these-are-the-cards")}</button>}
      </div>
      {refused && <p role="alert" class="loss">{refused}</p>}
    </article>
  );
}

function FloorTable({ table, onDone }: { table: TableSummary; onDone: () => void }): JSX.Element {
  const sheet = useSheet(table.game);
  const [values, setValues] = useState(false);
  const [overrides, setOverrides] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const act = (command: Record<string, unknown>) => void give(table.id, command).then((wrong) => { setRefused(wrong); onDone(); });
  return (
    <article class="floor-table">
      <header>
        <h3>{sheet ? sheetWords(sheet, sheet.title) : table.title}</h3>
        <span class={`state ${table.phase}`}>{text("phases", table.phase)}</span>
      </header>
      <p>{t("table-name", { table: table.id })} · {t("round-number", { round: table.round })} · {t("shoe-number", { shoe: table.shoe })} · {word("mode", table.mode)}</p>
      <div class="links">
        <a href={`/dealer/${table.id}`}>{t("console")}</a>
        <a href={`/board/${table.id}`}>{t("board")}</a>
        <button type="button" class="quiet" aria-expanded={values} onClick={() => setValues(!values)} data-test={`values-${table.id}`}>{t("live-values")}</button>
        <button type="button" class="quiet" aria-expanded={overrides} onClick={() => setOverrides(!overrides)} data-test={`override-${table.id}`}>{t("override")}</button>
        <button type="button" class="quiet" onClick={() => act({ kind: "close-table" })}>{t("close-the-table")}</button>
      </div>
      {overrides && <Overrides act={act} />}
      {refused && <p role="alert" class="loss">{refused}</p>}
      {values && <LiveValues id={table.id} game={table.game} />}
    </article>
  );
}

/** What staff may put right at a table by their word: always with a reason. */
function Overrides({ act }: { act: (command: Record<string, unknown>) => void }): JSX.Element {
  const [reason, setReason] = useState("");
  const [cards, setCards] = useState("");
  return (
    <div class="overrides">
      <label>{t("reason")} <input name="reason" maxLength={500} value={reason} onInput={(event) => setReason(event.currentTarget.value)} /></label>
      <label>{t("cards-in-order")} <input name="cards" placeholder="5h Kd 6s 2c" spellcheck={false} value={cards} onInput={(event) => setCards(event.currentTarget.value)} /></label>
      <div class="answers">
        <button type="button" disabled={!reason || !cards} data-test="correct-cards" onClick={() => act({ kind: "correct-cards", cards, reason })}>{t("correct-the-cards")}</button>
        <button type="button" disabled={!reason} data-test="replace-shoe" onClick={() => act({ kind: "replace-shoe", reason })}>{t("replace-the-shoe")}</button>
      </div>
    </div>
  );
}

/** The exact value of every bet for the cards left, beside those of a full shoe: staff only. */
function LiveValues({ id, game }: { id: string; game: string }): JSX.Element | null {
  const sheet = useSheet(game);
  const now = useFetch<LiveFigures>(`/api/tables/${id}/values`, "staff", 5000);
  const full = useFetch<Figures>(now.data ? `/api/games/${game}/odds?decks=${now.data.decks}` : null);
  if (now.problem) return <p role="alert" class="loss">{refusalText(now.problem)}</p>;
  if (!now.data || !sheet) return <p>{t("counting")}</p>;
  return (
    <div class="values" data-test="values">
      <ShoeValues sheet={sheet} now={now.data} full={full.data} />
    </div>
  );
}
