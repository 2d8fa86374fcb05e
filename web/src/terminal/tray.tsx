/** The lower edge of the terminal: credits, chips and actions. */
import type { JSX } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { refusalOf, waysTo } from "../choices";
import { Action } from "../components/action";
import { Chip } from "../components/chip";
import { CountUp } from "../components/count-up";
import type { SeatProps } from "../components/felt";
import { WithRules } from "../components/rule";
import { money } from "../money";
import { betName, limitsLine, refusalText, t } from "../texts";
import type { Command } from "../wire";
import { LeaveButton } from "./leave-button";

/** On these, Enter confirms what is staged; the space bar puts down another chip. */
const STAGING = "[data-test^=spot-], [data-test^=chip-], [data-test^=insurance-spot-]";

/** Whether a key is pressed where it means nothing else: on nothing, or where chips are put down. */
function isFree(target: EventTarget | null): boolean {
  return target === document.body || (target instanceof Element && target.closest(STAGING) !== null);
}

/** The patron's credits, chips and actions. */
export function Tray(props: SeatProps & { onCashier: () => void }): JSX.Element {
  const { snapshot, controls, enabled, onCashier } = props;
  const { limits } = snapshot.table;
  const may = (kind: Command["kind"]) => enabled && waysTo(snapshot, kind).length > 0;
  const left = controls.creditsLeft.value;
  const mayStage = may("place-bets") || may("insure");
  const canConfirm = mayStage && controls.canConfirm.value;
  const confirmation = controls.isStaged.value ? t("confirm-amount", { amount_cents: controls.toConfirm.value }) : t("confirm");
  // Before the page is painted, so that Enter confirms what is seen to be staged, and puts down no other chip.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== "Enter" || event.repeat || !canConfirm || !isFree(event.target)) return;
      event.preventDefault();
      void controls.confirm();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [controls, canConfirm]);
  return (
    <footer class="rack">
      <div class="purse">
        <button type="button" class="quiet" onClick={onCashier} data-test="cashier">
          <small>{t("credits")}</small>
          <b class={left < 0 ? "loss" : ""} data-test="balance"><CountUp cents={left} /></b>
          <span>{t("buy-or-cash-out")}</span>
        </button>
        <div>
          <small>{t("in-play")}</small>
          <b data-test="in-play">{money(snapshot.me?.in_play_cents ?? 0)}</b>
        </div>
      </div>
      <div class="chips" role="radiogroup" aria-label={t("chip-in-hand")}>
        {limits?.chips_cents.map((chip) => (
          <button
            key={chip}
            type="button"
            role="radio"
            aria-checked={controls.chip.value === chip}
            aria-label={money(chip)}
            class={chip > left ? "beyond" : ""}
            data-test={`chip-${chip}`}
            onClick={() => (controls.chip.value = chip)}
          >
            <Chip cents={chip} />
          </button>
        ))}
      </div>
      <div class="actions">
        <Action can={mayStage && controls.canUndo.value} onAct={() => controls.undo()} test="undo">{t("undo")}</Action>
        <Action can={mayStage && controls.canClear.value} onAct={() => controls.clear()} test="clear">{t("clear")}</Action>
        <Action can={mayStage && controls.canRepeat.value} onAct={() => controls.repeat()} test="rebet">{t("re-bet")}</Action>
        <Action can={mayStage && controls.canDouble.value} onAct={() => controls.double()} test="double">{t("double")}</Action>
        <LeaveButton {...props} />
        <Action can={canConfirm} onAct={() => void controls.confirm()} class={canConfirm ? "gold confirm" : "confirm"} test="confirm">
          <span key={confirmation}>{confirmation}</span>
        </Action>
      </div>
      <Said {...props} />
    </footer>
  );
}

/** The one line that the tray says: a refusal, what is missing, what became of chips, or what may be bet. */
function Said({ snapshot, sheet, controls }: SeatProps): JSX.Element {
  const { phase, table: { limits } } = snapshot;
  const seated = snapshot.me?.box != null;
  // A patron who may not bet at all is told why; what a single spot refuses stands at the spot.
  const barred = seated && phase === "betting" && !waysTo(snapshot, "place-bets").length;
  const refused = controls.refused.value ?? (barred ? refusalOf(snapshot, "place-bets") : null);
  const returned = controls.returned.value;
  const left = controls.creditsLeft.value;
  const [lacks] = Object.entries(controls.lacking.value);
  const words = () => {
    if (refused) return refusalText(refused, sheet);
    if (returned !== null) return returned ? t("chips-returned", { amount_cents: returned }) : t("change-not-sent");
    if (left < 0) return t("credits-short", { amount_cents: -left });
    if (lacks) return t("bet-lacks", { bet: betName(sheet, lacks[0]), amount_cents: lacks[1] });
    if (controls.isStaged.value) return t("not-sent-yet");
    if (phase === "not-open") return t("table-closed");
    return seated ? limits && limitsLine(sheet, limits) : t("choose-box");
  };
  const said = words() || "";
  return (
    <p class="say" role={refused || returned !== null ? "alert" : undefined} data-test="refused" data-code={refused?.code ?? (returned !== null ? "not-sent" : "")}>
      <span key={said}><WithRules text={said} sheet={sheet} /></span>
    </p>
  );
}
