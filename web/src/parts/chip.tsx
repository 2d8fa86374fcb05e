/** Chips and stacks of them. */
import type { JSX } from "preact";
import { money, short, stack, type Cents } from "../money";

const COLOURS: [Cents, string, string][] = [
  [5_000_000, "#d8c27a", "#3b2f12"],
  [1_000_000, "#e6e1d4", "#28303c"],
  [500_000, "#15727f", "#fff"],
  [100_000, "#d8923a", "#2a1a06"],
  [50_000, "#6c3a86", "#fff"],
  [10_000, "#23262b", "#fff"],
  [2_500, "#2f7d53", "#fff"],
  [500, "#b23b3b", "#fff"],
  [0, "#5d6f86", "#fff"],
];

const colours = (cents: Cents) => COLOURS.find(([from]) => cents >= from)!;
const NOTCHES = [0, 60, 120, 180, 240, 300];

/** One chip, seen from above. */
export function Chip({ cents }: { cents: Cents }): JSX.Element {
  const [, body, ink] = colours(cents);
  const label = short(cents);
  return (
    <svg viewBox="-50 -50 100 100" class="chip" aria-hidden="true">
      <circle r="48" fill={body} stroke="#00000055" stroke-width="2" />
      {NOTCHES.map((turn) => (
        <path key={turn} d="M-9-47.5A48 48 0 0 1 9-47.5L7-36A37 37 0 0 0-7-36Z" fill="#f6efdc" transform={`rotate(${turn})`} />
      ))}
      <circle r="35" fill={body} stroke="#f6efdc" stroke-width="1.5" stroke-dasharray="3 3" />
      <circle r="29" fill="#00000022" />
      <text text-anchor="middle" y="9" fill={ink} font-size={label.length > 3 ? 20 : 26} font-weight="700">
        {label}
      </text>
    </svg>
  );
}

/** A stake as a small stack with its amount; a pending one says that it is not placed yet. */
export function Stake({ cents, pending }: { cents: Cents; pending?: boolean }): JSX.Element {
  return (
    <span class={pending ? "stake pending" : "stake"}>
      <span class="pile">
        {stack(cents, 5).reverse().map((chip, place) => (
          <span key={place} style={{ "--place": place }}>
            <Chip cents={chip} />
          </span>
        ))}
      </span>
      <span class="amount">{money(cents)}</span>
    </span>
  );
}
