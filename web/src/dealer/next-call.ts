/** What comes next at the console. Which call it is, the choices say: nothing here knows a rule. */
import { useEffect, useState } from "preact/hooks";
import { commandOf, isRequired, waysTo, type Way } from "../choices.ts";
import { sheetWords, t } from "../texts.ts";
import type { Command, Sheet, Snapshot } from "../wire.ts";

interface Words {
  /** What the Dealer says or does with the call. */
  says: (sheet: Sheet, place: number | undefined) => string;
  /** What is to be done, while it is the next. */
  task: (snapshot: Snapshot) => string;
}

/** The calls, in the order in which the next one is looked for. */
const CALLS = {
  "load-shoe": { says: () => t("new-shoe"), task: () => t("load-a-shoe") },
  "open-bets": { says: (sheet) => sheetWords(sheet, sheet.play.open.says), task: () => t("ready-for-round") },
  "close-bets": { says: (sheet) => sheetWords(sheet, sheet.play.close.says), task: () => t("bets-are-open") },
  deal: { says: () => t("next-card"), task: ({ next: { hand } }) => (hand ? t("deal-to", { hand }) : t("next-card")) },
  "open-card": { says: (_, place = 0) => t("open-card", { place }), task: () => t("cards-to-open") },
  settle: { says: () => t("settle-the-round"), task: () => t("settle-then-pay") },
} satisfies Partial<Record<Command["kind"], Words>>;

type Call = Extract<Command, { kind: keyof typeof CALLS }>;

const asksNothing = ({ inputs = [] }: Way): boolean => !inputs.some((input) => isRequired(input));

/** The next call: the first that can be given now as it is, without a card or anything else to name. */
export function nextCall(snapshot: Pick<Snapshot, "choices" | "me">): Call | null {
  for (const kind of Object.keys(CALLS) as Call["kind"][]) {
    const way = waysTo(snapshot, kind).find(asksNothing);
    if (way) return commandOf(kind, way, {});
  }
  return null;
}

/** What the Dealer says or does with a call. */
export const callName = (call: Call, sheet: Sheet): string => (CALLS[call.kind] as Words).says(sheet, "place" in call ? (call.place ?? 0) : 0);

/** What is to be done at the table now, in plain words; null where there is nothing to do. */
export function taskText(snapshot: Snapshot): string | null {
  const may = (kind: Command["kind"]) => waysTo(snapshot, kind).length > 0;
  if (may("burn-cards")) return t("burn-first-card");
  const call = nextCall(snapshot);
  if (call) return (CALLS[call.kind] as Words).task(snapshot);
  return may("close-bets") ? t("check-before-close") : may("open-card") ? t("cards-to-open") : null;
}

/** Two presses closer than this are one: nobody gives two calls in that time. */
const DOUBLE_PRESS_MS = 500;

/** Whether what a call depends on has stayed the same for long enough, so that it cannot be given by a second press meant for the last one. */
export function useSettled(state: string): boolean {
  const [settled, setSettled] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSettled(state), DOUBLE_PRESS_MS);
    return () => clearTimeout(timer);
  }, [state]);
  return settled === state;
}
