/** Reporting an incident: what was seen, the facts that its ruling needs, and what the ruling would do. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { post, problemText } from "../api";
import { choiceOf, factsOf, formValues, targetsOf } from "../choices";
import { Inputs } from "../components/forms";
import { Dialog } from "../components/page-frame";
import { eventTexts } from "../event-texts";
import { usePastBets, type TableView } from "../hooks";
import type { LiveTable } from "../live-table";
import { betName, patronName, refusalText, situationText, t, word } from "../texts";
import type { Input, Preview, Report, Sheet, Way } from "../wire";

const PREVIEW_MS = 300;
const NOTE: Input = { name: "note", type: "text", required: false };

export function ReportIncident({ table, snapshot, sheet, onClose }: TableView & { table: LiveTable; onClose: () => void }): JSX.Element {
  const { ways = [], refusal } = choiceOf(snapshot, "report");
  const form = useRef<HTMLFormElement>(null);
  const [situation, setSituation] = useState("");
  const [preview, setPreview] = useState("null");
  const [refused, setRefused] = useState<string | null>(null);
  const situations = [...new Set(ways.map((way) => way.situation ?? ""))];
  const chosen = ways.filter((way) => way.situation === situation);
  /** The report as it stands; null while something is missing. */
  const read = (): Report | null => {
    const filled = form.current?.checkValidity() ? new FormData(form.current) : null;
    const way = filled && chosen[Number(filled.get("way"))];
    return way ? { kind: "report", situation, facts: factsOf(way, formValues(inputsOf(way), filled)) } : null;
  };
  const updatePreview = () => setPreview(JSON.stringify(read()));
  useEffect(updatePreview);
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    const report = read();
    const answer = report && (await table.send(report));
    setRefused(answer && refusalText(answer, sheet));
    if (report && !answer) onClose();
  };
  return (
    <Dialog title={t("report-incident")} onClose={onClose} wide>
      {refusal && <p role="alert" class="loss">{refusalText(refusal, sheet)}</p>}
      <form class="report" ref={form} onSubmit={send} onInput={updatePreview}>
        <fieldset class="situations">
          <legend>{t("what-happened")}</legend>
          {situations.map((id) => <Situation key={id} id={id} ways={ways.filter((way) => way.situation === id)} sheet={sheet} onPick={() => setSituation(id)} />)}
        </fieldset>
        {chosen.length > 0 && (
          <fieldset class="facts" key={situation}>
            <legend>{t("the-facts")}</legend>
            <Facts id={table.id} ways={chosen} snapshot={snapshot} sheet={sheet} />
          </fieldset>
        )}
        {preview !== "null" && <RulingPreview id={table.id} report={preview} sheet={sheet} snapshot={snapshot} />}
        {refused && <p role="alert" class="loss" data-test="report-refused">{refused}</p>}
        <button type="submit" class="gold" disabled={!situation} data-test="report-send">{t("report")}</button>
      </form>
    </Dialog>
  );
}

/** Something that can be reported; where it cannot be now, the reason stands beside it. */
function Situation({ id, ways, sheet, onPick }: { id: string; ways: readonly Way[]; sheet: Sheet; onPick: () => void }): JSX.Element {
  const refusal = ways.every((way) => way.refusal) ? ways[0]?.refusal : null;
  return (
    <label>
      <input type="radio" name="situation" value={id} disabled={!!refusal} onChange={onPick} data-test={`situation-${id}`} />
      <span>{situationText(id, sheet)}</span> <small>{refusal ? refusalText(refusal, sheet) : sheet.irregularities[id]?.rule}</small>
    </label>
  );
}

/** A note may be added to every report, whether or not its ruling asks for one. */
const asksNote = ({ inputs = [] }: Way): boolean => inputs.some(({ name }) => name === NOTE.name);
const inputsOf = (way: Way): readonly Input[] => [...(way.inputs ?? []), ...(asksNote(way) ? [] : [NOTE])];

/** The ways to report a situation, and the fields of the one that is picked. */
function Facts({ id, ways, snapshot, sheet }: TableView & { id: string; ways: readonly Way[] }): JSX.Element {
  const [place, setPlace] = useState(() => {
    const first = ways.findIndex((way) => !way.refusal && (ways.length === 1 || !targetsOf(way).length));
    return first < 0 ? "" : String(first);
  });
  const [reconstructible, setReconstructible] = useState<boolean | null>(null);
  const [round, setRound] = useState(0);
  const past = usePastBets(id, round);
  const names = [...new Set(ways.flatMap(targetsOf))];
  const required = ways.every((way) => targetsOf(way).length);
  const readFacts = ({ target: field }: JSX.TargetedInputEvent<HTMLDivElement>) => {
    if (field instanceof HTMLInputElement && field.name === "round") setRound(field.validity.valid ? Number(field.value) : 0);
    if (field instanceof HTMLSelectElement && field.name === "reconstructible") setReconstructible(field.value ? field.value === "true" : null);
  };
  const way = place ? ways[Number(place)] : undefined;
  return (
    <div class="fields" onInput={readFacts}>
      {names.length ? (
        <label>
          <span class={required ? "required" : ""}>{names.map((name) => word("fact", name)).join(" · ")}</span>
          <select name="way" required={required} value={place} onInput={(event) => setPlace(event.currentTarget.value)}>
            {required && <option value="" />}
            {ways.map((each, at) => <option key={at} value={at} disabled={!!each.refusal}>{wayText(each, { snapshot, sheet })}</option>)}
          </select>
        </label>
      ) : (
        <input type="hidden" name="way" value="0" />
      )}
      {way && <Inputs key={place} inputs={way.inputs ?? []} patrons={snapshot.patrons} sheet={sheet} reconstructible={reconstructible} past={past} />}
      {way && !asksNote(way) && <label>{t("note")} <input name="note" maxLength={500} /></label>}
    </div>
  );
}

function wayText({ patron, box, on, hand, window, refusal }: Way, { snapshot: { patrons }, sheet }: TableView): string {
  const parts = [
    box != null && t("box-number", { box }),
    patron != null && patronName(patrons, patron),
    on != null && betName(sheet, on),
    hand != null && word("hand", hand),
    window != null && word("window", window),
    refusal && refusalText(refusal, sheet),
  ];
  return parts.filter(Boolean).join(" · ") || "–";
}

/** What the ruling would do with these facts: asked of the table, which does nothing of it. */
function RulingPreview({ id, report, sheet, snapshot }: TableView & { id: string; report: string }): JSX.Element | null {
  const [lines, setLines] = useState<readonly string[]>([]);
  useEffect(() => {
    let current = true;
    const ask = () =>
      post<Preview>(`/api/tables/${id}/preview`, "staff", JSON.parse(report)).then(
        ({ events }) => current && setLines(eventTexts(events, sheet, snapshot.patrons)),
        (error: unknown) => current && setLines([problemText(error, sheet)]),
      );
    const timer = setTimeout(ask, PREVIEW_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [report, snapshot.seq]);
  if (!lines.length) return null;
  return (
    <section class="preview" aria-live="polite" data-test="preview">
      <h3>{t("what-would-happen")}</h3>
      <ul>{lines.map((line, place) => <li key={place}>{line}</li>)}</ul>
    </section>
  );
}
