/** An open insurance window: what may be insured, at which odds, up to which stake, in one tap. */
import type { JSX } from "preact";
import { refusalOf, waysTo } from "../choices";
import { money } from "../money";
import { betName, refusalText, t, word } from "../texts";
import type { InsuranceOffer, Way } from "../wire";
import { Stakes } from "./chip";
import type { SeatProps } from "./felt";

export function InsurancePanel({ seconds, ...seat }: SeatProps & { seconds: number | null }): JSX.Element | null {
  const { offers } = seat.snapshot;
  const [first] = offers;
  if (!first) return null;
  return (
    <section class="insurance" aria-label={t("insurance")} data-test="insurance">
      <header>
        <h2>{t("insurance")}</h2>
        <span>{word("window", first.window)}</span>
        {seconds !== null && <b class="seconds">{seconds}</b>}
      </header>
      {offers.map((offer) => <Offer key={offer.on} offer={offer} {...seat} />)}
    </section>
  );
}

function Offer({ offer, snapshot, sheet, controls }: SeatProps & { offer: InsuranceOffer }): JSX.Element {
  const isOn = (way: Way) => way.on === offer.on;
  const refusal = refusalOf(snapshot, "insure", isOn);
  return (
    <div class={`offer ${offer.hand}`}>
      <div class="odds">
        <b>{betName(sheet, offer.on)}</b>
        <strong>{offer.odds}</strong>
        <p>{offer.tie_wins_rule ? t("pays-if-loses-or-tie", { hand: offer.hand }) : t("pays-if-loses", { hand: offer.hand })} <small>{t("paragraph", { rule: offer.rule })}</small></p>
      </div>
      {waysTo(snapshot, "insure").filter(isOn).map(({ box, amount, cover }) => box != null && amount && cover && (
        <div key={box} class="taps">
          <small>{t("insurable", { maximum_cents: amount.maximum_cents, original_cents: cover.original_cents })}</small>
          {cover.stakes.map(({ stake_cents, win_cents }) => (
            <button key={stake_cents} type="button" class="gold" data-test={`insure-${offer.on}`} onClick={() => void controls.insure(offer.on, stake_cents, box)}>
              <b>{money(stake_cents)}</b>
              <small>{t("wins-amount", { amount_cents: win_cents })}</small>
            </button>
          ))}
        </div>
      ))}
      {refusal && <small class="none">{refusalText(refusal, sheet)}</small>}
      <Stakes placed={controls.placed.value[offer.on] ?? 0} pending={controls.pending.value[offer.on] ?? 0} />
    </div>
  );
}
