/** The player terminal: one patron's place at one table. */
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { Book } from "../book";
import { waysTo } from "../choices";
import { Cashier } from "../dialogs/cashier";
import { PastRounds } from "../dialogs/rounds";
import { PayTable } from "../dialogs/paytable";
import { Promised } from "../dialogs/promise";
import { Statement } from "../dialogs/statement";
import { money, rack, signed } from "../money";
import { Chip } from "../parts/chip";
import { Boxes, Felt } from "../parts/felt";
import { Bar, Guard, LinkState } from "../parts/frame";
import { Hands, useClosed } from "../parts/hands";
import { InsurancePanel } from "../parts/insurance";
import { Lines, netOf } from "../parts/lines";
import { NextHand, Road, Tally } from "../parts/roads";
import { go } from "../route";
import { noInsurance, reasonText, refusalText, sheetWords, situationText, t, waitsFor, word } from "../texts";
import { announce, useCountdown, useSheet, useTable } from "../use";
import type { Command, Hand, Sheet, Snapshot } from "../wire";

export function Terminal({ id }: { id: string }): JSX.Element {
  return (
    <Guard kind="patron" title={t("table-name", { table: id })}>
      <Seat id={id} />
    </Guard>
  );
}

type Open = "pays" | "rounds" | "statement" | "promise" | "cashier" | null;

function Seat({ id }: { id: string }): JSX.Element {
  const table = useTable(id, "patron");
  const book = useMemo(() => new Book(table), [table]);
  useEffect(() => () => book.close(), [book]);
  const [open, setOpen] = useState<Open>(null);
  const snapshot = table.snapshot.value;
  const sheet = useSheet(snapshot?.table.game);
  const seconds = useCountdown(snapshot?.ends_at_ms ?? null, table.skew);
  const [closed, openCards] = useClosed(snapshot, ({ hand }) => !!sheet && backs(book, snapshot, sheet, hand));
  useChip(book, snapshot);
  useAnnouncements(snapshot, sheet);
  const link = table.link.value;
  const lit = link === "live" && !snapshot?.suspended;
  return (
    <div class={`page terminal ${link === "live" ? "" : "dim"}`}>
      <Bar title={snapshot && sheet ? <Title snapshot={snapshot} sheet={sheet} /> : t("table-name", { table: id })}>
        <button type="button" class="quiet" onClick={() => setOpen("pays")} data-test="open-pays">{t("pays-limits")}</button>
        <button type="button" class="quiet" onClick={() => setOpen("rounds")} data-test="open-rounds">{t("past-rounds")}</button>
        <button type="button" class="quiet" onClick={() => setOpen("statement")} data-test="open-statement">{t("statement")}</button>
        {snapshot?.shoe?.commitment && <button type="button" class="quiet" onClick={() => setOpen("promise")} data-test="open-promise">{t("fair-shoe")}</button>}
      </Bar>
      <LinkState link={link} waiting={table.pending.value.length} />
      {snapshot && sheet ? (
        <main>
          {snapshot.suspended && <p class="notice" role="note">{t("table-suspended")}</p>}
          {!snapshot.suspended && snapshot.table.notice_rule && <p class="notice" role="note">{noInsurance(snapshot.table.notice_rule)}</p>}
          <section class="stage">
            <CallLine snapshot={snapshot} sheet={sheet} seconds={seconds} closed={closed.size > 0} onOpen={() => openCards([...closed])} />
            <Hands cards={snapshot.cards} points={snapshot.points} winner={snapshot.result?.winner ?? null} closed={closed} onOpen={openCards} />
            <Why snapshot={snapshot} closed={closed.size > 0} />
            <SqueezeAsk snapshot={snapshot} book={book} />
          </section>
          <aside class="margin">
            <Tally data={snapshot.roads} />
            <Road road="big_road" data={snapshot.roads} columns={18} />
            <Road road="bead_plate" data={snapshot.roads} columns={18} />
            <NextHand data={snapshot.roads} />
            {!closed.size && <Lines lines={snapshot.me?.lines ?? []} sheet={sheet} title={t("your-bets", { round: snapshot.me?.lines_round ?? 0 })} />}
          </aside>
          <section class="layout">
            <Boxes snapshot={snapshot} sheet={sheet} book={book} />
            <Felt snapshot={snapshot} sheet={sheet} book={book} lit={lit} />
            <InsurancePanel snapshot={snapshot} sheet={sheet} book={book} seconds={seconds} />
            <Choice snapshot={snapshot} sheet={sheet} book={book} />
          </section>
          <Rack snapshot={snapshot} sheet={sheet} book={book} lit={lit} onCashier={() => setOpen("cashier")} />
        </main>
      ) : (
        <main class="centre">{link === "unknown" ? <a class="gold" href="/">{t("back-to-tables")}</a> : <p>{t("connecting")}</p>}</main>
      )}
      {sheet && snapshot && open === "pays" && <PayTable sheet={sheet} snapshot={snapshot} onClose={() => setOpen(null)} />}
      {sheet && open === "rounds" && <PastRounds table={id} sheet={sheet} kind="patron" onClose={() => setOpen(null)} />}
      {open === "statement" && <Statement onClose={() => setOpen(null)} />}
      {open === "promise" && snapshot?.shoe && <Promised table={id} shoe={snapshot.shoe} onClose={() => setOpen(null)} />}
      {open === "cashier" && <Cashier balance={snapshot?.me?.balance_cents ?? 0} onClose={() => setOpen(null)} />}
    </div>
  );
}

