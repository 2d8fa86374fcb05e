/** A held round, as its patrons see it. */
import type { JSX } from "preact";
import { waysTo, type WayTo } from "../choices";
import type { SeatProps } from "../components/felt";
import { CommandButtons } from "../components/forms";
import { OwnBets } from "../components/own-bets";
import { Rule } from "../components/rule";
import { situationText, t, waitsFor } from "../texts";

/** A held round: what was seen and ruled; where the patron may choose, the ways. */
export function HeldRound({ snapshot, sheet, controls }: SeatProps): JSX.Element | null {
  const { case: held, round, me } = snapshot;
  if (!held) return null;
  const stake = { amount_cents: me?.in_play_cents ?? 0 };
  const label = ({ option }: WayTo<"choose">) => (option === "continue" ? t("choose-play-on", stake) : option === "take-back" ? t("choose-take-back", stake) : "");
  return (
    <section class="held-round" role="alert" data-test="held">
      <h2>{t("round-held")}</h2>
      <p>{situationText(held.situation, sheet)} {held.rule && <Rule rule={held.rule} sheet={sheet} />}</p>
      <OwnBets snapshot={snapshot} sheet={sheet} />
      {waysTo(snapshot, "choose").length ? (
        <div class="ways"><CommandButtons snapshot={snapshot} kind="choose" label={label} onSend={(command) => void controls.send({ ...command, round })} /></div>
      ) : (
        <p class="hint">{waitsFor(held)}</p>
      )}
    </section>
  );
}
