/** The two hands on the table, dealt with motion; third cards lie across, as at a real table. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t, word } from "../texts";
import type { DealtCard, Hand, Points, Snapshot, Winner } from "../wire";
import { Back, Face, spoken } from "./card";
import { SqueezeCard } from "./squeeze";

interface Place {
  card: string | null;
  at: number;
}

const NONE: ReadonlySet<number> = new Set();

/** The cards a patron still has to open, by their place in the round: those that `mayOpen` says, until opened here. */
export function useClosed(snapshot: Snapshot | null, mayOpen: (card: DealtCard) => boolean): [ReadonlySet<number>, (at: number[]) => void] {
  const [opened, setOpened] = useState<ReadonlySet<number>>(NONE);
  const round = snapshot?.round;
  useEffect(() => setOpened(NONE), [round]);
  if (!snapshot?.table.face_down || snapshot.phase === "betting") return [NONE, () => undefined];
  const closed = snapshot.cards.flatMap((card, at) => (card.card && mayOpen(card) && !opened.has(at) ? [at] : []));
  return [new Set(closed), (at) => setOpened(new Set([...opened, ...at]))];
}

interface Props {
  cards: readonly DealtCard[];
  points: Points;
  winner: Winner | null;
  closed?: ReadonlySet<number>;
  onOpen?: (at: number[]) => void;
}

export function Hands({ cards, points, winner, closed = NONE, onOpen }: Props): JSX.Element {
  const hand = (name: Hand): Place[] => cards.map(({ card, hand }, at) => ({ card, at, hand })).filter((each) => each.hand === name);
  return (
    <div class="hands">
      {(["player", "banker"] as const).map((name) => (
        <HandView
          key={name}
          name={name}
          cards={hand(name)}
          points={points[name]}
          winner={closed.size ? null : winner}
          closed={closed}
          onOpen={(at) => onOpen?.([at])}
        />
      ))}
    </div>
  );
}

interface HandProps {
  name: Hand;
  cards: Place[];
  points: number | null;
  winner: Winner | null;
  closed: ReadonlySet<number>;
  onOpen: (at: number) => void;
}

function HandView({ name, cards, points, winner, closed, onOpen }: HandProps): JSX.Element {
  const title = word("hand", name);
  const shown = cards.filter(({ card, at }) => card && !closed.has(at));
  const known = cards.length > 0 && shown.length === cards.length;
  const said = cards.map(({ card, at }) => spoken(closed.has(at) ? null : card)).join(", ");
  return (
    <section class={`hand ${name} ${winner === name ? "won" : ""}`} aria-label={`${title}: ${said || t("no-cards")}`}>
      <header>
        <h2>{title}</h2>
        <output class="points" aria-label={t("points")} data-test={`points-${name}`}>
          {known ? points : cards.length ? "·" : ""}
        </output>
      </header>
      <div class="cards">
        {cards.map(({ card, at }, place) => (
          <div key={at} class={place === 2 ? "card third" : "card"} data-test="card" data-card={closed.has(at) ? "" : (card ?? "")}>
            {card && closed.has(at) ? <SqueezeCard card={card} onOpen={() => onOpen(at)} /> : card ? <Face card={card} /> : <Back />}
          </div>
        ))}
        {cards.length < 2 && [0, 1].slice(cards.length).map((empty) => <div key={`e${empty}`} class="card outline" />)}
      </div>
    </section>
  );
}
