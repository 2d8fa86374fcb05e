/** An open insurance window: what may be insured, at which odds, up to which stake; in one tap, or by chips. */
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { refusalOf, waysTo, type WayTo } from "../choices";
import { money } from "../money";
import { betName, refusalText, t, word } from "../texts";
import type { InsuranceOffer } from "../wire";
import { Stakes } from "./chip";
import { Rule, WithRules } from "./rule";
import { OwnBets } from "./own-bets";
import type { SeatProps } from "./felt";

export function InsurancePanel({ seconds, ...seat }: SeatProps & { seconds: number | null }): JSX.Element | null {
  const { offers } = seat.snapshot;
  const hasFocus = useRef(false);
  useLayoutEffect(() => {
    // What is offered goes with its window. The keyboard's focus, if it was there, stays at the felt that it covered.
    if (!hasFocus.current || document.activeElement !== document.body) return;
    hasFocus.current = false;
    document.querySelector<HTMLElement>("[data-test^=spot-]")?.focus();
  });
  const [first] = offers;
  const occasion = first ? `${seat.snapshot.round} ${first.window}` : "";
  const [declined, setDeclined] = useState("");
  const panel = useRef<HTMLElement>(null);
  const ways = waysTo(seat.snapshot, "insure");
  const may = ways.length > 0;
  const decline = async () => {
    if (waysTo(seat.snapshot, "decline-insurance").length > 0) await seat.controls.send({ kind: "decline-insurance", round: seat.snapshot.round });
    setDeclined(occasion);
  };
  useEffect(() => {
    if (occasion && may) panel.current?.focus({ preventScroll: true });
  }, [occasion, may]);
  if (!first) return null;
  if (declined === occasion) return null;
  const rule = ways.find(({ cover }) => cover?.forgone_rule)?.cover?.forgone_rule;
  return (
    <section key={first.window} ref={panel} tabIndex={-1} class="insurance" aria-label={t("insurance")} data-test="insurance" onFocusIn={() => (hasFocus.current = true)} onFocusOut={({ currentTarget, target }) => queueMicrotask(() => (hasFocus.current = isLost(target) || currentTarget.contains(document.activeElement)))}>
      <header>
        <h2>{t("insurance")}</h2>
        <span>{word("window", first.window)}</span>
        {seconds !== null && <b class="seconds">{seconds}</b>}
        <button type="button" class={may ? "" : "gone"} disabled={!may} data-test="no-insurance" onClick={() => void decline()}>{t("no-insurance-thanks")} <kbd aria-hidden="true">N</kbd></button>
      </header>
      <OwnBets {...seat} />
      {offers.map((offer) => <Offer key={offer.on} offer={offer} {...seat} />)}
      <p key={`${ways.length} ${seat.snapshot.me?.in_play_cents}`} class={may ? "hint" : "hint gone"}>{rule && <b data-test="forgone">{t("insurance-forgone", { rule })}</b>} {t("insurance-by-chips")}</p>
    </section>
  );
}

/** What insurance wins at odds such as `1.5:1`; null where that is no whole number of cents, which the server rounds. */
function winAt(odds: string, stake: number): number | null {
  const [pays = 0, per = 1] = odds.split(":").map((part) => Math.round(Number(part) * 1000));
  return (stake * pays) % per === 0 ? (stake * pays) / per : null;
}

/** Whether something that had the focus is gone from the page, and with it the focus. */
const isLost = (target: EventTarget | null): boolean => target instanceof Element && !target.isConnected;

function Offer({ offer, snapshot, sheet, controls, enabled }: SeatProps & { offer: InsuranceOffer }): JSX.Element {
  const { on, hand, odds, rule, tie_wins_rule } = offer;
  const isOn = (way: WayTo<"insure">) => way.on === on;
  const refusal = refusalOf(snapshot, "insure", isOn);
  const placed = snapshot.me?.bets.filter((bet) => bet.on === on).reduce((sum, bet) => sum + bet.stake_cents, 0) ?? 0;
  const added = controls.added.value[on] ?? 0;
  const chips = snapshot.table.limits?.chips_cents ?? [];
  const wins = winAt(odds, placed);
  return (
    <div class={`offer ${hand}`}>
      <div class="odds">
        <b>{betName(sheet, on)}</b>
        <strong>{odds}</strong>
        <p>{tie_wins_rule ? t("pays-if-loses-or-tie", { hand }) : t("pays-if-loses", { hand })} <Rule rule={rule} sheet={sheet} /></p>
      </div>
      {waysTo(snapshot, "insure").filter(isOn).map(({ box, amount, cover }) => {
        const can = enabled && added + controls.chip.value <= amount.maximum_cents;
        return (
          <div key={box} class="taps">
            <small>{t("insurable", { maximum_cents: amount.maximum_cents, original_cents: cover.original_cents })}</small>
            {cover.stakes.map(({ stake_cents, win_cents }) => (
              <button key={stake_cents} type="button" class="gold" data-test={`insure-${on}`} onClick={() => enabled && void controls.insure(on, stake_cents, box)}>
                <b>{money(stake_cents)}</b>
                <small>{t("wins-amount", { amount_cents: win_cents })}</small>
              </button>
            ))}
            <button type="button" class="own" aria-disabled={!can} title={t("amount-bounds", amount)} data-test={`insurance-spot-${on}`} data-wanted={added} onClick={() => can && controls.place(on, controls.chip.value)}>
              <span>{t("own-amount")}</span>
              {added > 0 && <Stakes placed={0} wanted={added} chips={chips} />}
            </button>
          </div>
        );
      })}
      {placed > 0 && (
        <p class="insured" role="status" data-test={`insured-${on}`}>
          <b>{t("insured", { stake_cents: placed })}</b> {tie_wins_rule ? t("insured-pays-or-tie", { amount_cents: wins, hand }) : t("insured-pays", { amount_cents: wins, hand })}
        </p>
      )}
      {refusal && !placed && <small class="none"><WithRules text={refusalText(refusal, sheet)} sheet={sheet} /></small>}
      {placed > 0 && <Stakes placed={placed} chips={chips} />}
    </div>
  );
}
