/** What comes next at the console. Which call it is, the choices say: nothing here knows a rule. */
import { useEffect, useState } from "preact/hooks";
import { commandOf, isRequired, waysTo } from "../choices.ts";
import type { TableView } from "../hooks.ts";
import { sheetWords, t } from "../texts.ts";
import type { Command, Snapshot, Way } from "../wire.ts";

const CALLS = ["load-shoe", "open-bets", "close-bets", "deal", "open-card", "settle"] as const;

type Call = Extract<Command, { kind: (typeof CALLS)[number] }>;

const asksNothing = ({ inputs = [] }: Way): boolean => !inputs.some((input) => isRequired(input));

/** The next call: the first that can be given now as it is, without a card or anything else to name. */
export function nextCall(snapshot: Pick<Snapshot, "choices" | "me">): Call | null {
  for (const kind of CALLS) {
    const way = waysTo(snapshot, kind).find(asksNothing);
    if (way) return commandOf(kind, way, {});
  }
  return null;
}

/** What the Dealer says or does with a call. */
export function callName(call: Call, { sheet }: Pick<TableView, "sheet">): string {
  switch (call.kind) {
    case "load-shoe":
      return t("new-shoe");
    case "open-bets":
      return sheetWords(sheet, sheet.play.open.says);
    case "close-bets":
      return sheetWords(sheet, sheet.play.close.says);
    case "deal":
      return t("next-card");
    case "open-card":
      return t("open-card", { place: call.place });
    case "settle":
      return t("settle-the-round");
  }
}

/** What is to be done at the table now, in plain words; null where there is nothing to do. */
export function taskText(snapshot: Snapshot): string | null {
  const { hand } = snapshot.next;
  if (waysTo(snapshot, "burn-cards").length) return t("burn-first-card");
  switch (nextCall(snapshot)?.kind) {
    case "load-shoe":
      return t("load-a-shoe");
    case "open-bets":
      return t("ready-for-round");
    case "close-bets":
      return t("bets-are-open");
    case "deal":
      return hand ? t("deal-to", { hand }) : t("next-card");
    case "settle":
      return t("settle-then-pay");
    case "open-card":
      return t("cards-to-open");
    default:
      if (waysTo(snapshot, "close-bets").length) return t("check-before-close");
      return waysTo(snapshot, "open-card").length ? t("cards-to-open") : null;
  }
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
