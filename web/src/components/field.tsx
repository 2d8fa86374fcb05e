/** A field that people type into. A form with a field that cannot be read is not sent, and the reason stands beside the field. */
import type { ComponentChildren, JSX } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { readField, type FieldKind } from "../field-readers";
import { money } from "../money";
import { t } from "../texts";

const MOST_TEXT = 500;
/** How each kind is typed on a phone, and an example of it. */
const TYPED: Record<FieldKind, { inputMode?: "decimal" | "numeric"; placeholder?: string }> = {
  text: {},
  money: { inputMode: "decimal" },
  number: { inputMode: "numeric" },
  seconds: { inputMode: "decimal" },
  card: { placeholder: "9h" },
  cards: { placeholder: "5h Kd 6s 2c 9h" },
  odds: { placeholder: "8:1" },
  ticket: { inputMode: "numeric", placeholder: "0000 0000 0000 0000 0000 0000" },
};

const UNREAD: Record<Exclude<FieldKind, "text">, () => string> = {
  money: () => t("not-money"),
  number: () => t("not-number"),
  seconds: () => t("not-seconds"),
  card: () => t("not-card"),
  cards: () => t("not-cards"),
  odds: () => t("not-odds"),
  ticket: () => t("not-ticket"),
};

interface Props {
  name: string;
  /** What is said before the field, or to those who cannot see it where that stands elsewhere. */
  label: ComponentChildren;
  spoken?: string;
  kind?: FieldKind;
  required?: boolean;
  minimum?: number | null | undefined;
  /** The most of a number, or of the length of a text. */
  maximum?: number | null | undefined;
  start?: string | undefined;
  placeholder?: string;
  /** What the server found wrong with it. */
  wrong?: string | null;
  secret?: boolean;
  /** Whether it has the focus when it comes. */
  focused?: boolean;
  /** Values to choose from, besides others. */
  suggested?: readonly (readonly [value: string, name: string])[];
  /** The text, where the parent keeps it. */
  text?: string;
  onText?: (text: string) => void;
}

/** What is wrong with a text; null where it can be read. */
function faultOf(text: string, { kind = "text", required = false, minimum, maximum }: Props): string | null {
  if (!text.trim()) return required ? t("field-empty") : null;
  if (kind === "text") return null;
  const value = readField(kind, text);
  if (value === null) return UNREAD[kind]();
  if (typeof value !== "number") return null;
  const shown = (bound: number | null | undefined) => (bound == null ? null : kind === "money" ? money(bound) : `${kind === "seconds" ? bound / 1_000 : bound}`);
  const fits = value >= (minimum ?? value) && value <= (maximum ?? value);
  return fits ? null : t("field-bounds", { least: shown(minimum), most: shown(maximum) });
}

export function Field(props: Props): JSX.Element {
  const { name, label, spoken, kind = "text", required = false, maximum, start, wrong, secret, focused, placeholder, suggested, text, onText } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [fault, setFault] = useState<string | null>(null);
  const check = () => {
    const found = input.current && faultOf(input.current.value, props);
    input.current?.setCustomValidity(found ?? "");
    return found ?? null;
  };
  // Before anyone can send the form; what is required or within bounds may have changed.
  useLayoutEffect(() => {
    const found = check();
    if (fault && found !== fault) setFault(found);
  });
  useLayoutEffect(() => {
    if (focused) input.current?.focus();
  }, []);
  const says = fault ?? wrong;
  return (
    <div class="field">
      <label>
        {label}
        {label && " "}
        <input
          ref={input}
          name={name}
          type={secret ? "password" : "text"}
          autocomplete="off"
          spellcheck={false}
          data-kind={kind}
          maxLength={kind === "text" ? (maximum ?? MOST_TEXT) : MOST_TEXT}
          required={required}
          autoFocus={focused}
          aria-label={spoken}
          {...(says ? { "aria-invalid": true, "aria-describedby": id } : {})}
          {...(suggested ? { list: `${id}-list` } : {})}
          {...(text === undefined ? { defaultValue: start ?? "" } : { value: text })}
          {...TYPED[kind]}
          {...(placeholder ? { placeholder } : {})}
          onInput={(event) => {
            onText?.(event.currentTarget.value);
            if (fault) setFault(check());
            else check();
          }}
          onInvalid={(event) => {
            event.preventDefault();
            setFault(check());
          }}
        />
      </label>
      {suggested && <datalist id={`${id}-list`}>{suggested.map(([value, shown]) => <option key={value} value={value}>{shown}</option>)}</datalist>}
      {says && <small role="alert" class="wrong" id={id} data-test={`wrong-${name}`}>{says}</small>}
    </div>
  );
}
