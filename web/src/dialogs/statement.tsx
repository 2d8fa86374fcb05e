/** One's money by round, each with what it brought, and the totals of days and sessions. */
import { Fragment, type JSX } from "preact";
import { useState } from "preact/hooks";
import { download, get, problemText, saveFile } from "../api";
import { BetResults } from "../components/bet-results";
import { SmallCards } from "../components/card-picker";
import { DataTable, type Column } from "../components/data-table";
import { Graph } from "../components/graph";
import { Dialog } from "../components/page-frame";
import { Rule } from "../components/rule";
import { useFetch, useSheets } from "../hooks";
import { money, signed } from "../money";
import { betName, moment, t, wordFor } from "../texts";
import type { Movement, Person, RoundRecord, Sheet, StatementEntry, StatementTotal, TableSummary } from "../wire";
import { roundSummary } from "./past-rounds";

const PAGE = 50;
type View = "round" | "day" | "session";
const PATHS = { round: "rounds?", day: "totals?by=day&", session: "totals?by=session&" } as const;

/** Where an entry was played: what the table is called, and the sheet that names its bets and has its paragraphs. */
type Played = (table: string | null) => { name: string; sheet: Sheet | undefined };

export function Statement({ onClose }: { onClose: () => void }): JSX.Element {
  const [view, setView] = useState<View>("round");
  const [before, setBefore] = useState<string | null>(null);
  const { data, problem } = useFetch<(StatementEntry | StatementTotal)[]>(`/api/me/statement/${PATHS[view]}limit=${PAGE}${before ? `&before=${before}` : ""}`, "patron");
  const rows = data ?? [];
  const { data: tables } = useFetch<TableSummary[]>("/api/tables");
  const sheets = useSheets([...new Set(tables?.map(({ game }) => game))]);
  const played: Played = (table) => {
    const { name = table ?? "", game = "" } = tables?.find(({ id }) => id === table) ?? {};
    return { name, sheet: sheets.get(game) };
  };
  const oldest = rows.length === PAGE ? rows[PAGE - 1]?.place : undefined;
  const pick = (picked: View) => {
    setView(picked);
    setBefore(null);
  };
  const tab = (each: View, name: string) => (
    <button type="button" aria-pressed={view === each} onClick={() => pick(each)} data-test={`by-${each}`}>{name}</button>
  );
  return (
    <Dialog title={t("statement")} onClose={onClose} wide>
      <div class="tabs" role="group" aria-label={t("statement")}>
        {tab("round", t("by-round"))}
        {tab("day", t("by-day"))}
        {tab("session", t("by-session"))}
      </div>
      {problem && <p role="alert">{problemText(problem)}</p>}
      {data && !rows.length && <p>{t("no-movements")}</p>}
      <NetGraph nets={rows.flatMap((row) => (isTotal(row) ? row.net_cents : row.round === null ? [] : movedIn(row))).reverse()} />
      {view === "round" ? <Entries rows={rows.filter(isEntry)} played={played} /> : <Totals rows={rows.filter(isTotal)} />}
      {view === "session" && <p class="hint">{t("session-is")}</p>}
      <div class="answers">
        {before && <button type="button" class="quiet" onClick={() => setBefore(null)}>{t("newest")}</button>}
        {oldest && <button type="button" class="quiet" onClick={() => setBefore(oldest)} data-test="older">{t("older")}</button>}
        <button type="button" class="quiet" onClick={() => void saveForPeople(played)} data-test="save-for-people">{t("save-for-people")}</button>
        <button type="button" class="quiet" onClick={() => void download("/api/me/statement.csv", "patron")}>{t("save-for-programs")}</button>
      </div>
    </Dialog>
  );
}

/** Of what is still shown of the other view while an answer is under way, nothing is drawn. */
const isEntry = (row: StatementEntry | StatementTotal): row is StatementEntry => "movements" in row;
const isTotal = (row: StatementEntry | StatementTotal): row is StatementTotal => !isEntry(row);

/** What an entry brought. */
const movedIn = ({ movements }: StatementEntry): number => movements.reduce((sum, line) => sum + line.amount_cents, 0);

const gainOrLoss = (cents: number): string => `number ${cents < 0 ? "loss" : cents > 0 ? "gain" : ""}`;

/** What moved, on which bet, and who of the staff moved it. */
function lineText({ reason, on, by, by_name }: Movement, sheet: Sheet | undefined): string {
  const role = by?.split(":")[0] as Person["role"] | undefined;
  const words = [wordFor("movement", reason), on && (sheet ? betName(sheet, on) : on)].filter(Boolean).join(" · ");
  return role && by_name ? t("movement-by-staff", { words, person: by_name, role }) : words;
}

/** What play has brought after each entry, from nothing on the left; what was bought and cashed out is no part of it. */
function NetGraph({ nets }: { nets: readonly number[] }): JSX.Element | null {
  if (!nets.length) return null;
  const sums = nets.reduce((all, net) => [...all, all.at(-1)! + net], [0]);
  return <Graph label={`${t("play-over-time")}: ${signed(sums.at(-1)!)}`} lines={[["", sums]]} />;
}

