/** The console's keyboard: cards and calls by key, whatever has the focus, except in fields and dialogs. */
import { useLayoutEffect } from "preact/hooks";
import type { CardEntry } from "../card-entry";

/** The key of each thing that has one. None is the key of a card. */
export const KEYS = { cut: "x", consent: "y", decline: "n", misKeyed: "m", report: "r", paid: "p" } as const;

export interface KeyActions {
  /** A whole card, or keys that make none: whatever was keyed is dealt with here, and no call is given. */
  onCard: () => void;
  /** Enter without a card: the next call. */
  onCall: () => void;
  /** By each of the keys above. */
  on: Partial<Record<keyof typeof KEYS, () => void>>;
}

const FIELDS = "input:not([type=checkbox]), select, textarea, dialog";
const OPERATED = "button, a, summary";

/** Listen to the keyboard. What opened a dialog gives the focus back when that closes. A key that is held down does nothing twice, except to take keys of a card back. */
export function useKeyboard(entry: CardEntry, { onCard, onCall, on }: KeyActions): void {
  // Before the page is painted, so that no key meets what stood there before.
  useLayoutEffect(() => {
    const act = (event: KeyboardEvent): boolean => {
      const { key, repeat } = event;
      const within = (what: string) => event.target instanceof Element && event.target.closest(what) !== null;
      if (within(FIELDS) || document.querySelector("dialog[open]") || event.ctrlKey || event.metaKey || event.altKey) return false;
      if (key === "Enter") {
        if (!entry.text.value && within(OPERATED)) return false; // it belongs to what was reached by Tab
        if (!repeat) (entry.text.value ? onCard : onCall)();
        return true;
      }
      if (key === "Backspace" && !entry.text.value) {
        if (!repeat) on.misKeyed?.();
        return true;
      }
      if (key !== "Backspace" && repeat) return false;
      if (entry.press(key)) return true;
      const name = (Object.keys(KEYS) as (keyof typeof KEYS)[]).find((each) => KEYS[each] === key.toLowerCase());
      const action = name && on[name];
      action?.();
      return !!action;
    };
    const press = (event: KeyboardEvent) => {
      if (act(event)) event.preventDefault();
    };
    addEventListener("keydown", press);
    addEventListener("close", release, true);
    return () => {
      removeEventListener("keydown", press);
      removeEventListener("close", release, true);
    };
  });
}

/** Give the focus back, so that Enter is the next call again. */
const release = () => document.activeElement instanceof HTMLElement && document.activeElement.matches(OPERATED) && document.activeElement.blur();

/** What was pressed with a pointer gives the focus back. */
export function giveFocusBack({ detail }: MouseEvent): void {
  if (detail > 0) release();
}
