/** A round held for its patrons: each who has still to choose, and their options, given on their behalf. */
import type { JSX } from "preact";
import { waysTo } from "../choices";
import { CommandButtons } from "../components/forms";
import type { TableView } from "../hooks";
import { patronName, t } from "../texts";
import type { Command } from "../wire";

export function HeldChoices({ snapshot, send }: Pick<TableView, "snapshot"> & { send: (command: Command) => void }): JSX.Element | null {
  const patrons = [...new Set(waysTo(snapshot, "choose").map(({ patron }) => patron ?? ""))];
  if (!patrons.length) return null;
  const placeOf = (patron: string) => [...new Set(snapshot.bets?.filter((bet) => bet.patron === patron).map(({ box }) => t("box-number", { box })))].join(", ");
  return (
    <section class="panel held-choices" data-test="held-choices">
      <h2>{t("still-to-choose")}</h2>
      <ul>
        {patrons.map((patron) => (
          <li key={patron}>
            <span>{placeOf(patron)} {patronName(snapshot.patrons, patron)}</span>
            <CommandButtons snapshot={snapshot} kind="choose" fits={(way) => way.patron === patron} onSend={send} />
          </li>
        ))}
      </ul>
    </section>
  );
}
