/** A drill of the academy: its table, its questions, and their marks. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { TableView } from "../hooks";
import { moneyIn } from "../field-readers";
import { money } from "../money";
import { academyText, betName, limitsLine, reasonText, refusalText, sheetWords, situationText, t, text } from "../texts";
import type { DrillMark, DrillMarking, DrillQuestion, DrillStep, Report, Said, Sheet, Snapshot } from "../wire";
import { ReportForm } from "../dialogs/report-incident";
import { SmallCards, WithCards } from "./card-picker";
import { Stakes } from "./chip";
import { Field } from "./field";
import { Form } from "./forms";
import { Hands } from "./hands";
import { Rule } from "./rule";

/** The phases that answer no question when they are shown. */
const TELLS_NOTHING: ReadonlySet<string> = new Set(["between-rounds", "betting", "initial-cards", "held"]);

export interface Answers {
  answers: readonly (readonly string[])[];
  report: Report | null;
}

const said = (says: Said, sheet: Sheet): string => academyText(says.code, { ...says }, sheet);

/** An option in words. */
function optionText({ options_of }: DrillStep, option: string, sheet: Sheet): string {
  if (option === "-") return academyText(options_of === "plain" ? "none" : "no-rule");
  if (option === "granted") return academyText("granted");
  if (options_of !== "spot") return academyText(`option-${options_of}`, { value: option }, sheet);
  const [box, patron, on] = option.split("/");
  return academyText("spot", { box, patron, on }, sheet);
}

/** The view of a drill's table as one of a live table: nobody looks on, and a report is all that can be given. */
const asSnapshot = ({ view, report }: DrillQuestion): Snapshot => ({ ...view, type: "snapshot", seq: 0, me: null, choices: report ? [report] : [] }) as unknown as Snapshot;

