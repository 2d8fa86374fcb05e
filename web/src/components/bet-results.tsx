/** What became of each bet, with what it paid and the paragraph that says so. */
import type { JSX } from "preact";
import { money, signed } from "../money";
import { betName, patronName, t, word } from "../texts";
import { Rule } from "./rule";
import type { BetLine, Sheet } from "../wire";

/** What became of the bet, in words. */
export function outcomeOf(line: BetLine): string {
  if (line.type === "adjusted") return word("movement", "adjust");
  const odds = (line.type === "settled" || line.type === "paid") && line.result === "win" ? ` ${line.odds}` : "";
  return word("bet_result", line.result) + odds;
}

export function BetResults(props: { lines: readonly BetLine[]; sheet: Sheet; title: string; named?: boolean }): JSX.Element | null {
  const { lines, sheet, title, named } = props;
  if (!lines.length) return null;
  return (
    <section class="lines" aria-label={title} data-test="lines">
      <h2>{title}</h2>
      <table>
        <tbody>
          {lines.map((line, place) => (
            <tr key={place} class={line.result} data-test={`line-${line.bet.on}`}>
              {named && <td>{t("box-number", { box: line.bet.box })} {patronName({}, line.name ?? line.bet.patron ?? "")}</td>}
              <th scope="row">{betName(sheet, line.bet.on)}</th>
              <td>{money(line.bet.stake_cents)}</td>
              <td>{outcomeOf(line)}</td>
              <td class="net">{signed(line.net_cents)}</td>
              <td class="rule">{line.rule && <Rule rule={line.rule} sheet={sheet} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
