/**
 * A closed card that its patron opens by hand, full size. Dragged from an edge or a corner it peels. Lifted far enough it is
 * open: the server then tells everyone its face, and it shows under the finger from the dragged side. Nobody knows it before.
 */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { peelOf, type Peel, type Point } from "../peel";
import { t, word } from "../texts";
import type { DealtCard, Points } from "../wire";
import { Back, Blank, Face } from "./card";
import { SmallCards } from "./card-picker";
import { Ring } from "./call";

/** How far the card is peeled when it is open, and when it turns over by itself, in heights of the card. */
const OPENS_AT = 0.1;
const TURNS_AT = 0.46;
/** How long the open card lies there before it goes to its hand. */
const SHOWN_MS = 700;
const STEP = 0.025;
const WIDTH = 250;
const HEIGHT = 350;

interface Props {
  /** All cards of the round as they lie, and which of them is squeezed, counted from 1. */
  cards: readonly DealtCard[];
  place: number;
  /** What the open cards of each hand come to. */
  points: Points;
  /** Its face, once it is open. */
  face: string | null;
  /** The time left to open it; null while cards are still dealt, and where nothing hurries. */
  seconds: number | null;
  /** The card is lifted: open it, and show nothing that comes of it yet. Resolves to whether it was opened. */
  onLift: () => Promise<boolean>;
  /** The card lies open. */
  onLaid: () => void;
  /** Open it at once. */
  onOpen: () => void;
  /** Give up the squeeze: the Dealer opens the card. */
  onPass: () => void;
}

export function SqueezeTable({ cards, place, points, seconds, onPass, ...card }: Props): JSX.Element {
  const hand = cards[place - 1]?.hand;
  return (
    <section class={`squeeze-table ${hand ?? ""}`} aria-label={t("squeeze-card")}>
      <SqueezeCard {...card} />
      <div class="beside">
        {hand && <h2>{word("hand", hand)}</h2>}
        <p class="so-far">
          {(["player", "banker"] as const).map((each) => (
            <span key={each} class={each}>
              {word("hand", each)} <SmallCards cards={cards.flatMap(({ hand: of, card: open }) => (of === each && open ? [open] : [])).join(" ")} />
              <b data-test={`total-${each}`}>{cards.some(({ hand: of, card: open }) => of === each && open) ? points[each] : "–"}</b>
            </span>
          ))}
        </p>
        <div class="pass">
          <span class="time">{seconds !== null && <Ring seconds={seconds} />}</span>
          <button type="button" class="gold" onClick={card.onOpen} data-test="open-all">{t("open-now")}</button>
          <button type="button" onClick={onPass} data-test="pass-squeeze">{t("let-dealer-open")}</button>
        </div>
        <p class="hint">{t("how-to-squeeze")}{seconds !== null && ` ${t("dealer-opens")}`}</p>
      </div>
    </section>
  );
}

function SqueezeCard({ face, onLift, onLaid, onOpen }: Pick<Props, "face" | "onLift" | "onLaid" | "onOpen">): JSX.Element {
  const [peel, setPeel] = useState<Peel | null>(null);
  const [state, setState] = useState<"closed" | "lifted" | "open">("closed");
  const lifted = useRef(false); // a pointer moves more often than the card is drawn
  const grip = useRef<{ from: Point; on: Point } | null>(null);
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) element.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    if (state !== "open" || !face) return;
    const timer = setTimeout(onLaid, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state, face]);

  /** Where the pointer is on the card, in its own measure. */
  const place = ({ currentTarget, clientX, clientY }: JSX.TargetedPointerEvent<HTMLDivElement>): Point => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    return { x: ((clientX - left) / width) * WIDTH, y: ((clientY - top) / height) * HEIGHT };
  };
  const bend = (from: Point, to: Point) => {
    const next = peelOf(from, to, WIDTH, HEIGHT);
    setPeel(next);
    if (!next || state === "open") return;
    if (next.by > OPENS_AT && !lifted.current) {
      lifted.current = true;
      setState("lifted");
      void onLift().then((opened) => {
        lifted.current = opened;
        if (!opened) setState("closed");
      });
    }
    if (next.by > TURNS_AT) letGo();
  };
  const letGo = () => {
    grip.current = null;
    setPeel(null);
    setState((now) => (now === "lifted" ? "open" : now));
  };
  const key = (event: KeyboardEvent) => {
    const middle = { x: WIDTH / 2, y: HEIGHT };
    if (event.key === "Enter" || event.key === " ") onOpen();
    else if (event.key === "ArrowUp") bend(middle, { x: middle.x, y: HEIGHT * (1 - 2 * ((peel?.by ?? 0) + STEP)) });
    else if (event.key === "ArrowDown") letGo();
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={element}
      class="squeeze"
      role="button"
      tabIndex={0}
      aria-label={t("squeeze-card")}
      data-test="squeeze"
      data-state={state}
      data-bend={peel ? peel.by.toFixed(2) : "0"}
      onPointerDown={(event) => {
        const from = place(event);
        grip.current = { from: onEdge(from), on: from };
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (!grip.current) return;
        const { from, on } = grip.current;
        const { x, y } = place(event);
        bend(from, { x: from.x + x - on.x, y: from.y + y - on.y });
      }}
      onPointerUp={letGo}
      onPointerCancel={letGo}
      onDblClick={onOpen}
      onKeyDown={key}
    >
      {state === "open" && face ? <div class="turned"><Face card={face} /></div> : (
        <>
          <div class="under" style={{ clipPath: peel?.back ?? "none" }}><Back /></div>
          {peel && <div class="lifted"><div class="flap" style={{ clipPath: peel.flap, transform: peel.fold }}><div>{face ? <Face card={face} /> : <Blank />}</div></div></div>}
        </>
      )}
    </div>
  );
}

/** The edge or the corner that is meant by a grip: a corner where it is near both of its edges. */
function onEdge({ x, y }: Point): Point {
  const [right, low] = [x > WIDTH / 2, y > HEIGHT / 2];
  const across = Math.min(x, WIDTH - x) / WIDTH;
  const down = Math.min(y, HEIGHT - y) / HEIGHT;
  const corner = { x: right ? WIDTH : 0, y: low ? HEIGHT : 0 };
  if (across < 0.25 && down < 0.25) return corner;
  return across < down ? { x: corner.x, y } : { x, y: corner.y };
}
