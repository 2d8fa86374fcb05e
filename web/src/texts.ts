/** What people read, in the language of the page. A key, parameter or word that is not in the catalogue does not compile. */
import { signal } from "@preact/signals";
import { CATALOGUES } from "./catalogue.ts";
import { coded, isFilled, render, sheetWord, type Fill, type Names } from "./render.ts";
import type { Refused, Sheet } from "./types.ts";

export type Language = keyof typeof CATALOGUES;
type Catalogue = (typeof CATALOGUES)["en"];
type Words = Catalogue["words"];
type Pages = Catalogue["pages"];
type PageText = keyof Pages;
export type Word<T extends keyof Words> = keyof Words[T] & string;
export type Rulings = Catalogue["rulings"];
type Section = "phases" | "rulings" | "guidance";

type Places<T> = T extends `${string}{${infer Place}}${infer Rest}` ? Place | Places<Rest> : never;
type NameOf<P> = P extends `${infer Name}:${string}` ? Name : P extends `${infer Name}|${string}` ? Name : P & string;
type ValueOf<P> = P extends keyof Words
  ? Word<P>
  : P extends `${string}_cents` | `${string}|${string}` | `${string}:${"money" | "number"}`
    ? number
    : P extends `${string}:bet`
      ? string | readonly string[]
      : string | number;
/** The parameters of a template, by its places. */
type Parameters<T> = { readonly [P in Places<T> as NameOf<P>]: ValueOf<P> };
type Given<T> = [Places<T>] extends [never] ? [] : [fill: Parameters<T>, sheet?: Names];

const kept = localStorage.getItem("punto.lang");
export const language = signal<Language>((kept ?? navigator.language).startsWith("zh") ? "zh-Hans" : "en");

export function setLanguage(to: Language): void {
  localStorage.setItem("punto.lang", to);
  language.value = to;
}

const texts = () => CATALOGUES[language.value];

/** A text of the pages. */
export function t<K extends PageText>(key: K, ...[fill, sheet]: Given<Pages[K]>): string {
  return render(texts().pages[key], texts(), fill ?? {}, sheet);
}

/** A text of another section. */
export function text<S extends Section, K extends keyof Catalogue[S]>(section: S, key: K, ...[fill]: Given<Catalogue[S][K]>): string {
  return coded(section, { ...fill, code: key }, texts());
}

/** The word for a value of an enumeration. */
export function word<T extends keyof Words>(table: T, value: Word<T>): string {
  return render(`{value:${table}}`, texts(), { value });
}

/** Words of a sheet. */
export const sheetWords = (sheet: Pick<Sheet, "zh">, words: string): string => sheetWord(words, sheet, language.value === "zh-Hans");

/** The name of a bet of either kind. */
export const betName = (sheet: Names, on: string): string => render("{on:bet}", texts(), { on }, sheet);

/** Whom an open case waits for. */
export const waitsFor = (who: Word<"waits_for"> | null): string => (who === null ? t("nobody-waited-for") : word("waits_for", who));

/** The notice of a table that runs without insurance. */
export const noInsurance = ({ insurance }: Sheet): string => t("no-insurance", { rule: insurance?.private_table_rule ?? "" });

/** Failures that no server told of, by the code that `api.ts` gives them. */
const OWN: Readonly<Record<string, "server-unreachable" | "server-silent">> = { "no-connection": "server-unreachable", "no-answer": "server-silent" };

/** Why something was refused, with its paragraph. The server's own sentence stands in for a text that it does not fill. */
export function refusalText(refused: Refused, sheet?: Sheet): string {
  const own = OWN[refused.code];
  if (own) return t(own);
  const template = (texts().refusals as Readonly<Record<string, string>>)[refused.code];
  const fill = refused as unknown as Fill;
  const refusal = template && isFilled(template, fill) ? render(template, texts(), fill, sheet) : refused.message;
  return refused.rule ? t("refusal-with-rule", { refusal, rule: refused.rule }) : refusal;
}

/** A moment of the server's clock as people read it here. */
export function moment(ms: number): string {
  return new Date(ms).toLocaleString(language.value === "en" ? "en-GB" : "zh-CN", { dateStyle: "medium", timeStyle: "medium" });
}
