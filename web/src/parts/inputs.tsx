/** Forms drawn from the choices of the server: fields with their bounds, and buttons that ask for them. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { accepts, filledIn, isRequired, type Filled } from "../choices";
import { money, parseMoney, type Cents } from "../money";
import { inputName, t, word } from "../texts";
import type { Amount, Claim, Input, Way } from "../wire";

/** The names of patrons by their ids, where they are known. */
export type People = Readonly<Record<string, string>> | undefined;

const CARDS = "\\s*(10|[1-9ATJQKatjqk])[shdcSHDC]([\\s,]+(10|[1-9ATJQKatjqk])[shdcSHDC])*\\s*";
const CARD = "(10|[1-9ATJQKatjqk])[shdcSHDC]";
const MOST_TEXT = 500;

interface Props {
  inputs: readonly Input[];
  people?: People;
  /** The fact of that name, on which it may depend what is required. */
  reconstructible?: boolean | null;
}

/** The fields of a command; those that must be filled in are marked. */
export function Inputs({ inputs, people, reconstructible = null }: Props): JSX.Element {
  return (
    <>
      {inputs.map((input) => {
        const required = isRequired(input, reconstructible);
        const label = <span class={required ? "required" : ""}>{inputName(input.name)}</span>;
        if (input.type === "claims") return <fieldset key={input.name}><legend>{label}</legend><Claims input={input} people={people} /></fieldset>;
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

function Claims({ input, people }: { input: Input; people: People }): JSX.Element {
  const says = ({ patron, box, hand }: Claim) => `${t("box-number", { box })} ${people?.[patron] ?? patron}: ${word("hand", hand)}`;
  return <>{input.claims?.map((claim, place) => <label key={place}><input type="checkbox" name={input.name} value={place} /> {says(claim)}</label>)}</>;
}

interface ActProps {
  way: Way;
  label: string;
  test: string;
  gold?: boolean;
  people?: People;
  onGive: (filled: Filled) => void;
}

/** A button for one way to give a command. Where something must be filled in, it asks for that first. */
export function Act({ way, label, test, gold, people, onGive }: ActProps): JSX.Element {
  const [open, setOpen] = useState(false);
  const inputs = way.inputs ?? [];
  const asks = inputs.some((input) => isRequired(input));
  const send = (event: JSX.TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onGive(filledIn(inputs, new FormData(event.currentTarget)));
  };
  return (
    <>
      <button type="button" class={gold ? "gold" : ""} data-test={test} {...(asks ? { "aria-expanded": open } : {})} onClick={() => (asks ? setOpen(!open) : onGive({}))}>{label}</button>
      {open && (
        <form class="inline" onSubmit={send}>
          <Inputs inputs={inputs} people={people} />
          <button type="submit" class="gold" data-test={`${test}-send`}>{label}</button>
        </form>
      )}
    </>
  );
}

/** An amount within bounds, which stand beside it; nothing else can be sent. */
export function AmountForm({ amount, label, send, onGive, start = "" }: { amount: Amount; label: string; send: string; start?: string; onGive: (cents: Cents) => void }): JSX.Element {
  const [text, setText] = useState(start);
  const cents = parseMoney(text);
  const fits = cents !== null && accepts(amount, cents);
  return (
    <form class="inline" onSubmit={(event) => { event.preventDefault(); if (fits) onGive(cents); }}>
      <label>
        {label} <input name="amount" inputMode="decimal" required placeholder={money(amount.minimum_cents)} aria-invalid={text !== "" && !fits} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <small>{t("amount-bounds", amount)}</small>
      <button type="submit" disabled={!fits}>{send}</button>
    </form>
  );
}
