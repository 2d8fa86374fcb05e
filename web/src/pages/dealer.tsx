/** The dealer console: calls, cards by key or scanner, boxes, insurance, and the list to pay out. */
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { choiceOf, isRequired, waysTo } from "../choices";
import { ReportDialog } from "../dialogs/report";
import { PastRounds } from "../dialogs/rounds";
import { KeyedCard } from "../keyed";
import { money } from "../money";
import { Face, spoken } from "../parts/card";
import { Bar, Guard, LinkState } from "../parts/frame";
import { Hands } from "../parts/hands";
import { AmountForm } from "../parts/inputs";
import { netOf, resultOf } from "../parts/lines";
import { betName, reasonText, refusalText, rulingText, sheetWords, situationText, t, waitsFor, word } from "../texts";
import { useCountdown, useFetch, useSheet, useTable } from "../use";
import type { BetLine, Command, Refusal, RoundRecord, Sheet, Snapshot, Way } from "../wire";
import { callOf } from "./terminal";

export function Dealer({ id }: { id: string }): JSX.Element {
  return (
    <Guard kind="staff" title={t("dealer")}>
      <Console id={id} />
    </Guard>
  );
}

function Console({ id }: { id: string }): JSX.Element {
  const table = useTable(id, "staff");
  const snapshot = table.snapshot.value;
  const sheet = useSheet(snapshot?.table.game);
  const seconds = useCountdown(snapshot?.ends_at_ms ?? null, table.skew);
  const [refused, setRefused] = useState<Refusal | null>(null);
  const [open, setOpen] = useState<"report" | "rounds" | null>(null);
  const give = async (command: Command) => setRefused(await table.send(command));
  return (
    <div class="page dealer">
      <Bar title={snapshot && sheet ? <><span>{sheetWords(sheet, sheet.title)}</span><small>{t("table-name", { table: id })} · {t("round-number", { round: snapshot.round })}</small></> : t("dealer")}>
        <button type="button" class="quiet" onClick={() => setOpen("rounds")}>{t("past-rounds")}</button>
        <button type="button" class="warn" onClick={() => setOpen("report")} data-test="report">{t("report")}</button>
      </Bar>
      <LinkState link={table.link.value} waiting={table.pending.value.length} />
      {snapshot && sheet && (
        <main>
          <section class="dealing">
            <div class={`call ${snapshot.phase} ${snapshot.result?.winner ?? ""}`} data-test="call" data-phase={snapshot.phase} data-round={snapshot.round}>
              <strong>{callOf(snapshot, sheet)}</strong>
              {seconds !== null && <span class="seconds">{seconds}</span>}
            </div>
            <Guidance snapshot={snapshot} sheet={sheet} />
            <Hands cards={snapshot.cards} points={snapshot.points} winner={snapshot.result?.winner ?? null} />
            <Entry snapshot={snapshot} give={give} blocked={open !== null} />
            <Calls snapshot={snapshot} sheet={sheet} give={give} />
            {refused && <p class="refused" role="alert" data-test="refused" data-code={refused.code}>{refusalText(refused, sheet)}</p>}
          </section>
          <section class="ledger">
            {snapshot.offers.length > 0 && <Collect snapshot={snapshot} sheet={sheet} give={give} />}
            <Payout snapshot={snapshot} sheet={sheet} id={id} />
            <BoxList snapshot={snapshot} sheet={sheet} give={give} />
          </section>
        </main>
      )}
      {snapshot && sheet && open === "report" && <ReportDialog table={table} snapshot={snapshot} sheet={sheet} onClose={() => setOpen(null)} />}
      {sheet && open === "rounds" && <PastRounds table={id} sheet={sheet} kind="staff" onClose={() => setOpen(null)} />}
    </div>
  );
}

/** Who draws and why, by the Table of Play; or what holds the round. */
function Guidance({ snapshot, sheet }: { snapshot: Snapshot; sheet: Sheet }): JSX.Element | null {
  const { next, case: held } = snapshot;
  if (held) {
    return (
      <div class="guidance held" role="status" data-test="guidance">
        <b>{situationText(held.situation, sheet)}</b>
        <span>{rulingText(held)} {held.rule && `¶ ${held.rule}`} · {waitsFor(held)}</span>
      </div>
    );
  }
  if (!next.reason) return null;
  return (
    <div class={`guidance ${next.hand ?? ""}`} role="status" data-test="guidance">
      <b>{next.hand ? t("next-hand", { hand: next.hand }) : t("no-more-cards")}</b>
      <span>{reasonText(next.reason)}</span>
    </div>
  );
}

type Give = (command: Command) => Promise<void>;

/** The card that the next deal must name; undefined where none is dealt now, or the shoe knows it. */
const cardToName = (snapshot: Snapshot) => waysTo(snapshot, "deal")[0]?.inputs?.find((input) => input.type === "card" && isRequired(input));