/** Whether the patron had something on a hand this round, and so may open its cards. */
function backs(book: Book, snapshot: Snapshot | null, sheet: Sheet, hand: Hand | null): boolean {
  const bet = Object.values(sheet.bets).find((each) => each.hand !== null && each.hand === hand);
  if (!bet) return false;
  return (book.placed.value[bet.id] ?? 0) > 0 || (snapshot?.me?.lines_round === snapshot?.round && !!snapshot?.me?.lines.some((line) => line.bet.on === bet.id));
}

function useChip(book: Book, snapshot: Snapshot | null): void {
  useEffect(() => {
    const limits = snapshot?.table.limits;
    if (!limits || book.chip.value) return;
    const chips = rack(limits.minimum_cents, limits.unit_cents);
    book.chip.value = chips.find((chip) => chip >= limits.minimum_cents) ?? chips.at(-1) ?? limits.minimum_cents;
  }, [book, !snapshot?.table.limits]);
}

/** Reads the table out: calls, results and what is asked of the patron. */
function useAnnouncements(snapshot: Snapshot | null, sheet: Sheet | null): void {
  const phase = snapshot?.phase;
  useEffect(() => {
    if (snapshot && sheet) announce(callOf(snapshot, sheet));
  }, [phase, snapshot?.round, sheet]);
}

function Title({ snapshot, sheet }: { snapshot: Snapshot; sheet: Sheet }): JSX.Element {
  const { shoe, round, table } = snapshot;
  return (
    <>
      <span>{sheetWords(sheet, sheet.title)}</span>
      <small>
        {t("table-name", { table: table.id })} · {t("round-number", { round: round })}
        {shoe && ` · ${t("shoe-number", { shoe: shoe.number })}`}
        {shoe?.last_round && ` · ${t("last-round-of-shoe")}`}
      </small>
    </>
  );
}

/** What the table says now. */
export function callOf(snapshot: Snapshot, sheet: Sheet): string {
  const { result, phase } = snapshot;
  switch (phase) {
    case "not-open":
      return t("table-closed");
    case "betting":
      return sheetWords(sheet, sheet.play.open.says);
    case "first-window":
    case "second-window":
      return t("insurance");
    case "held":
      return t("round-held");
    default:
      if (!result) return phase === "between-rounds" ? t("next-round-soon") : sheetWords(sheet, sheet.play.close.says);
      return result.winner === "tie"
        ? t("tie-at", { points: result.player_points })
        : t("hand-wins", { hand: result.winner, higher: Math.max(result.banker_points, result.player_points), lower: Math.min(result.banker_points, result.player_points) });
  }
}

interface CallProps {
  snapshot: Snapshot;
  sheet: Sheet;
  seconds: number | null;
  closed: boolean;
  onOpen: () => void;
}

function CallLine({ snapshot, sheet, seconds, closed, onOpen }: CallProps): JSX.Element {
  if (closed && snapshot.result) {
    return (
      <div class="call" data-test="call" data-phase={snapshot.phase} data-round={snapshot.round}>
        <strong>{t("open-your-cards")}</strong>
        <button type="button" class="gold" onClick={onOpen} data-test="open-all">{t("open-all")}</button>
      </div>
    );
  }
  const lines = snapshot.me?.lines_round === snapshot.round ? snapshot.me.lines : [];
  const net = lines.reduce((sum, line) => sum + netOf(line), 0);
  const over = snapshot.result !== null && lines.length > 0;
  return (
    <div class={`call ${snapshot.phase} ${snapshot.result?.winner ?? ""}`} data-test="call" data-phase={snapshot.phase} data-round={snapshot.round}>
      <strong>{callOf(snapshot, sheet)}</strong>
      {seconds !== null && <span class="seconds" role="timer" aria-label={t("seconds-left", { n: seconds })}>{seconds}</span>}
      {over && <em class={net > 0 ? "gain" : net < 0 ? "loss" : ""}>{signed(net)}</em>}
    </div>
  );
}

