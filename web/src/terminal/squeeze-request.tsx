/** "Squeeze when I may": said once, it asks the House for each card of the patron's hand before it is dealt. And waivers of a window. */
import { signal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";
import { waysTo, type WayTo } from "../choices";
import type { SeatProps } from "../components/felt";
import { CommandButtons } from "../components/forms";
import { Rule } from "../components/rule";
import { t } from "../texts";
import type { Sheet, Snapshot } from "../wire";

const STORED = "punto.squeeze";
const always = signal(localStorage.getItem(STORED) === "true");

function setAlways(to: boolean): void {
  localStorage.setItem(STORED, String(to));
  always.value = to;
}

/** Phases in which a card may still be asked for in this round. */
const ASKING: ReadonlySet<string> = new Set(["betting", "initial-cards", "player-third", "banker-third"]);

const isWaiver = ({ what }: WayTo<"ask-squeeze">): boolean => what !== "card";

/** The card that is asked for now, by its place; null for none. It goes to a hand that the patron bet on, if they bet on one. */
function cardToAskFor(snapshot: Snapshot, { bets }: Sheet): number | null {
  const { squeeze, cards, next, me } = snapshot;
  if (squeeze || waysTo(snapshot, "ask-squeeze").every(isWaiver)) return null;
  const hands = me?.bets.flatMap(({ on }) => bets[on]?.hand ?? []) ?? [];
  return !hands.length || hands.some((hand) => hand === next.hand) ? cards.length + 1 : null;
}

/** What a patron may ask of the House, and what was asked; where that is nothing, the children. */
export function SqueezeRequest({ snapshot, sheet, controls, enabled, children }: SeatProps & { children: ComponentChildren }): JSX.Element {
  const { squeeze, me, phase, table } = snapshot;
  // What is asked for follows the table itself: cards are dealt while the patron still looks at the last one.
  const newest = controls.table.snapshot.value ?? snapshot;
  const card = enabled && always.value ? cardToAskFor(newest, sheet) : null;
  useEffect(() => {
    if (card) void controls.table.send({ kind: "ask-squeeze", what: "card" }); // that another was first is no news
  }, [card, newest.round]);
  if (squeeze) return <p class="hint ask">{t("squeeze-asked", { name: squeeze.name, squeeze: squeeze.what })} <Rule rule={squeeze.rule} sheet={sheet} /></p>;
  const maySqueeze = table.face_down && sheet.play.squeeze && me?.seated && ASKING.has(phase);
  if (!maySqueeze && !waysTo(snapshot, "ask-squeeze").some(isWaiver)) return <>{children}</>;
  return (
    <div class="ask">
      <CommandButtons snapshot={snapshot} kind="ask-squeeze" fits={isWaiver} onSend={(command) => void controls.send(command)} />
      {maySqueeze && <label class="tick"><input type="checkbox" checked={always.value} onChange={({ currentTarget }) => setAlways(currentTarget.checked)} data-test="always-squeeze" /> {t("always-squeeze")}</label>}
    </div>
  );
}
