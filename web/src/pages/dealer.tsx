/** The dealer console: calls, cards by key or scanner, boxes, insurance, and the list to pay out. */
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { ReportDialog } from "../dialogs/report";
import { PastRounds, type RoundRecord } from "../dialogs/rounds";
import { reasonOf } from "../guidance";
import { KeyedCard } from "../keyed";
import { money, mostInsurable, parseMoney } from "../money";
import { Face, spoken } from "../parts/card";
import { Bar, Guard, LinkState } from "../parts/frame";
import { Hands } from "../parts/hands";
import { resultOf } from "../parts/lines";
import type { Command, Table } from "../table";
import { betName, refusalText, sheetWords, t, text, waitsFor, word } from "../texts";
import type { Line, LyingBet, Offer, Refused, Sheet, Snapshot } from "../types";
import { useCountdown, useFetch, useSheet, useTable } from "../use";
import { callOf } from "./terminal";

export function Dealer({ id }: { id: string }): JSX.Element {
  return (
    <Guard kind="staff" title={t("dealer")}>
      <Console id={id} />
    </Guard>
  );
}

const DEALING = new Set(["initial-cards", "first-window", "player-third", "second-window", "banker-third"]);

function Console({ id }: { id: string }): JSX.Element {
  const table = useTable(id, "staff");
  const snapshot = table.snapshot.value;
  const sheet = useSheet(snapshot?.table.game);
  const seconds = useCountdown(snapshot?.clock.ends_at ?? null, table.skew);
  const [refused, setRefused] = useState<Refused | null>(null);
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
            {snapshot.table.mode === "live" && <Entry table={table} snapshot={snapshot} give={give} blocked={open !== null} />}
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
        <b>{sheetWords(sheet, held.says)}</b>
        <span>{held.ruling && text("rulings", held.ruling)} {held.rule && `¶ ${held.rule}`} · {waitsFor(held.waits_for)}</span>
      </div>
    );
  }
  if (!next.why) return null;
  return (
    <div class={`guidance ${next.hand ?? ""}`} role="status" data-test="guidance">
      <b>{next.hand ? t("next-hand", { hand: next.hand }) : t("no-more-cards")}</b>
      <span>{reasonOf(snapshot)}</span>
    </div>
  );
}

type Give = (command: Command) => Promise<void>;

/** A card by two keys or a scanner that types: seen first, sent by Enter, and undone before that by Backspace. */
function Entry({ snapshot, give, blocked }: { table: Table; snapshot: Snapshot; give: Give; blocked: boolean }): JSX.Element | null {
  const keyed = useMemo(() => new KeyedCard(), []);
  const dealing = DEALING.has(snapshot.phase);
  const text = keyed.text.value;
  const read = keyed.read();
  const confirm = () => {
    const card = keyed.read();
    if (!card) return;
    keyed.clear();
    void give(card.reading === null ? { kind: "deal", card: card.card } : { kind: "deal", card: card.card, reading: card.reading });
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
  if (!dealing) return null;
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
          <button type="button" class="gold" onClick={confirm} disabled={!read} data-test="confirm-card">{t("confirm")}</button>
        </div>
        <small aria-live="polite">{read ? t("confirm-card", { card: spoken(read.card) }) : t("key-card")}</small>
      </div>
    </div>
  );
}

/** The calls that are due in this phase. */
function Calls({ snapshot, sheet, give }: { snapshot: Snapshot; sheet: Sheet; give: Give }): JSX.Element {
  const { phase, shoe } = snapshot;
  const call = (kind: string, label: string, more: Record<string, unknown> = {}, gold = true) => (
    <button type="button" class={gold ? "gold" : ""} data-test={kind} onClick={() => void give({ kind, ...more })}>{label}</button>
  );
  return (
    <div class="calls">
      {phase === "between-rounds" && shoe && !shoe.over && call("open-bets", sheetWords(sheet, sheet.play.open.says))}
      {phase === "between-rounds" && (!shoe || shoe.over) && call("load-shoe", t("new-shoe"))}
      {phase === "betting" && call("close-bets", sheetWords(sheet, sheet.play.close.says))}
      {DEALING.has(phase) && snapshot.table.mode === "automatic" && call("deal", t("next-card"))}
      {DEALING.has(phase) && call("cut-card", t("cut-card"), {}, false)}
      {snapshot.squeeze && (
        <p class="asks" role="alert" data-test="squeeze-asked">{t("squeeze-asked", { name: snapshot.squeeze.name, squeeze: snapshot.squeeze.what })} ¶ {snapshot.squeeze.rule}</p>
      )}
      {snapshot.squeeze && call("answer-squeeze", t("consent"), { consent: true })}
      {snapshot.squeeze && <button type="button" onClick={() => void give({ kind: "answer-squeeze", consent: false })}>{word("decision", "decline")}</button>}
      {phase === "result" && call("settle", t("settle-the-round"))}
    </div>
  );
}

