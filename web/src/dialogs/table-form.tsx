/** Setting a table up: every field, its bounds and its values come from the server, and a refusal stands beside its field. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Problem, post, problemText } from "../api";
import { FeltPreview } from "../components/felt";
import { Field } from "../components/field";
import { Form, Select } from "../components/forms";
import { Dialog } from "../components/page-frame";
import { Waiting } from "../components/waiting";
import { isMoney, kindOf, moneyIn, read, readField } from "../field-readers";
import { useFetch, useSheet } from "../hooks";
import { money, parseMoney } from "../money";
import { betName, capital, inputName, maximumName, refusalText, sheetWords, t, word, wordFor } from "../texts";
import type { GameSummary, Input, NewTable, OfferedBet, Refusal, SetUp, Sheet, Snapshot } from "../wire";

/** Which fields stand together, in this order. One that stands nowhere here is shown with those of play. */
const GROUPS: Record<"table" | "limits" | "play" | "insurance" | "second", readonly string[]> = {
  table: ["table", "name", "layout", "boxes", "decks"],
  limits: ["minimum_cents", "differential_cents", "unit_cents"],
  play: ["live", "device", "burn", "face_down"],
  insurance: ["waiver_consent", "private", "without_insurance", "asked_by"],
  second: ["second_person", "second_role"],
};
type Group = keyof typeof GROUPS;
/** An hour, the most that the server takes for a pace. */
const LONGEST_MS = 3_600_000;
/** As many boxes as a preview draws. */
const MOST_BOXES = 20;

/** The fields of a group that the server names. */
function fieldsOf(group: Group, inputs: readonly Input[]): Input[] {
  const known = Object.values(GROUPS).flat();
  const others = group === "play" ? inputs.filter(({ name }) => !known.includes(name)) : [];
  return [...GROUPS[group].flatMap((name) => inputs.filter((input) => input.name === name)), ...others];
}

/** What opens a closed table again as it was; null for one that was never opened. */
export function setUpAgain({ table }: Snapshot): NewTable | null {
  const { id, title, layout, boxes, mode, decks, limits, device, burn, second_role, notice_rule, standing_order, ...rest } = table;
  if (!mode || !decks || !limits || !device || !burn || !second_role) return null;
  const { chips_cents, ...set } = limits;
  return { ...rest, ...set, ...(layout ? { layout } : { boxes }), table: id, mode, decks, device, burn, second_role } as NewTable;
}

/** What a form says of a new table. The mode of the table is what `live` stands for. */
function newTableOf(form: FormData, { game, inputs, limited, timing }: SetUp, live: boolean): NewTable {
  const given = (name: string) => String(form.get(name) ?? "").trim();
  const value = (input: Input) => (input.type === "flag" ? form.has(input.name) : read(kindOf(input), input.name, form));
  const filled = inputs.filter(({ name, type }) => name !== "live" && (type === "flag" || given(name))).map((input) => [input.name, value(input)]);
  const sides = limited
    .filter((on) => given(`${on}-minimum`))
    .map((on) => ({ on, minimum_cents: moneyIn(form, `${on}-minimum`), maximum_cents: moneyIn(form, `${on}-maximum`) }));
  const pace = live ? {} : { timing: Object.fromEntries(Object.keys(timing).map((name) => [name, read("seconds", name, form)])) };
  return { ...Object.fromEntries(filled), ...pace, game, mode: live ? "live" : "automatic", sides } as unknown as NewTable;
}

/** The field that a refusal is about: the first that the server refuses with this code, or the one that it names. */
function fieldOf(refusal: Refusal, inputs: readonly Input[]): string | null {
  if ("on" in refusal && refusal.on) return String(refusal.on);
  if (refusal.code === "field-type" || refusal.code === "field-missing") return inputs.find(({ name }) => refusal.where.endsWith(name))?.name ?? null;
  return inputs.find(({ refused }) => refused === refusal.code)?.name ?? null;
}

