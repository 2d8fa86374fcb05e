/** Buying credits and cashing out, in whole or in part; what is cashed comes as a ticket that can be printed again. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { newKey, post, Problem, problemText } from "../api";
import { AmountForm } from "../components/forms";
import { Dialog } from "../components/page-frame";
import { useFetch } from "../hooks";
import { money, type Cents } from "../money";
import { showToast } from "../notices";
import { moment, t } from "../texts";
import type { BuyCredits, CashOut, Ticket } from "../wire";

const NOTES = [10_000, 50_000, 100_000, 500_000, 1_000_000, 5_000_000];

interface Props {
  balance: Cents;
  owed: Cents;
  /** Whether it opened because a bet needs credits: one purchase closes it. */
  needed?: boolean;
  onClose: () => void;
}

export function Cashier({ balance, owed, needed = false, onClose }: Props): JSX.Element {
  const [asked, setAsked] = useState<Cents | null>(null);
  const [ticket, setTicket] = useState<{ ticket: Ticket; copy: boolean } | null>(null);
  const [busy, setBusy] = useState(false);
  // One key until the server has answered: pressing again after a lost answer buys nothing twice.
  const [key, setKey] = useState(newKey);
  const request = async <T,>(path: string, body: object, done: (answer: T) => void) => {
    setBusy(true);
    try {
      done(await post<T>(path, "patron", body, key));
      setKey(newKey());
    } catch (error) {
      showToast(problemText(error));
      if (error instanceof Problem && error.status) setKey(newKey());
    } finally {
      setBusy(false);
    }
  };
  const buy = (amount_cents: Cents) => {
    const credits: BuyCredits = { amount_cents };
    void request("/api/me/credits", credits, () => {
      showToast(t("bought", credits));
      if (needed) onClose();
    });
  };
  const cashOut = (amount_cents: Cents) => {
    const body: CashOut = { amount_cents };
    void request<Ticket>("/api/me/cash-out", body, (given) => setTicket({ ticket: given, copy: false }));
  };
  if (ticket) return <TicketView {...ticket} onClose={onClose} />;
  if (asked !== null) {
    return (
      <Dialog title={t("cash-out")} onClose={onClose}>
        <p data-test="cash-out-ask">{t("cash-out-ask", { amount_cents: asked, left_cents: Math.max(0, balance - asked) })}</p>
        <div class="answers">
          <button type="button" class="gold" disabled={busy} onClick={() => cashOut(asked)} data-test="cash-out-confirm">{t("cash-out-confirm", { amount_cents: asked })}</button>
          <button type="button" disabled={busy} onClick={() => setAsked(null)} data-test="cash-out-back">{t("back")}</button>
        </div>
      </Dialog>
    );
  }
  const barred = busy || owed > 0;
  return (
    <Dialog title={t("cashier")} onClose={onClose}>
      <p class="balance"><small>{t("credits")}</small> <b>{money(balance)}</b></p>
      <h3>{t("buy-credits")}</h3>
      {needed && <p role="note" data-test="credits-needed">{t("credits-needed")}</p>}
      <div class="notes">
        {NOTES.map((cents) => (
          <button key={cents} type="button" disabled={busy} onClick={() => buy(cents)} data-test={`buy-${cents}`}>{money(cents)}</button>
        ))}
      </div>
      <AmountForm label={t("another-amount")} send={t("buy")} disabled={busy} onSend={buy} />
      {owed > 0 && <p class="loss" data-test="owed">{t("owed", { owed_cents: owed })}</p>}
      {balance > 0 && (
        <>
          <h3>{t("cash-out")}</h3>
          <button type="button" class="gold" disabled={barred} onClick={() => setAsked(balance)} data-test="cash-out">{t("cash-out-all", { amount_cents: balance })}</button>
          <AmountForm label={t("cash-out-part")} send={t("cash-out")} disabled={barred} onSend={setAsked} />
        </>
      )}
      <Tickets onPick={(picked) => setTicket({ ticket: picked, copy: true })} />
    </Dialog>
  );
}

/** What was cashed out before, each to be printed again. */
function Tickets({ onPick }: { onPick: (ticket: Ticket) => void }): JSX.Element | null {
  const { data } = useFetch<Ticket[]>("/api/me/tickets", "patron");
  if (!data?.length) return null;
  return (
    <>
      <h3>{t("tickets")}</h3>
      <ul class="tickets" data-test="tickets">
        {data.map((each) => (
          <li key={each.ticket}>
            <span><b>{money(each.amount_cents)}</b> <small>{moment(each.at_ms)}</small></span>
            <button type="button" class="quiet" onClick={() => onPick(each)}>{t("print-again")}</button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The number of a ticket, in groups that can be read out. */
const numberOf = ({ ticket }: Ticket): string => ticket.split("/").at(-1)!.replace(/(.{4})(?=.)/g, "$1 ").toUpperCase();

function TicketView({ ticket, copy, onClose }: { ticket: Ticket; copy: boolean; onClose: () => void }): JSX.Element {
  return (
    <Dialog title={t("cash-out-ticket")} onClose={onClose}>
      <article class="ticket" data-test="ticket">
        {copy && <p class="copy" data-test="copy">{t("ticket-copy")}</p>}
        <h3>Punto</h3>
        <p class="hint">{t("cash-out-ticket")}</p>
        <p class="sum">{money(ticket.amount_cents)}</p>
        <p class="code">{numberOf(ticket)}</p>
        <p>{moment(ticket.at_ms)}</p>
        <p>{ticket.patron}</p>
        <p class="hint">{t("pay-bearer")} {t("ticket-once")}</p>
      </article>
      <button type="button" class="gold" onClick={() => print()}>{t("print")}</button>
    </Dialog>
  );
}
