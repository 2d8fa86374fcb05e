/**
 * A closed card that its patron opens by hand, full size. Dragged from an edge or a corner it peels, as often as the patron
 * likes. Lifted a little it is open: the server tells its face, whose pips then come out of the fold. Nobody knows it before.
 */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { peelOf, type Peel, type Point } from "../peel";
import { t, word } from "../texts";
import type { DealtCard, Points } from "../wire";
import { Back, Blank, Face } from "./card";
import { SmallCards } from "./card-picker";
import { Ring } from "./call";

/** How far the card is peeled, in heights of it, when it is open, when fingers let go of its indices, and when it turns over. */
const OPENS_AT = 0.1;
const INDICES_AT = 0.36;
const TURNS_AT = 0.46;
/** How long the card lies there with its face up before it goes to its hand. */
const SHOWN_MS = 900;
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
  /** The card lies with its face up. */
  onLaid: () => void;
  /** Open it at once. */
  onOpen: () => void;
  /** Give up the squeeze: the Dealer opens the card. */
  onPass: () => void;
}

export function SqueezeTable({ cards, place, points, face, seconds, onLift, onLaid, onOpen, onPass }: Props): JSX.Element {
  const [isTurned, setTurned] = useState(false);
  const hand = cards[place - 1]?.hand;
  const turn = () => (face ? setTurned(true) : onOpen());
  useEffect(() => {
    if (!isTurned) return;
    const timer = setTimeout(onLaid, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isTurned]);
  return (
    <section class={`squeeze-table ${hand ?? ""}`} aria-label={t("squeeze-card")}>
      <SqueezeCard face={face} isTurned={isTurned} onLift={onLift} onTurn={turn} />
      <div class={isTurned ? "beside done" : "beside"}>
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
          {!face && seconds !== null && <Ring seconds={seconds} />}
          <button type="button" class="gold" onClick={turn} data-test="open-all">{face ? t("turn-over") : t("open-now")}</button>
          {!face && <button type="button" onClick={onPass} data-test="pass-squeeze">{t("let-dealer-open")}</button>}
        </div>
        <p class="hint">{face ? t("squeeze-on") : t("how-to-squeeze")}{!face && seconds !== null && ` ${t("dealer-opens")}`}</p>
      </div>
    </section>
  );
}

interface CardProps extends Pick<Props, "face" | "onLift"> {
  /** Whether it lies with its face up. */
  isTurned: boolean;
  onTurn: () => void;
}

function SqueezeCard({ face, isTurned, onLift, onTurn }: CardProps): JSX.Element {
  const [peel, setPeel] = useState<Peel | null>(null);
  const isLifted = useRef(false); // a pointer moves more often than the card is drawn
  const grip = useRef<{ from: Point; on: Point } | null>(null);
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) element.current?.focus({ preventScroll: true });
  }, []);

  /** Where the pointer is on the card, in its own measure. */
  const place = ({ currentTarget, clientX, clientY }: JSX.TargetedPointerEvent<HTMLDivElement>): Point => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    return { x: ((clientX - left) / width) * WIDTH, y: ((clientY - top) / height) * HEIGHT };
  };
  const bend = (from: Point, to: Point) => {
    const next = peelOf(from, to, WIDTH, HEIGHT);
    setPeel(next);
    if (!next) return;
    if (next.by > OPENS_AT && !isLifted.current) {
      isLifted.current = true;
      void onLift().then((opened) => (isLifted.current = opened));
    }
    if (next.by > TURNS_AT && face) {
      letGo();
      onTurn();
    }
  };
  const letGo = () => {
    grip.current = null;
    setPeel(null);
  };
  const key = (event: KeyboardEvent) => {
    const middle = { x: WIDTH / 2, y: HEIGHT };
    if (event.key === "Enter" || event.key === " ") onTurn();
    else if (event.key === "ArrowUp") bend(middle, { x: middle.x, y: HEIGHT * (1 - 2 * ((peel?.by ?? 0) + STEP)) });
    else if (event.key === "ArrowDown") letGo();
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={element}
      class={peel && peel.by > INDICES_AT ? "squeeze late" : "squeeze"}
      role="button"
      tabIndex={0}
      aria-label={t("squeeze-card")}
      data-test="squeeze"
      data-state={isTurned ? "open" : face ? "lifted" : "closed"}
      data-bend={peel ? peel.by.toFixed(2) : "0"}
      onPointerDown={(event) => {
        if (isTurned) return;
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
      onDblClick={onTurn}
      onKeyDown={key}
    >
      {isTurned && face ? <div class="turned"><Face card={face} /></div> : (
        <>
          <div class="under" style={{ clipPath: peel?.back ?? "none" }}><Back /></div>
          {peel && (
            <div class="lifted">
              <div class="flap" style={{ clipPath: peel.flap, transform: peel.fold, "--light": peel.light }}><div>{face ? <Face card={face} /> : <Blank />}</div></div>
            </div>
          )}
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