/** What a trainee sees of the table: cards without their totals, who sits and stands, and what is bet. */
function DrillTable({ snapshot, sheet }: TableView): JSX.Element {
  const { cards, boxes, bets = [], phase, table } = snapshot;
  const people = boxes.flatMap(({ box, seated, standing_names = [] }) => [...(seated ? [{ box, name: seated, more: "" }] : []), ...standing_names.map((name) => ({ box, name, more: ` (${t("standing")})` }))]);
  return (
    <section class="drill-table">
      {table.limits && <p class="calm">{limitsLine(sheet, table.limits)}{TELLS_NOTHING.has(phase) && ` · ${text("phases", phase)}`}</p>}
      {cards.length > 0 && <Hands cards={cards} points={null} winner={null} />}
      <ul class="drill-bets" data-test="drill-bets">
        {people.map(({ box, name, more }) => (
          <li key={`${box} ${name}`}>
            <b>{t("box-number", { box })}</b>
            <span>{name}{more}</span>
            {bets.filter((bet) => bet.box === box && bet.patron === name).map((bet) => (
              <span key={bet.on} class="drill-bet"><small>{betName(sheet, bet.on)}</small><Stakes placed={bet.stake_cents} chips={table.limits?.chips_cents ?? []} /></span>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface Props {
  question: DrillQuestion;
  sheet: Sheet;
  /** The marks, once the answers have them. */
  marking: (DrillMarking & { used_s: number }) | null;
  onAnswer: (answers: Answers) => void;
  onNext: () => void;
}

export function Drill({ question, sheet, marking, onAnswer, onNext }: Props): JSX.Element {
  const snapshot = asSnapshot(question);
  const [report, setReport] = useState<Report | null>(null);
  const next = useRef<HTMLButtonElement>(null);
  useEffect(() => next.current?.focus(), [marking]);
  const take = async (given: Report) => {
    setReport(given);
    return null;
  };
  const read = (form: FormData) => {
    const answers = question.steps.map(({ type }, at) => {
      const name = `step-${at}`;
      if (type !== "money") return form.getAll(name).map(String);
      return String(form.get(name) ?? "").trim() ? [`${moneyIn(form, name)}`] : [];
    });
    onAnswer({ answers, report });
  };
  const asksReport = question.report !== null;
  return (
    <div class="drill" data-test="drill" data-kind={question.kind} data-seed={question.seed} data-part={question.part}>
      <DrillTable snapshot={snapshot} sheet={sheet} />
      <section class="questions">
        {question.story.map((says, at) => <p key={at} class="story"><WithCards text={said(says, sheet)} /></p>)}
        {asksReport && !marking && !report && <ReportForm id={null} snapshot={snapshot} sheet={sheet} onReport={take} />}
        {asksReport && !marking && report && (
          <p class="reported" data-test="reported">{academyText("reported", { situation: report.situation }, sheet)} <button type="button" class="quiet" onClick={() => setReport(null)}>{academyText("change")}</button></p>
        )}
        {(!asksReport || report || marking) && (
          <Form name="drill" class="steps" onSubmit={read}>
            {question.steps.map((step, at) => (
              <Step key={at} at={at} step={step} sheet={sheet} mark={marking?.marks[at] ?? null} />
            ))}
            {!marking && <button type="submit" class="gold" data-test="check">{academyText("check")}</button>}
          </Form>
        )}
        {marking && (
          <p class="result" role="status" data-test="result">
            {academyText("in-time", { points: marking.points, most: marking.marks.length, seconds: marking.used_s, target: seconds(marking.target_ms) })}
            <button type="button" class="gold" ref={next} onClick={onNext} data-test="next">{academyText("next")}</button>
          </p>
        )}
      </section>
    </div>
  );
}

export const seconds = (ms: number): number => Math.floor(ms / 1000);

/** One question, with its mark once it has one. */
function Step({ step, at, sheet, mark }: { step: DrillStep; at: number; sheet: Sheet; mark: DrillMark | null }): JSX.Element | null {
  const asks = <WithCards text={said(step.asks, sheet)} />;
  if (step.type === "report" && !mark) return null;
  const tap = step.type === "several" ? "checkbox" : "radio";
  return (
    <div class={mark ? (mark.is_right ? "right" : "wrong") : ""} data-test={`step-${at}`}>
      <fieldset class="step-of-drill" disabled={!!mark}>
        <legend>{asks}</legend>
        {step.type === "money" && <Field name={`step-${at}`} label="" spoken={said(step.asks, sheet)} kind="money" />}
        {step.options.length > 0 && (
          <div class="taps">
            {step.options.map((option) => (
              <label key={option}><input type={tap} name={`step-${at}`} value={option} /> <span>{optionText(step, option, sheet)}</span></label>
            ))}
          </div>
        )}
      </fieldset>
      {mark && <Marked step={step} mark={mark} sheet={sheet} />}
    </div>
  );
}

/** What is right, by which paragraphs, and why. */
export function Marked({ step, mark, sheet }: { step: DrillStep; mark: DrillMark; sheet: Sheet }): JSX.Element {
  const right = step.type === "money" ? mark.right.map((cents) => money(Number(cents))) : mark.right.map((option) => optionText(step, option, sheet));
  if (mark.situation) right.push(situationText(mark.situation, sheet));
  return (
    <div class="marked">
      <b>{mark.is_right ? `✓ ${academyText("right")}` : `✗ ${academyText("wrong", { right: right.join(" · ") || academyText("none") })}`}</b>
      {mark.facts?.cards && <SmallCards cards={mark.facts.cards} />}
      {mark.is_right && mark.rules.map((rule) => <Rule key={rule} rule={rule} sheet={sheet} />)}
      {mark.reason && <small>{reasonText(mark.reason)}</small>}
      {mark.refusal && <small class="loss">{refusalText(mark.refusal, sheet)}</small>}
      {!mark.is_right && mark.rules.map((rule) => <small key={rule}>¶ {rule}: {sheetWords(sheet, sheet.paragraphs[rule] ?? "")}</small>)}
    </div>
  );
}
