/** What the table says now: the call of the phase or the result, with the seconds that are left. */
import type { ComponentChildren, JSX } from "preact";
import { useRef } from "preact/hooks";
import type { TableView } from "../hooks";
import { sheetWords, t } from "../texts";
import type { Snapshot } from "../wire";

/** Whether no round can come before the next shoe. */
export const isBetweenShoes = ({ phase, shoe }: Snapshot): boolean => phase === "between-rounds" && (!shoe || shoe.over);

/** Whether the round that is over has no result. */
export const isVoid = ({ phase, round, result }: Snapshot): boolean => phase === "between-rounds" && round > 0 && result?.round !== round;

/** How the round on the table ended; null before that, and for a round that is void. */
export const resultOf = (snapshot: Snapshot): Snapshot["result"] => (isVoid(snapshot) ? null : snapshot.result);

export function callText({ snapshot, sheet }: TableView): string {
  const { phase, play_suspended } = snapshot;
  const result = resultOf(snapshot);
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
      if (isVoid(snapshot)) return t("round-is-void", snapshot);
      if (!result && isBetweenShoes(snapshot)) return t("shuffling");
      if (!result) return phase === "between-rounds" ? t("next-round-soon") : sheetWords(sheet, sheet.play.close.says);
      if (result.winner === "tie") return t("tie-at", { points: result.player_points });
      const points = [result.banker_points, result.player_points];
      return t("hand-wins", { hand: result.winner, higher: Math.max(...points), lower: Math.min(...points) });
  }
}

/** Phases in which one card follows another: nobody waits for their end. */
const DEALING: ReadonlySet<string> = new Set(["initial-cards", "player-third", "banker-third", "result"]);

interface Props extends TableView {
  seconds: number | null;
  /** In place of what the table says. */
  text?: string;
  children?: ComponentChildren;
}

export function Call({ snapshot, sheet, seconds, text, children }: Props): JSX.Element {
  const { phase, round } = snapshot;
  const result = resultOf(snapshot);
  const says = text ?? callText({ snapshot, sheet });
  return (
    <div class={`call ${phase} ${result?.winner ?? ""}`} data-test="call" data-phase={phase} data-round={round}>
      <strong key={says}>{says}</strong>
      {children}
      {seconds !== null && !DEALING.has(phase) && <Ring key={phase} seconds={seconds} />}
    </div>
  );
}

/** The seconds at which the end of a time is near. */
export const NEARLY_OVER = 5;

/** The time that is left, in seconds and as a ring that drains. */
export function Ring({ seconds }: { seconds: number }): JSX.Element {
  const whole = useRef(seconds);
  whole.current = Math.max(whole.current, seconds);
  return (
    <span class={seconds <= NEARLY_OVER ? "seconds soon" : "seconds"} role="timer" aria-label={t("seconds-left", { n: seconds })}>
      <svg viewBox="0 0 44 44" aria-hidden="true">
        <circle cx="22" cy="22" r="20" />
        <circle cx="22" cy="22" r="20" pathLength={1} class="left" style={{ "--gone": whole.current ? 1 - Math.max(0, seconds - 1) / whole.current : 1 }} />
      </svg>
      {seconds}
    </span>
  );
}
