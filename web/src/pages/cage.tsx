/** The cage: tickets checked, paid and sold, credits sold to patrons, and what the House owes and is owed. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Debts } from "../components/debts";
import { DeskPage } from "../components/desk-page";
import { Field } from "../components/field";
import { Form } from "../components/forms";
import { Dialog } from "../components/page-frame";
import { groups, TicketForm, TicketPaper } from "../components/ticket";
import { Waiting } from "../components/waiting";
import { moneyIn } from "../field-readers";
import { useFetch } from "../hooks";
import { money, type Cents } from "../money";
import { showToast } from "../notices";
import { useRequests } from "../requests";
import { moment, refusalText, t } from "../texts";
import type { Account, BuyCredits, Cage as CageView, CheckedTicket, Desk, Member, PrintedTicket, UseTicket } from "../wire";

const REFETCH_MS = 10_000;
const NAME_LENGTH = 40;
interface Part {
  cage: CageView;
  /** Called when money was moved. */
  onMoved: () => void;
}

export const Cage = (): JSX.Element => <DeskPage at="/cage">{(desk) => <Counter desk={desk} />}</DeskPage>;

function Counter({ desk }: { desk: Desk }): JSX.Element {
  const { data: cage, problem, refetch } = useFetch<CageView>("/api/cage", "staff", REFETCH_MS);
  if (!cage) return <main class="centre"><Waiting problem={problem} /></main>;
  const part = { cage, onMoved: refetch };
  const may = (path: string) => desk.may.includes(`POST ${path}`);
  return (
    <main>
      {may("/api/cage/tickets/pay") && <PayTicket {...part} />}
      {may("/api/cage/tickets") && <SellTicket {...part} />}
      {may("/api/people/{person}/credits") && <SellCredits {...part} />}
      <section aria-label={t("unused-tickets")}>
        <h2>{t("unused-tickets")}</h2>
        <p class="balance" data-test="unused"><b>{money(cage.tickets_cents)}</b> <small>{t("tickets-count", { n: cage.tickets })}</small></p>
        <p class="hint">{t("unused-tickets-are")}</p>
      </section>
      <section aria-label={t("debts")}>
        <h2>{t("debts")}</h2>
        <p class="balance" data-test="receivables"><b>{money(cage.receivables_cents)}</b></p>
        {cage.debts.length > 0 ? <Debts debts={cage.debts} /> : <p class="calm">{t("no-debts")}</p>}
      </section>
    </main>
  );
}

/** Why the last request was not carried out, or that a second person is needed. */
const Refused = ({ says }: { says: string | null }): JSX.Element | null => says ? <p role="alert" class="loss" data-test="refused">{says}</p> : null;

/** A ticket is scanned or typed, seen, and paid. */
function PayTicket({ onMoved }: Part): JSX.Element {
  const [found, setFound] = useState<CheckedTicket | null>(null);
  const [turn, setTurn] = useState(0);
  const { busy, refused, request } = useRequests("staff");
  const check = (ticket: string) => {
    setFound(null);
    const body: UseTicket = { ticket };
    void request<CheckedTicket>("/api/cage/tickets/check", body, setFound);
  };
  const pay = ({ ticket, amount_cents }: CheckedTicket) => {
    const body: UseTicket = { ticket };
    void request<CheckedTicket>("/api/cage/tickets/pay", body, () => {
      showToast(t("ticket-paid", { amount_cents }));
      setFound(null);
      setTurn(turn + 1);
      onMoved();
    });
  };
  return (
    <section class="wide" aria-label={t("pay-ticket")}>
      <h2>{t("pay-ticket")}</h2>
      <TicketForm key={turn} send={t("check-ticket")} focused gold={!found} disabled={busy} onSend={check} />
      <Refused says={refused} />
      {found && (
        <div class="checked" data-test="checked">
          <p class="balance"><b>{money(found.amount_cents)}</b></p>
          <p>{groups(found.ticket)}<small>{t("ticket-issued", { name: found.by_name, moment: moment(found.at_ms) })}</small></p>
          {found.refusal
            ? <p role="alert" class="loss">{refusalText(found.refusal)}{found.used_at_ms !== null && <small>{t("ticket-used-by", { name: found.used_by_name ?? "", moment: moment(found.used_at_ms) })}</small>}</p>
            : <button type="button" class="gold" disabled={busy} ref={(button) => button?.focus()} onClick={() => pay(found)} data-test="pay-ticket">{t("pay-amount-cash", found)}</button>}
        </div>
      )}
    </section>
  );
}

interface SaleProps<T> extends Part {
  title: string;
  test: string;
  path: string;
  /** Called with what was sold, and for how much. */
  onSold: (sold: T, amount_cents: Cents) => void;
  /** What is asked for besides the amount. */
  children?: JSX.Element;
}

/** A sale, within what the house sells at once. */
function Sale<T>({ cage, onMoved, title, test, path, onSold, children }: SaleProps<T>): JSX.Element {
  const [turn, setTurn] = useState(0);
  const { busy, refused, request } = useRequests("staff");
  const sell = (form: FormData) => {
    const body: BuyCredits = { amount_cents: moneyIn(form, "amount") };
    void request<T>(path, body, (sold) => {
      onSold(sold, body.amount_cents);
      setTurn(turn + 1);
      onMoved();
    });
  };
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <Form name="sale" key={turn} class="stacked" onSubmit={sell}>
        {children}
        <Field name="amount" kind="money" label={t("amount")} required minimum={1} maximum={cage.maximum_cents} />
        <p class="hint">{t("sale-takes-two", cage)}</p>
        <Refused says={refused} />
        <button type="submit" class="gold" disabled={busy} data-test={test}>{title}</button>
      </Form>
    </section>
  );
}

function SellTicket(part: Part): JSX.Element {
  const [sold, setSold] = useState<PrintedTicket | null>(null);
  return (
    <>
      <Sale<PrintedTicket> {...part} title={t("sell-ticket")} test="sell-ticket" path="/api/cage/tickets" onSold={setSold} />
      {sold && <Dialog title={t("ticket")} onClose={() => setSold(null)}><TicketPaper ticket={sold} /></Dialog>}
    </>
  );
}

function SellCredits(part: Part): JSX.Element {
  const [id, setId] = useState("");
  const people = useFetch<Member[]>(`/api/people?name=${encodeURIComponent(id.trim())}&limit=20`, "staff").data ?? [];
  const patrons = people.filter(({ role }) => role === "patron");
  const sold = ({ name }: Account, amount_cents: Cents) => {
    showToast(t("credits-sold", { name, amount_cents }));
    setId("");
  };
  return (
    <Sale<Account> {...part} title={t("sell-credits")} test="sell-credits" path={`/api/people/${encodeURIComponent(id.trim())}/credits`} onSold={sold}>
      <Field name="patron" label={t("patron-id")} required maximum={NAME_LENGTH} text={id} onText={setId} suggested={patrons.map((each) => [each.id, each.name] as const)} />
    </Sale>
  );
}
