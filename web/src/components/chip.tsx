/** Chips and stacks of them. */
import type { JSX } from "preact";
import { money, short, signed, stack, type Cents } from "../money";

/** One chip, seen from above; the style sheet says its colours. */
export function Chip({ cents }: { cents: Cents }): JSX.Element {
  const label = short(cents);
  return (
    <svg viewBox="-50 -50 100 100" class={`chip worth-${cents}`} aria-hidden="true">
      <use href="#chip" />
      <text y="9" font-size={label.length > 4 ? 16 : label.length > 3 ? 20 : 26}>{label}</text>
    </svg>
  );
}

interface Props {
  /** What the server has taken. */
  placed: Cents;
  /** How much shall be there instead, where that is not confirmed yet. */
  wanted?: Cents;
  /** What the bet won. */
  won?: Cents;
  /** The chips of the table, the smallest first. */
  chips: readonly Cents[];
}

/** What is placed on a bet, what is staged beyond it or shall be taken off, and what it won: each with its amount. */
export function Stakes({ placed, wanted = placed, won = 0, chips }: Props): JSX.Element {
  const pile = (cents: Cents, style: string, amount: string) => cents > 0 && (
    <span class={style}>
      <span class="pile">
        {stack(cents, chips, 5).reverse().map((chip, place) => <span key={place} style={{ "--place": place }}><Chip cents={chip} /></span>)}
      </span>
      <span class="amount">{amount}</span>
    </span>
  );
  return (
    <span class="stakes">
      {pile(Math.min(placed, wanted), "stake", money(Math.min(placed, wanted)))}
      {pile(wanted - placed, "stake staged", signed(wanted - placed))}
      {wanted < placed && <span class="stake staged"><span class="amount">{signed(wanted - placed)}</span></span>}
      {pile(won, "stake won", signed(won))}
    </span>
  );
}
