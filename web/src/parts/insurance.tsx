/** An open insurance window: what may be insured, at which odds, up to which stake, in one tap. */
import type { JSX } from "preact";
import type { Book } from "../book";
import { money, winOf } from "../money";
import { betName, t, word } from "../texts";
import type { Cents, InsuranceRow, Offer, Sheet, Snapshot } from "../types";
import { Stake } from "./chip";

/** Half and all of the cap, in whole units of the table. */
function stakes(most: Cents, unit: Cents): Cents[] {
  const whole = (cents: Cents) => cents - (cents % unit);
  const half = whole((most - (most % 2)) / 2);
  const quarter = whole((most - (most % 4)) / 4);
  return [...new Set([quarter, half, whole(most)])].filter((cents) => cents > 0);
}

/** When an offer pays, by the row of the sheet that it stands in. */
function terms(sheet: Sheet, { points }: Snapshot, { window, hand, odds }: Offer): string {
  const fits = (row: InsuranceRow) => row.window === window && row.hand === hand && row.odds === odds && row.player.includes(points.player ?? -1) && row.banker.includes(points.banker ?? -1);
  return sheet.insurance?.rows.find(fits)?.tie_wins_rule ? t("pays-if-loses-or-tie", { hand }) : t("pays-if-loses", { hand });
}

export function InsurancePanel({ snapshot, sheet, book, seconds }: { snapshot: Snapshot; sheet: Sheet; book: Book; seconds: number | null }): JSX.Element | null {
  const me = snapshot.me;
  if (!snapshot.offers.length) return null;
  const second = snapshot.phase === "second-window";
  return (
    <section class="insurance" aria-label={t("insurance")} data-test="insurance">
      <header>
        <h2>{t("insurance")}</h2>
        <span>{word("window", second ? "player-third" : "four-cards")}</span>
        {seconds !== null && <b class="seconds">{seconds}</b>}
      </header>
      {snapshot.offers.map((offer) => {
        const cap = me?.insurable?.[offer.on];
        const lies = book.lying.value[offer.on] ?? 0;
        const waits = book.waiting.value[offer.on] ?? 0;
        return (
          <div key={offer.on} class={`offer ${offer.hand}`}>
            <div class="odds">
              <b>{betName(sheet, offer.on)}</b>
              <strong>{offer.odds}</strong>
              <p>{terms(sheet, snapshot, offer)} <small>{t("paragraph", { rule: offer.rule })}</small></p>
            </div>
            {cap && cap.stake_cents_max > 0 ? (
              <div class="taps">
                <small>
                  {t("insurable", { maximum_cents: cap.stake_cents_max, original_cents: cap.original })}
                </small>
                {stakes(cap.stake_cents_max, snapshot.table.limits.unit).map((cents) => (
                  <button
                    key={cents}
                    type="button"
                    class="gold"
                    data-test={`insure-${offer.on}`}
                    onClick={() => me?.box && void book.insure(offer.on, cents, me.box)}
                  >
                    <b>{money(cents)}</b>
                    <small>{t("wins-amount", { amount_cents: winOf(cents, offer.odds) })}</small>
                  </button>
                ))}
              </div>
            ) : (
              <small class="none">{lies ? t("insured-fully") : t("needs-original-bet")}</small>
            )}
            {lies > 0 && <Stake cents={lies} />}
            {waits > 0 && <Stake cents={waits} pending />}
          </div>
        );
      })}
    </section>
  );
}
