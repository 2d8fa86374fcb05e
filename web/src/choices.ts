/** What may be done now, within which bounds, and why not, all as the server says it. */
import type { Amount, Choice, Command, Facts, Input, InputType, LoadShoe, Refusal, ReplaceShoe, Snapshot, Way } from "./wire.ts";

type Seen = Pick<Snapshot, "choices" | "me">;

/** A command: what is refused to everyone is refused; else one's own choice counts, and else what all may do alike. */
export function choiceOf({ choices, me }: Seen, kind: Command["kind"]): Choice {
  const shared = choices.find((each) => each.kind === kind);
  if (shared?.refusal) return shared;
  return me?.choices.find((each) => each.kind === kind) ?? shared ?? { kind };
}

/** The ways in which a command is accepted now. */
export const waysTo = (seen: Seen, kind: Command["kind"]): readonly Way[] => (choiceOf(seen, kind).ways ?? []).filter((way) => !way.refusal);

/** Why a command is not accepted, in the way that `fits`; null where it is, or where nothing is said. */
export function refusalOf(seen: Seen, kind: Command["kind"], fits: (way: Way) => boolean = () => true): Refusal | null {
  const { refusal, ways = [] } = choiceOf(seen, kind);
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
export type Filled = Facts & Partial<Pick<ReplaceShoe, "reason">> & Pick<LoadShoe, "cut">;

/** The fields of a form as a command takes them; what was left empty is left out. */
export function filledIn(inputs: readonly Input[], form: FormData): Filled {
  const filled = inputs.map(({ name, type, claims = [] }) => {
    const text = String(form.get(name) ?? "").trim();
    return [name, type === "claims" ? form.getAll(name).map((place) => claims[Number(place)]) : text && READ[type](text)];
  });
  return Object.fromEntries(filled.filter(([, value]) => value !== ""));
}

/** A card as it is written, `Th`, however it was typed. */
const card = (text: string): string => text.slice(0, -1).toUpperCase().replace("10", "T") + text.slice(-1).toLowerCase();
const plain = (text: string): string => text;
const READ: Record<Exclude<InputType, "claims">, (text: string) => string | number | boolean> = {
  text: plain,
  "one-of": plain,
  newcomer: plain,
  number: Number,
  flag: (text) => text === "true",
  card,
  cards: (text) => text.split(/[\s,]+/).map(card).join(" "),
};

const ABOUT = ["patron", "box", "on", "hand", "window"] as const;

/** What a way is about. */
export const about = (way: Way): (typeof ABOUT)[number][] => ABOUT.filter((name) => way[name] != null);

/** The facts of a report: what its way is about, and what was filled in. */
export const factsOf = (way: Way, filled: Filled): Facts => Object.assign({}, filled, ...about(way).map((name) => ({ [name]: way[name] })));
