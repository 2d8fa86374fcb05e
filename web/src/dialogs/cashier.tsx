/** Buying credits and cashing out; what is cashed comes as a ticket that can be printed. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { newKey, post, Problem, problemText } from "../api";
import { AmountForm } from "../components/forms";
import { Dialog } from "../components/page-frame";
import { money, type Cents } from "../money";
import { showToast } from "../notices";
import { moment, t } from "../texts";
import type { BuyCredits, Ticket } from "../wire";

const NOTES = [10_000, 50_000, 100_000, 500_000, 1_000_000, 5_000_000];

export function Cashier({ balance, owed, onClose }: { balance: Cents; owed: Cents; onClose: () => void }): JSX.Element {
  const [ticket, setTicket] = useState<Ticket | null>(null);
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
    void request("/api/me/credits", credits, () => showToast(t("bought", credits)));
  };
  if (ticket) return <TicketView ticket={ticket} onClose={onClose} />;
  return (
    <Dialog title={t("cashier")} onClose={onClose}>
      <p class="balance"><small>{t("credits")}</small> <b>{money(balance)}</b></p>
      <h3>{t("buy-credits")}</h3>
      <div class="notes">
        {NOTES.map((cents) => (
          <button key={cents} type="button" disabled={busy} onClick={() => buy(cents)} data-test={`buy-${cents}`}>{money(cents)}</button>
        ))}
      </div>
      <AmountForm label={t("another-amount")} send={t("buy")} disabled={busy} onSend={buy} />
      <h3>{t("cash-out")}</h3>
      {owed > 0 && <p class="loss" data-test="owed">{t("owed", { owed_cents: owed })}</p>}
      <button type="button" class="gold" disabled={busy || balance <= 0 || owed > 0} onClick={() => void request("/api/me/cash-out", {}, setTicket)} data-test="cash-out">
        {t("cash-out-amount", { amount_cents: balance })}
      </button>
    </Dialog>
  );
}

function TicketView({ ticket, onClose }: { ticket: Ticket; onClose: () => void }): JSX.Element {
  return (
    <Dialog title={t("cash-out-ticket")} onClose={onClose}>
      <article class="ticket" data-test="ticket">
        <h3>Punto</h3>
        <p class="hint">{t("cash-out-ticket")}</p>
        <p class="sum">{money(ticket.amount_cents)}</p>
        <p class="code">{ticket.ticket}</p>
        <p>{moment(ticket.at_ms)}</p>
        <p>{ticket.patron}</p>
        <p class="hint">{t("pay-bearer")}</p>
      </article>
      <button type="button" class="gold" onClick={() => print()}>{t("print")}</button>
    </Dialog>
  );
}
