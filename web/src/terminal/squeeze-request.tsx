/** Asking for a squeeze: at a face-down table once for every card to come, or for the next one alone. */
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { waysTo } from "../choices";
import type { SeatProps } from "../components/felt";
import { CommandButtons } from "../components/forms";
import { Rule } from "../components/rule";
import { t } from "../texts";

/** Phases in which a card may still be asked for in this round. */
const ASKING: ReadonlySet<string> = new Set(["betting", "initial-cards", "player-third", "banker-third"]);

/** What a patron may ask of the House, and what was asked; where that is nothing, the children. */
export function SqueezeRequest({ snapshot, sheet, controls, enabled, children }: SeatProps & { children: ComponentChildren }): JSX.Element {
  const [always, setAlways] = useState(false);
  const { squeeze, round, cards, me, phase, table } = snapshot;
  const asks = waysTo(snapshot, "ask-squeeze");
  const mayAsk = enabled && !squeeze && asks.some(({ what }) => what === "card");
  useEffect(() => {
    if (always && mayAsk) void controls.send({ kind: "ask-squeeze", what: "card" });
  }, [always, mayAsk, round, cards.length]); // once for each card, before it is dealt
  if (squeeze) return <p class="hint ask">{t("squeeze-asked", { name: squeeze.name, squeeze: squeeze.what })} <Rule rule={squeeze.rule} sheet={sheet} /></p>;
  if (!asks.length && !(table.face_down && me?.seated && ASKING.has(phase))) return <>{children}</>;
  return (
    <div class="ask">
      <CommandButtons snapshot={snapshot} kind="ask-squeeze" fits={({ what }) => !always || what !== "card"} onSend={(command) => void controls.send(command)} />
      {table.face_down && <label class="tick"><input type="checkbox" checked={always} onChange={({ currentTarget }) => setAlways(currentTarget.checked)} data-test="always-squeeze" /> {t("always-squeeze")}</label>}
    </div>
  );
}
