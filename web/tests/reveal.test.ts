/** What a page shows while cards are on their way. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LANDING_MS, Reveal, SQUEEZED_MS } from "../src/reveal.ts";
import type { Snapshot } from "../src/wire.ts";

const card = (text: string | null) => ({ card: text, hand: "player" });
const CLOSED = { round: 1, phase: "opening", cards: [card(null)], result: null, offers: [], roads: { rounds: 0 }, me: null, ends_at_ms: 1 };
const OPEN = { ...CLOSED, phase: "result", cards: [card("9h")], result: { winner: "player" }, roads: { rounds: 1 }, ends_at_ms: 2 };
const snapshot = (parts: object) => parts as unknown as Snapshot;

describe("Reveal", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const begun = (isStill = false) => {
    const reveal = new Reveal(() => isStill);
    reveal.take(snapshot(CLOSED));
    return reveal;
  };

  it("shows a card at once and what came of it when it has landed", () => {
    const reveal = begun();
    reveal.take(snapshot(OPEN));
    expect(reveal.shown.value).toMatchObject({ cards: OPEN.cards, ends_at_ms: 2, phase: "opening", result: null, roads: { rounds: 0 } });
    vi.advanceTimersByTime(LANDING_MS);
    expect(reveal.shown.value).toEqual(OPEN);
  });

  it("waits for a card that is still seen to move", () => {
    let moves = true;
    const reveal = new Reveal(() => false, () => moves);
    reveal.take(snapshot(CLOSED));
    reveal.take(snapshot(OPEN));
    vi.advanceTimersByTime(10 * LANDING_MS);
    expect(reveal.shown.value?.result).toBeNull();
    moves = false;
    vi.advanceTimersByTime(LANDING_MS);
    expect(reveal.shown.value).toEqual(OPEN);
  });

  it("shows nothing of a card that the patron holds", () => {
    const reveal = begun();
    reveal.lift();
    reveal.take(snapshot(OPEN));
    vi.advanceTimersByTime(10 * LANDING_MS);
    expect(reveal.shown.value).toEqual({ ...CLOSED, ends_at_ms: 2 });
    reveal.lay();
    vi.advanceTimersByTime(LANDING_MS);
    expect(reveal.shown.value).toEqual(OPEN);
  });

  it("goes on with a squeeze when a card lands that was on its way before", () => {
    const reveal = new Reveal(() => false);
    reveal.take(snapshot({ ...CLOSED, cards: [] }));
    reveal.take(snapshot(CLOSED));
    reveal.lift();
    reveal.take(snapshot(OPEN));
    vi.advanceTimersByTime(10 * LANDING_MS);
    expect(reveal.shown.value?.result).toBeNull();
  });

  it("takes its time over the card of another's squeeze", () => {
    const reveal = begun();
    reveal.take(snapshot({ ...OPEN, cards: [{ ...card("9h"), squeezed_by: "Bo" }] }));
    vi.advanceTimersByTime(2 * LANDING_MS);
    expect(reveal.shown.value?.result).toBeNull();
    vi.advanceTimersByTime(SQUEEZED_MS);
    expect(reveal.shown.value?.result).toEqual(OPEN.result);
  });

  it("shows all at once without motion, after a lost connection and when bets open", () => {
    const still = begun(true);
    still.take(snapshot(OPEN));
    expect(still.shown.value).toEqual(OPEN);
    const back = begun();
    back.take(snapshot(OPEN), true);
    expect(back.shown.value).toEqual(OPEN);
    const next = begun();
    next.lift();
    next.take(snapshot({ ...OPEN, round: 2, phase: "betting", cards: [] }));
    expect(next.shown.value).toMatchObject({ round: 2, phase: "betting" });
  });
});
