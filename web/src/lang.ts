/** English and Chinese by a switch. English words are their own keys; every key must have its Chinese. */
import { signal } from "@preact/signals";
import { CHINESE, REFUSALS } from "./chinese";
import type { Phase, Refused, Sheet } from "./types";

export type Word = keyof typeof CHINESE;
export type Lang = "en" | "zh";

const kept = localStorage.getItem("punto.lang");
export const lang = signal<Lang>(kept === "zh" || (!kept && navigator.language.startsWith("zh")) ? "zh" : "en");

export function setLang(to: Lang): void {
  localStorage.setItem("punto.lang", to);
  lang.value = to;
}

/** Our own words in the language of the page; `{name}` is filled in. */
export function t(word: Word, fill: Record<string, string | number> = {}): string {
  const text: string = lang.value === "zh" ? CHINESE[word] : word;
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(fill[name] ?? ""));
}

/** Words of a sheet in the language of the page. */
export function words(sheet: Sheet, text: string): string {
  return (lang.value === "zh" && sheet.zh?.[text]) || text;
}

/** Why the server refused, with its paragraph. */
export function refusal({ code, message, rule }: Refused): string {
  const text = (lang.value === "zh" && REFUSALS[code]) || message.charAt(0).toUpperCase() + message.slice(1);
  return rule && !text.includes(rule) ? `${text} (¶ ${rule})` : text;
}

/** A table's notice: the server's sentence, or the same in Chinese. */
export function noticeWords(notice: string): string {
  const rule = /^No insurance is offered at this table \((.+)\)\.$/.exec(notice)?.[1];
  return rule ? t("No insurance is offered at this table ({rule}).", { rule }) : notice;
}

const PHASES: Record<Phase, Word> = {
  "not-open": "closed",
  "between-rounds": "between rounds",
  betting: "place your bets",
  "initial-cards": "dealing",
  "first-window": "insurance",
  "player-third": "dealing",
  "second-window": "insurance",
  "banker-third": "dealing",
  result: "result",
  held: "held",
};
export const phaseWords = (phase: Phase): string => t(PHASES[phase]);

const ROLES: Record<string, Word> = {
  dealer: "Dealer or above",
  "pit-supervisor": "Pit Supervisor or above",
  "pit-manager": "Pit Manager or above",
  "shift-manager": "Shift Manager",
};

/** Whom an open case waits for. */
export function caseWords(waitsFor: string | null): string {
  if (waitsFor === null) return t("Nobody is waited for");
  if (waitsFor === "patrons") return t("Waits for the patrons' choices");
  const role = ROLES[waitsFor];
  return role ? t("Waits for {role}", { role: t(role) }) : t("Waits for a second person");
}

const DECISIONS: Record<string, Word> = {
  void: "Void the round",
  continue: "Continue",
  options: "Give the options",
  reconstruct: "Reconstruct",
  order: "This is the order",
  approve: "Approve",
  decline: "Decline",
};
export const decisionWords = (decision: string): string => (DECISIONS[decision] ? t(DECISIONS[decision]) : decision);

const RULINGS: Record<string, Word> = {
  void: "the round is void, every bet goes back",
  refuse: "refused, bets stay as they lay",
  stands: "the bet stays in play",
  settle: "settled with the round",
  "pro-rata": "bets of the box count pro rata",
  "raise-or-withdraw": "raise or withdraw it",
  "conclude-or-void": "played on if an outcome is established, else void",
  reconstruct: "the cards go back in order",
  continue: "the round goes on",
  "order-cards": "someone with authority orders the cards",
  options: "each patron plays on or takes the bets back",
  "no-effect": "no effect",
  "return-original": "original bets go back where insurance would have won",
  "chips-prevail": "chips count where they lay",
  "table-prevails": "the table counts, not the display",
};

/** What a ruling means. */
export const rulingWords = (ruling: string): string => (RULINGS[ruling] ? t(RULINGS[ruling]) : ruling);

const REASONS: Record<string, Word> = {
  buy: "Credits bought",
  "cash-out": "Cashed out",
  stake: "Stake",
  pay: "Win",
  lose: "Loss",
  return: "Stake returned",
  adjust: "Correction",
};

/** Why credits moved. */
export const reasonWords = (reason: string): string => (REASONS[reason] ? t(REASONS[reason]) : reason);

/** A moment of the server's clock as people read it here. */
export function moment(ms: number): string {
  return new Date(ms).toLocaleString(lang.value === "zh" ? "zh-CN" : "en-GB", { dateStyle: "medium", timeStyle: "medium" });
}

/** Points in short: 0–4, 6. */
export function spread(points: number[]): string {
  const first = points[0];
  const last = points.at(-1);
  return first === last ? `${first}` : `${first}–${last}`;
}
