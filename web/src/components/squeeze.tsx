/** A closed card that its patron opens: dragged up or sideways it bends, and far enough it turns over. Nobody knows its face. */
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { t } from "../texts";
import { Back, Blank } from "./card";

type Edge = "bottom" | "left" | "right";
type PointerEvent = JSX.TargetedPointerEvent<HTMLDivElement>;
const OPENS_AT = 0.4; // of the card: bent further than this, it turns over
const STEP = 0.08;

export function SqueezeCard({ onOpen }: { onOpen: () => void }): JSX.Element {
  // The edge that is bent, and how far; the style sheet cuts the back and lays the bent part over it.
  const [bend, setBend] = useState<{ edge: Edge; by: number } | null>(null);
  const held = useRef<{ x: number; y: number; edge: Edge } | null>(null);

  const down = (event: PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    const [x, y] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    held.current = { x: event.clientX, y: event.clientY, edge: y > 0.55 ? "bottom" : x < 0.5 ? "left" : "right" };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent) => {
    if (!held.current) return;
    const box = event.currentTarget.getBoundingClientRect();
    const { x, y, edge } = held.current;
    const across = (event.clientX - x) / box.width;
    const by = (edge === "bottom" ? (y - event.clientY) / box.height : edge === "left" ? across : -across) / 2;
    if (by > OPENS_AT) {
      held.current = null;
      onOpen();
    } else setBend(by > 0.01 ? { edge, by } : null);
  };
  const up = () => {
    held.current = null;
    setBend(null);
  };
  const key = (event: KeyboardEvent) => {
    if (event.key === "Enter" || event.key === " ") onOpen();
    else if (event.key === "ArrowUp") setBend({ edge: "bottom", by: Math.min(OPENS_AT, (bend?.by ?? 0) + STEP) });
    else if (event.key === "ArrowDown") setBend(null);
    else return;
    event.preventDefault();
  };

  return (
    <div
      class={`squeeze ${bend?.edge ?? ""}`}
      style={{ "--bend": bend?.by }}
      role="button"
      tabIndex={0}
      aria-label={t("squeeze-card")}
      data-test="squeeze"
      data-bend={bend ? bend.by.toFixed(2) : "0"}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={up}
      onDblClick={onOpen}
      onKeyDown={key}
    >
      <div class="under"><Back /></div>
      {bend && <div class="flap"><div><Blank /></div></div>}
    </div>
  );
}
