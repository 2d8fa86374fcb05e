/** Playing cards, all 52 and the back, put together from the parts in `drawings.svg`. */
import type { JSX } from "preact";
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
export function spokenName(card: string | null): string {
  return card ? t("card-spoken", { rank: card[0]!, suit: card[1]! }) : t("face-down-card");
}

/** The ranks as they are written, in order. */
export const RANKS: readonly string[] = [..."A23456789TJQK"];

/** The suits as they are written, each with its sign. */
export const SUITS: Readonly<Record<string, string>> = { s: "♠", h: "♥", d: "♦", c: "♣" };

/** A card as it is written in a line: "9♥". */
export const shortName = (card: string): string => `${card[0] === "T" ? "10" : card[0]}${SUITS[card[1]!]}`;

export const isRed = (suit: string): boolean => suit === "h" || suit === "d";

/** A suit at (x, y), `size` wide, upside down where `turned`. */
function Suit({ suit, x, y, size, turned }: { suit: string; x: number; y: number; size: number; turned?: boolean }): JSX.Element {
  return <use href={`#suit-${suit}`} transform={`translate(${x} ${y}) scale(${size / 100})${turned ? " rotate(180)" : ""}`} />;
}

function Corner({ rank, suit }: { rank: string; suit: string }): JSX.Element {
  return (
    <g class="corner">
      <text x="25" y="48" text-anchor="middle" font-size="44" font-weight="600" letter-spacing={rank === "T" ? -5 : 0} class="index">
        {rank === "T" ? "10" : rank}
      </text>
      <Suit suit={suit} x={25} y={74} size={29} />
    </g>
  );
}

/** The middle of a Jack, Queen or King: a half figure and the same one turned. */
function Court({ rank, suit }: { rank: string; suit: string }): JSX.Element {
  return (
    <g class={isRed(suit) ? "court red" : "court"}>
      <use href="#court-frame" />
      <use href={`#court-${rank}`} transform="translate(50 60)" />
      <use href={`#court-${rank}`} transform="translate(200 290) rotate(180)" />
      <use href="#court-middle" />
      <Suit suit={suit} x={68} y={74} size={24} />
      <Suit suit={suit} x={182} y={276} size={24} turned />
    </g>
  );
}

/** The face of a card such as `9h`. */
export function Face({ card }: { card: string }): JSX.Element {
  const [rank, suit] = [card[0]!, card[1]!];
  return (
    <svg viewBox="0 0 250 350" fill={isRed(suit) ? "#b3262e" : "#1d1f24"} aria-hidden="true">
      <use href="#card-paper" />
      <Corner rank={rank} suit={suit} />
      <g transform="rotate(180 125 175)"><Corner rank={rank} suit={suit} /></g>
      {PIPS[rank]?.map(([x, y]) => <Suit key={`${x} ${y}`} suit={suit} x={x} y={y} size={44} turned={y > 175} />)}
      {rank === "A" && <Suit suit={suit} x={125} y={175} size={112} />}
      {"JQK".includes(rank) && <Court rank={rank} suit={suit} />}
    </svg>
  );
}

/** The back that all cards share. */
export const Back = (): JSX.Element => <svg viewBox="0 0 250 350" class="back" aria-hidden="true"><use href="#card-back" /></svg>;

/** A face that nobody has seen. */
export const Blank = (): JSX.Element => <svg viewBox="0 0 250 350" aria-hidden="true"><use href="#card-paper" /></svg>;
