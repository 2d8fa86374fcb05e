/** The player terminal: one patron's place at one table. */
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { BetControls } from "../bet-controls";
import { waysTo } from "../choices";
import { BetResults, netOf } from "../components/bet-results";
import { Call, callText } from "../components/call";
import { Boxes, Felt, type SeatProps } from "../components/felt";
import { Hands } from "../components/hands";
import { InsurancePanel } from "../components/insurance";
import { Bar, ConnectionState, Dialog, TableTitle } from "../components/page-frame";
import { ShoeStatistics } from "../components/roads";
import { Cashier } from "../dialogs/cashier";
import { Help } from "../dialogs/help";
import { PastRounds } from "../dialogs/past-rounds";
import { PayTable } from "../dialogs/pay-table";
import { ShoeCommitment } from "../dialogs/shoe-commitment";
import { Statement } from "../dialogs/statement";
import { useLiveTable, useMedia, type TableView } from "../hooks";
import { signed } from "../money";
import { announcement } from "../notices";
import { useShortcuts } from "../shortcuts";
import { HeldRound } from "../terminal/held-round";
import { SqueezeRequest } from "../terminal/squeeze-request";
import { Tray } from "../terminal/tray";
import { reasonText, t } from "../texts";

/** Windows with no room for a margin; the style sheet draws the stage of a phone for the same. */
const NARROW = "(max-width: 700px), (max-height: 500px)";

export function Terminal({ id }: { id: string }): JSX.Element {
  const { table, view, seconds } = useLiveTable(id, "patron");
  const controls = useMemo(() => new BetControls(table), [table]);
  useEffect(() => () => controls.close(), [controls]);
  const [dialog, setDialog] = useState<"pays" | "rounds" | "statement" | "commitment" | "cashier" | "roads" | "help" | null>(null);
  const close = () => setDialog(null);
  const snapshot = table.snapshot.value;
  const me = table.me.value;
  const link = table.connection.value;
  const narrow = useMedia(NARROW);
  useShortcuts(view?.sheet);
  const enabled = link === "live" && !snapshot?.suspended;
  const connection = <ConnectionState link={link} waiting={table.pending.value.length} />;
  return (
    <div class={`page terminal ${link === "live" ? "" : "dim"}`}>
      <Bar
        title={view ? <TableTitle {...view} /> : t("table-name", { table: id })}
        aside={view && narrow && <button type="button" class="quiet" onClick={() => setDialog("roads")} data-test="open-roads">{t("roads")}</button>}
      >
        <button type="button" class="quiet" onClick={() => setDialog("pays")} data-test="open-pays">{t("pays-limits")}</button>
        <button type="button" class="quiet" onClick={() => setDialog("rounds")} data-test="open-rounds">{t("past-rounds")}</button>
        <button type="button" class="quiet" onClick={() => setDialog("statement")} data-test="open-statement">{t("statement")}</button>
        {snapshot?.shoe?.commitment && <button type="button" class="quiet" onClick={() => setDialog("commitment")} data-test="open-commitment">{t("fair-shoe")}</button>}
        {view && <button type="button" class="quiet" onClick={() => setDialog("help")} data-test="open-help">{t("help")}</button>}
      </Bar>
      {view ? (
        <Seat {...view} controls={controls} enabled={enabled} seconds={seconds} link={connection} narrow={narrow} onCashier={() => setDialog("cashier")} />
      ) : (
        <main class="centre">{connection}{link === "unknown" && <a class="gold" href="/">{t("back-to-tables")}</a>}</main>
      )}
      {view && dialog === "roads" && <Dialog title={t("roads")} onClose={close}><Margin {...view} /></Dialog>}
      {view && dialog === "help" && <Help {...view} onClose={close} />}
      {view && dialog === "pays" && <PayTable {...view} onClose={close} />}
      {view && dialog === "rounds" && <PastRounds table={id} sheet={view.sheet} kind="patron" onClose={close} />}
      {dialog === "statement" && <Statement onClose={close} />}
      {dialog === "commitment" && snapshot?.shoe && <ShoeCommitment table={id} shoe={snapshot.shoe} onClose={close} />}
      {dialog === "cashier" && <Cashier balance={me?.balance_cents ?? 0} owed={me?.owed_cents ?? 0} onClose={close} />}
    </div>
  );
}

interface Props extends SeatProps {
  seconds: number | null;
  /** What is said of the connection. */
  link: JSX.Element;
  /** Whether there is no room for a margin. */
  narrow: boolean;
  onCashier: () => void;
}

function Seat({ seconds, link, narrow, onCashier, ...seat }: Props): JSX.Element {
  const { snapshot, sheet } = seat;
  const { suspended, phase, round, result, table: { notice_rule } } = snapshot;
  const squeezed = waysTo(snapshot, "open-card").flatMap(({ place }) => place ?? []);
  const openCard = (place: number) => void seat.controls.send({ kind: "open-card", place });
  useEffect(() => {
    announcement.value = callText(seat);
  }, [phase, round, sheet]);
  return (
    <main class={notice_rule ? "stage noticed" : "stage"}>
      <section class="area status" aria-label={t("table-says")}>
        <Call {...seat} seconds={seconds} {...(squeezed.length ? { text: t("open-your-cards") } : {})}>
          <NetResult {...seat} />
        </Call>
        <div class="note">
          {suspended ? (
            <p class="hint" role="note">{t("table-suspended")}</p>
          ) : squeezed.length > 0 ? (
            <button type="button" class="gold" onClick={() => squeezed.forEach(openCard)} data-test="open-all">{t("open-all")}</button>
          ) : (
            <SqueezeRequest {...seat}>{!snapshot.case && !result && snapshot.next.reason && <p class="hint">{reasonText(snapshot.next.reason)}</p>}</SqueezeRequest>
          )}
          {notice_rule && <p class="notice" role="note">{t("no-insurance", { rule: notice_rule })}</p>}
        </div>
        {link}
      </section>
      <section class="area cards">
        <Hands cards={snapshot.cards} points={snapshot.points} winner={result?.winner ?? null} squeezed={squeezed} onOpen={openCard} />
      </section>
      {!narrow && <aside class="area margin"><Margin {...seat} /></aside>}
      <section class="area felt">
        <Boxes {...seat} />
        <Felt {...seat} />
        <InsurancePanel {...seat} seconds={seconds} />
        <HeldRound {...seat} />
      </section>
      <section class="area tray"><Tray {...seat} onCashier={onCashier} /></section>
    </main>
  );
}

/** What was: the roads, and what became of the patron's bets. */
function Margin({ snapshot: { roads, me }, sheet }: TableView): JSX.Element {
  return (
    <>
      <ShoeStatistics roads={roads} sheet={sheet} size="small" />
      <BetResults lines={me?.lines ?? []} sheet={sheet} title={t("your-bets", { round: me?.lines_round ?? 0 })} />
    </>
  );
}

/** What the round brought the patron. */
function NetResult({ snapshot: { me, round, result } }: SeatProps): JSX.Element | null {
  if (!result || !me?.lines.length || me.lines_round !== round) return null;
  const net = me.lines.reduce((sum, line) => sum + netOf(line), 0);
  return <em class={net > 0 ? "gain" : net < 0 ? "loss" : ""}>{signed(net)}</em>;
}
