/** Amounts over time as lines on one scale, which has its ends and nothing beside it. */
import type { JSX } from "preact";
import { signed, type Cents } from "../money";

interface Props {
  /** What is drawn, for those who cannot see it. */
  label: string;
  /** The amounts of each line, as many of each, with the class that gives it its colour. */
  lines: readonly (readonly [style: string, amounts: readonly Cents[]])[];
}

const [WIDTH, HEIGHT, EDGE] = [600, 80, 4];
/** Amounts closer to each other than this cannot both be read. */
const APART = 14;

export function Graph({ label, lines }: Props): JSX.Element {
  const all = [0, ...lines.flatMap(([, amounts]) => amounts)];
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const height = (cents: Cents) => (most === least ? HEIGHT / 2 : HEIGHT - EDGE - ((cents - least) / (most - least)) * (HEIGHT - 2 * EDGE));
  const points = (amounts: readonly Cents[]) => amounts.map((cents, place) => `${(place / Math.max(1, amounts.length - 1)) * WIDTH},${height(cents)}`).join(" ");
  const isApart = (cents: Cents, at: number, shown: Cents[]) => shown.slice(0, at).every((other) => Math.abs(height(other) - height(cents)) > APART);
  return (
    <figure class="graph" data-test="graph">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
        <path d={`M0 ${height(0)}H${WIDTH}`} />
        {lines.map(([style, amounts]) => <polyline key={style} class={style} points={points(amounts)} />)}
      </svg>
      <figcaption>{[most, least, 0].filter(isApart).map((cents) => <span key={cents} style={{ top: `${height(cents)}px` }}>{signed(cents)}</span>)}</figcaption>
    </figure>
  );
}
