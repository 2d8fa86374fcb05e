/** What became of each bet, with what it paid and the paragraph that says so. */
import type { JSX } from "preact";
import { money, signed } from "../money";
import { betName, t, word } from "../texts";
import type { BetLine, Result, Sheet } from "../wire";

/** A bet that left the round without a result was returned. */
export const resultOf = (line: BetLine): Result => (line.type === "settled" ? line.result : "returned");

/** What a line changed for the patron. */
export const netOf = (line: BetLine): number => (line.type === "settled" ? line.net_cents : line.type === "adjusted" ? line.correction_cents : 0);

/** What became of the bet, in words. */
const outcome = (line: BetLine): string => (line.type === "adjusted" ? word("movement", "adjust") : word("bet_result", resultOf(line)));

export function BetResults(props: { lines: readonly BetLine[]; sheet: Sheet; title: string; named?: boolean }): JSX.Element | null {
  const { lines, sheet, title, named } = props;
  if (!lines.length) return null;
  return (
    <section class="lines" aria-label={title} data-test="lines">
      <h2>{title}</h2>
      <table>
        <tbody>
          {lines.map((line, place) => (
            <tr key={place} class={resultOf(line)} data-test={`line-${line.bet.on}`}>
              {named && <td>{t("box-number", { box: line.bet.box })} {line.name ?? line.bet.patron}</td>}
              <th scope="row">{betName(sheet, line.bet.on)}</th>
              <td>{money(line.bet.stake_cents)}</td>
              <td>{outcome(line)}{line.type === "settled" && line.result === "win" ? ` ${line.odds}` : ""}</td>
              <td class="net">{signed(netOf(line))}</td>
              <td class="rule" title={(line.rule && sheet.paragraphs[line.rule]) || ""}>{line.rule && `¶ ${line.rule}`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
