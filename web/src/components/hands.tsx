/** The two hands on the table, dealt with motion; third cards lie across, as at a real table. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { waysTo } from "../choices";
import { t, word } from "../texts";
import type { DealtCard, Hand, Points, Snapshot, Winner } from "../wire";
import type { Squeezed } from "../wire-to-come";
import { Back, Face, spokenName } from "./card";
import { SqueezeCard } from "./squeeze";

const NONE: ReadonlySet<number> = new Set();

/**
 * The cards that a patron still has to open, by their place in the round: those whose squeeze they have, which `onOpen`
 * opens for everyone, and open ones that `mayOpen` says, which only they have not looked at yet.
 */
export function useClosedCards(snapshot: Snapshot, mayOpen: (card: DealtCard) => boolean, onOpen: (place: number) => void): [ReadonlySet<number>, (at: number[]) => void] {
  const [opened, setOpened] = useState<ReadonlySet<number>>(NONE);
  useEffect(() => setOpened(NONE), [snapshot.round]);
  if (!snapshot.table.face_down || snapshot.phase === "betting") return [NONE, () => undefined];
  const squeezed = waysTo(snapshot, "open-card").flatMap(({ place }) => (place ? [place - 1] : []));
  const closed = snapshot.cards.flatMap((card, at) => (card.card && mayOpen(card) && !opened.has(at) ? [at] : []));
  const open = (at: number[]) => {
    setOpened(new Set([...opened, ...at]));
    for (const each of at) if (squeezed.includes(each)) onOpen(each + 1);
  };
  return [new Set([...squeezed, ...closed]), open];
}

interface Props {
  cards: readonly (DealtCard & Squeezed)[];
  points: Points;
  winner: Winner | null;
  closed?: ReadonlySet<number>;
  onOpen?: (at: number[]) => void;
}

export function Hands(props: Props): JSX.Element {
  return (
    <div class="hands">
      <HandView name="player" {...props} />
      <HandView name="banker" {...props} />
    </div>
  );
}

function HandView({ name, cards, points, winner, closed = NONE, onOpen }: Props & { name: Hand }): JSX.Element {
  const title = word("hand", name);
  const own = cards.map(({ card, hand, squeezed_by }, at) => ({ card, hand, squeezed_by, at, isClosed: closed.has(at) })).filter(({ hand }) => hand === name);
  const known = own.length > 0 && own.every(({ card, isClosed }) => card && !isClosed);
  const spoken = own.map(({ card, isClosed }) => spokenName(isClosed ? null : card)).join(", ");
  return (
    <section class={`hand ${name} ${winner === name && !closed.size ? "won" : ""}`} aria-label={`${title}: ${spoken || t("no-cards")}`}>
      <header>
        <h2>{title}</h2>
        <output class="points" aria-label={t("points")} data-test={`points-${name}`}>
          {known ? points[name] : own.length ? "·" : ""}
        </output>
      </header>
      <div class="cards">
        {own.map(({ card, squeezed_by, at, isClosed }, place) => (
          <div key={at} class={place === 2 ? "card third" : "card"} data-test="card" data-card={isClosed ? "" : (card ?? "")}>
            {isClosed ? <SqueezeCard card={card} onOpen={() => onOpen?.([at])} /> : card ? <Face card={card} /> : <Back />}
            {!card && squeezed_by && <small class="squeezer">{squeezed_by}</small>}
          </div>
        ))}
        {[0, 1].slice(own.length).map((empty) => <div key={`e${empty}`} class="card outline" />)}
      </div>
    </section>
  );
}
