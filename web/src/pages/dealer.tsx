/** The dealer console: a whole round by keyboard, scanner or taps, with what lies in each box and what is to be paid. */
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { CardEntry } from "../card-entry";
import { choiceOf, waysTo } from "../choices";
import { Call, callText, isVoid, resultOf } from "../components/call";
import { SmallCards } from "../components/card-picker";
import { Hands } from "../components/hands";
import { Consoles } from "../components/consoles";
import { Bar, ConnectionState, TableTitle } from "../components/page-frame";
import { Waiting } from "../components/waiting";
import { BoxTray } from "../dealer/box-tray";
import { Boxes, Warnings } from "../dealer/boxes";
import { CallBar, KeyLegend } from "../dealer/call-bar";
import { afterPending, CardKeys, cardsToName } from "../dealer/card-keys";
import { HeldCase, HeldChoices } from "../dealer/held-choices";
import { InsuranceCollection } from "../dealer/insurance";
import { giveFocusBack, KEYS, useKeyboard } from "../dealer/keyboard";
import { MisKey } from "../dealer/mis-key";
import { nextCall, taskText, useSettled } from "../dealer/next-call";
import { PayOut, paymentKey } from "../dealer/pay-out";
import { PastRounds } from "../dialogs/past-rounds";
import { ReportIncident } from "../dialogs/report-incident";
import { useFetch, useLiveTable, type TableView } from "../hooks";
import type { LiveTable } from "../live-table";
import { limitsLine, reasonText, refusalText, rulingText, situationText, t, waitsFor } from "../texts";
import type { Command, Refusal, RoundRecord, Snapshot } from "../wire";

type DialogName = "report" | "rounds" | "mis-key";

export function Dealer({ id }: { id: string }): JSX.Element {
  const { table, view, seconds } = useLiveTable(id, "staff");
  const [dialog, setDialog] = useState<DialogName | null>(null);
  const close = () => setDialog(null);
  return (
    <div class="page dealer" onClick={giveFocusBack}>
      <Bar title={view ? <TableTitle {...view} /> : t("dealer")}>
        <button type="button" class="quiet" onClick={() => setDialog("rounds")}>{t("past-rounds")}</button>
        {view && isDealtByPeople(view.snapshot) && <button type="button" onClick={() => setDialog("mis-key")} data-test="mis-keyed">{t("mis-keyed")} <kbd aria-hidden="true">{KEYS.misKeyed}</kbd></button>}
        <button type="button" class="warn" onClick={() => setDialog("report")} data-test="report">{t("report")} <kbd aria-hidden="true">{KEYS.report}</kbd></button>
      </Bar>
      <ConnectionState link={table.connection.value} waiting={table.pending.value.length} />
      {view ? (
        <Console {...view} table={table} seconds={seconds} onDialog={setDialog} />
      ) : (
        <main class="centre">{table.connection.value === "connecting" ? <Waiting problem={null} /> : <Consoles />}</main>
      )}
      {view && dialog === "report" && <ReportIncident table={table} {...view} onMisKey={() => setDialog("mis-key")} onClose={close} />}
      {view && dialog === "mis-key" && <MisKey table={table} {...view} onClose={close} />}
      {view && dialog === "rounds" && <PastRounds table={id} sheet={view.sheet} kind="staff" onClose={close} />}
    </div>
  );
}

/** Whether people deal here; what the table does by itself is not offered. */
const isDealtByPeople = (snapshot: Snapshot): boolean => choiceOf(snapshot, "deal").refusal?.code !== "automatic";

interface Props extends TableView {
  table: LiveTable;
  seconds: number | null;
  onDialog: (dialog: DialogName) => void;
}

