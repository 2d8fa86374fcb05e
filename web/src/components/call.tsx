/** What the table says now: the call of the phase or the result, with the seconds that are left. */
import type { ComponentChildren, JSX } from "preact";
import type { TableView } from "../hooks";
import { sheetWords, t } from "../texts";

export function callText({ snapshot: { result, phase, play_suspended }, sheet }: TableView): string {
  if (play_suspended && phase === "between-rounds") return t("play-suspended");
  switch (phase) {
    case "not-open":
      return t("table-closed");
    case "betting":
      return sheetWords(sheet, sheet.play.open.says);
    case "first-window":
    case "second-window":
      return t("insurance");
    case "opening":
      return t("cards-to-open");
    case "held":
      return t("round-held");
    default:
      if (!result) return phase === "between-rounds" ? t("next-round-soon") : sheetWords(sheet, sheet.play.close.says);
      if (result.winner === "tie") return t("tie-at", { points: result.player_points });
      const points = [result.banker_points, result.player_points];
      return t("hand-wins", { hand: result.winner, higher: Math.max(...points), lower: Math.min(...points) });
  }
}

interface Props extends TableView {
  seconds: number | null;
  /** In place of what the table says. */
  text?: string;
  children?: ComponentChildren;
}

export function Call({ snapshot, sheet, seconds, text, children }: Props): JSX.Element {
  return (
    <div class={`call ${snapshot.phase} ${snapshot.result?.winner ?? ""}`} data-test="call" data-phase={snapshot.phase} data-round={snapshot.round}>
      <strong>{text ?? callText({ snapshot, sheet })}</strong>
      {children}
      {seconds !== null && <span class="seconds" role="timer" aria-label={t("seconds-left", { n: seconds })}>{seconds}</span>}
    </div>
  );
}
