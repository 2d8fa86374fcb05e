/** Leaving the table; whoever has bets in play is told first what becomes of them. */
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { waysTo } from "../choices";
import type { SeatProps } from "../components/felt";
import { Dialog } from "../components/page-frame";
import { navigate } from "../route";
import { t } from "../texts";

/** Whether the patron is asked about the bets in play. */
const asked = signal(false);

const mayLeave = ({ snapshot, enabled }: SeatProps): boolean => enabled && waysTo(snapshot, "leave").length > 0;

async function leave(seat: SeatProps): Promise<void> {
  if (mayLeave(seat) && !(await seat.controls.send({ kind: "leave" }))) return;
  asked.value = false;
  navigate("/");
}

async function withdraw(seat: SeatProps): Promise<void> {
  seat.controls.clear();
  if (await seat.controls.confirm()) await leave(seat);
}

export function LeaveButton(seat: SeatProps): JSX.Element {
  const hasBets = mayLeave(seat) && (seat.snapshot.me?.bets.length ?? 0) > 0;
  return <button type="button" class="quiet" onClick={() => (hasBets ? (asked.value = true) : void leave(seat))} data-test="leave">{t("leave")}</button>;
}

/** The question about bets in play, apart from the button: a dialog takes no style from where it stands. */
export function LeaveQuestion(seat: SeatProps): JSX.Element | null {
  const { snapshot } = seat;
  if (!asked.value) return null;
  const close = () => (asked.value = false);
  return (
    <Dialog title={t("leave")} onClose={close}>
      <p data-test="leave-with-bets">{t("leave-with-bets", { in_play_cents: snapshot.me?.in_play_cents ?? 0 })}</p>
      <div class="answers">
        {waysTo(snapshot, "withdraw-bet").length > 0 && <button type="button" onClick={() => void withdraw(seat)} data-test="leave-withdraw">{t("leave-withdraw")}</button>}
        <button type="button" onClick={() => void leave(seat)} data-test="leave-bets-stay">{t("leave-bets-stay")}</button>
        <button type="button" class="gold" onClick={close} data-test="stay">{t("stay")}</button>
      </div>
    </Dialog>
  );
}
