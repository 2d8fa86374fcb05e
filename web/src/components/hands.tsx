/** The two hands on the table, dealt and turned over with motion; third cards lie across, as at a real table. */
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { LANDING_MS } from "../reveal";
import { t, word } from "../texts";
import type { DealtCard, Hand, Points, Winner } from "../wire";
import { Back, Face, spokenName } from "./card";

interface Props {
  cards: readonly DealtCard[];
  points: Points;
  winner: Winner | null;
}

export function Hands(props: Props): JSX.Element {
  return (
    <div class="hands" style={{ "--landing": `${LANDING_MS}ms` }}>
      <HandView name="player" {...props} />
      <HandView name="banker" {...props} />
    </div>
  );
}

function HandView({ name, cards, points, winner }: Props & { name: Hand }): JSX.Element {
  const title = word("hand", name);
  const own = cards.map((card, at) => ({ ...card, place: at + 1 })).filter(({ hand }) => hand === name);
  const known = own.length > 0 && own.every(({ card }) => card);
  const spoken = own.map(({ card }) => spokenName(card)).join(", ");
  return (
    <section class={`hand ${name} ${winner === name ? "won" : ""}`} aria-label={`${title}: ${spoken || t("no-cards")}`}>
      <header>
        <h2>{title}</h2>
        <output class="points" aria-live="off" aria-label={t("points")} data-test={`points-${name}`}>
          {known ? points[name] : own.length ? "·" : ""}
        </output>
      </header>
      <div class="cards">
        {own.map((card, at) => <TableCard key={card.place} at={at} {...card} />)}
        {[0, 1].slice(own.length).map((empty) => <div key={`e${empty}`} class="card outline" style={{ "--at": empty }} />)}
      </div>
    </section>
  );
}

/** A card of a hand: it flies in when it comes, and one that lay closed turns over when it is opened. */
function TableCard({ card, squeezed_by, at }: DealtCard & { at: number }): JSX.Element {
  const { current: wasClosed } = useRef(card === null);
  return (
    <div class={`card ${at === 2 ? "third" : ""} ${wasClosed && card ? "turned" : ""}`} style={{ "--at": at }} data-test="card" data-card={card ?? ""}>
      {card ? <Face card={card} /> : <Back />}
      {!card && squeezed_by && <small class="squeezer">{squeezed_by}</small>}
    </div>
  );
}
