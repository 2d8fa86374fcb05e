/** Forms drawn from the choices of the server: fields with their bounds, and buttons that ask for them. */
import { Fragment, type ComponentChildren, type JSX } from "preact";
import { useState } from "preact/hooks";
import { accepts, choiceOf, commandOf, formValues, isRequired, waysTo, type CommandOf, type FormValues, type PatronNames } from "../choices";
import { money, parseMoney, type Cents } from "../money";
import { inputName, refusalText, t, wayLabel, word } from "../texts";
import type { Amount, Claim, Command, Input, Sheet, Snapshot, Way } from "../wire";

const CARD = "(10|[1-9ATJQKatjqk])[shdcSHDC]";
const CARDS = `\\s*${CARD}([\\s,]+${CARD})*\\s*`;
const MOST_TEXT = 500;

/** A form whose values are handed over instead of sent. */
export function Form({ onSubmit, children, ...rest }: { class: string; onSubmit: (form: FormData) => unknown; children: ComponentChildren }): JSX.Element {
  const submit = (event: JSX.TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget));
  };
  return <form {...rest} onSubmit={submit}>{children}</form>;
}

interface SelectProps {
  label: string;
  name: string;
  value?: string | undefined;
  options: readonly (readonly [value: string, text: string])[];
  onPick?: (value: string) => void;
}

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
  /** The fact of that name, on which it may depend what is required. */
  reconstructible?: boolean | null;
}

/** The fields of a command; those that must be filled in are marked. */
export function Inputs({ inputs, patrons, reconstructible = null }: InputsProps): JSX.Element {
  return (
    <>
      {inputs.map((input) => {
        const required = isRequired(input, reconstructible);
        const label = <span class={required ? "required" : ""}>{inputName(input.name)}</span>;
        if (input.type === "claims") return <fieldset key={input.name}><legend>{label}</legend><Claims input={input} patrons={patrons} /></fieldset>;
        return <label key={input.name}>{label} <Field input={input} required={required} /></label>;
      })}
    </>
  );
}

function Field({ input, required }: { input: Input; required: boolean }): JSX.Element {
  const { name, type, allowed, minimum, maximum } = input;
  const shared = { name, required };
  switch (type) {
    case "flag":
    case "one-of":
      return (
        <select {...shared}>
          <option value="" />
          {(allowed?.length ? allowed : ["true", "false"]).map((each) => <option key={each} value={each}>{type === "one-of" ? each : each === "true" ? t("yes") : t("no")}</option>)}
        </select>
      );
    case "number":
      return <input {...shared} type="number" {...(minimum == null ? {} : { min: minimum })} {...(maximum == null ? {} : { max: maximum })} />;
    case "card":
    case "cards":
      return <input {...shared} pattern={type === "card" ? CARD : CARDS} placeholder="5h Kd 6s 2c 9h" spellcheck={false} defaultValue={input.starts_with || input.includes || ""} />;
    default:
      return <input {...shared} maxLength={MOST_TEXT} />;
  }
}

function Claims({ input, patrons }: { input: Input; patrons: PatronNames }): JSX.Element {
  const label = ({ patron, box, hand }: Claim) => `${t("box-number", { box })} ${patrons?.[patron] ?? patron}: ${word("hand", hand)}`;
  return <>{input.claims?.map((claim, place) => <label key={place}><input type="checkbox" name={input.name} value={place} /> {label(claim)}</label>)}</>;
}

interface CommandProps<K extends Command["kind"]> {
  snapshot: Snapshot;
  kind: K;
  /** Where a command is given in one way only, what it is called. */
  label?: string;
  /** Where given, it is said too why the command is refused. */
  sheet?: Sheet | null;
  patrons?: PatronNames;
  fits?: (way: Way) => boolean;
  onSend: (command: CommandOf<K>) => void;
}

/** A button for each way to give a command now. Where something must be filled in, it asks for that first. */
export function CommandButtons<K extends Command["kind"]>(props: CommandProps<K>): JSX.Element {
  const { snapshot, kind, label, sheet, patrons = snapshot.patrons, fits = () => true, onSend } = props;
  const [open, setOpen] = useState("");
  const { refusal } = choiceOf(snapshot, kind);
  return (
    <>
      {waysTo(snapshot, kind).filter(fits).map((way) => {
        const { inputs = [], patron, decision, option, what, consent } = way;
        const choice = decision ?? option ?? what ?? consent;
        const name = choice == null ? kind : `${kind}-${choice}`;
        const isMain = consent || decision === "approve" || decision === "continue" || (option === "continue" && !patron);
        const asks = inputs.some((input) => isRequired(input));
        const text = label ?? wayLabel(way);
        const send = (values: FormValues) => onSend(commandOf(kind, way, values));
        return (
          <Fragment key={name}>
            <button type="button" class={isMain ? "gold" : ""} data-test={name} {...(asks ? { "aria-expanded": open === name } : {})} onClick={() => (asks ? setOpen(open === name ? "" : name) : send({}))}>{text}</button>
            {asks && open === name && (
              <Form class="inline" onSubmit={(form) => send(formValues(inputs, form))}>
                <Inputs inputs={inputs} patrons={patrons} />
                <button type="submit" class="gold" data-test={`${name}-send`}>{text}</button>
              </Form>
            )}
          </Fragment>
        );
      })}
      {refusal && sheet && <p class="hint">{label && `${label}: `}{refusalText(refusal, sheet)}</p>}
    </>
  );
}

interface AmountProps {
  /** Within these bounds, which stand beside the field; nothing else can be sent. Without them, any amount. */
  amount?: Amount;
  label: string;
  send: string;
  start?: string;
  disabled?: boolean;
  onSend: (cents: Cents) => void;
}

/** An amount that someone types. */
export function AmountForm({ amount, label, send, start = "", disabled = false, onSend }: AmountProps): JSX.Element {
  const [text, setText] = useState(start);
  const cents = parseMoney(text);
  const fits = cents !== null && (amount ? accepts(amount, cents) : cents > 0);
  return (
    <Form class="inline" onSubmit={() => fits && onSend(cents)}>
      <label>
        {label} <input name="amount" inputMode="decimal" required placeholder={amount && money(amount.minimum_cents)} aria-invalid={text !== "" && !fits} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      {amount && <small>{t("amount-bounds", amount)}</small>}
      <button type="submit" disabled={disabled || !fits}>{send}</button>
    </Form>
  );
}
