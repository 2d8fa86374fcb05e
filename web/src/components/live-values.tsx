/** A running shoe for staff: how each bet stands now against a full shoe, and what counting makes of it. */
import type { JSX } from "preact";
import { useFetch, useSheet } from "../hooks";
import { betName, percent, t } from "../texts";
import type { BetCount, Figures, LiveFigures, Sheet } from "../wire";
import { DataTable, type Column } from "./data-table";
import { Waiting } from "./waiting";

const RANKS = [..."A23456789TJQK"];

/** A number with its sign; a real minus sign. */
function signedNumber(number: number, places: number): string {
  const size = Math.abs(number).toFixed(places);
  return Number(size) === 0 ? size : `${number > 0 ? "+" : "−"}${size}`;
}

/** The exact value of every bet for the cards left, worked out again when the `version` is another. */
export function LiveValues({ id, game, version }: { id: string; game: string; version: unknown }): JSX.Element {
  const sheet = useSheet(game);
  const { data, problem } = useFetch<LiveFigures>(`/api/tables/${id}/values`, "staff", 0, version);
  const full = useFetch<Figures>(data && `/api/games/${game}/odds?decks=${data.decks}`);
  if (problem || !data || !sheet) return <Waiting problem={problem} text={t("counting")} />;
  const all = data.decks * 52;
  const dealt = all - data.left;
  const shoe = data.shoe ?? {};
  const ahead = Object.keys(shoe).filter((bet) => shoe[bet]!.edge < 0);
  return (
    <div class="values" data-test="values">
      <small>{t("cards-dealt", { dealt, all, share: percent(dealt / all, 0), left: data.left })}</small>
      <progress max={all} value={dealt} aria-hidden="true" />
      <p class={ahead.length ? "gain" : "calm"} data-test="ahead">
        {ahead.length ? t("bets-favour-patron", { bets: ahead }, sheet) : t("no-bet-favours-patron")}
      </p>
      <div class="scroll"><EdgesNow sheet={sheet} now={data} full={full.data} /></div>
      <small>{t("live-values-key")}</small>
      <details>
        <summary>{t("how-to-count")}</summary>
        <div class="scroll"><CountTags sheet={sheet} shoe={shoe} /></div>
      </details>
    </div>
  );
}

/** The edge of each bet now, in a full shoe and in this round, and the count that follows it. */
function EdgesNow({ sheet, now, full }: { sheet: Sheet; now: LiveFigures; full: Figures | null }): JSX.Element {
  const rows = Object.entries(now.bets).map(([id, { edge: thisRound }]) => {
    const { edge = thisRound, count = null } = now.shoe?.[id] ?? {};
    return { id, edge, count, thisRound, before: full?.bets[id]?.edge ?? edge };
  });
  type Row = (typeof rows)[number];
  const thisRound: Column<Row> = { title: t("this-round"), cell: ({ thisRound }) => percent(thisRound, 1), class: "number" };
  const columns: Column<Row>[] = [
    { title: t("bet"), cell: ({ id }) => betName(sheet, id), class: "heading" },
    { title: t("house-edge-now"), cell: ({ edge }) => <b>{percent(edge)}</b>, class: "number" },
    { title: t("full-shoe"), cell: ({ before }) => percent(before), class: "number" },
    { title: t("moved"), cell: ({ edge, before }) => `${edge > before ? "+" : ""}${percent(edge - before, 2)}`, class: "number" },
    ...(now.on_table ? [thisRound] : []),
    { title: t("true-count"), cell: ({ count }) => (count ? signedNumber(count.true_count, 1) : t("no-simple-count")), class: "number", joins: ({ count }) => !count },
    { title: t("patron-ahead-from"), cell: ({ count }) => count && signedNumber(count.even_at, 1), class: "number" },
  ];
  return <DataTable rows={rows} columns={columns} rowProps={({ id, edge }) => ({ class: edge < 0 ? "beaten" : "", "data-test": `value-${id}` })} class="edges" />;
}

/** The best whole-number count of each bet. */
function CountTags({ sheet, shoe }: { sheet: Sheet; shoe: NonNullable<LiveFigures["shoe"]> }): JSX.Element {
  const rows = Object.entries(shoe).flatMap(([id, { count }]): [string, BetCount][] => (count ? [[id, count]] : []));
  const tag = (count: BetCount, place: number) => count.tags[place] ?? 0;
  const columns: Column<[string, BetCount]>[] = [
    { title: t("bet"), cell: ([id]) => betName(sheet, id), class: "heading" },
    ...RANKS.map((title, place): Column<[string, BetCount]> => ({
      title,
      cell: ([, count]) => signedNumber(tag(count, place), 0),
      tone: ([, count]) => (tag(count, place) > 0 ? "gain" : tag(count, place) < 0 ? "loss" : ""),
    })),
    { title: t("fit"), cell: ([, { fit }]) => fit.toFixed(3) },
  ];
  return <DataTable rows={rows} columns={columns} caption={t("card-tags")} class="tags" />;
}