function Console({ table, snapshot, sheet, seconds, onDialog }: Props): JSX.Element {
  const entry = useMemo(() => new CardEntry(), []);
  const [refused, setRefused] = useState<Refusal | null>(null);
  const [picked, setPicked] = useState("");
  const [keyed, setKeyed] = useState(0);
  const [box, setBox] = useState<number | null>(null);
  const dealt = snapshot.cards.length > 0;
  useEffect(() => setBox(null), [snapshot.round, dealt]);
  const { payments, paid, setPaid } = usePayments(table.id, { snapshot, sheet });
  const named = cardsToName(snapshot);
  const target = named.find(({ label }) => label === picked) ?? named[0];
  const call = nextCall(snapshot);
  const settled = useSettled(JSON.stringify([snapshot.phase, snapshot.cards, call]));
  const isReady = () => settled && table.pending.value.length === 0 && table.connection.value === "live";
  const send = (command: Command) => void table.send(afterPending(command, table.pending.value)).then(setRefused);
  const onCall = () => {
    if (call && isReady()) send(call); // asked anew: a second press may come before the page is drawn again
  };
  const onCard = () => {
    const card = entry.read();
    if (target && !card) return; // the rest of it is still to be keyed
    entry.clear();
    setPicked("");
    if (target && card) {
      const command = target.command(card.card, card.reading);
      setKeyed(snapshot.table.face_down && command.kind === "deal" ? snapshot.cards.length + 1 : 0);
      send(command);
    }
    else setRefused(choiceOf(snapshot, "deal").refusal ?? null);
  };
  const answer = (consent: boolean) => () => {
    if (waysTo(snapshot, "answer-squeeze").length) send({ kind: "answer-squeeze", consent });
  };
  useKeyboard(entry, {
    onCard,
    onCall,
    on: {
      cut: () => waysTo(snapshot, "cut-card").length > 0 && send({ kind: "cut-card" }),
      consent: answer(true),
      decline: answer(false),
      misKeyed: () => isDealtByPeople(snapshot) && onDialog("mis-key"),
      report: () => onDialog("report"),
      paid: () => setPaid(payments.map(paymentKey).find((key) => !paid.includes(key))),
    },
  });
  const inBox = [...waysTo(snapshot, "record-bet"), ...(snapshot.bets ?? [])].some((each) => each.box === box);
  const boxTray = inBox && box !== null ? <BoxTray key={box} box={box} snapshot={snapshot} sheet={sheet} send={send} onClose={() => setBox(null)} /> : null;
  const tray = dealt ? null : boxTray;
  return (
    <main>
      <section class="dealing">
        <Call snapshot={snapshot} sheet={sheet} seconds={seconds} text={stateText({ snapshot, sheet })} />
        <Guidance snapshot={snapshot} sheet={sheet} />
        {tray ?? (
          <Hands cards={snapshot.cards} points={snapshot.points} winner={resultOf(snapshot)?.winner ?? null} />
        )}
        {snapshot.carried && <p class="carried" role="status" data-test="carried">{t("cards-carried-now")} <SmallCards cards={snapshot.carried} /></p>}
        {target && <CardKeys snapshot={snapshot} entry={entry} named={named} target={target} onPick={setPicked} onConfirm={onCard} />}
        {refused && <p class="refused" role="alert" data-test="refused" data-code={refused.code}>{refusalText(refused, sheet)}</p>}
        {keyed > 0 && keyed === snapshot.cards.length && snapshot.cards[keyed - 1]?.card && <button type="button" class="warn" onClick={() => onDialog("report")} data-test="keyed-open">{t("keyed-open")}</button>}
        <CallBar snapshot={snapshot} sheet={sheet} ready={isReady()} send={send} onCall={onCall} />
        {isDealtByPeople(snapshot) && <KeyLegend />}
      </section>
      <section class="ledger">
        <Warnings snapshot={snapshot} sheet={sheet} send={send} />
        <HeldCase snapshot={snapshot} />
        <HeldChoices snapshot={snapshot} send={send} />
        {snapshot.offers.length > 0 && <InsuranceCollection snapshot={snapshot} sheet={sheet} send={send} />}
        {payments.length > 0 && <PayOut payments={payments} paid={paid} onPaid={setPaid} sheet={sheet} />}
        <Boxes snapshot={snapshot} sheet={sheet} selected={box} onSelect={setBox} />
        {!tray && boxTray}
      </section>
    </main>
  );
}

/** What is to be paid after a round, and what of it is; ticked off by key or by hand, and undone by hand. */
function usePayments(id: string, { snapshot: { phase, round, seq } }: TableView) {
  const over = phase === "between-rounds" && round > 0;
  const { data } = useFetch<RoundRecord>(over ? `/api/tables/${id}/rounds/${round}` : null, "staff", 0, seq);
  const [ticked, setTicked] = useState<{ round: number; keys: readonly string[] }>({ round: 0, keys: [] });
  const paid = ticked.round === round ? ticked.keys : [];
  const setPaid = (key: string | undefined) => key && setTicked({ round, keys: paid.includes(key) ? paid.filter((each) => each !== key) : [...paid, key] });
  return { payments: over && data?.round === round ? (data.payments ?? []) : [], paid, setPaid };
}

/** What the table says; before a round it says what is to be done. */
function stateText(view: TableView): string {
  const { phase, result } = view.snapshot;
  return (phase === "between-rounds" && !result && !isVoid(view.snapshot) && taskText(view.snapshot)) || callText(view);
}

/** Who draws and why, by the Table of Play; what holds the round; or what is to be done, and within which limits. */
function Guidance({ snapshot, sheet }: TableView): JSX.Element {
  const { next, case: held, table: { limits } } = snapshot;
  const title = held ? situationText(held.situation, sheet) : next.hand ? t("next-hand", { hand: next.hand }) : next.reason ? t("no-more-cards") : taskText(snapshot);
  const refusal = isDealtByPeople(snapshot) ? null : choiceOf(snapshot, "deal").refusal;
  const ruling = held && [rulingText(held), held.rule && `¶ ${held.rule}`].filter(Boolean).join(" ");
  const why = held ? [ruling, waitsFor(held)].filter(Boolean).join(" · ") : reasonText(next.reason);
  return (
    <div class={`guidance ${held ? "held" : (next.hand ?? "")}`} role="status" data-test="guidance">
      {title && title !== stateText({ snapshot, sheet }) && <b>{title}</b>}
      <span>{why ?? (refusal ? refusalText(refusal, sheet) : limits && limitsLine(sheet, limits))}</span>
    </div>
  );
}
