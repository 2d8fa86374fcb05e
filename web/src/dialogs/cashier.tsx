/** Tickets taken in for credits, and credits cashed out, in whole or in part, as a ticket that can be printed again. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { AmountForm } from "../components/forms";
import { Dialog } from "../components/page-frame";
import { TicketForm, TicketPaper } from "../components/ticket";
import { useFetch } from "../hooks";
import { money, type Cents } from "../money";
import { showToast } from "../notices";
import { useRequests } from "../requests";
import { moment, t } from "../texts";
import type { BuyCredits, CashOut, OwnAccount, OwnTicket, PrintedTicket, Ticket, UseTicket } from "../wire";

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
  const [ticket, setTicket] = useState<{ ticket: PrintedTicket; copy: boolean } | null>(null);
  const [taken, setTaken] = useState(0);
  const { data: me } = useFetch<OwnAccount>("/api/me", "patron");
  const { busy, refused, request } = useRequests("patron");
  const bought = (amount_cents: Cents) => {
    showToast(t("bought", { amount_cents }));
    if (needed) onClose();
  };
  const buy = (amount_cents: Cents) => {
    const credits: BuyCredits = { amount_cents };
    void request("/api/me/credits", credits, () => bought(amount_cents));
  };
  const takeIn = (number: string) => {
    const body: UseTicket = { ticket: number };
    void request<Ticket>("/api/me/tickets", body, (used) => {
      setTaken(taken + 1);
      bought(used.amount_cents);
    });
  };
  const cashOut = (amount_cents: Cents) => {
    const body: CashOut = { amount_cents };
    void request<PrintedTicket>("/api/me/cash-out", body, (given) => setTicket({ ticket: given, copy: false }));
  };
  if (ticket) return <Dialog title={t("ticket")} onClose={onClose}><TicketPaper {...ticket} /></Dialog>;
  const says = refused && <p role="alert" class="loss" data-test="cashier-refused">{refused}</p>;
  if (asked !== null) {
    return (
      <Dialog title={t("cash-out")} onClose={onClose}>
        <p data-test="cash-out-ask">{t("cash-out-ask", { amount_cents: asked, left_cents: Math.max(0, balance - asked) })}</p>
        {says}
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
      <TicketForm key={taken} send={t("take-ticket")} gold disabled={busy} focused={!me?.free_credit} onSend={takeIn} />
      {says}
      {me?.free_credit && (
        <>
          <div class="notes">
            {NOTES.map((cents) => (
              <button key={cents} type="button" disabled={busy} onClick={() => buy(cents)} data-test={`buy-${cents}`}>{money(cents)}</button>
            ))}
          </div>
          <AmountForm label={t("another-amount")} send={t("buy")} disabled={busy} onSend={buy} />
        </>
      )}
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

/** What was cashed out before, each to be printed again until it is used. */
function Tickets({ onPick }: { onPick: (ticket: OwnTicket) => void }): JSX.Element | null {
  const { data } = useFetch<OwnTicket[]>("/api/me/tickets", "patron");
  if (!data?.length) return null;
  return (
    <>
      <h3>{t("tickets")}</h3>
      <ul class="tickets" data-test="tickets">
        {data.map((each) => (
          <li key={each.ticket}>
            <span><b>{money(each.amount_cents)}</b> <small>{moment(each.at_ms)}</small></span>
            {each.used ? <small>{t("ticket-is-used")}</small> : <button type="button" class="quiet" onClick={() => onPick(each)}>{t("print-again")}</button>}
          </li>
        ))}
      </ul>
    </>
  );
}
