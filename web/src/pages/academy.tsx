/** The dealer academy: drills that come again when they are due, examinations, and the progress, which stays in this browser. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { keep, learn, learnedOf, progress, readProgress, type Learned } from "../academy";
import { get, post, Problem, problemText, saveFile } from "../api";
import { addressOf } from "../base";
import { DataTable } from "../components/data-table";
import { Drill, Marked, seconds, type Answers } from "../components/drill";
import { Field } from "../components/field";
import { read } from "../field-readers";
import { Form } from "../components/forms";
import { Bar } from "../components/page-frame";
import { Waiting } from "../components/waiting";
import { useFetch, useSheetAnswer } from "../hooks";
import { showToast } from "../notices";
import { academyText, sheetWords, titleParts, word } from "../texts";
import type { DrillAnswers, DrillMarking, DrillQuestion, DrillWanted, ExamPaper, GameSummary, Sheet } from "../wire";
import "../style/dealer.css";
import "../style/academy.css";

type Kind = DrillQuestion["kind"];
/** A drill and its marks, with the seconds that its answers took. */
export type MarkedDrill = { question: DrillQuestion; marking: DrillMarking & { used_s: number } };

const USUAL_QUESTIONS = 20;
const newSeed = (): number => crypto.getRandomValues(new Uint32Array(1))[0]!;

export function Academy({ game }: { game: string | null }): JSX.Element {
  const games = useFetch<GameSummary[]>(game ? null : "/api/games");
  const { data: sheet, problem } = useSheetAnswer(game ?? undefined);
  return (
    <div class="page academy">
      <Bar title={sheet ? `${academyText("academy")} · ${titleParts(sheet).name}` : academyText("academy")}>
        {game && <a class="quiet" href={addressOf("/academy")}>{academyText("again")}</a>}
      </Bar>
      {!game && (
        <main class="games-taught">
          <p>{academyText("academy-more")}</p>
          <ul class="games">
            {games.data?.map((each) => <li key={each.id}><a href={addressOf(`/academy/${each.id}`)} data-test={`learn-${each.id}`}><b>{sheetWords(each, each.title)}</b><span>{sheetWords(each, each.short)}</span></a></li>)}
          </ul>
          {!games.data && <Waiting problem={games.problem} />}
        </main>
      )}
      {game && (sheet ? <Lessons key={game} sheet={sheet} /> : <main class="centre"><Waiting problem={problem} /></main>)}
    </div>
  );
}

/** Drills of one game, one after another, or an examination. */
function Lessons({ sheet }: { sheet: Sheet }): JSX.Element {
  const [kind, setKind] = useState<Kind | null>(null);
  const [question, setQuestion] = useState<DrillQuestion | null>(null);
  const [marking, setMarking] = useState<MarkedDrill["marking"] | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [paper, setPaper] = useState<ExamPaper | null>(null);
  const [sat, setSat] = useState<readonly MarkedDrill[]>([]);
  const begun = useRef(0);
  const asked = useRef(0);
  const path = `/api/academy/${encodeURIComponent(sheet.id)}`;
  const ask = async (wanted: Partial<DrillWanted>) => {
    try {
      setQuestion(await post<DrillQuestion>(`${path}/questions`, null, { seed: newSeed(), now_ms: Date.now(), progress: {}, ...wanted } satisfies DrillWanted));
      asked.current += 1; // the same drill may come twice in a row, and begins anew
      setMarking(null);
      setProblem(null);
      begun.current = performance.now();
    } catch (error) {
      setProblem(error as Problem);
    }
  };
  /** The next drill of a kind or, without one, what is due; of a whole shoe the next question. */
  const practise = (wanted: Kind | null) => {
    const goesOn = wanted === "shoe" && question?.kind === "shoe" && question.part + 1 < question.parts;
    if (goesOn) return ask({ kind: wanted, seed: question.seed, part: question.part + 1, exact: true });
    return ask(wanted === "shoe" ? { kind: wanted, exact: true } : { kind: wanted, progress: learnedOf(sheet.id) });
  };
  useEffect(() => void practise(null), []);
  const pick = (to: Kind | null) => {
    setPaper(null);
    setKind(to);
    void practise(to);
  };
  const examined = (of: ExamPaper, at: number) => ask({ ...of.drills[at]!, exact: true });
  const examine = async (form: FormData) => {
    const [seed, drills] = [Number(read("number", "seed", form)), Number(read("number", "drills", form))];
    try {
      const set = await get<ExamPaper>(`${path}/exam?seed=${seed}&drills=${drills}`);
      setSat([]);
      setPaper(set);
      void examined(set, 0);
    } catch (error) {
      showToast(problemText(error, sheet));
    }
  };
  const answer = async ({ answers, report }: Answers) => {
    if (!question) return;
    const used_ms = Math.round(performance.now() - begun.current);
    const { kind: of, seed, part } = question;
    const given: DrillAnswers = { kind: of, seed, part, used_ms, now_ms: Date.now(), answers, progress: paper ? {} : learnedOf(sheet.id), report };
    try {
      const marks = { ...(await post<DrillMarking>(`${path}/marks`, null, given)), used_s: seconds(used_ms) };
      if (!paper) {
        learn(sheet.id, marks.progress);
        return setMarking(marks);
      }
      setSat([...sat, { question, marking: marks }]);
      if (sat.length + 1 < paper.drills.length) void examined(paper, sat.length + 1);
    } catch (error) {
      showToast(problemText(error, sheet));
    }
  };
  if (paper && sat.length === paper.drills.length) return <ExamReport paper={paper} sat={sat} sheet={sheet} onEnd={() => pick(kind)} />;
  return (
    <main>
      <nav class="kinds" aria-label={academyText("drill")}>
        {paper && question ? (
          <span role="status" data-test="of-exam">{academyText("of-exam", { place: sat.length + 1, drills: paper.drills.length })} · {academyText("limit", { drills: paper.drills.length, minutes: Math.ceil(paper.limit_ms / 60_000) })}</span>
        ) : (
          [null, ...(question?.kinds ?? [])].map((each) => (
            <button key={each ?? ""} type="button" aria-pressed={kind === each} onClick={() => pick(each)} data-test={`kind-${each ?? "due"}`}>{each ? word("drill_kind", each) : academyText("due")}</button>
          ))
        )}
      </nav>
      {question && <p class="calm drill-title">{academyText(question.parts > 1 ? "part" : "title", { kind: question.kind, title: sheet.title, part: question.part + 1, parts: question.parts }, sheet)} · {academyText("target", { seconds: seconds(question.target_ms) })}</p>}
      {question ? <Drill key={asked.current} question={question} sheet={sheet} marking={marking} onAnswer={answer} onNext={() => void practise(kind)} /> : <div class="centre"><Waiting problem={problem} /></div>}
      {!paper && <Learning sheet={sheet} />}
      {!paper && (
        <details class="panel examination">
          <summary data-test="examination">{academyText("begin-exam")}</summary>
          <Form name="examination" class="inline" onSubmit={examine}>
            <Field name="seed" label={academyText("seed")} kind="number" required start="1" />
            <Field name="drills" label={academyText("questions")} kind="number" required minimum={1} maximum={100} start={`${USUAL_QUESTIONS}`} />
            <button type="submit" class="gold" data-test="begin-exam">{academyText("begin")}</button>
          </Form>
          <p class="calm">{academyText("exam-is")}</p>
        </details>
      )}
    </main>
  );
}