/** A card by two keys or a scanner that types: seen first, sent by Enter, and undone before that by Backspace. */
function Entry({ snapshot, give, blocked }: { snapshot: Snapshot; give: Give; blocked: boolean }): JSX.Element | null {
  const keyed = useMemo(() => new KeyedCard(), []);
  const asked = cardToName(snapshot);
  const dealing = asked !== undefined;
  const text = keyed.text.value;
  const read = keyed.read();
  const confirm = () => {
    const card = keyed.read();
    if (!card) return;
    keyed.clear();
    void give({ kind: "deal", ...card });
  };
  useEffect(() => {
    if (!dealing || blocked) return;
    const press = (event: KeyboardEvent) => {
      const typing = event.target instanceof Element && event.target.closest("input, select, textarea, dialog");
      if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
      const whole = event.key === "Enter" && keyed.read();
      if (whole) confirm();
      if (whole || keyed.press(event.key)) event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [dealing, blocked, keyed]);
  if (!asked) return null;
  return (
    <div class="entry" data-test="entry">
      <div class="slot">{read ? <Face card={read.card} /> : <span>{text || "?"}</span>}</div>
      <div class="keys">
        <div role="group" aria-label={t("rank")}>
          {[..."A23456789TJQK"].map((rank) => <button key={rank} type="button" onClick={() => { keyed.clear(); keyed.press(rank); }}>{rank}</button>)}
        </div>
        <div role="group" aria-label={t("suit")}>
          {([["s", "♠"], ["h", "♥"], ["d", "♦"], ["c", "♣"]] as const).map(([key, sign]) => (
            <button key={key} type="button" class={key === "h" || key === "d" ? "red" : ""} aria-label={key} onClick={() => keyed.press(key)}>{sign}</button>
          ))}
          <button type="button" onClick={() => keyed.clear()} disabled={!text} data-test="unkey">{t("undo")}</button>
          <button type="button" class="gold" onClick={confirm} disabled={!read || asked.excluded?.split(" ").includes(read.card)} data-test="confirm-card">{t("confirm")}</button>
        </div>
        <small aria-live="polite">{read ? t("confirm-card", { card: spoken(read.card) }) : t("key-card")}</small>
      </div>
    </div>
  );
}

/** The calls of a round, each open when it is due; one that is not says why. */
function Calls({ snapshot, sheet, give }: { snapshot: Snapshot; sheet: Sheet; give: Give }): JSX.Element {
  const calls = [
    ["load-shoe", t("new-shoe")],
    ["open-bets", sheetWords(sheet, sheet.play.open.says)],
    ["close-bets", sheetWords(sheet, sheet.play.close.says)],
    ...(cardToName(snapshot) ? [] : [["deal", t("next-card")] as const]),
    ["cut-card", t("cut-card")],
    ["settle", t("settle-the-round")],
  ] as const;
  const { squeeze } = snapshot;
  const answers = waysTo(snapshot, "answer-squeeze").flatMap(({ consent }) => consent ?? []);
  return (
    <div class="calls">
      {calls.map(([kind, label]) => {
        const { refusal } = choiceOf(snapshot, kind);
        const open = waysTo(snapshot, kind).length > 0;
        return (
          <button key={kind} type="button" class={open && kind !== "cut-card" ? "gold" : ""} disabled={!open} title={refusal ? refusalText(refusal, sheet) : ""} data-test={kind} onClick={() => void give({ kind })}>{label}</button>
        );
      })}
      {squeeze && <p class="asks" role="alert" data-test="squeeze-asked">{t("squeeze-asked", { name: squeeze.name, squeeze: squeeze.what })} ¶ {squeeze.rule}</p>}
      {answers.map((consent) => (
        <button key={String(consent)} type="button" class={consent ? "gold" : ""} data-test={consent ? "answer-squeeze" : "decline-squeeze"} onClick={() => void give({ kind: "answer-squeeze", consent })}>
          {consent ? t("consent") : word("decision", "decline")}
        </button>
      ))}
    </div>
  );
}

/** Insurance on offer, and whose original bets it may cover up to what, box by box. */
function Collect({ snapshot, sheet, give }: { snapshot: Snapshot; sheet: Sheet; give: Give }): JSX.Element {
  const { ways = [], refusal } = choiceOf(snapshot, "insure");
  const row = ({ patron, box, on, amount, refusal: refused }: Way) => patron != null && box != null && on != null && amount && (
    <li key={`${box} ${patron} ${amount.maximum_cents}`}>
      <span>{t("box-number", { box })} {snapshot.patrons?.[patron] ?? patron}</span>
      {refused ? <small>{refusalText(refused, sheet)}</small> : (
        <AmountForm amount={amount} label={t("amount")} send={t("collect")} start={money(amount.maximum_cents)} onGive={(stake_cents) => void give({ kind: "insure", patron, box, on, stake_cents })} />
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
    </section>
  );
}

/** After the settlement: what to pay and take, box by box; a tick says it is done. */
function Payout({ snapshot, sheet, id }: { snapshot: Snapshot; sheet: Sheet; id: string }): JSX.Element | null {
  const over = snapshot.phase === "between-rounds" && snapshot.round > 0;
  const { data } = useFetch<RoundRecord>(over ? `/api/tables/${id}/rounds/${snapshot.round}` : null, "staff");
  const [done, setDone] = useState<ReadonlySet<number>>(new Set());
  useEffect(() => setDone(new Set()), [snapshot.round]);
  const lines = over && data?.round === snapshot.round ? data.lines : [];
  if (!lines.length) return null;
  const toggle = (place: number) => setDone(new Set(done.has(place) ? [...done].filter((each) => each !== place) : [...done, place]));
  const ordered = [...lines].sort((a, b) => a.bet.box - b.bet.box);
  return (
    <section class="panel payout" data-test="payout">
      <h2>{t("pay-out")}</h2>
      <ul>
        {ordered.map((line, place) => (
          <li key={place} class={`${resultOf(line)} ${done.has(place) ? "done" : ""}`}>
            <label>
              <input type="checkbox" checked={done.has(place)} onChange={() => toggle(place)} />
              <span>{t("box-number", { box: line.bet.box })} {line.name ?? line.bet.patron}</span>
              <span>{betName(sheet, line.bet.on)}</span>
              <b>{payWords(line)}</b>
              <small>¶ {line.rule}</small>
            </label>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What is paid or taken for a line, or the stake that goes back. */
function payWords(line: BetLine): string {
  const net = netOf(line);
  if (net > 0) return t("pay-amount", { amount_cents: net });
  return net < 0 ? t("take-amount", { amount_cents: -net }) : t("return-amount", { amount_cents: line.bet.stake_cents });
}

/** Every box: who sits, who stands, what is bet; at a live table the bets are recorded here. */
function BoxList({ snapshot, sheet, give }: { snapshot: Snapshot; sheet: Sheet; give: Give }): JSX.Element {
  const ways = waysTo(snapshot, "record-bet");
  return (
    <section class="panel">
      <h2>{t("boxes")}</h2>
      <ol class="box-list">
        {snapshot.boxes.map((box) => (
          <li key={box.box}>
            <b>{box.box}</b>
            <span>{box.seated ?? t("free")}{box.standing ? ` +${box.standing}` : ""}</span>
            <ul>
              {(snapshot.bets ?? []).filter((bet) => bet.box === box.box).map((bet, place) => {
                const name = snapshot.patrons?.[bet.patron ?? ""] ?? bet.patron;
                return (
                  <li key={place}>
                    {name}{name !== box.seated && <small>({t("standing")})</small>} · {betName(sheet, bet.on)} <b>{money(bet.stake_cents)}</b>
                  </li>
                );
              })}
            </ul>
          </li>
        ))}
      </ol>
      {ways.length > 0 && <RecordBet ways={ways} snapshot={snapshot} sheet={sheet} give={give} />}
    </section>
  );
}

/** What is on a spot of the layout: who has it, on what, and how much. */
function RecordBet({ ways, snapshot, sheet, give }: { ways: readonly Way[]; snapshot: Snapshot; sheet: Sheet; give: Give }): JSX.Element {
  const [whose, setWhose] = useState("");
  const [bet, setBet] = useState("");
  const placeOf = ({ box, patron }: Way) => `${box} ${patron}`;
  const places = new Map(ways.map((way) => [placeOf(way), way]));
  const place = places.get(whose) ?? ways[0]!;
  const theirs = ways.filter((way) => placeOf(way) === placeOf(place));
  const { patron, box, on, amount } = theirs.find((way) => way.on === bet) ?? place;
  return (
    <div class="record" data-test="record">
      <label>
        {t("patron")}
        <select name="patron" value={placeOf(place)} onChange={(event) => setWhose(event.currentTarget.value)}>
          {[...places].map(([key, way]) => <option key={key} value={key}>{t("box-number", { box: way.box ?? 0 })} {snapshot.patrons?.[way.patron ?? ""] ?? way.patron}</option>)}
        </select>
      </label>
      <label>
        {t("bet")}
        <select name="on" value={on ?? ""} onChange={(event) => setBet(event.currentTarget.value)}>
          {theirs.map((way) => <option key={way.on} value={way.on ?? ""}>{betName(sheet, way.on ?? "")}</option>)}
        </select>
      </label>
      {patron != null && box != null && on != null && amount && (
        <AmountForm key={`${box} ${patron} ${on}`} amount={amount} label={t("stake-now")} send={t("record")} onGive={(stake_cents) => void give({ kind: "record-bet", patron, box, on, stake_cents })} />
      )}
    </div>
  );
}
