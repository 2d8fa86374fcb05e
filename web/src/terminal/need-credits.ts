/** Whoever puts chips down without credits is offered some at once. */
import { useEffect } from "preact/hooks";
import type { BetControls } from "../bet-controls";

/** Call `open` when chips are put down by a patron who could not pay the smallest bet. */
export function useNeedOfCredits(controls: BetControls, open: () => void): void {
  const snapshot = controls.table.snapshot.value;
  const smallest = snapshot?.table.limits?.minimum_cents ?? 0;
  const chips = Object.values(controls.added.value).reduce((sum, cents) => sum + cents, 0);
  const lacking = (snapshot?.me?.balance_cents ?? 0) < smallest ? chips : 0;
  useEffect(() => {
    if (lacking > 0) open();
  }, [lacking]);
}
