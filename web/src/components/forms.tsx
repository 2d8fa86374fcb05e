/** Forms drawn from the choices of the server: fields with their bounds, and buttons that ask for them. */
import { Fragment, type ComponentChildren, type JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { choiceOf, commandOf, formValues, isPicked, isRequired, waysTo, type CommandOf, type FormValues, type Answer, type PatronNames, type WayTo } from "../choices";
import { kindOf, moneyIn, readCard } from "../field-readers";
import type { PastRound } from "../hooks";
import type { Cents } from "../money";
import { betName, commandName, inputName, optionName, patronName, refusalText, t, wayLabel, word } from "../texts";
import type { Claim, Command, Input, Sheet, Snapshot, Spot } from "../wire";
import { spokenName } from "./card";
import { CardPad, CardRow } from "./card-picker";
import { Field } from "./field";

/** A form whose values are handed over instead of sent, once each can be read; else the first that cannot has the focus. `onChanged` follows them. */
export function Form({ onSubmit, onChanged, children, name, ...rest }: { name: string; class: string; onSubmit: (form: FormData) => unknown; onChanged?: (form: FormData) => void; children: ComponentChildren }): JSX.Element {
  const submit = (event: JSX.TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget));
  };
  const refuse = ({ currentTarget: form }: JSX.TargetedEvent<HTMLFormElement>) => form.querySelector<HTMLElement>("input:invalid, select:invalid")?.focus();
  return <form data-form={name} {...rest} onInput={({ currentTarget }) => onChanged?.(new FormData(currentTarget))} onSubmit={submit} onInvalidCapture={refuse}>{children}</form>;
}

interface SelectProps {
  label: string;
  name: string;
  value?: string | undefined;
  options: readonly Option[];
  onPick?: (value: string) => void;
}

/** Something to choose by its value, and its name. */
export type Option = readonly [value: string, text: string];

/** One of several options. */
export function Select({ label, name, value, options, onPick }: SelectProps): JSX.Element {
  return (
    <label>
      {label}
      <select name={name} value={value} onChange={(event) => onPick?.(event.currentTarget.value)}>
        {options.map(([key, text]) => <option key={key} value={key}>{text}</option>)}
      </select>
    </label>
  );
}

interface InputsProps {
  inputs: readonly Input[];
  patrons: PatronNames;
  sheet?: Sheet | null | undefined;
  /** The fact of that name, on which it may depend what is required. */
  reconstructible?: boolean | null;
  /** The earlier round that this is about, for what is ticked off its record. */
  past?: PastRound | undefined;
  /** Whether cards and the values of a short list are tapped, not typed or picked from a menu. */
  tapped?: boolean;
}

/** Whether a field may be filled in: the hands that go on as they are matter only where cards cannot be put back in order. */
const isAsked = ({ type, required = true, when_reconstructible = null }: Input, reconstructible: boolean | null): boolean =>
  required || type !== "cards" || when_reconstructible === null || when_reconstructible === reconstructible;

/** The fields of a command; those that must be filled in are marked. */
export function Inputs({ inputs, patrons, sheet, reconstructible = null, past, tapped = false }: InputsProps): JSX.Element {
  return (
    <>
      {inputs.filter((input) => isAsked(input, reconstructible)).map((input) => {
        const required = isRequired(input, reconstructible);
        const label = <span class={required ? "required" : ""}>{inputName(input.name)}</span>;
        if (isPicked(input.type)) return <fieldset key={input.name}><legend>{label}</legend><Picks input={input} patrons={patrons} sheet={sheet} past={past} /></fieldset>;
        if (tapped && allowedValues(input).length) return <fieldset key={input.name} class="taps"><legend>{label}</legend><Taps input={input} required={required} patrons={patrons} /></fieldset>;
        if (tapped && input.type === "cards") return <CardsField key={input.name} input={input} required={required} label={label} />;
        return <InputField key={input.name} input={input} required={required} patrons={patrons} label={label} />;
      })}
    </>
  );
}

interface FieldProps {
  input: Input;
  required: boolean;
  patrons: PatronNames;
  label: JSX.Element;
}

/** The values that a field allows, where they are a list. */
const allowedValues = ({ allowed = [], type }: Input): readonly string[] => (allowed.length || type !== "flag" ? allowed : ["true", "false"]);

/** One of a few values, in one tap. */
function Taps({ input, required, patrons }: Omit<FieldProps, "label">): JSX.Element {
  return (
    <>
      {allowedValues(input).map((each) => (
        <label key={each}><input type="radio" name={input.name} value={each} required={required} /> <span>{optionName(input, each, patrons)}</span></label>
      ))}
    </>
  );
}

/** Cards in their order: a tap adds one at the end, a tap on one takes it out, and they can be typed. Where they may be left out, all 52 come with the focus. */
function CardsField({ input, required, label }: Omit<FieldProps, "patrons">): JSX.Element {
  const [text, setText] = useState(input.starts_with || input.includes || "");
  const element = useRef<HTMLDivElement>(null);
  const cards = text.split(/[\s,]+/).flatMap((each) => readCard(each) ?? []);
  useEffect(() => {
    element.current?.dispatchEvent(new Event("input", { bubbles: true })); // a form that listens hears of a tap, too
  }, [text]);
  return (
    <div class={required ? "cards-field" : "cards-field optional"} ref={element}>
      <Field name={input.name} kind="cards" label={label} required={required} text={text} onText={setText} />
      <CardRow cards={cards} label={(card) => t("take-out", { card: spokenName(card) })} onTap={(place) => setText(cards.filter((_, at) => at !== place).join(" "))} />
      <CardPad excluded={input.excluded} onPick={(card) => setText([...cards, card].join(" "))} />
    </div>
  );
}

