/** Templates filled in, by the rules that `punto/texts/__init__.py` states: Python renders the same catalogues. */
import { money } from "./money.ts";
import type { Sheet } from "./wire.ts";

type Table = Readonly<Record<string, string>>;

/** A catalogue: sections of templates, the tables of words, and what stands between the parts of a list. */
export interface Texts {
  readonly list_separator: string;
  readonly words: Readonly<Record<string, Table>>;
  readonly [section: string]: unknown;
}

/** What names the bets and situations of a game, and gives its words in Chinese. */
export type Names = Pick<Sheet, "bets" | "insurance" | "irregularities" | "zh">;

export type Fill = Readonly<Record<string, unknown>>;

const PLACE = /\{(\w+)(?::([\w-]+)|\|([^{}]*))?\}/g;
const OPTIONAL = /\[([^\][{}]*(?:\{[^{}]*\}[^\][{}]*)+)\]/g;

/** A template with its parameters filled in; throws where a parameter or a word is missing. */
export function render(template: string, texts: Texts, fill: Fill, names?: Names): string {
  const chosen = template.replace(OPTIONAL, (_, part: string) => ([...part.matchAll(PLACE)].every(([, name]) => isKnown(fill[name!])) ? part : ""));
  return chosen.replace(PLACE, (_, name: string, format: string | undefined, forms: string | undefined) => {
    const value = fill[name] ?? missing(`"${template}" needs the parameter ${name}`);
    if (forms !== undefined) return counted(Number(value), forms.split("|"));
    return written(value, format ?? formatOf(name, texts), texts, names);
  });
}

/** The text of something by its code, filled in from its other fields. */
export function textByCode(section: string, value: Fill, texts: Texts, names?: Names): string {
  return render(find(texts[section] as Table, String(value["code"]), section), texts, value, names);
}

const isKnown = (value: unknown): boolean => value != null && value !== "" && !(Array.isArray(value) && value.length === 0);

/** A word of a sheet in Chinese where it has one. */
export const sheetWord = (word: string, names: Pick<Names, "zh">, chinese: boolean): string => (chinese && names.zh[word]) || word;

function missing(what: string): never {
  throw new Error(what);
}

const find = (table: Table | undefined, key: string, where: string): string => table?.[key] ?? missing(`[${where}] has no "${key}"`);

function formatOf(name: string, texts: Texts): string {
  return name.endsWith("_cents") ? "money" : name in texts.words ? name : "";
}

function counted(number: number, forms: string[]): string {
  return `${number.toLocaleString("en-US")} ${number === 1 ? forms[0] : forms.at(-1)}`;
}

function written(value: unknown, format: string, texts: Texts, names?: Names): string {
  if (Array.isArray(value)) return value.map((each) => written(each, format, texts, names)).join(format === "cards" ? " " : texts.list_separator);
  if (format === "money") return money(Number(value));
  if (format === "number") return Number(value).toLocaleString("en-US");
  if (format === "bet" || format === "sheet") {
    if (!names) return String(value);
    const word = format === "bet" ? betName(String(value), names) : String(value);
    return sheetWord(word, names, texts["language"] === "zh-Hans");
  }
  if (format in texts.words) return find(texts.words[format], String(value), `words.${format}`);
  if (format in texts) return typeof value === "string" ? textByKey(format, value, texts, names) : textByCode(format, value as Fill, texts, names);
  if ((format && format !== "cards") || typeof value === "boolean") missing(`no format "${format}" for ${value}`);
  return String(value);
}

/** A text by its key; a sheet describes its own situations itself. */
function textByKey(section: string, key: string, texts: Texts, names?: Names): string {
  const own = section === "situations" ? names?.irregularities[key] : undefined;
  return own && names ? sheetWord(own.situation, names, texts["language"] === "zh-Hans") : find(texts[section] as Table, key, section);
}

/** The sheet's name of a bet. A bet that it does not have keeps its id, for someone did name it. */
function betName(on: string, { bets, insurance }: Names): string {
  return (bets[on] ?? insurance?.bets.find(({ id }) => id === on))?.name ?? on;
}
