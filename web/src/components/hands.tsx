/** The two hands on the table, dealt and turned over with motion; third cards lie across, as at a real table. */
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { isSqueezedByOther, LANDING_MS, SQUEEZED_MS } from "../reveal";
import { t, word } from "../texts";
import type { DealtCard, Hand, Own, Points, Winner } from "../wire";
import { Back, Face, spokenName } from "./card";

interface Props {
  cards: readonly DealtCard[];
  /** The totals; null where they are not shown. */
  points: Points | null;
  winner: Winner | null;
  /** Who looks on, at whose own squeeze nothing is slow. */
  me?: Own | null;
}

export function Hands(props: Props): JSX.Element {
  return (
    <div class="hands" style={{ "--landing": `${LANDING_MS}ms`, "--squeezed": `${SQUEEZED_MS}ms` }}>
      <HandView name="player" {...props} />
      <HandView name="banker" {...props} />
    </div>
  );
}

function HandView({ name, cards, points, winner, me = null }: Props & { name: Hand }): JSX.Element {
  const title = word("hand", name);
  const own = cards.map((card, at) => ({ ...card, place: at + 1 })).filter(({ hand }) => hand === name);
  const known = own.length > 0 && own.every(({ card }) => card);
  const spoken = own.map(({ card }) => spokenName(card)).join(", ");
  return (
    <section class={`hand ${name} ${winner === name ? "won" : ""}`} aria-label={`${title}: ${spoken || t("no-cards")}`}>
      <header>
        <h2>{title}</h2>
        <output class="points" aria-live="off" aria-label={t("points")} data-test={`points-${name}`}>
          {known && points ? points[name] : own.length ? "·" : ""}
        </output>
      </header>
      <div class="cards">
        {own.map((card, at) => <TableCard key={card.place} at={at} slow={isSqueezedByOther(card, me)} {...card} />)}
        {[0, 1].slice(own.length).map((empty) => <div key={`e${empty}`} class="card outline" style={{ "--at": empty }} />)}
      </div>
    </section>
  );
}

/** A card of a hand: it flies in when it comes. One that lay closed turns over, and out of another's squeeze it comes slowly. */
function TableCard({ card, squeezed_by, at, slow }: DealtCard & { at: number; slow: boolean }): JSX.Element {
  const { current: wasClosed } = useRef(card === null);
  const motion = useRef(""); // once it is open it does not move again, whoever opened it
  if (wasClosed && card) motion.current ||= slow ? "squeezed" : "turned";
  return (
    <div class={`card ${at === 2 ? "third" : ""} ${motion.current}`} style={{ "--at": at }} data-test="card" data-card={card ?? ""}>
      {(!card || motion.current === "squeezed") && <Back />}
      {card && <Face card={card} />}
      {!card && squeezed_by && <small class="squeezer">{squeezed_by}</small>}
    </div>
  );
}
