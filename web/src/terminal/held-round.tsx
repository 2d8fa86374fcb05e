/** A held round, as its patrons see it. */
import type { JSX } from "preact";
import { waysTo } from "../choices";
import type { SeatProps } from "../components/felt";
import { CommandButtons } from "../components/forms";
import { situationText, t, waitsFor } from "../texts";

/** A held round: what was seen and ruled; where the patron may choose, the ways. */
export function HeldRound({ snapshot, sheet, controls }: SeatProps): JSX.Element | null {
  const { case: held, round } = snapshot;
  if (!held) return null;
  return (
    <section class="held-round" role="alert" data-test="held">
      <h2>{t("round-held")}</h2>
      <p>{situationText(held.situation, sheet)} {held.rule && <small>{t("paragraph", { rule: held.rule })}</small>}</p>
      {waysTo(snapshot, "choose").length ? (
        <div class="ways"><CommandButtons snapshot={snapshot} kind="choose" onSend={(command) => void controls.send({ ...command, round })} /></div>
      ) : (
        <p class="hint">{waitsFor(held)}</p>
      )}
    </section>
  );
}
