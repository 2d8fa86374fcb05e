/** Forms drawn from the choices of the server: fields with their bounds, and buttons that ask for them. */
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { accepts, commandOf, formValues, isRequired, waysTo, type CommandOf, type FormValues, type PatronNames } from "../choices";
import { money, parseMoney, type Cents } from "../money";
import { inputName, t, wayLabel, word } from "../texts";
import type { Amount, Claim, Command, Input, Snapshot, Way } from "../wire";

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
  patrons?: PatronNames;
  fits?: (way: Way) => boolean;
  onSend: (command: CommandOf<K>) => void;
}

/** A button for each way to give a command now. Where something must be filled in, it asks for that first. */
export function CommandButtons<K extends Command["kind"]>({ snapshot, kind, label, patrons = snapshot.patrons, fits = () => true, onSend }: CommandProps<K>): JSX.Element {
  const button = (way: Way) => {
    const choice = way.decision ?? way.option ?? way.what ?? way.consent;
    const test = choice == null ? kind : `${kind}-${choice}`;
    return <CommandButton key={test} way={way} label={label ?? wayLabel(way)} test={test} patrons={patrons} onSend={(values) => onSend(commandOf(kind, way, values))} />;
  };
  return <>{waysTo(snapshot, kind).filter(fits).map(button)}</>;
}

interface ButtonProps {
  way: Way;
  label: string;
  test: string;
  patrons: PatronNames;
  onSend: (values: FormValues) => void;
}

function CommandButton({ way, label, test, patrons, onSend }: ButtonProps): JSX.Element {
  const [open, setOpen] = useState(false);
  const { inputs = [], decision, option, consent } = way;
  const asks = inputs.some((input) => isRequired(input));
  const isMain = consent || decision === "approve" || decision === "continue" || option === "continue";
  return (
    <>
      <button type="button" class={isMain ? "gold" : ""} data-test={test} {...(asks ? { "aria-expanded": open } : {})} onClick={() => (asks ? setOpen(!open) : onSend({}))}>{label}</button>
      {open && (
        <Form class="inline" onSubmit={(form) => onSend(formValues(inputs, form))}>
          <Inputs inputs={inputs} patrons={patrons} />
          <button type="submit" class="gold" data-test={`${test}-send`}>{label}</button>
        </Form>
      )}
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
