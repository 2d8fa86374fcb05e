/** The four suits as paths in a square of 100, centred on the origin. */
import type { JSX } from "preact";

const HEART = "M0 44C-14 28-46 10-46-16C-46-34-33-45-19-45C-9-45-3-39 0-31C3-39 9-45 19-45C33-45 46-34 46-16C46 10 14 28 0 44Z";
const DIAMOND = "M0-48C9-30 23-13 37 0C23 13 9 30 0 48C-9 30-23 13-37 0C-23-13-9-30 0-48Z";
const SPADE =
  "M0-47C13-29 45-12 45 13C45 27 34 36 22 36C13 36 6 32 3 24C4 35 9 43 18 48L-18 48C-9 43-4 35-3 24C-6 32-13 36-22 36C-34 36-45 27-45 13C-45-12-13-29 0-47Z";
const CLUB =
  "M0-47C13-47 23-37 23-25C23-18 20-12 15-8C18-10 22-11 26-11C38-11 47-2 47 10C47 22 38 31 26 31C16 31 7 26 3 18C4 32 9 42 18 48L-18 48C-9 42-4 32-3 18C-7 26-16 31-26 31C-38 31-47 22-47 10C-47-2-38-11-26-11C-22-11-18-10-15-8C-20-12-23-18-23-25C-23-37-13-47 0-47Z";

const PATHS: Record<string, string> = { h: HEART, d: DIAMOND, s: SPADE, c: CLUB };

export const isRed = (suit: string): boolean => suit === "h" || suit === "d";

/** A suit at (x, y), `size` wide, upside down where `turned`. */
export function Suit(props: { suit: string; x: number; y: number; size: number; turned?: boolean; fill?: string }): JSX.Element {
  const { suit, x, y, size, turned, fill } = props;
  const transform = `translate(${x} ${y}) scale(${size / 100})${turned ? " rotate(180)" : ""}`;
  return <path d={PATHS[suit]} transform={transform} {...(fill ? { fill } : {})} />;
}
