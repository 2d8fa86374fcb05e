/** Reporting an incident, step by step: what it is about, what was seen, the facts that its ruling needs, and what the ruling would do. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { choiceOf, formValues, type WayTo } from "../choices";
import { CommandPreview } from "../components/command-preview";
import { Field } from "../components/field";
import { Inputs } from "../components/forms";
import { Dialog } from "../components/page-frame";
import { usePastRound, type TableView } from "../hooks";
import type { LiveTable } from "../live-table";
import { betName, capital, patronName, refusalText, situationText, t, word } from "../texts";
import type { Input, Refusal, Report, Sheet, SituationGroup } from "../wire";

const NOTE: Input = { name: "note", type: "text", required: false };

interface DialogProps extends TableView {
  table: LiveTable;
  onMisKey: () => void;
  onClose: () => void;
}

export function ReportIncident({ table, snapshot, sheet, onMisKey, onClose }: DialogProps): JSX.Element {
  const { refusal } = choiceOf(snapshot, "report");
  const send = async (report: Report) => {
    const answer = await table.send(report);
    if (!answer) onClose();
    return answer;
  };
  return (
    <Dialog title={t("report-incident")} onClose={onClose} wide>
      {refusal && <p role="alert" class="loss">{refusalText(refusal, sheet)}</p>}
      <ReportForm id={table.id} snapshot={snapshot} sheet={sheet} onMisKey={onMisKey} onReport={send} />
    </Dialog>
  );
}

interface Props extends TableView {
  /** The table of the house; without one, nothing is previewed or looked up. */
  id: string | null;
  onMisKey?: () => void;
  onReport: (report: Report) => Promise<Refusal | null>;
}

/** The form of a report, from the ways to report that the table offers. */
export function ReportForm({ id, snapshot, sheet, onMisKey, onReport }: Props): JSX.Element {
  const { ways = [] } = choiceOf(snapshot, "report");
  const form = useRef<HTMLFormElement>(null);
  const [group, setGroup] = useState<SituationGroup | null>(null);
  const [situation, setSituation] = useState("");
  const [part, setPart] = useState("");
  const [report, setReport] = useState("null");
  const [refused, setRefused] = useState<string | null>(null);
  const groups = [...new Set(ways.flatMap((way) => way.group ?? []))];
  const searched = part.trim().toLowerCase();
  const isFound = ({ situation: id = "" }: WayTo<"report">) => `${situationText(id, sheet)} ${sheet.irregularities[id]?.rule ?? ""}`.toLowerCase().includes(searched);
  const grouped = ways.filter((way) => (searched ? isFound(way) : way.group === group));
  const shown = [...new Set(grouped.map((way) => way.situation ?? ""))];
  const chosen = grouped.filter((way) => way.situation === situation);
  /** The report as it stands; null while something is missing. */
  const read = (): Report | null => {
    const filled = form.current?.matches(":valid") ? new FormData(form.current) : null;
    const way = filled && chosen[Number(filled.get("way"))];
    return way ? { kind: "report", situation, facts: { ...formValues(inputsOf(way), filled), ...way.facts } } : null;
  };
  const update = () => setReport(JSON.stringify(read()));
  useEffect(update);
  const pickGroup = (to: SituationGroup) => {
    setGroup(to);
    setPart("");
    setSituation("");
    setRefused(null);
  };
  /** A digit picks what stands at its place: a group or, once those are shown, what can be reported. */
  const press = (event: KeyboardEvent) => {
    const field = event.target instanceof HTMLInputElement && event.target.name !== "find" && event.target.type === "text";
    const at = /^[1-9]$/.test(event.key) && !field && !event.ctrlKey && !event.altKey && !event.metaKey ? Number(event.key) - 1 : -1;
    const options = shown.length ? shown.filter((id) => grouped.some((way) => way.situation === id && !way.refusal)) : [];
    if (at < 0 || (!shown.length && !groups[at]) || (shown.length && !options[at])) return;
    event.preventDefault();
    if (!shown.length) return pickGroup(groups[at]!);
    setSituation(options[at]!);
    form.current?.querySelector<HTMLElement>(`[data-test=situation-${options[at]}]`)?.focus();
  };
  const search = (text: string) => {
    setPart(text);
    setSituation("");
    setGroup(null);
  };
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    const filled = read();
    const answer = filled && (await onReport(filled));
    setRefused(answer && refusalText(answer, sheet));
  };
  return (
    <form data-form="report" class="report" ref={form} onSubmit={send} onInput={update} onKeyDown={press}>
      <Field name="find" label={t("find-situation")} maximum={60} text={part} onText={search} focused />
      <p id="about">{t("what-is-it-about")}</p>
      <div class="groups" role="group" aria-labelledby="about">
        {onMisKey && <button type="button" class="gold" onClick={onMisKey} data-test="group-mis-keyed">{t("mis-keyed")}</button>}
        {groups.map((each, at) => (
          <button key={each} type="button" aria-pressed={group === each} onClick={() => pickGroup(each)} data-test={`group-${each}`}>{!shown.length && <kbd aria-hidden="true">{at + 1}</kbd>} {word("situation_group", each)}</button>
        ))}
      </div>
      {searched && !shown.length && <p class="calm">{t("no-situation-found")}</p>}
      {shown.length > 0 && (
        <div class="step">
          <fieldset class="situations">
            <legend>{t("what-happened")}</legend>
            {shown.map((id) => (
              <Situation key={id} id={id} ways={grouped.filter((way) => way.situation === id)} sheet={sheet} checked={id === situation} onPick={() => setSituation(id)} />
            ))}
          </fieldset>
          {id && report !== "null" && <CommandPreview id={id} command={JSON.parse(report)} sheet={sheet} snapshot={snapshot} />}
        </div>
      )}
      {chosen.length > 0 && (
        <div class="step">
          <fieldset class="facts" key={situation}>
            <legend>{t("the-facts")}</legend>
            <Facts id={id} ways={chosen} snapshot={snapshot} sheet={sheet} />
          </fieldset>
          {refused && <p role="alert" class="loss" data-test="report-refused">{refused}</p>}
          <button type="submit" class="gold" data-test="report-send">{t("report")}</button>
        </div>
      )}
    </form>
  );
}

