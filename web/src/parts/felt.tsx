/**
 * The betting layout, drawn from the sheet at hand: the original bets left and right, the first side bet between them,
 * the other side bets in a row above. No bet is known here by name.
 */
import type { JSX } from "preact";
import type { Book } from "../book";
import { money } from "../money";
import { sheetWords, t } from "../texts";
import type { OfferedBet, Sheet, Snapshot } from "../types";
import { Stake } from "./chip";
import { resultOf } from "./lines";

interface Props {
  sheet: Sheet;
  snapshot: Snapshot;
  book: Book;
  open: boolean;
}

/** What a bet pays, in short: one ratio, or the best of several. */
function pays(bet: OfferedBet): string {
  return [...new Set(bet.pays.map((line) => line.odds))].join(" · ");
}

function Spot({ bet, sheet, snapshot, book, open }: Props & { bet: OfferedBet }): JSX.Element {
  const lies = book.lying.value[bet.id] ?? 0;
  const waits = book.waiting.value[bet.id] ?? 0;
  const box = snapshot.me?.box ?? null;
  const over = snapshot.me?.lines_round === snapshot.round;
  const settled = over ? snapshot.me?.lines.find((line) => line.bet.on === bet.id) : undefined;
  const result = settled && resultOf(settled);
  const name = sheetWords(sheet, bet.name);
  const state = [lies && t("placed", { stake_cents: lies }), waits && t("pending", { stake_cents: waits })];
  const label = [name, t("pays-odds", { odds: pays(bet) }), ...state].filter(Boolean).join(", ");
  return (
    <button
      type="button"
      class={`spot ${bet.hand ?? "side"} ${result ?? ""}`}
      disabled={!open || box === null}
      aria-label={label}
      data-test={`spot-${bet.id}`}
      data-placed={lies}
      data-pending={waits}
      onClick={() => box !== null && void book.place(bet.id, book.chip.value, box)}
    >
      <span class="name">{name}</span>
      <span class="pays">{pays(bet)}</span>
      {lies > 0 && <Stake cents={lies} />}
      {waits > 0 && <Stake cents={waits} pending />}
    </button>
  );
}

export function Felt(props: Props): JSX.Element {
  const bets = Object.values(props.sheet.bets);
  const sides = bets.filter((bet) => bet.hand === null);
  const [between, ...above] = sides;
  const original = (hand: string) => bets.find((bet) => bet.hand === hand)!;
  const spot = (bet: OfferedBet) => <Spot key={bet.id} bet={bet} {...props} />;
  return (
    <div class="felt" role="group" aria-label={t("betting-layout")}>
      {above.length > 0 && (
        <div class="row above" style={{ "--spots": above.length }}>
          {above.map(spot)}
        </div>
      )}
      <div class="row main">
        {spot(original("player"))}
        {between && spot(between)}
        {spot(original("banker"))}
      </div>
    </div>
  );
}

/** The boxes of the layout: who sits, who stands behind, what lies; an empty one may be taken. */
export function Boxes({ snapshot, book }: { snapshot: Snapshot; book: Book }): JSX.Element {
  const mine = snapshot.me?.box ?? null;
  const go = (box: number, kind: "sit" | "stand") => void book.give({ kind, box });
  return (
    <ol class="boxes" aria-label={t("boxes")} style={{ "--boxes": snapshot.boxes.length }}>
      {snapshot.boxes.map(({ box, seated, standing, totals }, place) => {
        const total = Object.values(totals).reduce((sum, cents) => sum + cents, 0);
        const kind = seated && mine !== box ? "stand" : "sit";
        const who = mine === box ? t("you") : (seated ?? t("free"));
        const label = `${t("box-number", { box: box })}: ${who}${total ? `, ${money(total)}` : ""}${standing ? `, ${t("standing-count", { n: standing })}` : ""}`;
        return (
          <li key={box} style={{ "--place": place }}>
            <button
              type="button"
              class={mine === box ? "box mine" : seated ? "box taken" : "box"}
              disabled={mine === box}
              aria-label={mine === box ? label : `${label}. ${kind === "sit" ? t("sit-here") : t("stand-behind")}`}
              data-test={`box-${box}`}
              onClick={() => go(box, kind)}
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
