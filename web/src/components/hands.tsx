/** The two hands on the table, dealt with motion; third cards lie across, as at a real table. */
import type { JSX } from "preact";
import { t, word } from "../texts";
import type { DealtCard, Hand, Points, Winner } from "../wire";
import { Back, Face, spokenName } from "./card";
import { SqueezeCard } from "./squeeze";

interface Props {
  cards: readonly DealtCard[];
  points: Points;
  winner: Winner | null;
  /** The places of the closed cards whose squeeze the one who looks has, counted from 1. */
  squeezed?: readonly number[];
  onOpen?: (place: number) => void;
}

export function Hands(props: Props): JSX.Element {
  return (
    <div class="hands">
      <HandView name="player" {...props} />
      <HandView name="banker" {...props} />
    </div>
  );
}

function HandView({ name, cards, points, winner, squeezed = [], onOpen }: Props & { name: Hand }): JSX.Element {
  const title = word("hand", name);
  const own = cards.map((card, at) => ({ ...card, place: at + 1 })).filter(({ hand }) => hand === name);
  const known = own.length > 0 && own.every(({ card }) => card);
  const spoken = own.map(({ card }) => spokenName(card)).join(", ");
  return (
    <section class={`hand ${name} ${winner === name ? "won" : ""}`} aria-label={`${title}: ${spoken || t("no-cards")}`}>
      <header>
        <h2>{title}</h2>
        <output class="points" aria-label={t("points")} data-test={`points-${name}`}>
          {known ? points[name] : own.length ? "·" : ""}
        </output>
      </header>
      <div class="cards">
        {own.map(({ card, place, squeezed_by }, at) => (
          <div key={place} class={at === 2 ? "card third" : "card"} style={{ "--at": at }} data-test="card" data-card={card ?? ""}>
            {card ? <Face card={card} /> : squeezed.includes(place) ? <SqueezeCard onOpen={() => onOpen?.(place)} /> : <Back />}
            {!card && squeezed_by && !squeezed.includes(place) && <small class="squeezer">{squeezed_by}</small>}
          </div>
        ))}
        {[0, 1].slice(own.length).map((empty) => <div key={`e${empty}`} class="card outline" style={{ "--at": empty }} />)}
      </div>
    </section>
  );
}
