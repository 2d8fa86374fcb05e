/** The dealer console: calls, cards by key or scanner, boxes, insurance, and the list to pay out. */
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { CardEntry } from "../card-entry";
import { choiceOf, isRequired, waysTo } from "../choices";
import { netOf, resultOf } from "../components/bet-results";
import { Call } from "../components/call";
import { Face, spokenName } from "../components/card";
import { AmountForm, CommandButtons, Select } from "../components/forms";
import { Hands } from "../components/hands";
import { Bar, ConnectionState, TableTitle } from "../components/page-frame";
import { PastRounds } from "../dialogs/past-rounds";
import { ReportIncident } from "../dialogs/report-incident";
import { useFetch, useLiveTable, type TableView } from "../hooks";
import { money } from "../money";
import { betName, narrationText, patronName, reasonText, refusalText, rulingText, sheetWords, situationText, t, waitsFor } from "../texts";
import type { BetLine, Command, Refusal, RoundRecord, Snapshot, Way } from "../wire";

interface Props extends TableView {
  send: (command: Command) => void;
}

export function Dealer({ id }: { id: string }): JSX.Element {
  const { table, view, seconds } = useLiveTable(id, "staff");
  const [refused, setRefused] = useState<Refusal | null>(null);
  const [dialog, setDialog] = useState<"report" | "rounds" | null>(null);
  const close = () => setDialog(null);
  const send = (command: Command) => void table.send(command).then(setRefused);
  return (
    <div class="page dealer">
      <Bar title={view ? <TableTitle {...view} /> : t("dealer")}>
        <button type="button" class="quiet" onClick={() => setDialog("rounds")}>{t("past-rounds")}</button>
        <button type="button" class="warn" onClick={() => setDialog("report")} data-test="report">{t("report")}</button>
      </Bar>
      <ConnectionState link={table.connection.value} waiting={table.pending.value.length} />
      {view && (
        <main>
          <section class="dealing">
            <Call {...view} seconds={seconds} />
            <Guidance {...view} />
            <Hands cards={view.snapshot.cards} points={view.snapshot.points} winner={view.snapshot.result?.winner ?? null} />
            <CardKeys snapshot={view.snapshot} send={send} blocked={dialog !== null} />
            <Calls {...view} send={send} />
            {refused && <p class="refused" role="alert" data-test="refused" data-code={refused.code}>{refusalText(refused, view.sheet)}</p>}
          </section>
          <section class="ledger">
            {view.snapshot.offers.length > 0 && <InsuranceCollection {...view} send={send} />}
            <PayOut {...view} id={id} />
            <BoxList {...view} send={send} />
          </section>
        </main>
      )}
      {view && dialog === "report" && <ReportIncident table={table} {...view} onClose={close} />}
      {view && dialog === "rounds" && <PastRounds table={id} sheet={view.sheet} kind="staff" onClose={close} />}
    </div>
  );
}

/** Who draws and why, by the Table of Play; or what holds the round. */
function Guidance({ snapshot: { next, case: held }, sheet }: TableView): JSX.Element | null {
  if (!held && !next.reason) return null;
  return (
    <div class={`guidance ${held ? "held" : (next.hand ?? "")}`} role="status" data-test="guidance">
      <b>{held ? situationText(held.situation, sheet) : next.hand ? t("next-hand", { hand: next.hand }) : t("no-more-cards")}</b>
      <span>{held ? <>{rulingText(held)} {held.rule && `¶ ${held.rule}`} · {waitsFor(held)}</> : reasonText(next.reason)}</span>
    </div>
  );
}

/** A card that is named by its value: the next one, or a closed one at its place. */
interface Named {
  label: string;
  excluded: string;
  command: (card: string, reading: number | null) => Command;
}

/** The card that a way asks for; undefined where the table knows it. */
const cardInput = ({ inputs = [] }: Way) => inputs.find(({ type, missing }) => type === "card" && missing === "card-not-given");