/** Insurance on offer, and whose original bets it may cover; collected with one tap or by amount. */
function Collect({ snapshot, sheet, give }: { snapshot: Snapshot; sheet: Sheet; give: Give }): JSX.Element {
  return (
    <section class="panel" data-test="collect">
      <h2>{t("insurance")}</h2>
      {snapshot.offers.map((offer) => (
        <div key={offer.on}>
          <h3 class={offer.hand}>{betName(sheet, offer.on)} {offer.odds} <small>¶ {offer.rule}</small></h3>
          <ul>
            {(snapshot.bets ?? []).filter((bet) => sheet.bets[bet.on]?.hand === offer.hand).map((bet) => (
              <CollectRow key={`${bet.box}${bet.patron}`} bet={bet} offer={offer} name={snapshot.patrons?.[bet.patron ?? ""] ?? ""} give={give} />
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

function CollectRow({ bet, offer, name, give }: { bet: LyingBet; offer: Offer; name: string; give: Give }): JSX.Element {
  const most = mostInsurable(bet.stake, offer.odds);
  const [text, setText] = useState(money(most));
  const cents = parseMoney(text);
  const collect = () => void (cents && give({ kind: "insure", patron: bet.patron, box: bet.box, on: offer.on, stake_cents: cents }));
  return (
    <li>
      <span>{t("box-number", { box: bet.box })} {name}</span>
      <small>{t("insurable", { maximum_cents: most, original_cents: bet.stake })}</small>
      <input aria-label={t("amount")} inputMode="decimal" value={text} onInput={(event) => setText(event.currentTarget.value)} />
      <button type="button" disabled={!cents} onClick={collect}>{t("collect")}</button>
    </li>
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

function payWords(line: Line): string {
  switch (resultOf(line)) {
    case "win":
      return t("pay-amount", { amount_cents: line.net_cents ?? 0 });
    case "lose":
      return t("take-amount", { amount_cents: line.bet.stake_cents });
    default:
      return t("return-amount", { amount_cents: line.bet.stake_cents });
  }
}

/** Every box: who sits, who stands, what lies; at a live table what lies is recorded here. */
function BoxList({ snapshot, sheet, give }: { snapshot: Snapshot; sheet: Sheet; give: Give }): JSX.Element {
  const live = snapshot.table.mode === "live" && (snapshot.phase === "betting" || snapshot.phase === "initial-cards");
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
                    {name}{name !== box.seated && <small>({t("standing")})</small>} · {betName(sheet, bet.on)} <b>{money(bet.stake)}</b>
                  </li>
                );
              })}
            </ul>
          </li>
        ))}
      </ol>
      {live && <RecordBet snapshot={snapshot} sheet={sheet} give={give} />}
    </section>
  );
}

function RecordBet({ snapshot, sheet, give }: { snapshot: Snapshot; sheet: Sheet; give: Give }): JSX.Element {
  const record = (event: JSX.TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const cents = parseMoney(String(form.get("amount")));
    if (cents === null) return;
    void give({ kind: "record-bet", patron: String(form.get("patron")), box: Number(form.get("box")), on: String(form.get("on")), stake_cents: cents });
  };
  return (
    <form class="inline" onSubmit={record}>
      <label>{t("box")} <input name="box" type="number" min={1} max={snapshot.boxes.length} required /></label>
      <label>{t("patron")} <select name="patron" required>{Object.entries(snapshot.patrons ?? {}).map(([id, name]) => <option key={id} value={id}>{name}</option>)}</select></label>
      <label>{t("bet")} <select name="on">{Object.values(sheet.bets).map((bet) => <option key={bet.id} value={bet.id}>{sheetWords(sheet, bet.name)}</option>)}</select></label>
      <label>{t("stake-now")} <input name="amount" inputMode="decimal" required /></label>
      <button type="submit">{t("record")}</button>
    </form>
  );
}
