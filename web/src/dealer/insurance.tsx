/** Insurance on offer, collected box by box: the most in one tap, or chips for less. */
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { accepts, choiceOf, type WayTo } from "../choices";
import { Action } from "../components/action";
import { ChipRack } from "../components/chip-rack";
import { CommandButtons } from "../components/forms";
import type { TableView } from "../hooks";
import { betName, patronName, refusalText, t } from "../texts";
import type { Command } from "../wire";

interface Props extends TableView {
  send: (command: Command) => void;
}

export function InsuranceCollection({ snapshot, sheet, send }: Props): JSX.Element {
  const { ways = [], refusal } = choiceOf(snapshot, "insure");
  return (
    <section class="panel collect" data-test="collect">
      <h2>{t("insurance")}</h2>
      {refusal && <p>{refusalText(refusal, sheet)}</p>}
      {snapshot.offers.map((offer) => (
        <div key={offer.on}>
          <h3 class={offer.hand}>{betName(sheet, offer.on)} {offer.odds} <small>¶ {offer.rule}</small></h3>
          <ul>{ways.filter((way) => way.on === offer.on).map((way) => <InsuredBox key={`${way.box} ${way.patron}`} way={way} snapshot={snapshot} sheet={sheet} send={send} />)}</ul>
        </div>
      ))}
    </section>
  );
}

function InsuredBox({ way, snapshot, sheet, send }: Props & { way: WayTo<"insure"> }): JSX.Element | null {
  const { patron, box, on, amount, refusal } = way;
  const { limits } = snapshot.table;
  const [chips, setChips] = useState<number | null>(null);
  const less = useRef<HTMLButtonElement>(null);
  if (patron == null) return null;
  const collect = (stake_cents: number) => send({ kind: "insure", patron, box, on, stake_cents });
  const collectChips = () => {
    if (chips !== null) collect(chips);
    less.current?.focus(); // the chips go, and the focus stays at the box
    setChips(null);
  };
  return (
    <li data-test={`insure-${box}`}>
      <b>{box}</b>
      <span>{patronName(snapshot.patrons, patron)}</span>
      {refusal ? <small>{refusalText(refusal, sheet)}</small> : (
        <>
          <CommandButtons snapshot={snapshot} kind="announce-insurance" fits={(each) => each.patron === patron} label={() => t("announces")} onSend={send} />
          <button ref={less} type="button" class="quiet" aria-expanded={chips !== null} data-test="less" onClick={() => setChips(chips === null ? 0 : null)}>{t("less")}</button>
          <button type="button" class="gold" data-test="collect-maximum" onClick={() => collect(amount.maximum_cents)}>{t("maximum-amount", { amount_cents: amount.maximum_cents })}</button>
          {chips !== null && limits && (
            <div class="in-chips">
              <ChipRack limits={limits} accepts={(chip) => chips + chip <= amount.maximum_cents} onTap={(chip) => setChips(chips + chip)} />
              <button type="button" class="quiet" aria-label={t("clear")} onClick={() => setChips(0)}>✕</button>
              <Action can={accepts(amount, chips)} test="collect-chips" onAct={collectChips}>{t("collect-amount", { amount_cents: chips })}</Action>
            </div>
          )}
        </>
      )}
    </li>
  );
}
