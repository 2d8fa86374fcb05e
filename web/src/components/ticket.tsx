/** Tickets: their number typed or scanned, and the ticket as it is printed. */
import type { JSX } from "preact";
import { read } from "../field-readers";
import { money } from "../money";
import { moment, t } from "../texts";
import type { PrintedTicket } from "../wire";
import { Field } from "./field";
import { Form } from "./forms";

/** The number of a ticket in groups that can be read out. */
export const groups = (number: string): string => number.replace(/(.{4})(?=.)/g, "$1 ");

/** The field of a number. A scanner that types like a keyboard sends the form, too. */
export function TicketForm(props: { send: string; gold?: boolean; disabled?: boolean; focused?: boolean; onSend: (number: string) => void }): JSX.Element {
  return (
    <Form name="ticket" class="inline ticket-number" onSubmit={(form) => props.onSend(String(read("ticket", "ticket", form)))}>
      <Field name="ticket" kind="ticket" label={t("ticket-number")} required {...(props.focused ? { focused: true } : {})} />
      <button type="submit" class={props.gold ? "gold" : ""} disabled={props.disabled} data-test="ticket-send">{props.send}</button>
    </Form>
  );
}

/** A ticket on paper, for whoever has it. */
export function TicketPaper({ ticket, copy = false }: { ticket: PrintedTicket; copy?: boolean }): JSX.Element {
  return (
    <>
      <article class="ticket" data-test="ticket">
        {copy && <p class="copy" data-test="copy">{t("ticket-copy")}</p>}
        <h3>Punto</h3>
        <p class="sum">{money(ticket.amount_cents)}</p>
        <div class="scanned" role="img" aria-label={t("ticket-code")} dangerouslySetInnerHTML={{ __html: ticket.code_svg }} />
        <p class="code">{groups(ticket.ticket)}</p>
        <p>{moment(ticket.at_ms)}</p>
        <p class="hint">{t("pay-bearer")}</p>
      </article>
      <button type="button" class="gold" onClick={() => print()} data-test="print">{t("print")}</button>
    </>
  );
}
