/** The player terminal: one patron's place at one table. */
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { BetControls } from "../bet-controls";
import { refusalOf, waysTo } from "../choices";
import { BetResults, netOf } from "../components/bet-results";
import { Call, callText } from "../components/call";
import { Chip } from "../components/chip";
import { Boxes, Felt, type SeatProps } from "../components/felt";
import { CommandButtons } from "../components/forms";
import { Hands } from "../components/hands";
import { InsurancePanel } from "../components/insurance";
import { Bar, ConnectionState, TableTitle } from "../components/page-frame";
import { NextHand, Road, Tally } from "../components/roads";
import { Cashier } from "../dialogs/cashier";
import { PastRounds } from "../dialogs/past-rounds";
import { PayTable } from "../dialogs/pay-table";
import { ShoeCommitment } from "../dialogs/shoe-commitment";
import { Statement } from "../dialogs/statement";
import { useLiveTable } from "../hooks";
import { money, rack, signed } from "../money";
import { announcement } from "../notices";
import { navigate } from "../route";
import { reasonText, refusalText, situationText, t, waitsFor } from "../texts";
import type { Command } from "../wire";

export function Terminal({ id }: { id: string }): JSX.Element {
  const { table, view, seconds } = useLiveTable(id, "patron");
  const controls = useMemo(() => new BetControls(table), [table]);
  useEffect(() => () => controls.close(), [controls]);
  const [dialog, setDialog] = useState<"pays" | "rounds" | "statement" | "commitment" | "cashier" | null>(null);
  const close = () => setDialog(null);
  const snapshot = table.snapshot.value;
  const me = table.me.value;
  const link = table.connection.value;
  const enabled = link === "live" && !snapshot?.suspended;
  return (
    <div class={`page terminal ${link === "live" ? "" : "dim"}`}>
      <Bar title={view ? <TableTitle {...view} /> : t("table-name", { table: id })}>
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
      <Rack {...seat} onCashier={onCashier} />
    </main>
  );
}

/** What the round brought the patron. */
function NetResult({ snapshot: { me, round, result } }: SeatProps): JSX.Element | null {
  if (!result || !me?.lines.length || me.lines_round !== round) return null;
  const net = me.lines.reduce((sum, line) => sum + netOf(line), 0);
  return <em class={net > 0 ? "gain" : net < 0 ? "loss" : ""}>{signed(net)}</em>;
}

/** What a patron may ask of the House at a face-down table, and what was asked. */
function SqueezeRequest({ snapshot, controls }: SeatProps): JSX.Element | null {
  const { squeeze } = snapshot;
  if (squeeze) return <p class="hint ask">{t("squeeze-asked", { name: squeeze.name, squeeze: squeeze.what })} <small>{squeeze.rule}</small></p>;
  if (!waysTo(snapshot, "ask-squeeze").length) return null;
  return <div class="ask"><CommandButtons snapshot={snapshot} kind="ask-squeeze" onSend={(command) => void controls.send(command)} /></div>;
}

/** A held round: what was seen and ruled; where the patron may choose, the ways. */
function HeldRound({ snapshot, sheet, controls }: SeatProps): JSX.Element | null {
  const { case: held, round } = snapshot;
  if (!held) return null;
  return (
    <section class="held-round" role="alert" data-test="held">
      <h2>{t("round-held")}</h2>
      <p>{situationText(held.situation, sheet)} {held.rule && <small>{t("paragraph", { rule: held.rule })}</small>}</p>
      {waysTo(snapshot, "choose").length ? (
        <div class="ways"><CommandButtons snapshot={snapshot} kind="choose" onSend={(command) => void controls.send({ ...command, round })} /></div>
      ) : (
        <p class="hint">{waitsFor(held)}</p>
      )}
    </section>
  );
}

/** The patron's credits, chips and actions. */
function Rack({ snapshot, sheet, controls, enabled, onCashier }: SeatProps & Pick<Props, "onCashier">): JSX.Element {
  const { phase, table: { limits } } = snapshot;
  const may = (kind: Command["kind"]) => enabled && waysTo(snapshot, kind).length > 0;
  const leave = () => (may("leave") ? void controls.send({ kind: "leave" }).then((left) => left && navigate("/")) : navigate("/"));
  // A patron who may not bet at all is told why; what a single spot refuses stands at the spot.
  const seated = snapshot.me?.box != null;
  const barred = seated && phase === "betting" && !waysTo(snapshot, "place-bet").length && !waysTo(snapshot, "raise-bet").length;
  const refused = controls.refused.value ?? (barred ? refusalOf(snapshot, "place-bet") : null);
  return (
    <footer class="rack">
      <div class="purse">
        <button type="button" class="quiet" onClick={onCashier} data-test="cashier">
          <small>{t("credits")}</small>
          <b data-test="balance">{money(snapshot.me?.balance_cents ?? 0)}</b>
          <span>{t("buy-or-cash-out")}</span>
        </button>
        <div>
          <small>{t("in-play")}</small>
          <b data-test="in-play">{money(snapshot.me?.in_play_cents ?? 0)}</b>
        </div>
      </div>
      <div class="chips" role="radiogroup" aria-label={t("chip-in-hand")}>
        {limits && rack(limits.minimum_cents, limits.unit_cents).map((chip) => (
          <button
            key={chip}
            type="button"
            role="radio"
            aria-checked={controls.chip.value === chip}
            aria-label={money(chip)}
            data-test={`chip-${chip}`}
            onClick={() => (controls.chip.value = chip)}
          >
            <Chip cents={chip} />
          </button>
        ))}
      </div>
      <div class="actions">
        <button type="button" disabled={!may("withdraw-bet") || !controls.canUndo.value} onClick={() => void controls.undo()} data-test="undo">{t("undo")}</button>
        <button type="button" disabled={!may("withdraw-bet")} onClick={() => void controls.clear()} data-test="clear">{t("clear")}</button>
        <button type="button" disabled={!may("place-bet") || !controls.canRepeat.value} onClick={() => void controls.repeat()} data-test="rebet">{t("re-bet")}</button>
        <button type="button" disabled={!may("raise-bet")} onClick={() => void controls.double()} data-test="double">{t("double")}</button>
        <button type="button" class="quiet" onClick={leave} data-test="leave">{t("leave")}</button>
      </div>
      <p class="say" role={refused ? "alert" : undefined} data-test="refused" data-code={refused?.code ?? ""}>
        {refused ? refusalText(refused, sheet) : phase === "not-open" ? t("table-closed") : seated ? limits && t("limits-line", limits) : t("choose-box")}
      </p>
    </footer>
  );
}