export function NewTableDialog({ onClose }: { onClose: () => void }): JSX.Element {
  const games = useFetch<GameSummary[]>("/api/games");
  const [game, setGame] = useState("");
  const [live, setLive] = useState(false);
  const chosen = game || games.data?.[0]?.id || "";
  const sheet = useSheet(chosen);
  const setUp = useFetch<SetUp>(chosen ? `/api/games/${encodeURIComponent(chosen)}/set-up?live=${live}` : null);
  const shown = useRef<{ sheet: Sheet; setUp: SetUp } | null>(null);
  // The form of the game before stays until that of the next is there: what was filled in is kept.
  if (sheet && setUp.data?.game === sheet.id) shown.current = { sheet, setUp: setUp.data };
  if (!shown.current) return <Dialog title={t("set-up-table")} onClose={onClose} wide><Waiting problem={games.problem ?? setUp.problem} /></Dialog>;
  return <TableForm {...shown.current} {...{ games: games.data ?? [], chosen, live, onGame: setGame, onLive: setLive, onClose }} />;
}

interface TableFormProps {
  sheet: Sheet;
  setUp: SetUp;
  games: readonly GameSummary[];
  chosen: string;
  live: boolean;
  onGame: (game: string) => void;
  onLive: (live: boolean) => void;
  onClose: () => void;
}

function TableForm({ sheet, setUp, games, chosen, live, onGame, onLive, onClose }: TableFormProps): JSX.Element {
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [typed, setTyped] = useState<FormData | null>(null);
  const { inputs, suggested, limited } = setUp;
  useEffect(() => setTyped(new FormData(document.querySelector<HTMLFormElement>(".table-form")!)), [setUp]); // another game has other fields
  const send = async (form: FormData) => {
    try {
      await post("/api/tables", "staff", newTableOf(form, setUp, live));
      onClose();
    } catch (error) {
      const said = error instanceof Problem ? error.refusal : null;
      setRefusal(said && fieldOf(said, inputs) !== null ? said : null);
      setProblem(said && fieldOf(said, inputs) !== null ? null : problemText(error, sheet));
    }
  };
  const wrong = refusal && { field: fieldOf(refusal, inputs), says: refusalText(refusal, sheet) };
  const shared = { sheet, suggested, live, onLive, wrong };
  return (
    <Dialog title={t("set-up-table")} onClose={onClose} wide>
      <Form name="table" class="table-form" onSubmit={send} onChanged={setTyped}>
        {(Object.keys(GROUPS) as Group[]).map((group) => {
          const shown = fieldsOf(group, inputs);
          if (!shown.length) return null;
          return (
            <fieldset key={group}>
              <legend>{group === "second" ? t("second-person") : t(group)}</legend>
              {group === "table" && <Select label={t("game")} name="game" value={chosen} options={games.map(({ id, title, zh }) => [id, sheetWords({ zh }, title)])} onPick={onGame} />}
              {shown.map((input) => <SetUpField key={input.name} input={input} {...shared} />)}
              {group === "limits" && <p class="hint" data-test="exact-unit">{t("exact-unit", { exact_cents: setUp.exact_unit_cents })}</p>}
              {group === "limits" && limited.map((on) => <SideLimits key={on} on={on} {...shared} />)}
            </fieldset>
          );
        })}
        {!live && (
          <fieldset>
            <legend>{t("pace")}</legend>
            {Object.entries(setUp.timing).map(([name, ms]) => <Field key={name} name={name} kind="seconds" label={<span class="required">{capital(inputName(name))}</span>} required maximum={LONGEST_MS} start={`${ms / 1_000}`} />)}
          </fieldset>
        )}
        {typed && <Preview typed={typed} sheet={sheet} limited={limited} />}
        {problem && <p role="alert" class="loss">{problem}</p>}
        <button type="submit" class="gold" data-test="set-up-send">{t("open-the-table")}</button>
      </Form>
    </Dialog>
  );
}

/** The felt as it will be; what cannot be read yet is a dash. */
function Preview({ typed, sheet, limited }: { typed: FormData; sheet: Sheet; limited: readonly string[] }): JSX.Element {
  const given = (name: string) => String(typed.get(name) ?? "");
  const amount = (name: string) => parseMoney(given(name)) === null ? "–" : money(parseMoney(given(name))!);
  const layout = sheet.boxes.layouts.find(({ id }) => id === given("layout"));
  const boxes = layout?.boxes ?? readField("number", given("boxes"));
  const limitsOf = ({ id }: OfferedBet) => {
    const [from, to] = limited.includes(id) ? [`${id}-minimum`, `${id}-maximum`] : ["minimum_cents", "differential_cents"];
    return sheet.limits && to === "differential_cents" ? `${t("minimum")} ${amount(from)}` : `${amount(from)}–${amount(to)}`;
  };
  return <FeltPreview sheet={sheet} boxes={Math.min(Number(boxes ?? 0), MOST_BOXES)} limitsOf={limitsOf} />;
}

