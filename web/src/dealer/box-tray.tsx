/** One box: whose bets lie there, and at a live table chips to put on its spots. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { firstChip } from "../bet-controls";
import { accepts, waysTo, type WayTo } from "../choices";
import { Action } from "../components/action";
import { ChipRack } from "../components/chip-rack";
import { Stakes } from "../components/chip";
import type { TableView } from "../hooks";
import { money } from "../money";
import { betName, patronName, t } from "../texts";
import type { Command } from "../wire";

interface Props extends TableView {
  box: number;
  send: (command: Command) => void;
  onClose: () => void;
}

export function BoxTray({ box, snapshot, sheet, send, onClose }: Props): JSX.Element {
  const { boxes, bets = [], patrons, table: { limits } } = snapshot;
  const view = boxes.find((each) => each.box === box);
  const ways = waysTo(snapshot, "record-bet").filter((way) => way.box === box && !way.inputs?.length);
  const placed = bets.filter((bet) => bet.box === box);
  const people = [...new Set([...ways, ...placed].map(({ patron }) => patron ?? ""))];
  const [chosen, setChosen] = useState<string | null>(null);
  const [chip, setChip] = useState(() => firstChip(snapshot.table));
  const patron = chosen !== null && people.includes(chosen) ? chosen : people.at(-1);
  const stakeOf = (on: string) => placed.find((bet) => bet.patron === patron && bet.on === on)?.stake_cents ?? 0;
  const takeOff = (way: WayTo<"record-bet">, button: HTMLElement) => {
    button.parentElement?.querySelector<HTMLElement>(".spot")?.focus(); // it goes, and the focus stays at the bet
    record(way, 0);
  };
  const record = ({ on, patron: of }: WayTo<"record-bet">, stake_cents: number) => of != null && send({ kind: "record-bet", patron: of, box, on, stake_cents });
  const spots = ways.filter((way) => way.patron === patron);
  const tray = useRef<HTMLElement>(null);
  useEffect(() => {
    // A box that was chosen by keys has kept the focus, which goes on to its chips.
    if (document.activeElement?.closest(".box-table")) tray.current?.querySelector<HTMLElement>(".chips [aria-pressed=true]")?.focus();
  }, []);
  return (
    <section class="tray panel" data-test="tray" ref={tray} onKeyDown={({ key }) => key === "Escape" && onClose()}>
      <header>
        <h2>{t("box-number", { box })}</h2>
        <span>{view?.seated ?? t("free")}{view?.standing_names?.map((name) => <small key={name}> + {name} ({t("standing")})</small>)}</span>
        <button type="button" class="quiet" aria-label={t("close")} onClick={onClose}>✕</button>
      </header>
      {people.length > 1 && (
        <div class="people" role="group" aria-label={t("patron")}>
          {people.map((id) => <button key={id} type="button" aria-pressed={id === patron} onClick={() => setChosen(id)}>{patronName(patrons, id)}</button>)}
        </div>
      )}
      {spots.length > 0 && limits ? (
        <>
          <ChipRack limits={limits} inHand={chip} onTap={setChip} />
          <div class="spots">
            {spots.map((way) => {
              const { on, amount } = way;
              const stake = stakeOf(on);
              return (
                <div key={on} class="tray-spot">
                  <Action class={`spot ${sheet.bets[on]?.hand ?? "side"}`} can={accepts(amount, stake + chip)} test={`spot-${on}`} onAct={() => record(way, stake + chip)}>
                    <span class="name">{betName(sheet, on)}</span>
                    <Stakes placed={stake} chips={limits.chips_cents} />
                  </Action>
                  {stake > 0 && accepts(amount, 0) && <button type="button" class="quiet" aria-label={t("take-off", { bet: betName(sheet, on) })} data-test={`take-off-${on}`} onClick={({ currentTarget }) => takeOff(way, currentTarget)}>✕</button>}
                </div>
              );
            })}
          </div>
          <p class="hint">{t("tap-chip-then-bet", { name: patronName(patrons, patron ?? "") })}</p>
        </>
      ) : (
        <ul>{placed.map((bet, place) => <li key={place}>{patronName(patrons, bet.patron ?? "")} · {betName(sheet, bet.on)} <b>{money(bet.stake_cents)}</b></li>)}</ul>
      )}
    </section>
  );
}
