/** Money as people read it. Cents are whole numbers, and only whole-number arithmetic touches them. */
export type Cents = number;

/** Cents as 1,234.50; whole amounts as 1,234. */
export function money(cents: Cents): string {
  const rest = Math.abs(cents) % 100;
  const whole = ((Math.abs(cents) - rest) / 100).toLocaleString("en-US");
  return `${cents < 0 ? "−" : ""}${whole}${rest ? `.${String(rest).padStart(2, "0")}` : ""}`;
}

/** A gain or loss, with its sign. */
export function signed(cents: Cents): string {
  return cents > 0 ? `+${money(cents)}` : money(cents);
}

/** Amounts stay below this, here as at the server. */
const MOST: Cents = 10_000_000_000_000;

/** What someone typed ("250", "1,000", "12.5") as cents; null when it is not an amount. A comma parts thousands, no more. */
export function parseMoney(text: string): Cents | null {
  const [, whole, part = ""] = /^(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d{1,2}))?$/.exec(text.trim()) ?? [];
  const cents = whole ? Number(whole.replaceAll(",", "")) * 100 + Number(part.padEnd(2, "0")) : null;
  return cents !== null && cents < MOST ? cents : null;
}

/** Short enough for a chip: 500, 1K, 2.5K, 1M. */
export function short(cents: Cents): string {
  const [unit, mark] = cents >= 100_000_000 ? [100_000_000, "M"] : cents >= 100_000 ? [100_000, "K"] : [100, ""];
  const rest = cents % unit;
  const whole = (cents - rest) / unit;
  const tenth = unit > 100 && (rest * 10) % unit === 0 ? (rest * 10) / unit : null;
  if (rest === 0) return `${whole}${mark}`;
  return tenth !== null ? `${whole}.${tenth}${mark}` : money(cents);
}

/** The chips of a table that make an amount, largest first, at most `most` of them drawn. */
export function stack(cents: Cents, chips: readonly Cents[], most = 6): Cents[] {
  const drawn: Cents[] = [];
  let left = cents;
  for (const chip of [...chips].reverse()) {
    while (left >= chip && drawn.length < most) {
      drawn.push(chip);
      left -= chip;
    }
  }
  return drawn.length ? drawn : chips.slice(0, 1);
}

/** How large a win is for what was staked: 0 for none, 1 up to as much again, 2 up to five times as much, 3 beyond. */
export function winSize(net: Cents, staked: Cents): 0 | 1 | 2 | 3 {
  if (net <= 0) return 0;
  return net <= staked ? 1 : net <= 5 * staked ? 2 : 3;
}
