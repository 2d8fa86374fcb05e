/** The five roads, drawn from the server's data. */
import type { JSX } from "preact";
import { t, text, word } from "../texts";
import type { RoadCell, RoadCells, RoadsView } from "../wire";

type RoadName = keyof RoadCells;

const CELL = 20;

const BEADS = { red: "B", blue: "P", green: "T" } as const;

function Bead({ cell }: { cell: RoadCell }): JSX.Element {
  const letter = word("bead", BEADS[cell.colour]);
  return (
    <>
      <circle cx="10" cy="10" r="8.6" class={`fill ${cell.colour}`} />
      <text x="10" y="13.6" text-anchor="middle" font-size="10" font-weight="700" fill="#fff">
        {letter}
      </text>
    </>
  );
}

function Pairs({ marks }: Pick<RoadCell, "marks">): JSX.Element {
  return (
    <>
      {marks.includes("banker-pair") && <circle cx="4" cy="4" r="2.6" class="fill red dot" />}
      {marks.includes("player-pair") && <circle cx="16" cy="16" r="2.6" class="fill blue dot" />}
    </>
  );
}

function Mark({ road, cell }: { road: RoadName; cell: RoadCell }): JSX.Element {
  switch (road) {
    case "bead_plate":
      return (
        <>
          <Bead cell={cell} />
          <Pairs marks={cell.marks} />
        </>
      );
    case "big_road":
      return (
        <>
          <circle cx="10" cy="10" r="7.2" class={`ring ${cell.colour}`} />
          {cell.ties > 0 && <path d="M4 16L16 4" class="tie" />}
          {cell.ties > 1 && (
            <text x="10" y="13.4" text-anchor="middle" font-size="9.5" font-weight="700" class="fill green">
              {cell.ties}
            </text>
          )}
          <Pairs marks={cell.marks} />
        </>
      );
    case "big_eye_boy":
      return <circle cx="10" cy="10" r="6.8" class={`ring ${cell.colour}`} />;
    case "small_road":
      return <circle cx="10" cy="10" r="7" class={`fill ${cell.colour}`} />;
    case "cockroach_pig":
      return <path d="M4 16L16 4" class={`slash ${cell.colour}`} />;
  }
}

/** One road, its newest columns in sight. */
export function Road({ road, data, columns }: { road: RoadName; data: RoadsView; columns: number }): JSX.Element {
  const cells = data.roads[road];
  const used = cells.reduce((most, cell) => Math.max(most, cell.column + 1), 0);
  const first = Math.max(0, used - columns + 1);
  const label = t("road-entries", { road, n: cells.length });
  return (
    <figure class={`road ${road}`} style={{ "--columns": columns }}>
      <figcaption>{word("road", road)}</figcaption>
      <svg viewBox={`0 0 ${columns * CELL} ${data.rows * CELL}`} role="img" aria-label={label}>
        <Grid columns={columns} rows={data.rows} />
        {cells.filter((cell) => cell.column >= first).map((cell, place) => (
          <g key={place} transform={`translate(${(cell.column - first) * CELL} ${cell.row * CELL})`}>
            <Mark road={road} cell={cell} />
          </g>
        ))}
      </svg>
    </figure>
  );
}

function Grid({ columns, rows }: { columns: number; rows: number }): JSX.Element {
  const down = Array.from({ length: columns + 1 }, (_, x) => `M${x * CELL} 0V${rows * CELL}`).join("");
  const across = Array.from({ length: rows + 1 }, (_, y) => `M0 ${y * CELL}H${columns * CELL}`).join("");
  return (
    <>
      <rect width={columns * CELL} height={rows * CELL} class="paper" />
      <path d={down + across} class="grid" />
    </>
  );
}

const DERIVED = ["big_eye_boy", "small_road", "cockroach_pig"] as const;

/** What each derived road would show if Banker, or Player, came next. */
export function NextHand({ data }: { data: RoadsView }): JSX.Element {
  return (
    <div class="next-hand" title={text("roads", "tradition")}>
      {(["banker", "player"] as const).map((hand) => (
        <span key={hand} class={hand}>
          {text("roads", "coming", { hand })}
          {DERIVED.map((road) => {
            const colour = data[`if_${hand}`][road];
            const cell = { round: 0, column: 0, row: 0, colour: colour ?? "red", ties: 0, marks: [] };
            const said = colour ? t("next-colour", { road, colour }) : word("road", road);
            return (
              <svg key={road} viewBox="0 0 20 20" role="img" aria-label={said}>
                {colour ? <Mark road={road} cell={cell} /> : <path d="M6 10h8" class="none" />}
              </svg>
            );
          })}
        </span>
      ))}
    </div>
  );
}

/** How many rounds each hand has won in this shoe. */
export function Tally({ data }: { data: RoadsView }): JSX.Element {
  return (
    <div class="tally">
      <span class="banker">{word("winner", "banker")} {data.results["banker"]}</span>
      <span class="player">{word("winner", "player")} {data.results["player"]}</span>
      <span class="tie">{word("winner", "tie")} {data.results["tie"]}</span>
    </div>
  );
}
