/** What a patron hears: sounds, and for those who cannot see the page what the table says, each thing once. */
import { useEffect, useRef } from "preact/hooks";
import { callText, isVoid, NEARLY_OVER } from "../components/call";
import { spokenName } from "../components/card";
import type { SeatProps } from "../components/felt";
import { signed, winSize } from "../money";
import { announcement } from "../notices";
import { play, say } from "../sounds";
import { language, t } from "../texts";
import type { Snapshot } from "../wire";

/** What the round brought the patron; null before it is over, or where nothing was bet. */
export function netResult(snapshot: Snapshot): number | null {
  const { me, round, result } = snapshot;
  if ((!result && !isVoid(snapshot)) || !me?.lines.length || me.lines_round !== round) return null;
  return me.net_cents;
}

/** Phases that begin with a call of the Dealer, or with a result. */
const SPOKEN: ReadonlySet<string> = new Set(["betting", "initial-cards", "first-window", "second-window", "result"]);

/** How large the round's win is for what was staked on it. */
export const roundWinSize = (snapshot: Snapshot): number => winSize(netResult(snapshot) ?? 0, snapshot.me?.lines.reduce((sum, { bet }) => sum + bet.stake_cents, 0) ?? 0);

/** The open cards of each hand and what they come to. */
function handsText({ cards, points }: Snapshot): string[] {
  return (["player", "banker"] as const).flatMap((hand) => {
    const open = cards.filter((each) => each.hand === hand && each.card);
    return open.length ? [t("hand-spoken", { hand, cards: open.map(({ card }) => spokenName(card)).join(", "), points: points[hand] ?? 0 })] : [];
  });
}

export function useHeard(seat: SeatProps, seconds: number | null): void {
  const { snapshot, controls } = seat;
  const landing = controls.table.reveal.landing.value;
  const net = netResult(snapshot);
  const betting = snapshot.phase === "betting";
  const open = snapshot.cards.filter(({ card }) => card).length;
  const chips = Object.values(controls.wanted.value).reduce((sum, cents) => sum + cents, 0);

  useEffect(() => {
    if (landing || snapshot.phase === "held") return; // a held round says so itself
    announcement.value = callText(seat);
    if (SPOKEN.has(snapshot.phase)) say(callText(seat), language.value);
  }, [snapshot.phase, snapshot.round, snapshot.result, landing, seat.sheet]);
  useEffect(() => {
    if (open && !landing) announcement.value = [...handsText(snapshot), ...(snapshot.result ? [callText(seat)] : [])].join(". ");
  }, [open, landing]);
  useEffect(() => {
    if (net !== null) announcement.value = t("your-result", { net: signed(net) });
    if (net !== null && net > 0) play("win", 2 + roundWinSize(snapshot));
  }, [net]);

  const before = useRef({ cards: snapshot.cards.length, chips });
  useEffect(() => {
    if (snapshot.cards.length > before.current.cards) play("card");
    if (chips > before.current.chips) play("chip");
    before.current = { cards: snapshot.cards.length, chips };
  }, [snapshot.cards.length, chips]);
  const soon = betting && snapshot.me?.box != null && seconds !== null && seconds > 0 && seconds <= NEARLY_OVER;
  useEffect(() => {
    if (soon) play("nearly-over");
  }, [soon]);
}
