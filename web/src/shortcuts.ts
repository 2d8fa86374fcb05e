/**
 * The keys of a terminal, declared once: the keyboard and the help sheet are drawn from the same list. A key presses the
 * button that does the same, so what a button does not allow a key does not do either.
 */
import { useLayoutEffect } from "preact/hooks";
import { betName, t } from "./texts";
import type { Sheet } from "./wire";

export interface Shortcut {
  /** What is written on the key, or on the first and last of several. */
  keys: readonly string[];
  name: string;
  /** What it presses, for the key that was struck; none where that is not on the page. */
  button: (key: string) => HTMLElement | null | undefined;
}

/** The keys of the side bets, in the order of the sheet. */
const SIDE_BET_KEYS = ["T", "Q", "W", "E", "Y", "I", "G", "H", "J", "K"];

const find = (test: string) => () => document.querySelector<HTMLElement>(`[data-test="${test}"]`);
const chips = () => document.querySelectorAll<HTMLElement>('[data-test^="chip-"]');
/** What is offered while insurance is, in the order in which it stands there; the digits are its keys then. */
const insurances = () => document.querySelectorAll<HTMLElement>('[data-test="insurance"] .taps > button');

/** Every key of a terminal where this sheet is played. */
export function shortcutsOf(sheet: Sheet): Shortcut[] {
  const bets = Object.values(sheet.bets);
  const ofHand = { player: "P", banker: "B" } as const;
  const sides = bets.filter(({ hand }) => hand === null);
  const keyOf = ({ id, hand }: (typeof bets)[number]) => (hand ? ofHand[hand] : SIDE_BET_KEYS[sides.findIndex((side) => side.id === id)]);
  const spots = bets.flatMap((bet) => {
    const key = keyOf(bet);
    return key ? [{ keys: [key], name: betName(sheet, bet.id), button: find(`spot-${bet.id}`) }] : [];
  });
  return [
    { keys: ["1", "9"], name: t("key-chips"), button: (key) => insurances()[Number(key) - 1] ?? chips()[Number(key) - 1] },
    ...spots,
    ...(sheet.insurance ? [{ keys: ["N"], name: t("no-insurance-thanks"), button: find("no-insurance") }] : []),
    { keys: ["Enter"], name: t("key-confirm"), button: find("confirm") },
    { keys: ["U"], name: t("undo"), button: find("undo") },
    { keys: ["C"], name: t("clear"), button: find("clear") },
    { keys: ["R"], name: t("re-bet"), button: find("rebet") },
    { keys: ["D"], name: t("double"), button: find("double") },
    { keys: ["O"], name: t("key-roads"), button: find("open-roads") },
    { keys: ["L"], name: t("pays-limits"), button: find("open-pays") },
    { keys: ["M"], name: t("key-mute"), button: find("sound") },
    { keys: ["?"], name: t("key-help"), button: find("open-help") },
  ];
}

/** Whether a key is one of a shortcut's: one that is written there, or a digit between two. */
function fits({ keys: [first, last] }: Shortcut, key: string): boolean {
  if (!last) return first === key;
  return key.length === 1 && first! <= key && key <= last;
}

/** Where keys belong to what has the focus. */
const FIELDS = "input, select, textarea, dialog";
const OPERATED = "button, a, summary, [role=button]";

/** Listen to the keyboard while a sheet is played. A key that is held down does nothing twice. */
export function useShortcuts(sheet: Sheet | null | undefined): void {
  // Before the page is painted, so that no key is lost that someone strikes at what they see.
  useLayoutEffect(() => {
    if (!sheet) return;
    let tabbed = false; // whether what has the focus was reached by Tab, and not by a tap
    const tap = () => (tabbed = false);
    const press = (event: KeyboardEvent) => {
      if (event.key === "Tab") tabbed = true;
      const within = (what: string) => event.target instanceof Element && event.target.closest(what) !== null;
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || within(FIELDS) || document.querySelector("dialog[open]")) return;
      if (event.key === "Enter" && tabbed && within(OPERATED)) return;
      const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
      const button = shortcutsOf(sheet).find((each) => fits(each, key))?.button(key);
      if (!button || button.matches(":disabled, [aria-disabled=true]")) return;
      event.preventDefault();
      button.click();
    };
    addEventListener("keydown", press);
    addEventListener("pointerdown", tap);
    return () => {
      removeEventListener("keydown", press);
      removeEventListener("pointerdown", tap);
    };
  }, [sheet]);
}
