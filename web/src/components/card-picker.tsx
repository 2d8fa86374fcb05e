/** Cards picked by tapping: all 52, four rows of one suit each. */
import type { JSX } from "preact";
import { Face, isRed, RANKS, shortName, SUITS, spokenName } from "./card";

interface PadProps {
  /** Cards that cannot be picked, as the server writes them. */
  excluded?: string | undefined;
  disabled?: boolean;
  onPick: (card: string) => void;
}

/** One tap picks a card. */
export function CardPad({ excluded = "", disabled = false, onPick }: PadProps): JSX.Element {
  const gone = excluded.split(" ");
  return (
    <div class="card-pad" data-test="card-pad">
      {Object.entries(SUITS).map(([suit, sign]) =>
        RANKS.map((rank) => {
          const card = `${rank}${suit}`;
          return (
            <button key={card} type="button" class={isRed(suit) ? "red" : ""} aria-label={spokenName(card)} disabled={disabled || gone.includes(card)} data-test={`pick-${card}`} onClick={() => onPick(card)}>
              {rank === "T" ? "10" : rank}
              <span aria-hidden="true">{sign}</span>
            </button>
          );
        }),
      )}
    </div>
  );
}

/** Cards in a line of text, each as its rank and suit. */
export function SmallCards({ cards = "" }: { cards?: string | undefined }): JSX.Element {
  return <span class="small-cards">{cards.split(" ").filter(Boolean).map((card, place) => <b key={place} class={isRed(card[1]!) ? "red" : ""}>{shortName(card)}{" "}</b>)}</span>;
}

/** A text, with the cards that it names as their rank and suit. */
export function WithCards({ text }: { text: string }): JSX.Element {
  return <>{text.split(/((?:\b[2-9TJQKA][shdc]\b ?)+)/).map((part, place) => (place % 2 ? <SmallCards key={place} cards={part.trim()} /> : part))}</>;
}

/** Cards in a row, each to be tapped. */
export function CardRow({ cards, label, onTap }: { cards: readonly string[]; label: (card: string) => string; onTap: (place: number) => void }): JSX.Element {
  return (
    <div class="card-row">
      {cards.map((card, place) => (
        <button key={place} type="button" aria-label={label(card)} data-test={`placed-${card}`} onClick={() => onTap(place)}>
          <Face card={card} />
        </button>
      ))}
    </div>
  );
}
