/** Jack, Queen and King: a half figure drawn once and turned, in the two inks of its suit and gold. */
import type { JSX } from "preact";
import { Suit, isRed } from "./suits";

const GOLD = "#c79a3e";
const SKIN = "#f3dcc0";
const LINE = "#2b2320";

/** The upper half of a court card, in a frame of 150 by 115 whose lower edge is the middle of the card. */
function Half({ rank, suit }: { rank: string; suit: string }): JSX.Element {
  const ink = isRed(suit) ? "#b3262e" : "#23365c";
  const second = isRed(suit) ? "#23365c" : "#b3262e";
  return (
    <g stroke={LINE} stroke-width="1.4" stroke-linejoin="round" stroke-linecap="round">
      <path d="M8 115C10 92 28 80 48 74L102 74C122 80 140 92 142 115Z" fill={ink} />
      <path d="M58 74L75 115L92 74Z" fill={GOLD} />
      <path d="M66 74L75 96L84 74Z" fill="#fbf6ea" />
      <path d="M20 115L40 79M130 115L110 79M32 115L50 77M118 115L100 77" stroke={GOLD} stroke-width="3" fill="none" />
      {rank === "Q" && <path d="M50 40C38 52 40 72 46 82L104 82C110 72 112 52 100 40Z" fill="#6b3f1d" />}
      {rank === "K" && <path d="M54 44C46 56 50 70 56 74L94 74C100 70 104 56 96 44Z" fill="#8a8177" />}
      {rank === "J" && <path d="M54 40C46 50 46 66 52 70L98 70C104 66 104 50 96 40Z" fill="#a8752f" />}
      <path d="M58 38C57 60 62 74 75 76C88 74 93 60 92 38Z" fill={SKIN} />
      {rank === "K" && <path d="M59 55C60 76 66 88 75 90C84 88 90 76 91 55C86 62 81 60 75 60C69 60 64 62 59 55Z" fill="#8a8177" />}
      <path d="M65 48h5M80 48h5" stroke-width="2.2" />
      <path d="M75 49L73 57L77 57" fill="none" />
      <path d={rank === "K" ? "M71 65h8" : "M70 65C73 67 77 67 80 65"} stroke="#9c3b32" stroke-width="2" fill="none" />
      {rank === "K" && (
        <>
          <path d="M50 38L46 12L60 25L75 6L90 25L104 12L100 38Z" fill={GOLD} />
          <path d="M50 38h50v-6h-50Z" fill={second} />
          <path d="M124 30L124 104M116 44h16" stroke={GOLD} stroke-width="4" />
          <path d="M121 32L124 22L127 32Z" fill={GOLD} />
        </>
      )}
      {rank === "Q" && (
        <>
          <path d="M52 38C52 26 58 20 62 16L68 26L75 12L82 26L88 16C92 20 98 26 98 38Z" fill={GOLD} />
          <circle cx="75" cy="11" r="3.4" fill={second} />
          <circle cx="62" cy="15" r="2.6" fill={second} />
          <circle cx="88" cy="15" r="2.6" fill={second} />
          <path d="M122 98C122 84 118 74 122 62" stroke="#3d6b45" stroke-width="3" fill="none" />
          <g fill={second}>
            <circle cx="116" cy="54" r="6" />
            <circle cx="128" cy="54" r="6" />
            <circle cx="122" cy="47" r="6" />
            <circle cx="122" cy="60" r="6" />
          </g>
          <circle cx="122" cy="54" r="4" fill={GOLD} />
        </>
      )}
      {rank === "J" && (
        <>
          <path d="M48 38C46 24 58 16 78 16C96 16 104 26 102 38Z" fill={second} />
          <path d="M48 38h54v-6h-54Z" fill={GOLD} />
          <path d="M94 24C104 8 118 6 126 12C118 14 108 22 98 30Z" fill={ink} />
          <path d="M126 40L126 106" stroke="#6b3f1d" stroke-width="4" />
          <path d="M126 26C134 32 134 40 126 46C118 40 118 32 126 26Z" fill={GOLD} />
        </>
      )}
    </g>
  );
}

/** The middle of a court card, in the card's own frame of 250 by 350. */
export function Court({ rank, suit }: { rank: string; suit: string }): JSX.Element {
  return (
    <g>
      <rect x="48" y="52" width="154" height="246" rx="6" fill="#faf3e2" stroke="#c79a3e" stroke-width="2" />
      <g transform="translate(50 60)">
        <Half rank={rank} suit={suit} />
      </g>
      <g transform="translate(200 290) rotate(180)">
        <Half rank={rank} suit={suit} />
      </g>
      <path d="M48 175h154" stroke="#c79a3e" stroke-width="2" />
      <Suit suit={suit} x={68} y={74} size={24} />
      <Suit suit={suit} x={182} y={276} size={24} turned />
    </g>
  );
}
