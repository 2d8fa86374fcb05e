/** After the settlement: what to pay and take, box by box; a tick says it is done. */
import type { JSX } from "preact";
import type { TableView } from "../hooks";
import { signed } from "../money";
import { betName, patronName, t } from "../texts";
import type { BetLine, Payment } from "../wire";

/** What names a payment: nobody is paid twice in one box, and one that a correction changed is to be made anew. */
export const paymentKey = ({ box, patron, net_cents }: Payment): string => `${box} ${patron} ${net_cents}`;

interface Props extends Pick<TableView, "sheet"> {
  payments: readonly Payment[];
  paid: readonly string[];
  onPaid: (key: string) => void;
}

export function PayOut({ payments, paid, onPaid, sheet }: Props): JSX.Element {
  return (
    <section class="panel payout" data-test="payout">
      <h2>{t("pay-out")} <small>{t("paid-of", { paid: payments.filter((payment) => paid.includes(paymentKey(payment))).length, all: payments.length })}</small></h2>
      <ul>
        {payments.map((payment) => {
          const { box, name, net_cents, lines } = payment;
          const key = paymentKey(payment);
          return (
            <li key={key} class={net_cents > 0 ? "win" : net_cents < 0 ? "lose" : ""}>
              <label>
                <input type="checkbox" checked={paid.includes(key)} onChange={() => onPaid(key)} />
                <span class="whose">{t("box-number", { box })} {patronName({}, name)}</span>
                <span class="lines-paid">{lines.map((line, place) => <span key={place} class={line.result}>{betName(sheet, line.bet.on)} <b>{payText(line)}</b> <small>¶ {line.rule}</small></span>)}</span>
                <b class="net">{signed(net_cents)}</b>
              </label>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** What is paid or taken for a line, or the stake that goes back. */
function payText({ bet, net_cents }: BetLine): string {
  if (net_cents > 0) return t("pay-amount", { amount_cents: net_cents });
  return net_cents < 0 ? t("take-amount", { amount_cents: -net_cents }) : t("return-amount", { amount_cents: bet.stake_cents });
}
