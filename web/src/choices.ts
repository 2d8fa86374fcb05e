/** What may be done now, within which bounds, and why not, all as the server says it. */
import { kindOf, read } from "./field-readers.ts";
import type { Amount, Choice, Command, Facts, Input, InputType, Refusal, Snapshot } from "./wire.ts";

type Choices = Pick<Snapshot, "choices" | "me">;
type Kind = Choice["kind"];
type ChoiceOf<K extends Kind> = Extract<Choice, { kind: K }>;

/** One way to give a command: its target, and what must be filled in. */
export type WayTo<K extends Kind> = NonNullable<ChoiceOf<K>["ways"]>[number];
export type Way = WayTo<Kind>;
/** What a way may let someone choose. */
export type Answer = Partial<WayTo<"decide"> & WayTo<"choose"> & WayTo<"ask-squeeze"> & WayTo<"answer-squeeze"> & WayTo<"open-card">>;

/** The names of patrons by their ids, where they are known. */
export type PatronNames = Readonly<Record<string, string>> | undefined;

/** A command: what is refused to everyone is refused; else one's own choice counts, and else what all may do alike. */
export function choiceOf<K extends Kind>({ choices, me }: Choices, kind: K): ChoiceOf<K> {
  const isOf = (each: Choice): each is ChoiceOf<K> => each.kind === kind;
  const shared = choices.find(isOf);
  if (shared?.refusal) return shared;
  return me?.choices.find(isOf) ?? shared ?? ({ kind } as ChoiceOf<K>);
}

/** The ways in which a command is accepted now. */
export const waysTo = <K extends Kind>(choices: Choices, kind: K): readonly WayTo<K>[] => waysOf(choiceOf(choices, kind)).filter((way) => !way.refusal);
const waysOf = <K extends Kind>(choice: ChoiceOf<K>): readonly WayTo<K>[] => choice.ways ?? [];

/** Why a command is not accepted, in the way that `fits`; null where it is, or where nothing is said. */
export function refusalOf<K extends Kind>(choices: Choices, kind: K, fits: (way: WayTo<K>) => boolean = () => true): Refusal | null {
  const choice = choiceOf(choices, kind);
  return choice.refusal ?? waysOf<K>(choice).find(fits)?.refusal ?? null;
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
export function commandOf<K extends Command["kind"]>(kind: K, way: Way, values: FormValues): CommandOf<K> {
  const { amount, cover, inputs, refusal, warnings, ...target }: Record<string, unknown> = { ...way };
  return { kind, ...target, ...values } as unknown as CommandOf<K>;
}
