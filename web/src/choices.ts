/** What may be done now, within which bounds, and why not, all as the server says it. */
import { kindOf, read } from "./field-readers.ts";
import type { Amount, Choice, Command, Facts, Input, InputType, Refusal, Snapshot, Way } from "./wire.ts";

type Choices = Pick<Snapshot, "choices" | "me">;

/** The names of patrons by their ids, where they are known. */
export type PatronNames = Readonly<Record<string, string>> | undefined;

/** A command: what is refused to everyone is refused; else one's own choice counts, and else what all may do alike. */
export function choiceOf({ choices, me }: Choices, kind: Command["kind"]): Choice {
  const shared = choices.find((each) => each.kind === kind);
  if (shared?.refusal) return shared;
  return me?.choices.find((each) => each.kind === kind) ?? shared ?? { kind };
}

/** The ways in which a command is accepted now. */
export const waysTo = (choices: Choices, kind: Command["kind"]): readonly Way[] => (choiceOf(choices, kind).ways ?? []).filter((way) => !way.refusal);

/** Why a command is not accepted, in the way that `fits`; null where it is, or where nothing is said. */
export function refusalOf(choices: Choices, kind: Command["kind"], fits: (way: Way) => boolean = () => true): Refusal | null {
  const { refusal, ways = [] } = choiceOf(choices, kind);
  return refusal ?? ways.find(fits)?.refusal ?? null;
}

/** Whether an amount is within bounds. */
export function accepts({ minimum_cents, maximum_cents, step_cents, also_cents }: Amount, cents: number): boolean {
  if (cents === also_cents) return true;
  return minimum_cents <= cents && cents <= maximum_cents && (cents - minimum_cents) % step_cents === 0;
}

/** Whether a field must be filled in, given the fact `reconstructible`. The wire leaves out what holds its default. */
export function isRequired({ required = true, when_reconstructible = null }: Input, reconstructible: boolean | null = null): boolean {
  return required && (when_reconstructible === null || when_reconstructible === reconstructible);
}

/** What someone filled in. The server names the fields, and they are those of facts and of the commands that it offers. */
export type FormValues = Facts & Readonly<Record<string, unknown>>;

/** Whether a field is ticked off a list of bets, or of claims to them; each tick holds what it stands for as JSON. */
export const isPicked = (type: InputType): type is "bets" | "claims" => type === "claims" || type === "bets";

/** The fields of a form as a command takes them; what was left empty is left out. */
export function formValues(inputs: readonly Input[], form: FormData): FormValues {
  const filled = inputs.map((input) => {
    const { name, type } = input;
    if (isPicked(type)) return [name, form.getAll(name).map((pick) => JSON.parse(String(pick)))];
    const text = String(form.get(name) ?? "").trim();
    return [name, text && (type === "flag" ? text === "true" : read(kindOf(input), name, form))];
  });
  return Object.fromEntries(filled.filter(([, value]) => value !== ""));
}

export type CommandOf<K extends Command["kind"]> = Extract<Command, { kind: K }>;

/** A command in one of the ways that the server offers: its fields are those of the way and of its inputs. */
export function commandOf<K extends Command["kind"]>(kind: K, { amount, cover, inputs, refusal, warnings, ...target }: Way, values: FormValues): CommandOf<K> {
  return { kind, ...target, ...values } as CommandOf<K>;
}

const TARGETS = ["patron", "box", "on", "hand", "window"] as const;

/** What a way is about. */
export const targetsOf = (way: Way): (typeof TARGETS)[number][] => TARGETS.filter((name) => way[name] != null);

/** The facts of a report: what its way is about, and what was filled in. */
export const factsOf = (way: Way, values: FormValues): Facts => Object.assign({}, values, ...targetsOf(way).map((name) => ({ [name]: way[name] })));
