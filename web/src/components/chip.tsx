/** Chips and stacks of them. */
import type { JSX } from "preact";
import { money, short, stack, type Cents } from "../money";

/** One chip, seen from above; the style sheet says its colours. */
export function Chip({ cents }: { cents: Cents }): JSX.Element {
  const label = short(cents);
  return (
    <svg viewBox="-50 -50 100 100" class={`chip worth-${cents}`} aria-hidden="true">
      <use href="#chip" />
      <text y="9" font-size={label.length > 3 ? 20 : 26}>{label}</text>
    </svg>
  );
}

/** What is placed on a bet, and what the server has not taken yet, each as a small stack with its amount. */
export function Stakes({ placed, pending }: { placed: Cents; pending: Cents }): JSX.Element {
  const stake = (cents: Cents, style: string) => cents > 0 && (
    <span class={style}>
      <span class="pile">
        {stack(cents, 5).reverse().map((chip, place) => <span key={place} style={{ "--place": place }}><Chip cents={chip} /></span>)}
      </span>
      <span key={cents} class="amount">{money(cents)}</span>
    </span>
  );
  return <>{stake(placed, "stake")}{stake(pending, "stake pending")}</>;
}
