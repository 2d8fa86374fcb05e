/** Playing cards, all 52 and the back, drawn as SVG. */
import type { JSX } from "preact";
import { Court } from "./court";
import { Suit, isRed } from "./suits";
import { t } from "../texts";

/** Where the pips of each number card stand: column and row in the frame of 250 by 350; below the middle they are turned. */
const LEFT = 82;
const MID = 125;
const RIGHT = 168;
const PIPS: Record<string, [number, number][]> = {
  "2": [[MID, 80], [MID, 270]],
  "3": [[MID, 80], [MID, 175], [MID, 270]],
  "4": [[LEFT, 80], [RIGHT, 80], [LEFT, 270], [RIGHT, 270]],
  "5": [[LEFT, 80], [RIGHT, 80], [MID, 175], [LEFT, 270], [RIGHT, 270]],
  "6": [[LEFT, 80], [RIGHT, 80], [LEFT, 175], [RIGHT, 175], [LEFT, 270], [RIGHT, 270]],
  "7": [[LEFT, 80], [RIGHT, 80], [MID, 128], [LEFT, 175], [RIGHT, 175], [LEFT, 270], [RIGHT, 270]],
  "8": [[LEFT, 80], [RIGHT, 80], [MID, 128], [LEFT, 175], [RIGHT, 175], [MID, 222], [LEFT, 270], [RIGHT, 270]],
  "9": [[LEFT, 76], [RIGHT, 76], [LEFT, 142], [RIGHT, 142], [MID, 175], [LEFT, 208], [RIGHT, 208], [LEFT, 274], [RIGHT, 274]],
  T: [[LEFT, 76], [RIGHT, 76], [MID, 109], [LEFT, 142], [RIGHT, 142], [LEFT, 208], [RIGHT, 208], [MID, 241], [LEFT, 274], [RIGHT, 274]],
};

/** A card as it is read out: "9 of hearts". */
export function spoken(card: string | null): string {
  return card ? t("card-spoken", { rank: card[0]!, suit: card[1]! }) : t("face-down-card");
}

function Corner({ card }: { card: string }): JSX.Element {
  const rank = card[0] === "T" ? "10" : card[0];
  return (
    <g>
      <text x="25" y="48" text-anchor="middle" font-size="44" font-weight="600" letter-spacing={rank === "10" ? -5 : 0} class="index">
        {rank}
      </text>
      <Suit suit={card[1]!} x={25} y={74} size={29} />
    </g>
  );
}

/** The face of a card such as `9h`. */
export function Face({ card }: { card: string }): JSX.Element {
  const [rank, suit] = [card[0]!, card[1]!];
  const pips = PIPS[rank];
  return (
    <svg viewBox="0 0 250 350" class="face" fill={isRed(suit) ? "#b3262e" : "#1d1f24"} aria-hidden="true">
      <rect x="1" y="1" width="248" height="348" rx="16" fill="#fdfaf1" stroke="#d9cfb6" stroke-width="2" />
      <Corner card={card} />
      <g transform="rotate(180 125 175)">
        <Corner card={card} />
      </g>
      {pips?.map(([x, y]) => <Suit key={`${x} ${y}`} suit={suit} x={x} y={y} size={44} turned={y > 175} />)}
      {rank === "A" && <Suit suit={suit} x={125} y={175} size={112} />}
      {"JQK".includes(rank) && <Court rank={rank} suit={suit} />}
    </svg>
  );
}

/** The back that all cards share. */
export function Back(): JSX.Element {
  return (
    <svg viewBox="0 0 250 350" class="back" aria-hidden="true">
      <defs>
        <pattern id="lattice" width="22" height="22" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="22" height="22" fill="#6b1f2a" />
          <path d="M0 11h22M11 0v22" stroke="#8d3a42" stroke-width="5" />
          <circle cx="11" cy="11" r="2.6" fill="#d9b56a" />
        </pattern>
      </defs>
      <rect x="1" y="1" width="248" height="348" rx="16" fill="#fdfaf1" stroke="#d9cfb6" stroke-width="2" />
      <rect x="14" y="14" width="222" height="322" rx="9" fill="url(#lattice)" />
      <rect x="20" y="20" width="210" height="310" rx="6" fill="none" stroke="#d9b56a" stroke-width="2" />
      <ellipse cx="125" cy="175" rx="52" ry="68" fill="#5a1822" stroke="#d9b56a" stroke-width="3" />
      <path d="M110 214V136h20a22 22 0 0 1 0 46h-20" fill="none" stroke="#d9b56a" stroke-width="9" stroke-linejoin="round" />
    </svg>
  );
}