const KINDS: readonly Kind[] = ["cards", "paying", "insurance", "limits", "irregularities", "shoe"];

/** What was learned, the weakest first; it can be saved, and opened elsewhere. */
function Learning({ sheet }: { sheet: Sheet }): JSX.Element {
  const learned: Learned = learnedOf(sheet.id);
  const rows = Object.entries(learned).map(([item, known]) => {
    const [kind = "", rule = ""] = item.split(" ");
    return { kind: kind as Kind, rule, ...known };
  });
  rows.sort((one, other) => one.level - other.level || KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind));
  const open = async ({ currentTarget: { files } }: JSX.TargetedEvent<HTMLInputElement>) => {
    const found = files?.[0] && readProgress(await files[0].text());
    if (found) keep(found);
    else showToast(academyText("not-read"));
  };
  return (
    <details class="panel learned">
      <summary data-test="progress">{academyText("progress", { title: sheet.title }, sheet)}</summary>
      <DataTable
        rows={rows}
        test="learned"
        columns={[
          { title: academyText("drill"), class: "heading", cell: ({ kind }) => word("drill_kind", kind) },
          { title: academyText("paragraph"), cell: ({ rule }) => (rule === "-" ? "—" : `¶ ${rule}`) },
          { title: academyText("asked"), class: "number", cell: ({ right, asked }) => `${right}/${asked}` },
          { title: academyText("level"), class: "number", cell: ({ level }) => level },
        ]}
      />
      <div class="buttons">
        <button type="button" onClick={() => saveFile(new Blob([JSON.stringify(progress.value, null, 1)], { type: "application/json" }), "punto-academy.json")} data-test="save-progress">{academyText("save")}</button>
        <label class="file">{academyText("open")} <input type="file" accept="application/json,.json" onChange={open} data-test="open-progress" /></label>
        <button type="button" onClick={() => keep({})} data-test="forget-progress">{academyText("forget")}</button>
      </div>
    </details>
  );
}

/** The report of an examination, to be printed. */
function ExamReport({ paper, sat, sheet, onEnd }: { paper: ExamPaper; sat: readonly MarkedDrill[]; sheet: Sheet; onEnd: () => void }): JSX.Element {
  const marks = sat.flatMap(({ marking }) => marking.marks);
  const points = marks.filter(({ is_right }) => is_right).length;
  const used = sat.reduce((sum, { marking }) => sum + marking.used_s, 0);
  const limit = seconds(paper.limit_ms);
  const wrong = [...new Set(marks.filter(({ is_right }) => !is_right).flatMap(({ rules }) => rules))];
  return (
    <main class="exam-report" data-test="exam-report">
      <h2>{academyText("exam", { seed: paper.seed, title: sheet.title }, sheet)}</h2>
      <p role="status" data-test="exam-result">{academyText("result", { points, most: marks.length, percent: Math.floor((points * 100) / marks.length), seconds: used, over: used > limit ? limit : null })}</p>
      {wrong.length > 0 && <p>{academyText("repeat", { rules: wrong.map((rule) => `¶ ${rule}`) })}</p>}
      {sat.map(({ question, marking }, at) => (
        <section key={at}>
          <h3>{at + 1}. {word("drill_kind", question.kind)}</h3>
          <ol>
            {marking.marks.map((mark, place) => (
              <li key={place} class={mark.is_right ? "right" : "wrong"}>
                {academyText(question.steps[place]!.asks.code, { ...question.steps[place]!.asks }, sheet)}
                <Marked step={question.steps[place]!} mark={mark} sheet={sheet} />
              </li>
            ))}
          </ol>
        </section>
      ))}
      <div class="buttons">
        <button type="button" class="gold" onClick={() => print()} data-test="print">{academyText("print")}</button>
        <button type="button" onClick={onEnd} data-test="end-exam">{academyText("next")}</button>
      </div>
    </main>
  );
}
