/** The five roads and the counts of a shoe, drawn from the server's data. */
import type { JSX } from "preact";
import { betName, percent, t, text, word, wordFor } from "../texts";
import type { RoadCell, RoadCells, RoadMark, RoadsView, Sheet, ShoeCount } from "../wire";

type RoadName = keyof RoadCells;

const CELL = 20;
const BEADS = { red: "B", blue: "P", green: "T" } as const;

/** One entry of a road. Ties and pairs are marked on the roads that say who won. */
function Mark({ road, cell: { colour, ties, marks } }: { road: RoadName; cell: RoadCell }): JSX.Element {
  return (
    <>
      <use href={`#mark-${road}`} class={colour} />
      {road === "bead_plate" && <text x="10" y="13.6" font-size="10" class="letter">{word("bead", BEADS[colour])}</text>}
      {ties > 0 && <use href="#mark-tie" class="green" />}
      {ties > 1 && <text x="10" y="13.4" font-size="9.5" class="green">{ties}</text>}
      {marks.includes("banker-pair") && <use href="#mark-pair" x="4" y="4" class="red" />}
      {marks.includes("player-pair") && <use href="#mark-pair" x="16" y="16" class="blue" />}
    </>
  );
}

/** The squared paper under a road. */
function Paper({ columns, rows }: { columns: number; rows: number }): JSX.Element {
  const [width, height] = [columns * CELL, rows * CELL];
  const down = Array.from({ length: columns + 1 }, (_, x) => `M${x * CELL} 0V${height}`);
  const across = Array.from({ length: rows + 1 }, (_, y) => `M0 ${y * CELL}H${width}`);
  return (
    <>
      <rect width={width} height={height} class="paper" />
      <path d={[...down, ...across].join("")} class="grid" />
    </>
  );
}

/** One road, its newest columns in sight. */
export function Road({ road, data, columns }: { road: RoadName; data: RoadsView; columns: number }): JSX.Element {
  const cells = data.roads[road];
  const used = cells.reduce((most, cell) => Math.max(most, cell.column + 1), 0);
  const first = Math.max(0, used - columns + 1);
  return (
    <figure class={`road ${road}`} style={{ "--columns": columns }}>
      <figcaption>{word("road", road)}</figcaption>
      <svg viewBox={`0 0 ${columns * CELL} ${data.rows * CELL}`} role="img" aria-label={t("road-entries", { road, n: cells.length })}>
        <Paper columns={columns} rows={data.rows} />
        {cells.filter((cell) => cell.column >= first).map((cell, place) => (
          <g key={place} transform={`translate(${(cell.column - first) * CELL} ${cell.row * CELL})`}>
            <Mark road={road} cell={cell} />
          </g>
        ))}
      </svg>
    </figure>
  );
}

/** The columns that the server sends of a small road. */
const SMALL_COLUMNS = 18;
const ROWS = 6;

/** A big road of a few columns, for the lobby: it says how the table runs, and no more. */
export function SmallRoad({ marks }: { marks: readonly RoadMark[] }): JSX.Element {
  return (
    <svg class="small-road" viewBox={`0 0 ${SMALL_COLUMNS * CELL} ${ROWS * CELL}`} aria-hidden="true">
      <Paper columns={SMALL_COLUMNS} rows={ROWS} />
      {marks.map(({ column, row, colour }) => <use key={`${column}-${row}`} href="#mark-big_road" x={column * CELL} y={row * CELL} class={colour} />)}
    </svg>
  );
}

const DERIVED = ["big_eye_boy", "small_road", "cockroach_pig"] as const;

/** What each derived road would show if Banker, or Player, came next. */
export function NextHand({ data }: { data: RoadsView }): JSX.Element {
  return (
    <div class="next-hand">
      {(["banker", "player"] as const).map((hand) => (
        <span key={hand} class={hand}>
          {text("roads", "coming", { hand })}
          {DERIVED.map((road) => {
            const colour = data.next_hand[hand]?.[road];
            return (
              <svg key={road} viewBox="0 0 20 20" role="img" aria-label={colour ? t("next-colour", { road, colour }) : word("road", road)}>
                <use href={colour ? `#mark-${road}` : "#mark-none"} class={colour ?? ""} />
              </svg>
            );
          })}
        </span>
      ))}
    </div>
  );
}

/** How often each result came in this shoe, with its share, and everything else that is counted. */
function Counts({ data, sheet }: { data: RoadsView; sheet: Sheet }): JSX.Element {
  const name = (of: string) => (of in sheet.bets ? betName(sheet, of) : wordFor("shoe_count", of));
  const results = data.counts.filter(({ of }) => of in data.results);
  const others = data.counts.filter(({ of }) => !(of in data.results));
  const count = ({ of, count: n, share_permille }: ShoeCount) => (
    <div key={of} class={of} data-test={`count-${of}`}>
      <dt>{name(of)}</dt>
      <dd key={`${n} ${share_permille}`}>{n} <small>{percent(share_permille / 1000, 1)}</small></dd>
    </div>
  );
  return (
    <div class="counts">
      <dl class="results">{results.map(count)}</dl>
      <div class="shares" aria-hidden="true">{results.map(({ of, count: n }) => <i key={of} class={of} style={{ flexGrow: n }} />)}</div>
      <dl class="others">{others.map(count)}</dl>
    </div>
  );
}

/** How many columns each road has room for, in each size. */
const COLUMNS = {
  small: { big_road: 26, bead_plate: 26, big_eye_boy: 13, small_road: 13, cockroach_pig: 13 },
  full: { bead_plate: 12, big_road: 28, big_eye_boy: 20, small_road: 20, cockroach_pig: 20 },
} as const;

interface StatisticsProps {
  roads: RoadsView;
  sheet: Sheet;
  /** `small` stands in one narrow column; `full` takes the width of a board. */
  size: keyof typeof COLUMNS;
}

/** What players look at: the five roads, the next-hand rows, and the counts and shares of the shoe. */
export function ShoeStatistics({ roads, sheet, size }: StatisticsProps): JSX.Element {
  const columns = COLUMNS[size];
  return (
    <section class={`statistics ${size}`} aria-label={t("shoe-statistics")} data-test="statistics" data-rounds={roads.rounds}>
      <div class="panel">
        <div class="figures">
          <Counts data={roads} sheet={sheet} />
          <NextHand data={roads} />
          <small class="tradition">{text("roads", "tradition")}</small>
        </div>
        <div class="roads">
          {(Object.keys(columns) as RoadName[]).map((road) => <Road key={road} road={road} data={roads} columns={columns[road]} />)}
        </div>
      </div>
    </section>
  );
}