/** Who draws and why. */
function Why({ snapshot, closed }: { snapshot: Snapshot; closed: boolean }): JSX.Element | null {
  const { next, result, case: held } = snapshot;
  return closed || held || result || !next.reason ? null : <p class="hint why">{reasonText(next.reason)}</p>;
}

/** What a patron may ask of the House at a face-down table, and what was asked. */
function SqueezeAsk({ snapshot, book }: { snapshot: Snapshot; book: Book }): JSX.Element | null {
  const { squeeze } = snapshot;
  if (squeeze) return <p class="hint ask">{t("squeeze-asked", { name: squeeze.name, squeeze: squeeze.what })} <small>{squeeze.rule}</small></p>;
  const asks = waysTo(snapshot, "ask-squeeze").flatMap(({ what }) => what ?? []);
  if (!asks.length) return null;
  return (
    <div class="ask">
      {asks.map((what) => (
        <button key={what} type="button" data-test={`ask-${what}`} onClick={() => void book.give({ kind: "ask-squeeze", what })}>{t("ask-to", { squeeze: what })}</button>
      ))}
    </div>
  );
}

/** A held round: what was seen and ruled; where the patron may choose, the ways. */
function Choice({ snapshot, sheet, book }: { snapshot: Snapshot; sheet: Sheet; book: Book }): JSX.Element | null {
  const { case: held, round } = snapshot;
  if (!held) return null;
  const options = waysTo(snapshot, "choose").flatMap(({ option }) => option ?? []);
  return (
    <section class="held-round" role="alert" data-test="held">
      <h2>{t("round-held")}</h2>
      <p>{situationText(held.situation, sheet)} {held.rule && <small>{t("paragraph", { rule: held.rule })}</small>}</p>
      {options.length ? (
        <div class="ways">
          {options.map((option) => (
            <button key={option} type="button" class={option === "continue" ? "gold" : ""} data-test={option} onClick={() => void book.give({ kind: "choose", option, round })}>{word("option", option)}</button>
          ))}
        </div>
      ) : (
        <p class="hint">{waitsFor(held)}</p>
      )}
    </section>
  );
}

function Rack({ snapshot, sheet, book, lit, onCashier }: { snapshot: Snapshot; sheet: Sheet; book: Book; lit: boolean; onCashier: () => void }): JSX.Element {
  const { limits } = snapshot.table;
  const may = (kind: Command["kind"]) => lit && waysTo(snapshot, kind).length > 0;
  const leave = () => (may("leave") ? void book.give({ kind: "leave" }).then((left) => left && go("/")) : go("/"));
  const refused = book.refused.value;
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
            aria-checked={book.chip.value === chip}
            aria-label={money(chip)}
            data-test={`chip-${chip}`}
            onClick={() => (book.chip.value = chip)}
          >
            <Chip cents={chip} />
          </button>
        ))}
      </div>
      <div class="actions">
        <button type="button" disabled={!may("withdraw-bet") || !book.canUndo.value} onClick={() => void book.undo()} data-test="undo">{t("undo")}</button>
        <button type="button" disabled={!may("withdraw-bet")} onClick={() => void book.clear()} data-test="clear">{t("clear")}</button>
        <button type="button" disabled={!may("place-bet") || !book.canRepeat.value} onClick={() => void book.repeat()} data-test="rebet">{t("re-bet")}</button>
        <button type="button" disabled={!may("raise-bet")} onClick={() => void book.double()} data-test="double">{t("double")}</button>
        <button type="button" class="quiet" onClick={leave} data-test="leave">{t("leave")}</button>
      </div>
      <p class="say" role={refused ? "alert" : undefined} data-test="refused" data-code={refused?.code ?? ""}>
        {refused ? refusalText(refused, sheet) : snapshot.me?.box == null ? t("choose-box") : limits && t("limits-line", limits)}
      </p>
    </footer>
  );
}