/** All entries as a spreadsheet reads them: times as people write them, amounts in whole units and their parts. */
async function saveForPeople(played: Played): Promise<void> {
  const entries: StatementEntry[] = [];
  let page: readonly StatementEntry[];
  do {
    const before = entries.at(-1)?.place;
    page = await get<StatementEntry[]>(`/api/me/statement/rounds?limit=${PAGE}${before ? `&before=${before}` : ""}`, "patron");
    entries.push(...page);
  } while (page.length === PAGE);
  const amount = (cents: number) => (cents / 100).toFixed(2);
  const rows = entries.reverse().flatMap(({ at_ms, table, round, movements }) => {
    const { name, sheet } = played(table);
    return movements.map((line) => [moment(at_ms), name, round ?? "", lineText(line, sheet), line.rule ?? "", amount(line.amount_cents), amount(line.after_cents)]);
  });
  const titles = [t("time"), t("table"), t("round"), t("what"), "¶", t("amount"), t("after")];
  const text = [titles, ...rows].map((row) => row.map((cell) => `"${`${cell}`.replaceAll('"', '""')}"`).join(",")).join("\r\n");
  saveFile(new Blob([`\uFEFF${text}\r\n`], { type: "text/csv" }), "statement.csv"); // the mark tells spreadsheets the encoding
}

/** How a round went, with the cards, and what became of each bet by which paragraph. */
function RoundDetails({ table, round, sheet }: { table: string; round: number; sheet: Sheet | undefined }): JSX.Element | null {
  const { data } = useFetch<RoundRecord>(`/api/tables/${encodeURIComponent(table)}/rounds/${round}`, "patron");
  if (!data || !sheet) return null;
  return (
    <div class="round-details" data-test="round-details">
      <p><b>{roundSummary(data)}</b> <SmallCards cards={data.cards} /></p>
      <BetResults lines={data.lines} sheet={sheet} title={t("bets")} />
    </div>
  );
}

/** A table of rounds, and of what moved outside of play; a round opens to its lines. */
function Entries({ rows, played }: { rows: readonly StatementEntry[]; played: Played }): JSX.Element {
  const [open, setOpen] = useState<string | null>(null);
  const paragraph = (rule: string | null | undefined, sheet: Sheet | undefined) => (rule && sheet ? <Rule rule={rule} sheet={sheet} /> : rule);
  return (
    <table class="pays entries" data-test="statement">
      <thead>
        <tr><th>{t("what")}</th><th class="spare">¶</th><th class="number">{t("amount")}</th><th class="number">{t("after")}</th></tr>
      </thead>
      <tbody>
        {rows.map((entry) => {
          const { place, at_ms, table, round, reason, in_play, after_cents, owed_cents, rule, movements } = entry;
          const [first] = movements;
          const { name: tableName, sheet } = played(table);
          const isRound = round !== null && table !== null;
          const name = isRound ? t("statement-round", { round, table: tableName }) : first ? lineText(first, sheet) : "";
          const cents = movedIn(entry);
          const isOpen = open === place;
          return (
            <Fragment key={place}>
              <tr>
                <td>
                  {isRound ? (
                    <button type="button" class="quiet opens" aria-expanded={isOpen} onClick={() => setOpen(isOpen ? null : place)} data-test={`entry-${round}`}>
                      {name}
                    </button>
                  ) : (
                    name
                  )}
                  <small>{moment(at_ms)}{in_play && ` · ${t("in-play")}`}{isRound && reason && first && ` · ${lineText(first, sheet)}`}</small>
                </td>
                <td class="rule spare">{paragraph(rule, sheet)}</td>
                <td class={gainOrLoss(cents)}>{signed(cents)}{owed_cents !== 0 && <small>{t("debt-change", { change: signed(owed_cents) })}</small>}</td>
                <td class="number">{money(after_cents)}</td>
              </tr>
              {isOpen && isRound && <tr class="details"><td colSpan={4}><RoundDetails table={table} round={round} sheet={sheet} /></td></tr>}
              {isOpen && movements.map((line) => (
                <tr key={line.place} class="line">
                  <td>{lineText(line, sheet)}</td>
                  <td class="rule spare">{paragraph(line.rule, sheet)}</td>
                  <td class={gainOrLoss(line.amount_cents)}>{signed(line.amount_cents)}</td>
                  <td class="number">{money(line.after_cents)}</td>
                </tr>
              ))}
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}

function Totals({ rows }: { rows: readonly StatementTotal[] }): JSX.Element {
  const columns: Column<StatementTotal>[] = [
    { title: t("time"), cell: ({ day, from_ms, to_ms }) => day ?? t("from-to", { first: moment(from_ms), last: moment(to_ms) }) },
    { title: t("rounds-played"), cell: ({ rounds }) => rounds, class: "number" },
    { title: t("bought-in"), cell: ({ bought_cents }) => money(bought_cents), class: "number", spare: true },
    { title: t("cashed-out"), cell: ({ cashed_out_cents }) => money(cashed_out_cents), class: "number", spare: true },
    { title: t("net"), cell: ({ net_cents }) => <span class={gainOrLoss(net_cents)}>{signed(net_cents)}</span>, class: "number" },
    { title: t("after"), cell: ({ after_cents }) => money(after_cents), class: "number" },
  ];
  return <DataTable rows={rows} columns={columns} test="totals" />;
}
