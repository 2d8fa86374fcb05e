/** The player terminal: one patron's place at one table. */
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { BetControls } from "../bet-controls";
import { waysTo } from "../choices";
import { BetResults } from "../components/bet-results";
import { Call, callText } from "../components/call";
import { Boxes, Felt, type SeatProps } from "../components/felt";
import { Hands } from "../components/hands";
import { InsurancePanel } from "../components/insurance";
import { PatronNotices } from "../components/notices";
import { Bar, ConnectionState, TableTitle } from "../components/page-frame";
import { NextHand, Road, Tally } from "../components/roads";
import { Cashier } from "../dialogs/cashier";
import { PastRounds } from "../dialogs/past-rounds";
import { PayTable } from "../dialogs/pay-table";
import { ShoeCommitment } from "../dialogs/shoe-commitment";
import { Statement } from "../dialogs/statement";
import { useLiveTable } from "../hooks";
import { signed } from "../money";
import { announcement } from "../notices";
import { HeldRound } from "../terminal/held-round";
import { LeaveQuestion } from "../terminal/leave-button";
import { useNeedOfCredits } from "../terminal/need-credits";
import { SqueezeRequest } from "../terminal/squeeze-request";
import { useSeat } from "../terminal/take-seat";
import { Tray } from "../terminal/tray";
import { reasonText, t } from "../texts";

export function Terminal({ id }: { id: string }): JSX.Element {
  const { table, view, seconds } = useLiveTable(id, "patron");
  const controls = useMemo(() => new BetControls(table), [table]);
  useEffect(() => () => controls.close(), [controls]);
  const [dialog, setDialog] = useState<"pays" | "rounds" | "statement" | "commitment" | "cashier" | "credits" | null>(null);
  const close = () => setDialog(null);
  const snapshot = table.snapshot.value;
  const me = table.me.value;
  const link = table.connection.value;
  const enabled = link === "live" && !snapshot?.suspended;
  useSeat(controls, enabled);
  useNeedOfCredits(controls, () => setDialog("credits"));
  return (
    <div class={`page terminal ${link === "live" ? "" : "dim"}`}>
      <Bar title={view ? <TableTitle {...view} /> : t("table-name", { table: id })}>
        <PatronNotices table={table} />
        <button type="button" class="quiet" onClick={() => setDialog("pays")} data-test="open-pays">{t("pays-limits")}</button>
        <button type="button" class="quiet" onClick={() => setDialog("rounds")} data-test="open-rounds">{t("past-rounds")}</button>
        <button type="button" class="quiet" onClick={() => setDialog("statement")} data-test="open-statement">{t("statement")}</button>
        {snapshot?.shoe?.commitment && <button type="button" class="quiet" onClick={() => setDialog("commitment")} data-test="open-commitment">{t("fair-shoe")}</button>}
      </Bar>
      <ConnectionState link={link} waiting={table.pending.value.length} />
      {view ? (
        <Seat {...view} controls={controls} enabled={enabled} seconds={seconds} onCashier={() => setDialog("cashier")} />
      ) : (
        <main class="centre">{link === "unknown" ? <a class="gold" href="/">{t("back-to-tables")}</a> : <p>{t("connecting")}</p>}</main>
      )}
      {view && <LeaveQuestion {...view} controls={controls} enabled={enabled} />}
      {view && dialog === "pays" && <PayTable {...view} onClose={close} />}
      {view && dialog === "rounds" && <PastRounds table={id} sheet={view.sheet} kind="patron" onClose={close} />}
      {dialog === "statement" && <Statement sheet={view?.sheet} onClose={close} />}
      {dialog === "commitment" && snapshot?.shoe && <ShoeCommitment table={id} shoe={snapshot.shoe} onClose={close} />}
      {(dialog === "cashier" || dialog === "credits") && <Cashier balance={me?.balance_cents ?? 0} owed={me?.owed_cents ?? 0} needed={dialog === "credits"} onClose={close} />}
    </div>
  );
}

interface Props extends SeatProps {
  seconds: number | null;
  onCashier: () => void;
}

function Seat({ seconds, onCashier, ...seat }: Props): JSX.Element {
  const { snapshot, sheet } = seat;
  const { suspended, phase, round, result, roads, me, table: { notice_rule } } = snapshot;
  const squeezed = waysTo(snapshot, "open-card").flatMap(({ place }) => place ?? []);
  const openCard = (place: number) => void seat.controls.send({ kind: "open-card", place });
  useEffect(() => {
    announcement.value = callText(seat);
  }, [phase, round, sheet]);
  return (
    <main>
      {suspended && <p class="notice" role="note">{t("table-suspended")}</p>}
      {!suspended && notice_rule && <p class="notice" role="note">{t("no-insurance", { rule: notice_rule })}</p>}
      <section class="stage">
        <Call {...seat} seconds={seconds} {...(squeezed.length ? { text: t("open-your-cards") } : {})}>
          <NetResult {...seat} />
          {squeezed.length > 0 && <button type="button" class="gold" onClick={() => squeezed.forEach(openCard)} data-test="open-all">{t("open-all")}</button>}
        </Call>
        <Hands cards={snapshot.cards} points={snapshot.points} winner={result?.winner ?? null} squeezed={squeezed} onOpen={openCard} />
        {!snapshot.case && !result && snapshot.next.reason && <p class="hint why">{reasonText(snapshot.next.reason)}</p>}
        <SqueezeRequest {...seat} />
      </section>
      <aside class="margin">
        <Tally data={roads} />
        <Road road="big_road" data={roads} columns={18} />
        <Road road="bead_plate" data={roads} columns={18} />
        <NextHand data={roads} />
        <BetResults lines={me?.lines ?? []} sheet={sheet} title={t("your-bets", { round: me?.lines_round ?? 0 })} />
      </aside>
      <section class="layout">
        <Boxes {...seat} />
        <Felt {...seat} />
        <InsurancePanel {...seat} seconds={seconds} />
        <HeldRound {...seat} />
      </section>
      <Tray {...seat} onCashier={onCashier} />
    </main>
  );
}

/** What the round brought the patron. */
function NetResult({ snapshot: { me, round, result } }: SeatProps): JSX.Element | null {
  if (!result || !me?.lines.length || me.lines_round !== round) return null;
  const { net_cents } = me;
  return <em class={net_cents > 0 ? "gain" : net_cents < 0 ? "loss" : ""}>{signed(net_cents)}</em>;
}
