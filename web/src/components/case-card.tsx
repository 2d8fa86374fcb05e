/** One open case: what was seen, what the sheet says, what it waits for, and the answers that this person may give. */
import type { JSX } from "preact";
import { useDeskTable } from "../desk-table";
import { useSheet, usePastRound } from "../hooks";
import { actorText, rulingText, sheetWords, situationText, t, waited, waitsFor, word } from "../texts";
import type { FloorTable, Incident } from "../wire";
import { Effect } from "./effect";
import { CommandButtons } from "./forms";
import { Waiting } from "./waiting";

interface Props {
  incident: Incident;
  table: FloorTable | undefined;
  people: Readonly<Record<string, string>>;
  nowMs: number;
  /** Show the record of a round of the table. */
  onRecall: (round: number) => void;
}

export function CaseCard({ incident, table, people, nowMs, onRecall }: Props): JSX.Element {
  const sheet = useSheet(table?.game);
  const { snapshot, problem, refused, onSend } = useDeskTable(incident.table, sheet, table?.seq);
  const past = usePastRound(incident.table, incident.facts?.round);
  const ruling = rulingText(incident);
  const undecided = Object.entries(incident.patrons ?? {});
  const { by, reported_by: reporter, at_ms, reason, note } = incident;
  const round = incident.facts?.round ?? incident.round;
  return (
    <article class="case" data-test="case" aria-label={`${t("table-name", { table: table?.name ?? incident.table })}, ${t("round-number", { round })}`}>
      <header>
        <b>{table?.name ?? incident.table}</b>
        <button type="button" class="quiet recall" onClick={() => onRecall(round)}>{t("round-number", { round })}</button>
        {at_ms !== null && <span class="waited" data-test="waited">{waited(nowMs - at_ms)}</span>}
      </header>
      <h3>{situationText(incident.situation, sheet ?? undefined)}</h3>
      <p class="waits">{waitsFor(incident)}</p>
      {ruling && <p class="ruling">{t("ruling")}: <b>{ruling}</b></p>}
      {incident.rule && <p class="paragraph"><b>¶ {incident.rule}</b> {sheet && sheetWords(sheet, sheet.paragraphs[incident.rule] ?? "")}</p>}
      {incident.offers[0] && <p data-test="offers-recorded">{t("offers-recorded", { window: incident.offers[0].window, offers: incident.offers.map(({ hand, odds }) => `${word("hand", hand)} ${odds}`).join(" · ") })}</p>}
      {note && <p>{t("note")}: {note}</p>}
      {reason && reason !== note && <p>{t("reason")}: {reason}</p>}
      <small>{t("reported-by", { who: actorText(reporter, people) })}{by && by !== reporter && ` · ${t("proposed-by", { who: actorText(by, people) })}`}</small>
      {incident.effect && <Effect {...incident.effect} caption={t("what-would-happen")} />}
      {undecided.length > 0 && (
        <div class="choices">
          <p>{t("still-to-choose")}:</p>
          {undecided.map(([patron, name]) => (
            <span key={patron}>{name}{snapshot && <CommandButtons snapshot={snapshot} kind="choose" fits={(way) => way.patron === patron} onSend={onSend} />}</span>
          ))}
        </div>
      )}
      {!snapshot && problem && <Waiting problem={problem} />}
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
