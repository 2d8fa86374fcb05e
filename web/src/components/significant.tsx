/** Significant events, the newest first: when, under which heading, at which table, what, and who. */
import type { JSX } from "preact";
import type { PatronNames } from "../choices";
import { useSheet } from "../hooks";
import { actorText, clockTime, moment, significantText, t, wordFor } from "../texts";
import type { SignificantEvent } from "../wire";

type Table = { name: string; game: string };

interface Props {
  events: readonly SignificantEvent[];
  tables: Readonly<Record<string, Table>>;
  people: PatronNames;
  /** Whether they are of several days. */
  dated?: boolean;
}

export function Significant({ events, tables, people, dated = false }: Props): JSX.Element {
  return (
    <ol class={dated ? "significant dated" : "significant"} data-test="significant" tabIndex={0} aria-label={t("significant-events")}>
      {events.map((event, place) => <Line key={place} event={event} table={tables[event.table ?? ""]} people={people} at={dated ? moment(event.at_ms) : clockTime(event.at_ms)} />)}
    </ol>
  );
}

function Line({ event, table, people, at }: { event: SignificantEvent; table: Table | undefined; people: PatronNames; at: string }): JSX.Element {
  const sheet = useSheet(table?.game);
  return (
    <li class={event.heading}>
      <time>{at}</time>
      <b>{wordFor("heading", event.heading)}</b>
      <span>{table && <i>{table.name}</i>} {significantText(event, people, sheet ?? undefined)} {event.rule && `¶ ${event.rule}`}</span>
      <small>{actorText(event.by, people)}</small>
    </li>
  );
}
