/** What became of each bet, with what it paid and the paragraph that says so. */
import type { JSX } from "preact";
import { money, signed } from "../money";
import { betName, t, word } from "../texts";
import type { Line, Sheet } from "../types";

/** A bet that left the round without a result was returned. */
export const resultOf = (line: Line) => line.result ?? "returned";

export function Lines(props: { lines: Line[]; sheet: Sheet; title: string; people?: Record<string, string> | undefined }): JSX.Element | null {
  const { lines, sheet, title, people } = props;
  if (!lines.length) return null;
  return (
    <section class="lines" aria-label={title} data-test="lines">
      <h2>{title}</h2>
      <table>
        <tbody>
          {lines.map((line, place) => (
            <tr key={place} class={resultOf(line)} data-test={`line-${line.bet.on}`}>
              {people && <td>{t("box-number", { box: line.bet.box })} {people[line.bet.patron] ?? line.bet.patron}</td>}
              <th scope="row">{betName(sheet, line.bet.on)}</th>
              <td>{money(line.bet.stake_cents)}</td>
              <td>{word("bet_result", resultOf(line))}{line.odds && line.result === "win" ? ` ${line.odds}` : ""}</td>
              <td class="net">{signed(line.net_cents ?? 0)}</td>
              <td class="rule" title={(line.rule && sheet.paragraphs[line.rule]) || ""}>{line.rule && `¶ ${line.rule}`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
