/** Every table at a glance: where its round stands, who deals, what the day has brought and what is at risk. */
import type { JSX } from "preact";
import { useSheet } from "../hooks";
import { money, signed } from "../money";
import { basisPoints, betName, t, text, titleParts, waited, word } from "../texts";
import type { Floor, FloorTable } from "../wire";
import { DataTable, type Column } from "./data-table";

/** What of a table is open beside the list. */
export type Opened = { table: string; part: "controls" | "values" } | null;

interface Props {
  tables: readonly FloorTable[];
  opened: Opened;
  nowMs: number;
  onOpen: (opened: Opened) => void;
}

/** An amount, or a dash for what is nothing. */
const amount = (cents: number): string => (cents ? money(cents) : "–");

export function FloorGrid({ tables, opened, nowMs, onOpen }: Props): JSX.Element {
  const toggle = (table: string, part: "controls" | "values") => onOpen(opened?.table === table && opened.part === part ? null : { table, part });
  const columns: Column<FloorTable>[] = [
    {
      title: t("table"),
      cell: (row) => (
        <>
          <button type="button" class="name" aria-expanded={opened?.table === row.table && opened.part === "controls"} onClick={() => toggle(row.table, "controls")} data-test={`override-${row.table}`}>{row.name}</button>
          <GameName game={row.game} />
        </>
      ),
      class: "heading",
      by: ({ name }) => name,
    },
    { title: t("state"), by: ({ incidents, phase }) => `${incidents ? 0 : 1}${phase}`, cell: (row) => <State row={row} nowMs={nowMs} /> },
    {
      title: t("shoe-and-round"),
      cell: (row) => (
        <>
          <Shoe {...row} />
          {row.shoe !== null && <button type="button" class={`values-button ${row.favourable?.length ? "alarm" : ""}`} aria-expanded={opened?.table === row.table && opened.part === "values"} aria-label={`${t("live-values")}, ${row.name}`} onClick={() => toggle(row.table, "values")} data-test={`values-${row.table}`}>{t("values")}</button>}
        </>
      ),
    },
    { title: t("rounds"), by: ({ rounds }) => rounds, cell: ({ rounds, rounds_per_hour }) => <>{rounds || "–"}{rounds_per_hour !== null && <small>{t("an-hour", { n: rounds_per_hour })}</small>}</>, class: "number" },
    { title: t("on-duty"), cell: ({ duty, mode }) => duty.map(({ name }) => name).join(", ") || (mode === "automatic" ? word("mode", mode) : "–"), spare: true },
    { title: t("seats"), by: ({ seats_taken }) => seats_taken, cell: ({ seats_taken, seats, standing }) => <>{seats_taken}/{seats}{standing > 0 && <small>+{standing}</small>}</>, class: "number" },
    { title: t("handle"), by: ({ handle_cents }) => handle_cents, cell: ({ handle_cents }) => amount(handle_cents), class: "number", spare: true },
    { title: t("win-and-hold"), by: ({ win_cents }) => win_cents, cell: ({ win_cents, hold_basis_points }) => <>{amount(win_cents)}{hold_basis_points !== null && <small>{basisPoints(hold_basis_points)}</small>}</>, class: "number", tone: ({ win_cents }) => (win_cents < 0 ? "loss" : "") },
    { title: t("theoretical"), by: ({ theoretical_cents }) => theoretical_cents ?? 0, cell: ({ theoretical_cents }) => (theoretical_cents === null ? "–" : amount(theoretical_cents)), class: "number", spare: true },
    { title: t("at-risk-in-play"), by: ({ exposure_cents }) => exposure_cents, cell: ({ in_play_cents, exposure_cents }) => <>{amount(exposure_cents)}{in_play_cents > 0 && <small>{money(in_play_cents)}</small>}</>, class: "number" },
  ];
  const rowProps = (row: FloorTable) => ({ class: `${row.phase === "not-open" ? "closed" : ""} ${opened?.table === row.table ? "opened" : ""}`, "data-test": `floor-${row.table}` });
  return <div class="scroll"><DataTable rows={tables} columns={columns} rowProps={rowProps} class="grid" test="floor" /></div>;
}

function GameName({ game }: { game: string }): JSX.Element {
  const sheet = useSheet(game);
  return <small>{sheet && titleParts(sheet).name}</small>;
}

/** Where the round stands, and what needs attention. */
function State({ row, nowMs }: { row: FloorTable; nowMs: number }): JSX.Element {
  const sheet = useSheet(row.game);
  const favourable = row.favourable ?? [];
  return (
    <span class="states">
      <span class={`state ${row.phase}`}>{text("phases", row.phase)}</span>
      {row.play_suspended !== null && <span class="state suspended" title={row.play_suspended}>{t("suspended")}</span>}
      {row.incidents > 0 && <span class="state waiting">{t("cases-waiting", { n: row.incidents })}{row.waiting_since_ms !== null && ` · ${waited(nowMs - row.waiting_since_ms)}`}</span>}
      {favourable.length > 0 && sheet && <span class="state alarm">{favourable.map((bet) => betName(sheet, bet)).join(", ")}</span>}
    </span>
  );
}

/** How far the shoe is dealt. */
function Shoe({ shoe, dealt, cards, last_round, round }: FloorTable): JSX.Element {
  if (shoe === null || !cards) return <span class="shoe">–</span>;
  return (
    <span class="shoe">
      {t("shoe-round", { shoe, round })}{last_round && ` · ${t("last-round")}`}
      <progress max={cards} value={dealt ?? 0} aria-label={t("cards-out", { dealt: dealt ?? 0, cards })} />
    </span>
  );
}

/** The figures of all tables together. */
export function FloorTotals({ floor: { total, receivables_cents, tables } }: { floor: Floor }): JSX.Element {
  const open = tables.filter(({ phase }) => phase !== "not-open").length;
  const figures: [name: string, shown: string, more: string | null, kind?: string][] = [
    [t("tables-open"), `${open}/${tables.length}`, t("seats-taken", { taken: total.seats_taken, seats: total.seats })],
    [t("handle"), money(total.handle_cents), t("rounds-of-day", { rounds: total.rounds })],
    [t("win"), signed(total.win_cents), t("hold-is", { hold: basisPoints(total.hold_basis_points) }), total.win_cents < 0 ? "loss" : total.win_cents > 0 ? "gain" : ""],
    [t("theoretical"), total.theoretical_cents === null ? "–" : money(total.theoretical_cents), t("from-exact-edges")],
    [t("at-risk"), money(total.exposure_cents), t("of-in-play", { in_play_cents: total.in_play_cents })],
    [t("receivables"), money(receivables_cents), t("owed-by-patrons"), receivables_cents ? "loss" : ""],
    [t("incidents-waiting"), `${total.incidents}`, t("on-all-tables"), total.incidents ? "waiting" : ""],
  ];
  return (
    <dl class="totals" data-test="totals">
      {figures.map(([name, shown, more, kind = ""]) => (
        <div key={name} class={kind}>
          <dt>{name}</dt>
          <dd>{shown}{more && <small>{more}</small>}</dd>
        </div>
      ))}
    </dl>
  );
}
