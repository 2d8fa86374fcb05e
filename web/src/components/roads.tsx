/** The five roads, drawn from the server's data. */
import type { JSX } from "preact";
import { t, text, word } from "../texts";
import type { RoadCell, RoadCells, RoadsView } from "../wire";

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

/** One road, its newest columns in sight. */
export function Road({ road, data, columns }: { road: RoadName; data: RoadsView; columns: number }): JSX.Element {
  const cells = data.roads[road];
  const used = cells.reduce((most, cell) => Math.max(most, cell.column + 1), 0);
  const first = Math.max(0, used - columns + 1);
  const [width, height] = [columns * CELL, data.rows * CELL];
  const down = Array.from({ length: columns + 1 }, (_, x) => `M${x * CELL} 0V${height}`);
  const across = Array.from({ length: data.rows + 1 }, (_, y) => `M0 ${y * CELL}H${width}`);
  return (
    <figure class={`road ${road}`} style={{ "--columns": columns }}>
      <figcaption>{word("road", road)}</figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={t("road-entries", { road, n: cells.length })}>
        <rect width={width} height={height} class="paper" />
        <path d={[...down, ...across].join("")} class="grid" />
        {cells.filter((cell) => cell.column >= first).map((cell, place) => (
          <g key={place} transform={`translate(${(cell.column - first) * CELL} ${cell.row * CELL})`}>
            <Mark road={road} cell={cell} />
          </g>
        ))}
      </svg>
    </figure>
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

/** How many rounds each hand has won in this shoe. */
export function Tally({ data }: { data: RoadsView }): JSX.Element {
  return (
    <div class="tally">
      {(["banker", "player", "tie"] as const).map((winner) => <span key={winner} class={winner}>{word("winner", winner)} {data.results[winner]}</span>)}
    </div>
  );
}
