/** After the settlement: what to pay and take, box by box; a tick says it is done. */
import type { JSX } from "preact";
import { netOf, resultOf } from "../components/bet-results";
import type { TableView } from "../hooks";
import { signed } from "../money";
import { betName, patronName, t } from "../texts";
import type { BetLine, RoundRecord } from "../wire";

/** What one patron is paid in one box. */
export interface Payment {
  key: string;
  box: number;
  name: string;
  net_cents: number;
  lines: readonly BetLine[];
}

/** What is to be paid in a round, in the order of the boxes. */
export function paymentsOf(record: RoundRecord | null): Payment[] {
  const found = new Map<string, Payment>();
  for (const line of [...(record?.lines ?? [])].sort((a, b) => a.bet.box - b.bet.box)) {
    const { box, patron = "" } = line.bet;
    const key = `${box} ${patron}`;
    const before = found.get(key) ?? { key, box, name: patronName({}, line.name ?? patron), net_cents: 0, lines: [] };
    found.set(key, { ...before, net_cents: before.net_cents + netOf(line), lines: [...before.lines, line] });
  }
  return [...found.values()];
}

interface Props extends Pick<TableView, "sheet"> {
  payments: readonly Payment[];
  paid: readonly string[];
  onPaid: (key: string) => void;
}

export function PayOut({ payments, paid, onPaid, sheet }: Props): JSX.Element {
  return (
    <section class="panel payout" data-test="payout">
      <h2>{t("pay-out")} <small>{t("paid-of", { paid: paid.length, all: payments.length })}</small></h2>
      <ul>
        {payments.map(({ key, box, name, net_cents, lines }) => (
          <li key={key} class={net_cents > 0 ? "win" : net_cents < 0 ? "lose" : ""}>
            <label>
              <input type="checkbox" checked={paid.includes(key)} onChange={() => onPaid(key)} />
              <span class="whose">{t("box-number", { box })} {name}</span>
              <span class="lines-paid">{lines.map((line, place) => <span key={place} class={resultOf(line)}>{betName(sheet, line.bet.on)} <b>{payText(line)}</b> <small>¶ {line.rule}</small></span>)}</span>
              <b class="net">{signed(net_cents)}</b>
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