interface FieldProps {
  sheet: Sheet;
  suggested: SetUp["suggested"];
  live: boolean;
  onLive: (live: boolean) => void;
  wrong: { field: string | null; says: string } | null;
}

/** What is wrong with a field, beside it. */
function Wrong({ field, wrong }: { field: string; wrong: FieldProps["wrong"] }): JSX.Element | null {
  return wrong?.field === field ? <small role="alert" class="wrong" id={`wrong-${field}`} data-test={`wrong-${field}`}>{wrong.says}</small> : null;
}

function SetUpField({ input, sheet, suggested, live, onLive, wrong }: FieldProps & { input: Input }): JSX.Element {
  const { name, type, required = true, allowed = [], minimum, maximum } = input;
  const says = wrong?.field === name ? wrong.says : null;
  const invalid = says ? { "aria-invalid": true, "aria-describedby": `wrong-${name}` } : {};
  const start = suggested[name];
  if (name === "live") return <Select label={t("run-by")} name="mode" value={live ? "live" : "automatic"} options={[["automatic", word("mode", "automatic")], ["live", word("mode", "live")]]} onPick={(picked) => onLive(picked === "live")} />;
  const label = name === "differential_cents" ? maximumName(sheet) : capital(inputName(name));
  if (type === "flag") {
    return <div class="field tick-field"><label class="tick"><input type="checkbox" name={name} {...invalid} /> {label}</label><Wrong field={name} wrong={wrong} /></div>;
  }
  if (allowed.length) {
    const options = allowed.map((each): [string, string] => [each, valueName(input, each, sheet)]);
    return <div class="field"><Select key={allowed.join()} label={label} name={name} options={options} /><Wrong field={name} wrong={wrong} /></div>;
  }
  const typed = start === undefined ? "" : isMoney(input) ? money(start) : String(start);
  return <Field name={name} kind={kindOf(input)} label={<span class={required ? "required" : ""}>{label}</span>} required={required} minimum={minimum} maximum={maximum} start={typed} wrong={says} />;
}

/** One of the values that may be chosen, in words. */
function valueName({ name }: Input, value: string, sheet: Sheet): string {
  const layout = name === "layout" && sheet.boxes.layouts.find(({ id }) => id === value);
  if (layout) return `${sheetWords(sheet, layout.name)} · ${t("boxes-count", { n: layout.boxes })}`;
  if (name === "second_role") return wordFor("authority", value);
  if (name === "device") return capital(wordFor("device", value));
  if (name === "burn") return capital(wordFor("burn", value));
  return name === "waiver_consent" ? capital(wordFor("waiver_consent", value)) : value;
}

/** The limits of a side bet or of insurance; where both are left empty there are none. */
function SideLimits({ on, sheet, suggested, wrong }: FieldProps & { on: string }): JSX.Element {
  const side = sheet.bets[on];
  const start = (name: string) => (side && suggested[name] !== undefined ? money(suggested[name]) : "");
  const [minimum, setMinimum] = useState(() => start("side_minimum_cents"));
  const [maximum, setMaximum] = useState(() => start("side_maximum_cents"));
  const name = betName(sheet, on);
  const shared = { kind: "money", label: "", required: minimum.trim() !== "" || maximum.trim() !== "" } as const;
  return (
    <div class="field side-limits">
      <span>{name}</span>
      <Field name={`${on}-minimum`} {...shared} spoken={`${name}, ${t("side-bets-from")}`} text={minimum} onText={setMinimum} />
      <span>–</span>
      <Field name={`${on}-maximum`} {...shared} spoken={`${name}, ${t("side-bets-to")}`} text={maximum} onText={setMaximum} />
      <Wrong field={on} wrong={wrong} />
    </div>
  );
}