interface SituationProps {
  id: string;
  ways: readonly WayTo<"report">[];
  sheet: Sheet;
  checked: boolean;
  onPick: () => void;
}

/** Something that can be reported; where it cannot be now, the reason stands beside it. */
function Situation({ id, ways, sheet, checked, onPick }: SituationProps): JSX.Element {
  const refusal = ways.every((way) => way.refusal) ? ways[0]?.refusal : null;
  const rule = sheet.irregularities[id]?.rule;
  return (
    <label>
      <input type="radio" name="situation" value={id} checked={checked} disabled={!!refusal} onChange={onPick} data-test={`situation-${id}`} />
      <span>{situationText(id, sheet)}</span> <small>{refusal ? refusalText(refusal, sheet) : rule && `¶ ${rule}`}</small>
    </label>
  );
}

/** A note may be added to every report, whether or not its ruling asks for one. */
/** What a way is about. */
const targetsOf = ({ facts = {} }: WayTo<"report">) => Object.keys(facts) as ("patron" | "box" | "on" | "hand" | "window")[];
const asksNote = ({ inputs = [] }: WayTo<"report">): boolean => inputs.some(({ name }) => name === NOTE.name);
const inputsOf = (way: WayTo<"report">): readonly Input[] => [...(way.inputs ?? []), ...(asksNote(way) ? [] : [NOTE])];

/** The ways to report a situation, and the fields of the one that is picked. */
function Facts({ id, ways, snapshot, sheet }: TableView & { id: string | null; ways: readonly WayTo<"report">[] }): JSX.Element {
  const [place, setPlace] = useState(() => ways.findIndex((way) => !way.refusal && (ways.length === 1 || !targetsOf(way).length)));
  const [reconstructible, setReconstructible] = useState<boolean | null>(null);
  const [round, setRound] = useState(0);
  const past = usePastRound(id ?? "", id ? round : 0);
  const names = [...new Set(ways.flatMap(targetsOf))];
  const required = ways.every((way) => targetsOf(way).length);
  const readFacts = ({ target: field }: JSX.TargetedInputEvent<HTMLDivElement>) => {
    if (!(field instanceof HTMLInputElement)) return;
    if (field.name === "round") setRound(field.validity.valid ? Number(field.value) : 0);
    if (field.name === "reconstructible") setReconstructible(field.value === "true");
  };
  const way = ways[place];
  const pick = (to: number) => {
    setPlace(to);
    setReconstructible(null);
  };
  return (
    <div class="fields" onInput={readFacts}>
      {names.length ? (
        <fieldset class="taps">
          <legend><span class={required ? "required" : ""}>{capital(names.map((name) => word("fact", name)).join(" · "))}</span></legend>
          {ways.map((each, at) => (
            <label key={at} title={each.refusal ? refusalText(each.refusal, sheet) : ""}>
              <input type="radio" name="way" value={at} required={required} checked={at === place} disabled={!!each.refusal} onChange={() => pick(at)} />
              <span>{wayText(each.facts, { snapshot, sheet })}</span>
            </label>
          ))}
        </fieldset>
      ) : (
        <input type="hidden" name="way" value="0" />
      )}
      {way && <Inputs key={place} inputs={way.inputs ?? []} patrons={snapshot.patrons} sheet={sheet} reconstructible={reconstructible} past={past} tapped />}
      {way && !asksNote(way) && <Field name="note" label={t("note")} />}
    </div>
  );
}

function wayText({ patron, box, on, hand, window }: WayTo<"report">["facts"] = {}, { snapshot: { patrons }, sheet }: TableView): string {
  const parts = [
    box != null && t("box-number", { box }),
    patron != null && patronName(patrons, patron),
    on != null && betName(sheet, on),
    hand != null && word("hand", hand),
    window != null && word("window", window),
  ];
  return parts.filter(Boolean).join(" · ") || t("none");
}