function InputField({ input, required, patrons, label }: FieldProps): JSX.Element {
  const { name, minimum, maximum, starts_with, includes } = input;
  const allowed = allowedValues(input);
  if (allowed.length) {
    return (
      <label>
        {label}{" "}
        <select name={name} required={required}>
          <option value="" />
          {allowed.map((each) => <option key={each} value={each}>{optionName(input, each, patrons)}</option>)}
        </select>
      </label>
    );
  }
  const only = minimum != null && minimum === maximum ? `${minimum}` : "";
  const people = name === "account" ? { suggested: Object.entries(patrons ?? {}) } : {};
  return <Field name={name} kind={kindOf(input)} label={label} required={required} minimum={minimum} maximum={maximum} start={starts_with || includes || only} {...people} />;
}

/** Bets, or claims to them, each to be ticked. */
function Picks({ input: { name, type, claims = [], bets = [] }, patrons, sheet, past = { bets: [], claims: [] } }: Pick<InputsProps, "patrons" | "sheet" | "past"> & { input: Input }): JSX.Element {
  const spots = bets.length ? bets : past.bets.map(({ box, patron = "", on, window = null }): Spot => ({ box, patron, on, window }));
  const picks = type === "bets" ? spots : claims.length ? claims : past.claims;
  const bet = (pick: Claim | Spot) => ("hand" in pick ? word("hand", pick.hand) : sheet ? betName(sheet, pick.on) : pick.on);
  return (
    <>
      {picks.map((pick, place) => (
        <label key={place}><input type="checkbox" name={name} value={JSON.stringify(pick)} /> {t("box-number", { box: pick.box })} {patronName(patrons, pick.patron)}: {bet(pick)}</label>
      ))}
    </>
  );
}

interface CommandProps<K extends Command["kind"]> {
  snapshot: Snapshot;
  kind: K;
  /** What a way to give the command is called, where the way itself does not say it. */
  label?: (way: WayTo<K>) => string;
  /** Where given, it is said too why the command is refused. */
  sheet?: Sheet | null;
  patrons?: PatronNames;
  past?: PastRound | undefined;
  fits?: (way: WayTo<K>) => boolean;
  /** Values that are known here and not asked for. */
  given?: FormValues;
  onSend: (command: CommandOf<K>) => void;
}

/** A button for each way to give a command now. Where something must be filled in, it asks for that first. */
export function CommandButtons<K extends Command["kind"]>(props: CommandProps<K>): JSX.Element {
  const { snapshot, kind, label, sheet, patrons = snapshot.patrons, past, fits = () => true, given = {}, onSend } = props;
  const [open, setOpen] = useState("");
  const { refusal } = choiceOf(snapshot, kind);
  return (
    <>
      {waysTo(snapshot, kind).filter(fits).map((way) => {
        const { patron, decision, option, what, consent, place }: Answer = way;
        const inputs = (way.inputs ?? []).filter((input) => !(input.name in given));
        const choice = decision ?? option ?? what ?? consent ?? place ?? (label && patron);
        const name = choice == null ? kind : `${kind}-${choice}`;
        const isMain = consent || decision === "approve" || decision === "continue" || (option === "continue" && !patron);
        const asks = inputs.some((input) => isRequired(input)) || (inputs.length > 0 && inputs.length < (way.inputs ?? []).length);
        const text = label?.(way) || wayLabel(kind, way);
        const send = (values: FormValues) => onSend(commandOf(kind, way, { ...given, ...values }));
        return (
          <Fragment key={name}>
            <button type="button" class={isMain ? "gold" : ""} data-test={name} {...(asks ? { "aria-expanded": open === name } : {})} onClick={() => (asks ? setOpen(open === name ? "" : name) : send({}))}>{text}</button>
            {asks && open === name && (
              <Form name="command" class="inline" onSubmit={(form) => send(formValues(inputs, form))}>
                <Inputs inputs={inputs} patrons={patrons} sheet={sheet} past={past} />
                <button type="submit" class="gold" data-test={`${name}-send`}>{text}</button>
              </Form>
            )}
          </Fragment>
        );
      })}
      {refusal && sheet && <p class="hint">{kind !== "decide" && `${commandName(kind)}: `}{refusalText(refusal, sheet)}</p>}
    </>
  );
}

interface AmountProps {
  label: string;
  send: string;
  disabled?: boolean;
  onSend: (cents: Cents) => void;
}

/** An amount that someone types. */
export function AmountForm({ label, send, disabled = false, onSend }: AmountProps): JSX.Element {
  return (
    <Form name="amount" class="inline" onSubmit={(form) => onSend(moneyIn(form, "amount"))}>
      <Field name="amount" kind="money" label={label} required minimum={1} />
      <button type="submit" disabled={disabled}>{send}</button>
    </Form>
  );
}
