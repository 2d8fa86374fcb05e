/** The lower edge of the terminal: credits, chips and actions. */
import type { JSX } from "preact";
import { refusalOf, waysTo } from "../choices";
import { Chip } from "../components/chip";
import type { SeatProps } from "../components/felt";
import { money, rack } from "../money";
import { refusalText, t } from "../texts";
import type { Command } from "../wire";
import { LeaveButton } from "./leave-button";

/** The patron's credits, chips and actions. */
export function Tray({ snapshot, sheet, controls, enabled, onCashier }: SeatProps & { onCashier: () => void }): JSX.Element {
  const { phase, table: { limits } } = snapshot;
  const may = (kind: Command["kind"]) => enabled && waysTo(snapshot, kind).length > 0;
  // A patron who may not bet at all is told why; what a single spot refuses stands at the spot.
  const seated = snapshot.me?.box != null;
  const barred = seated && phase === "betting" && !waysTo(snapshot, "place-bet").length && !waysTo(snapshot, "raise-bet").length;
  const refused = controls.refused.value ?? (barred ? refusalOf(snapshot, "place-bet") : null);
  return (
    <footer class="rack">
      <div class="purse">
        <button type="button" class="quiet" onClick={onCashier} data-test="cashier">
          <small>{t("credits")}</small>
          <b data-test="balance">{money(snapshot.me?.balance_cents ?? 0)}</b>
          <span>{t("buy-or-cash-out")}</span>
        </button>
        <div>
          <small>{t("in-play")}</small>
          <b data-test="in-play">{money(snapshot.me?.in_play_cents ?? 0)}</b>
        </div>
      </div>
      <div class="chips" role="radiogroup" aria-label={t("chip-in-hand")}>
        {limits && rack(limits.minimum_cents, limits.unit_cents).map((chip) => (
          <button
            key={chip}
            type="button"
            role="radio"
            aria-checked={controls.chip.value === chip}
            aria-label={money(chip)}
            data-test={`chip-${chip}`}
            onClick={() => (controls.chip.value = chip)}
          >
            <Chip cents={chip} />
          </button>
        ))}
      </div>
      <div class="actions">
        <button type="button" disabled={!may("withdraw-bet") || !controls.canUndo.value} onClick={() => void controls.undo()} data-test="undo">{t("undo")}</button>
        <button type="button" disabled={!may("withdraw-bet")} onClick={() => void controls.clear()} data-test="clear">{t("clear")}</button>
        <button type="button" disabled={!may("place-bet") || !controls.canRepeat.value} onClick={() => void controls.repeat()} data-test="rebet">{t("re-bet")}</button>
        <button type="button" disabled={!may("raise-bet")} onClick={() => void controls.double()} data-test="double">{t("double")}</button>
        <LeaveButton {...{ snapshot, sheet, controls, enabled }} />
      </div>
      <p class="say" role={refused ? "alert" : undefined} data-test="refused" data-code={refused?.code ?? ""}>
        {refused ? refusalText(refused, sheet) : phase === "not-open" ? t("table-closed") : seated ? limits && t("limits-line", limits) : t("choose-box")}
      </p>
    </footer>
  );
}
