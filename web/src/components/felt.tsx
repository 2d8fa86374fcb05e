/**
 * The betting layout, drawn from the sheet at hand: the original bets left and right, the first side bet between them,
 * the other side bets in a row above. No bet is known here by name.
 */
import type { JSX } from "preact";
import type { BetControls } from "../bet-controls";
import { accepts, refusalOf, waysTo } from "../choices";
import type { TableView } from "../hooks";
import { money } from "../money";
import { boxesToChangeTo, changeSeat } from "../terminal/take-seat";
import { refusalText, sheetWords, t } from "../texts";
import type { OfferedBet } from "../wire";
import { resultOf } from "./bet-results";
import { Stakes } from "./chip";

/** A patron's table and what they do there. */
export interface SeatProps extends TableView {
  controls: BetControls;
  /** Whether the connection and the table let anything be done. */
  enabled: boolean;
}

/** What a bet pays, in short: one ratio, or the best of several. */
function pays(bet: OfferedBet): string {
  return [...new Set(bet.pays.map((line) => line.odds))].join(" · ");
}

function Spot({ bet, sheet, snapshot, controls, enabled }: SeatProps & { bet: OfferedBet }): JSX.Element {
  const placed = controls.placed.value[bet.id] ?? 0;
  const pending = controls.pending.value[bet.id] ?? 0;
  const kind = placed ? "raise-bet" : "place-bet";
  const box = snapshot.me?.box ?? null;
  const way = waysTo(snapshot, kind).find((each) => each.on === bet.id && each.box === box);
  const refusal = refusalOf(snapshot, kind, (each) => each.on === bet.id && each.box === box);
  const over = snapshot.me?.lines_round === snapshot.round;
  const settled = over ? snapshot.me?.lines.find((line) => line.bet.on === bet.id) : undefined;
  const name = sheetWords(sheet, bet.name);
  const state = [placed && t("placed", { stake_cents: placed }), pending && t("pending", { stake_cents: pending })];
  const label = [name, t("pays-odds", { odds: pays(bet) }), ...state].filter(Boolean).join(", ");
  const bounds = way?.amount ? t("amount-bounds", way.amount) : refusal ? refusalText(refusal, sheet) : "";
  return (
    <button
      type="button"
      class={`spot ${bet.hand ?? "side"} ${settled ? resultOf(settled) : ""} ${way?.amount && !accepts(way.amount, controls.chip.value) ? "misfit" : ""}`}
      disabled={!enabled || !way}
      aria-label={label}
      title={bounds}
      data-test={`spot-${bet.id}`}
      data-placed={placed}
      data-pending={pending}
      onClick={() => way?.box && void controls.place(bet.id, controls.chip.value, way.box)}
    >
      <span class="name">{name}</span>
      <span class="pays">{pays(bet)}</span>
      <Stakes placed={placed} pending={pending} />
    </button>
  );
}

export function Felt(props: SeatProps): JSX.Element {
  const bets = Object.values(props.sheet.bets);
  const [between, ...above] = bets.filter((bet) => bet.hand === null);
  const original = (hand: string) => bets.find((bet) => bet.hand === hand)!;
  const spot = (bet: OfferedBet) => <Spot key={bet.id} bet={bet} {...props} />;
  return (
    <div class="felt" role="group" aria-label={t("betting-layout")}>
      {above.length > 0 && (
        <div class="row above" style={{ "--spots": above.length }}>{above.map(spot)}</div>
      )}
      <div class="row main">
        {spot(original("player"))}
        {between && spot(between)}
        {spot(original("banker"))}
      </div>
    </div>
  );
}

/** The boxes of the layout: who sits, who stands behind, what is bet; those that may be taken. */
export function Boxes({ snapshot, sheet, controls }: SeatProps): JSX.Element {
  const mine = snapshot.me?.box ?? null;
  const others = boxesToChangeTo(snapshot);
  return (
    <ol class="boxes" aria-label={t("boxes")} style={{ "--boxes": snapshot.boxes.length }}>
      {snapshot.boxes.map(({ box, seated, standing, totals_cents }, place) => {
        const total = Object.values(totals_cents).reduce((sum, cents) => sum + cents, 0);
        const changes = others.includes(box);
        const kind = changes ? "sit" : (["sit", "stand"] as const).find((each) => waysTo(snapshot, each).some((way) => way.box === box));
        const refusal = kind ? null : refusalOf(snapshot, "sit");
        const who = mine === box ? t("you") : (seated ?? t("free"));
        const label = `${t("box-number", { box })}: ${who}${total ? `, ${money(total)}` : ""}${standing ? `, ${t("standing-count", { n: standing })}` : ""}`;
        return (
          <li key={box} style={{ "--place": place }}>
            <button
              type="button"
              class={mine === box ? "box mine" : seated ? "box taken" : "box"}
              disabled={!kind}
              aria-label={kind ? `${label}. ${kind === "sit" ? t("sit-here") : t("stand-behind")}` : label}
              title={refusal && mine !== box ? refusalText(refusal, sheet) : ""}
              data-test={`box-${box}`}
              onClick={() => kind && void (changes ? changeSeat(controls, box) : controls.send({ kind, box }))}
            >
              <b>{box}</b>
              <span>{total > 0 ? <em>{money(total)}</em> : who}{standing ? ` +${standing}` : ""}</span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}
