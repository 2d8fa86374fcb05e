/** What becomes of bets on the felt when their patron leaves, said before it happens. */
import type { JSX } from "preact";
import { Dialog } from "../components/page-frame";
import type { Cents } from "../money";
import { t } from "../texts";

interface Props {
  inPlay: Cents;
  /** Whether the bets may still be taken back. */
  mayWithdraw: boolean;
  onWithdraw: () => void;
  onLeave: () => void;
  onClose: () => void;
}

export function LeaveWithBets({ inPlay, mayWithdraw, onWithdraw, onLeave, onClose }: Props): JSX.Element {
  return (
    <Dialog title={t("leave")} onClose={onClose}>
      <p data-test="leave-with-bets">{t("leave-with-bets", { in_play_cents: inPlay })}</p>
      <div class="answers">
        {mayWithdraw && <button type="button" onClick={onWithdraw} data-test="leave-withdraw">{t("leave-withdraw")}</button>}
        <button type="button" onClick={onLeave} data-test="leave-bets-stay">{t("leave-bets-stay")}</button>
        <button type="button" class="gold" onClick={onClose} data-test="stay">{t("stay")}</button>
      </div>
    </Dialog>
  );
}
