/** A seat is chosen for whoever comes to a table, and can be changed. */
import { useEffect, useRef } from "preact/hooks";
import type { BetControls } from "../bet-controls";
import { waysTo } from "../choices";
import type { Snapshot } from "../wire";

/** Sit down at the first box that is offered, once for each visit. */
export function useSeat(controls: BetControls, enabled: boolean): void {
  const tried = useRef<BetControls | null>(null);
  const snapshot = controls.table.snapshot.value;
  const box = snapshot && enabled ? firstFree(snapshot) : null;
  useEffect(() => {
    if (!snapshot?.me || !enabled || tried.current === controls) return;
    if (snapshot.me.box !== null) tried.current = controls;
    if (box === null) return;
    tried.current = controls;
    void controls.send({ kind: "sit", box });
  }, [controls, enabled, box, snapshot?.me?.box]);
}

/**
 * The first box at which a patron without a place may sit, where bets are made at terminals. At a live layout the patron
 * sits with others around it and says where.
 */
export function firstFree(snapshot: Pick<Snapshot, "choices" | "me" | "table">): number | null {
  const { mode, layout } = snapshot.table;
  if (snapshot.me?.box !== null || (mode === "live" && layout !== null)) return null;
  return waysTo(snapshot, "sit").find((way) => way.box !== null)?.box ?? null;
}

/** The boxes to which a seated patron without bets may change: those that anyone may take. */
export function boxesToChangeTo({ choices, me }: Pick<Snapshot, "choices" | "me">): number[] {
  if (!me?.seated || me.bets.length || !waysTo({ choices, me }, "leave").length) return [];
  return waysTo({ choices, me: null }, "sit").flatMap(({ box }) => box ?? []);
}

/** Give up one's seat and take another. */
export async function changeSeat(controls: BetControls, box: number): Promise<void> {
  if (await controls.send({ kind: "leave" })) await controls.send({ kind: "sit", box });
}
