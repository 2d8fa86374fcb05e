/** What people read, in the language of the page. A key, parameter or word that is not in the catalogue does not compile. */
import { batch, signal } from "@preact/signals";
import type english from "./catalogues/en.ts";
import type { PatronNames } from "./choices.ts";
import { render, sheetWord, textByCode, type Fill, type Names } from "./templates.ts";
import type { Answer } from "./choices.ts";
import type { CaseView, Command, DrawReason, Input, Notice, Refusal, Sheet, SignificantEvent, TableLimits } from "./wire.ts";

type Catalogue = typeof english;
type Words = Catalogue["words"];
type Pages = Catalogue["pages"];
type PageText = keyof Pages;
type Word<T extends keyof Words> = keyof Words[T] & string;
type Section = "phases" | "rulings" | "roads";

type Places<T> = T extends `${string}{${infer Place}}${infer Rest}` ? Place | Places<Rest> : never;
type NameOf<P> = P extends `${infer Name}:${string}` ? Name : P extends `${infer Name}|${string}` ? Name : P & string;
type ValueOf<P> = P extends keyof Words
  ? Word<P>
  : P extends `${string}_cents` | `${string}|${string}` | `${string}:${"money" | "number"}`
    ? number
    : P extends `${string}:bet`
      ? string | readonly string[]
      : string | number;
type Bracketed<T> = T extends `${string}[${infer Part}]${infer Rest}` ? Places<Part> | Bracketed<Rest> : never;
/** The parameters of a template, by its places; a part in brackets is left out where it lacks one. */
type Parameters<T> = { readonly [P in Places<T> as NameOf<P>]: ValueOf<P> | (P extends Bracketed<T> ? null : never) };
type Given<T> = [Places<T>] extends [never] ? [] : [fill: Parameters<T>, sheet?: Names];

/** The languages, each fetched when it is first shown. They have the same texts. */
const CATALOGUES = {
  en: () => import("./catalogues/en.ts"),
  "zh-Hans": () => import("./catalogues/zh-Hans.ts") as unknown as Promise<{ default: Catalogue }>,
};
type Language = keyof typeof CATALOGUES;

const STORED = "punto.lang";
export const language = signal<Language>((localStorage.getItem(STORED) ?? navigator.language).startsWith("zh") ? "zh-Hans" : "en");
const catalogue = signal<Catalogue | null>(null);

/** Fetch a language and show the page in it. */
async function show(to: Language): Promise<void> {
  const { default: texts } = await CATALOGUES[to]();
  batch(() => {
    language.value = to;
    catalogue.value = texts;
  });
}

/** The texts of the first language are there; no page is drawn before. */
export const textsReady = show(language.value);

/** Show the page in another language, now and whenever it is opened here. */
export function setLanguage(to: Language): Promise<void> {
  localStorage.setItem(STORED, to);
  return show(to);
}

const texts = (): Catalogue => catalogue.value!;

/** A text of the pages. */
export function t<K extends PageText>(key: K, ...[fill, sheet]: Given<Pages[K]>): string {
  return render(texts().pages[key], texts(), fill ?? {}, sheet).replaceAll("¶ ", "¶\u00a0"); // never at two ends of a line
}

/** A text of another section. */
export function text<S extends Section, K extends keyof Catalogue[S]>(section: S, key: K, ...[fill, sheet]: Given<Catalogue[S][K]>): string {
  return textByCode(section, { ...fill, code: key }, texts(), sheet);
}

/** The word for a value of an enumeration. */
export const word = <T extends keyof Words>(table: T, value: Word<T>): string => wordFor(table, value);

/** The word for a value that travels as plain text. */
export const wordFor = (table: keyof Words, value: string): string => render(`{value:${table}}`, texts(), { value });

/** The values of an enumeration, each with its word. */
export const wordsOf = (table: keyof Words): [value: string, word: string][] => Object.keys(texts().words[table]).map((value) => [value, wordFor(table, value)]);

/** Words as they begin a line. */
export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** What a command does, as a button says it. */
export const commandName = (kind: Command["kind"]): string => capital(word("command", kind));

/** What a button says that gives a command in one of its ways. */
export function wayLabel(kind: Command["kind"], { decision, option, what, consent }: Answer): string {
  if (decision) return word("decision", decision);
  if (option) return word("option", option);
  if (what) return t("ask-to", { squeeze: what });
  if (consent != null) return consent ? t("consent") : word("decision", "decline");
  return commandName(kind);
}

/** What a form asks for: a fact of a report, what a decision needs, or something else. */
export function inputName(name: string): string {
  if (name in texts().words.fact) return wordFor("fact", name);
  return name in texts().words.decision_input ? wordFor("decision_input", name) : wordFor("input", name);
}

/** The name of a table's maximum: that of the Differential, or of a bet in a game that knows no Differential. */
export const maximumName = ({ limits }: Pick<Sheet, "limits">): string => (limits ? t("differential") : t("maximum"));

/** The limits of a table in a line. */
export const limitsLine = (sheet: Sheet, limits: TableLimits): string => (sheet.limits ? t("limits-line", limits) : t("limits-line-maximum", limits));