/** The cards that may be named now: a card that must be opened before others can be dealt comes first. */
function cardsToName(snapshot: Snapshot): Named[] {
  const next = waysTo(snapshot, "deal").flatMap((way): Named[] => {
    const { hand } = snapshot.next;
    const input = cardInput(way);
    return input ? [{ label: hand ? t("next-hand", { hand }) : t("next-card"), excluded: input.excluded ?? "", command: (card, reading) => ({ kind: "deal", card, reading }) }] : [];
  });
  const closed = waysTo(snapshot, "open-card").flatMap((way): Named[] => {
    const { place } = way;
    const input = cardInput(way);
    return input && place ? [{ label: t("open-card", { place }), excluded: input.excluded ?? "", command: (card) => ({ kind: "open-card", place, card }) }] : [];
  });
  return [...next, ...closed];
}

/** Whether the next card can be dealt without naming it: the shoe knows it, or it is dealt closed. */
const dealsUnnamed = (snapshot: Snapshot): boolean => !waysTo(snapshot, "deal").some((way) => way.inputs?.some((input) => input.type === "card" && isRequired(input)));

/** A card by two keys or a scanner that types: seen first, sent by Enter, and undone before that by Backspace. */
function CardKeys({ snapshot, send, blocked }: Omit<Props, "sheet"> & { blocked: boolean }): JSX.Element | null {
  const entry = useMemo(() => new CardEntry(), []);
  const [picked, setPicked] = useState("");
  const named = cardsToName(snapshot);
  const target = named.find(({ label }) => label === picked) ?? named[0];
  const text = entry.text.value;
  const read = entry.read();
  const confirm = () => {
    const card = entry.read();
    if (!card || !target) return;
    entry.clear();
    setPicked("");
    send(target.command(card.card, card.reading));
  };
  useEffect(() => {
    if (!target || blocked) return;
    const press = (event: KeyboardEvent) => {
      const typing = event.target instanceof Element && event.target.closest("input, select, textarea, dialog");
      if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
      const whole = event.key === "Enter" && entry.read();
      if (whole) confirm();
      if (whole || entry.press(event.key)) event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
  if (!target) return null;
  return (
    <div class="entry" data-test="entry">
      <div class="slot">{read ? <Face card={read.card} /> : <span>{text || "?"}</span>}</div>
      <div class="keys">
        {(named.length > 1 || dealsUnnamed(snapshot)) && (
          <div role="group" aria-label={t("card-to-name")}>
            {named.map(({ label }) => <button key={label} type="button" aria-pressed={label === target.label} onClick={() => setPicked(label)}>{label}</button>)}
          </div>
        )}
        <div role="group" aria-label={t("rank")}>
          {[..."A23456789TJQK"].map((rank) => <button key={rank} type="button" onClick={() => { entry.clear(); entry.press(rank); }}>{rank}</button>)}
        </div>
        <div role="group" aria-label={t("suit")}>
          {([["s", "♠"], ["h", "♥"], ["d", "♦"], ["c", "♣"]] as const).map(([key, sign]) => (
            <button key={key} type="button" class={key === "h" || key === "d" ? "red" : ""} aria-label={key} onClick={() => entry.press(key)}>{sign}</button>
          ))}
          <button type="button" onClick={() => entry.clear()} disabled={!text} data-test="unkey">{t("undo")}</button>
          <button type="button" class="gold" onClick={confirm} disabled={!read || target.excluded.split(" ").includes(read.card)} data-test="confirm-card">{t("confirm")}</button>
        </div>
        <small aria-live="polite">{read ? t("confirm-card", { card: spokenName(read.card) }) : t("key-card")}</small>
      </div>
    </div>
  );
}

/** What belongs to no round: the life of a shoe, and who is on duty. Each is there only when it can be done. */
const FURTHER = ["check-decks", "shuffle-cards", "burn-cards", "count-shoe", "come-on-duty", "go-off-duty"] as const;

/** The calls of a round, each open when it is due; one that is not says why. */
function Calls({ snapshot, sheet, send }: Props): JSX.Element {
  const { squeeze, patrons } = snapshot;
  const calls = [
    ["load-shoe", t("new-shoe")],
    ["open-bets", sheetWords(sheet, sheet.play.open.says)],
    ["close-bets", sheetWords(sheet, sheet.play.close.says)],
    ...(dealsUnnamed(snapshot) ? [["deal", t("next-card")] as const] : []),
    ["cut-card", t("cut-card")],
    ["settle", t("settle-the-round")],
  ] as const;
  const warnings = waysTo(snapshot, "close-bets")[0]?.warnings ?? [];
  return (
    <div class="calls">
      {warnings.length > 0 && (
        <ul class="asks" role="alert" data-test="warnings">
          {warnings.map(({ rule, patron, ...warning }, place) => (
            <li key={place}>{narrationText("warning", { ...warning, patron: patron && patronName(patrons, patron) }, sheet)}{rule && ` ¶ ${rule}`}</li>
          ))}
        </ul>
      )}
      {calls.map(([kind, label]) => {
        const { refusal } = choiceOf(snapshot, kind);
        const open = waysTo(snapshot, kind).length > 0;
        return (
          <button key={kind} type="button" class={open && kind !== "cut-card" ? "gold" : ""} disabled={!open} title={refusal ? refusalText(refusal, sheet) : ""} data-test={kind} onClick={() => send({ kind })}>{label}</button>
        );
      })}
      <CommandButtons snapshot={snapshot} kind="open-card" fits={(way) => !cardInput(way)} label={({ place }) => t("open-card", { place: place ?? 0 })} onSend={send} />
      {squeeze && <p class="asks" role="alert" data-test="squeeze-asked">{t("squeeze-asked", { name: squeeze.name, squeeze: squeeze.what })} ¶ {squeeze.rule}</p>}
      <CommandButtons snapshot={snapshot} kind="answer-squeeze" onSend={send} />
      {FURTHER.map((kind) => <CommandButtons key={kind} snapshot={snapshot} kind={kind} onSend={send} />)}
    </div>
  );
}

/** Insurance on offer, and whose original bets it may cover up to what, box by box. */
function InsuranceCollection({ snapshot, sheet, send }: Props): JSX.Element {
  const { ways = [], refusal } = choiceOf(snapshot, "insure");
  const row = ({ patron, box, on, amount, refusal: refused }: Way) => patron != null && box != null && on != null && amount && (
    <li key={`${box} ${patron} ${amount.maximum_cents}`}>
      <span>{t("box-number", { box })} {patronName(snapshot.patrons, patron)}</span>
      {refused ? <small>{refusalText(refused, sheet)}</small> : (
        <AmountForm amount={amount} label={t("amount")} send={t("collect")} start={money(amount.maximum_cents)} onSend={(stake_cents) => send({ kind: "insure", patron, box, on, stake_cents })} />
      )}
    </li>
  );
  return (
    <section class="panel" data-test="collect">
      <h2>{t("insurance")}</h2>
      {refusal && <p>{refusalText(refusal, sheet)}</p>}
      {snapshot.offers.map((offer) => (
        <div key={offer.on}>
          <h3 class={offer.hand}>{betName(sheet, offer.on)} {offer.odds} <small>¶ {offer.rule}</small></h3>
          <ul>{ways.filter((way) => way.on === offer.on).map(row)}</ul>
        </div>
      ))}
      <CommandButtons snapshot={snapshot} kind="announce-insurance" label={({ patron }) => t("announces-insurance", { name: patronName(snapshot.patrons, patron ?? "") })} onSend={send} />
    </section>
  );
}

/** After the settlement: what to pay and take, box by box; a tick says it is done. */
function PayOut({ snapshot, sheet, id }: TableView & { id: string }): JSX.Element | null {
  const over = snapshot.phase === "between-rounds" && snapshot.round > 0;
  const { data } = useFetch<RoundRecord>(over ? `/api/tables/${id}/rounds/${snapshot.round}` : null, "staff");
  if (!over || data?.round !== snapshot.round || !data.lines.length) return null;
  return (
    <section class="panel payout" data-test="payout">
      <h2>{t("pay-out")}</h2>
      <ul key={data.round}>
        {[...data.lines].sort((a, b) => a.bet.box - b.bet.box).map((line, place) => (
          <li key={place} class={resultOf(line)}>
            <label>
              <input type="checkbox" />
              <span>{t("box-number", { box: line.bet.box })} {patronName({}, line.name ?? line.bet.patron ?? "")}</span>
              <span>{betName(sheet, line.bet.on)}</span>
              <b>{payText(line)}</b>
              <small>¶ {line.rule}</small>
            </label>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What is paid or taken for a line, or the stake that goes back. */
function payText(line: BetLine): string {
  const net = netOf(line);
  if (net > 0) return t("pay-amount", { amount_cents: net });
  return net < 0 ? t("take-amount", { amount_cents: -net }) : t("return-amount", { amount_cents: line.bet.stake_cents });
}

/** Every box: who sits, who stands, what is bet; at a live table the bets are recorded here. */
function BoxList({ snapshot, sheet, send }: Props): JSX.Element {
  const ways = waysTo(snapshot, "record-bet");
  return (
    <section class="panel">
      <h2>{t("boxes")}</h2>
      <ol class="box-list">
        {snapshot.boxes.map(({ box, seated, standing }) => (
          <li key={box}>
            <b>{box}</b>
            <span>{seated ?? t("free")}{standing ? ` +${standing}` : ""}</span>
            <ul>
              {(snapshot.bets ?? []).filter((bet) => bet.box === box).map((bet, place) => {
                const name = patronName(snapshot.patrons, bet.patron ?? "");
                return (
                  <li key={place}>
                    {name}{name !== seated && name !== t("cash") && <small>({t("standing")})</small>} · {betName(sheet, bet.on)} <b>{money(bet.stake_cents)}</b>
                  </li>
                );
              })}
            </ul>
          </li>
        ))}
      </ol>
      {ways.length > 0 && <RecordBet ways={ways} snapshot={snapshot} sheet={sheet} send={send} />}
    </section>
  );
}

/** What is on a spot of the layout: who has it, on what, and how much. */
function RecordBet({ ways, snapshot, sheet, send }: Props & { ways: readonly Way[] }): JSX.Element {
  const [chosenPlace, setPlace] = useState("");
  const [chosenBet, setBet] = useState("");
  const placeOf = ({ box, patron }: Way) => `${box} ${patron}`;
  const placeName = ({ box, patron }: Way) => `${t("box-number", { box: box ?? 0 })} ${patronName(snapshot.patrons, patron ?? "")}`;
  const places = new Map(ways.map((way) => [placeOf(way), way]));
  const place = places.get(chosenPlace) ?? ways[0]!;
  const bets = ways.filter((way) => placeOf(way) === placeOf(place));
  const { patron, box, on, amount } = bets.find((way) => way.on === chosenBet) ?? place;
  return (
    <div class="record" data-test="record">
      <Select label={t("patron")} name="patron" value={placeOf(place)} options={[...places].map(([key, way]) => [key, placeName(way)])} onPick={setPlace} />
      <Select label={t("bet")} name="on" value={on ?? ""} options={bets.map((way) => [way.on ?? "", betName(sheet, way.on ?? "")])} onPick={setBet} />
      {patron != null && box != null && on != null && amount && (
        <AmountForm key={`${box} ${patron} ${on}`} amount={amount} label={t("stake-now")} send={t("record")} onSend={(stake_cents) => send({ kind: "record-bet", patron, box, on, stake_cents })} />
      )}
    </div>
  );
}
