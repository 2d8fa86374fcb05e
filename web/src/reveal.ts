/**
 * What a page shows of a table: the newest snapshot, less what it tells of cards that are still on their way. A card that
 * comes or turns over takes a moment to land, and one that the patron squeezes takes as long as the patron holds it.
 * Until then the result and all that rests on it stay as they were. Commands and the clock never wait.
 */
import { signal } from "@preact/signals";
import type { DealtCard, Own, Snapshot } from "./wire.ts";

/** How long a card is on its way. The style sheet moves it for the same time. */
export const LANDING_MS = 500;
/** How long a card that another patron squeezes takes to come out of its back. */
export const SQUEEZED_MS = 1500;

const AGAIN_MS = 50;

/** What one has at a table that tells how a round ended. */
function withheldOwn(before: Own | null, newest: Own | null): Own | null {
  if (!before || !newest) return newest;
  const { balance_cents, owed_cents, bets, in_play_cents, lines, lines_round, net_cents } = before;
  return { ...newest, balance_cents, owed_cents, bets, in_play_cents, lines, lines_round, net_cents };
}

/** The newest snapshot, but what rests on its cards as it was before they came. */
function withheld(before: Snapshot, newest: Snapshot): Snapshot {
  const { points, next, result, last, roads } = before;
  // What ends with the card is told at once: the betting, and an insurance window.
  const phase = before.phase === "betting" ? newest.phase : before.phase;
  const offers = newest.offers.length ? before.offers : [];
  return { ...newest, phase, points, next, offers, result, last, roads, me: withheldOwn(before.me, newest.me) };
}

/** Whether a card that is open now comes out slowly: another patron had its squeeze. */
export const isSqueezedByOther = ({ squeezed_by }: DealtCard, me: Pick<Own, "name"> | null): boolean => squeezed_by != null && squeezed_by !== me?.name;

/** How long it takes until every card has landed that came or was opened between two moments of a round; 0 without one. */
function landingTime(before: Snapshot, { cards, me }: Snapshot): number {
  return Math.max(0, ...cards.map((each, at) => {
    const was = before.cards[at];
    if (!was) return LANDING_MS;
    if (each.card === null || was.card !== null) return 0;
    return isSqueezedByOther(each, me) ? SQUEEZED_MS : LANDING_MS;
  }));
}

export class Reveal {
  /** The table as the page may show it. */
  readonly shown = signal<Snapshot | null>(null);
  /** Whether cards are on their way. */
  readonly landing = signal(false);
  private newest: Snapshot | null = null;
  private squeezed = false;
  private timer = 0;

  /**
   * `isStill` says whether nothing moves on this page, so that everything is shown at once; `inMotion` whether a card is
   * still seen to move after its time, as on a slow machine.
   */
  constructor(
    private readonly isStill: () => boolean,
    private readonly inMotion: () => boolean = () => false,
  ) {}

  /** Take in a newer snapshot; `atOnce` where it tells how things stand and not what has just happened. */
  take(newest: Snapshot, atOnce = false): void {
    this.newest = newest;
    const before = this.shown.value;
    const goesOn = before !== null && before.round === newest.round && newest.phase !== "betting";
    if (!goesOn || atOnce) return this.settle();
    if (this.squeezed) {
      this.shown.value = { ...before, ends_at_ms: newest.ends_at_ms, suspended: newest.suspended };
      return;
    }
    if (this.isStill()) return this.settle();
    const time = landingTime(before, newest);
    if (time) {
      this.landing.value = true;
      this.waitForLanding(time);
    }
    this.shown.value = this.landing.value ? withheld(before, newest) : newest;
  }

  /** The patron lifts a card: nothing that came of it is shown before it lies on the table. */
  lift(): void {
    clearTimeout(this.timer); // a card that still flies ends no squeeze
    this.landing.value = false;
    this.squeezed = true;
  }

  /** The lifted card lies on the table. */
  lay(): void {
    this.squeezed = false;
    if (this.newest) this.take(this.newest);
  }

  /** Show no more than is shown now. */
  close(): void {
    clearTimeout(this.timer);
  }

  private waitForLanding(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.inMotion() ? this.waitForLanding(AGAIN_MS) : this.settle()), ms);
  }

  private settle(): void {
    clearTimeout(this.timer);
    this.squeezed = false;
    this.landing.value = false;
    this.shown.value = this.newest;
  }
}