/** One of the values that a field allows. */
export function optionName({ name, type }: Input, value: string, people: PatronNames): string {
  if (type === "flag") return value === "true" ? t("yes") : t("no");
  if (name === "window") return wordFor("window", value);
  return value in texts().words.role ? wordFor("role", value) : (people?.[value] ?? value);
}

/** Whether an id stands for whoever bets cash in a box. */
export const isCash = (id: string): boolean => id.startsWith("cash:");

/** Who has a bet: a patron by name, or whoever bets cash in a box. */
export const patronName = (patrons: PatronNames, id: string): string => (isCash(id) ? t("cash") : (patrons?.[id] ?? id));

/** Words of a sheet. */
export const sheetWords = (sheet: Pick<Sheet, "zh">, words: string): string => sheetWord(words, sheet, language.value === "zh-Hans");

/** The title of a game: its name, and what it says of itself in brackets, with them. */
export function titleParts(sheet: Pick<Sheet, "zh" | "title">): { name: string; more: string } {
  const title = sheetWords(sheet, sheet.title);
  const more = /[(（].*$/.exec(title)?.[0] ?? "";
  return { name: title.slice(0, title.length - more.length), more };
}

/** The name of a bet of either kind. */
export const betName = (sheet: Names, on: string): string => render("{on:bet}", texts(), { on }, sheet);

/** What was seen, in the sheet's own words where it has them. */
export const situationText = (situation: string, sheet?: Names): string => render("{situation:situations}", texts(), { situation }, sheet);

/** What the sheet says of a case, or what it came to. */
export const rulingText = ({ finding, ruling }: Pick<CaseView, "finding" | "ruling">): string | null =>
  (finding ?? ruling) && render("{ruling:rulings}", texts(), { ruling: finding ?? ruling });

/** What an open case waits for, and whom. */
export const waitsFor = ({ waits, role }: Pick<CaseView, "waits" | "role">): string => (waits ? t("waits-for", { waits, role }) : t("nobody-waited-for"));

/** Why the next card goes where it goes. */
export const reasonText = (reason: DrawReason | null): string | null => reason && textByCode("guidance", reason, texts());

/** What a house must be able to show later. */
export function significantText({ code, parameters }: SignificantEvent, people: PatronNames, sheet?: Names): string {
  const isNamed = "name" in parameters;
  const named = Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, PEOPLE.has(name) && !isNamed ? (people?.[value] ?? value) : value]));
  return textByCode("significant", { ...named, code }, texts(), sheet);
}

/** What a patron is told of, with its paragraph; `tables` has the names of tables by their ids. */
export function noticeText(notice: Notice, tables: PatronNames): string {
  const table = notice.table && (tables?.[notice.table] ?? notice.table);
  const sentence = textByCode("notices", { ...notice, table }, texts());
  return notice.rule ? t("refusal-with-rule", { refusal: sentence, rule: notice.rule }) : sentence;
}

/** The parameters of significant events that hold someone's id. */
const PEOPLE = new Set(["patron", "person"]);

/** Who did something, as logs write it (`dealer:dan`, `pit-supervisor:dan@dealer`): the name and the role in which they acted. */
export function actorText(actor: string, people: PatronNames): string {
  const [, role, id = actor] = /^([a-z-]+):([^@]*)/.exec(actor) ?? [];
  const { actor: others } = texts().words;
  if (id in others) return wordFor("actor", id);
  const name = people?.[id] ?? id;
  return role && role in texts().words.role ? t("person-as", { name, role: role as Word<"role"> }) : name;
}

/** How long someone has waited. */
export const waited = (ms: number): string => t("minutes-waiting", { n: Math.max(0, Math.floor(ms / 60_000)) });

/** Hundredths of a per cent as a percentage. */
export const basisPoints = (points: number | null): string => (points === null ? "–" : percent(points / 10_000, 2));

/** What the academy says. */
export const academyText = (code: string, fill: Fill = {}, sheet?: Names): string => textByCode("academy", { ...fill, code }, texts(), sheet).replaceAll("¶ ", "¶\u00a0");

/** What happened, or would. */
export const narrationText = (code: string, fill: Fill, sheet: Names): string => textByCode("narration", { ...fill, code }, texts(), sheet);

/** Why something was refused, with its paragraph. */
export function refusalText(refusal: Refusal, sheet?: Names): string {
  const sentence = textByCode("refusals", refusal, texts(), sheet);
  return refusal.rule ? t("refusal-with-rule", { refusal: sentence, rule: refusal.rule }) : sentence;
}

/** A moment of the server's clock as people read it here. */
export function moment(ms: number): string {
  return new Date(ms).toLocaleString(language.value === "en" ? "en-GB" : "zh-CN", { dateStyle: "medium", timeStyle: "medium" });
}

/** A time of day of the server's clock as people read it here. */
export const clockTime = (ms: number): string => new Date(ms).toLocaleTimeString(language.value === "en" ? "en-GB" : "zh-CN", { timeStyle: "short" });

/** A share as a percentage of four places; a real minus sign, and none before nothing. */
export const percent = (share: number, places = 4): string => `${(share * 100).toFixed(places)}%`.replace(/^-(?=[0.]+%)/, "").replace("-", "−");
