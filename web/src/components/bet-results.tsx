/** What became of each bet, with what it paid and the paragraph that says so. */
import type { JSX } from "preact";
import { money, signed } from "../money";
import { betName, patronName, t, word } from "../texts";
import type { BetLine, Result, Sheet } from "../wire";

/** A bet that someone decided to pay was won; one that left the round otherwise, without a result, was returned. */
export const resultOf = (line: BetLine): Result => (line.type === "settled" ? line.result : line.type === "paid" ? "win" : "returned");

/** What a line changed for the patron. */
export function netOf(line: BetLine): number {
  switch (line.type) {
    case "settled":
      return line.net_cents;
    case "paid":
      return line.returned_cents - line.bet.stake_cents;
    case "adjusted":
      return line.correction_cents;
    case "returned":
      return 0;
  }
}

/** What became of the bet, in words. */
function outcome(line: BetLine): string {
  if (line.type === "adjusted") return word("movement", "adjust");
  const odds = (line.type === "settled" || line.type === "paid") && resultOf(line) === "win" ? ` ${line.odds}` : "";
  return word("bet_result", resultOf(line)) + odds;
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
            <tr key={place} class={resultOf(line)} data-test={`line-${line.bet.on}`}>
              {named && <td>{t("box-number", { box: line.bet.box })} {patronName({}, line.name ?? line.bet.patron ?? "")}</td>}
              <th scope="row">{betName(sheet, line.bet.on)}</th>
              <td>{money(line.bet.stake_cents)}</td>
              <td>{outcome(line)}</td>
              <td class="net">{signed(netOf(line))}</td>
              <td class="rule" title={(line.rule && sheet.paragraphs[line.rule]) || ""}>{line.rule && `¶ ${line.rule}`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
