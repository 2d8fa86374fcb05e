/** Leaving the table; whoever has bets in play is told first what becomes of them. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { waysTo } from "../choices";
import type { SeatProps } from "../components/felt";
import { LeaveWithBets } from "../dialogs/leave";
import { navigate } from "../route";
import { t } from "../texts";

export function LeaveButton({ snapshot, controls, enabled }: SeatProps): JSX.Element {
  const [asked, setAsked] = useState(false);
  const { me } = snapshot;
  const mayLeave = enabled && waysTo(snapshot, "leave").length > 0;
  const leave = async () => {
    if (!mayLeave || (await controls.send({ kind: "leave" }))) navigate("/");
  };
  const withdraw = async () => {
    await controls.clear();
    await leave();
  };
  const hasBets = mayLeave && (me?.bets.length ?? 0) > 0;
  return (
    <>
      <button type="button" class="quiet" onClick={() => (hasBets ? setAsked(true) : void leave())} data-test="leave">{t("leave")}</button>
      {asked && (
        <LeaveWithBets
          inPlay={me?.in_play_cents ?? 0}
          mayWithdraw={waysTo(snapshot, "withdraw-bet").length > 0}
          onWithdraw={() => void withdraw()}
          onLeave={() => void leave()}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}
