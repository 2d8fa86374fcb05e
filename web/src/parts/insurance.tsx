/** An open insurance window: what may be insured, at which odds, up to which stake, in one tap. */
import type { JSX } from "preact";
import type { Book } from "../book";
import { t, words } from "../lang";
import { money, winOf } from "../money";
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
  const who = { hand: hand === "player" ? t("Player") : t("Banker") };
  return sheet.insurance?.rows.find(fits)?.tie_wins_rule ? t("Pays if {hand} loses; a tie wins too.", who) : t("Pays if {hand} loses; a tie gives it back.", who);
}

export function InsurancePanel({ snapshot, sheet, book, seconds }: { snapshot: Snapshot; sheet: Sheet; book: Book; seconds: number | null }): JSX.Element | null {
  const me = snapshot.me;
  if (!snapshot.offers.length) return null;
  const second = snapshot.phase === "second-window";
  return (
    <section class="insurance" aria-label={t("Insurance")} data-test="insurance">
      <header>
        <h2>{t("Insurance")}</h2>
        <span>{second ? t("after Player's third card") : t("after four cards")}</span>
        {seconds !== null && <b class="seconds">{seconds}</b>}
      </header>
      {snapshot.offers.map((offer) => {
        const name = sheet.insurance?.bets.find((bet) => bet.id === offer.on)?.name ?? offer.on;
        const cap = me?.insurable?.[offer.on];
        const lies = book.lying.value[offer.on] ?? 0;
        const waits = book.waiting.value[offer.on] ?? 0;
        return (
          <div key={offer.on} class={`offer ${offer.hand}`}>
            <div class="odds">
              <b>{words(sheet, name)}</b>
              <strong>{offer.odds}</strong>
              <p>{terms(sheet, snapshot, offer)} <small>{t("paragraph {rule}", { rule: offer.rule })}</small></p>
            </div>
            {cap && cap.stake_cents_max > 0 ? (
              <div class="taps">
                <small>
                  {t("up to {most} against your {original}", { most: money(cap.stake_cents_max), original: money(cap.original) })}
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
                    <small>{t("wins {amount}", { amount: money(winOf(cents, offer.odds)) })}</small>
                  </button>
                ))}
              </div>
            ) : (
              <small class="none">{lies ? t("Insured to the full") : t("Only with an original bet on this hand")}</small>
            )}
            {lies > 0 && <Stake cents={lies} />}
            {waits > 0 && <Stake cents={waits} pending />}
          </div>
        );
      })}
    </section>
  );
}
