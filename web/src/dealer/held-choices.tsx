/** What the console shows of a held round: the proposal, who must answer it, and each patron who has still to choose. */
import type { JSX } from "preact";
import { waysTo } from "../choices";
import { Effect } from "../components/effect";
import { CommandButtons } from "../components/forms";
import type { TableView } from "../hooks";
import { actorText, patronName, t, waitsFor } from "../texts";
import type { Command } from "../wire";

/** What was proposed and what it would change, by whom, and who must answer. */
export function HeldCase({ snapshot: { incident, duty = [] } }: Pick<TableView, "snapshot">): JSX.Element | null {
  if (!incident) return null;
  const people = Object.fromEntries(duty.map(({ id, name }) => [id, name]));
  const { by, reported_by: reporter, reason, note, effect } = incident;
  return (
    <section class="panel held-case" data-test="held-case">
      <h2>{waitsFor(incident)}</h2>
      <p>{[t("reported-by", { who: actorText(reporter, people) }), by && by !== reporter && t("proposed-by", { who: actorText(by, people) })].filter(Boolean).join(" · ")}</p>
      {(note ?? reason) && <p>{[note, reason !== note && reason].filter(Boolean).join(" · ")}</p>}
      {effect && <Effect {...effect} caption={t("what-would-happen")} />}
    </section>
  );
}

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
