/** Whoever bets without credits is offered some at once. */
import { useEffect } from "preact/hooks";
import type { BetControls } from "../bet-controls";

/** Call `open` when a bet was refused for lack of credit to a patron who could not pay the smallest one. */
export function useNeedOfCredits(controls: BetControls, open: () => void): void {
  const refused = controls.refused.value;
  useEffect(() => {
    const snapshot = controls.table.snapshot.value;
    const smallest = snapshot?.table.limits?.minimum_cents ?? 0;
    if (refused?.code === "funds-short" && (snapshot?.me?.balance_cents ?? 0) < smallest) open();
  }, [refused]);
}
