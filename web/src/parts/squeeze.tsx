/** A card that lies face down and is opened by its patron: dragged up or sideways it bends and shows its face's edge. */
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { Back, Face } from "./card";
import { t } from "../texts";

type Edge = "bottom" | "left" | "right";
const OPENS_AT = 0.4; // of the card: bent further than this, it turns over
const STEP = 0.08;

interface Bend {
  edge: Edge;
  by: number;
}

/** Where the back is cut, and where the bent part lies with which part of the face on it. */
function bent({ edge, by }: Bend): { back: string; flap: JSX.CSSProperties; face: JSX.CSSProperties } {
  const part = `${by * 100}%`;
  const whole = { width: `${100 / by}%`, height: "100%" };
  switch (edge) {
    case "bottom":
      return {
        back: `inset(0 0 ${part} 0)`,
        flap: { left: 0, right: 0, bottom: part, height: part },
        face: { top: 0, left: 0, width: "100%", height: `${100 / by}%` },
      };
    case "left":
      return { back: `inset(0 0 0 ${part})`, flap: { top: 0, bottom: 0, left: part, width: part }, face: { ...whole, right: 0, top: 0 } };
    case "right":
      return { back: `inset(0 ${part} 0 0)`, flap: { top: 0, bottom: 0, right: part, width: part }, face: { ...whole, left: 0, top: 0 } };
  }
}

export function SqueezeCard({ card, onOpen }: { card: string; onOpen: () => void }): JSX.Element {
  const [bend, setBend] = useState<Bend | null>(null);
  const held = useRef<{ x: number; y: number; edge: Edge } | null>(null);

  const down = (event: JSX.TargetedPointerEvent<HTMLDivElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const [x, y] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    held.current = { x: event.clientX, y: event.clientY, edge: y > 0.55 ? "bottom" : x < 0.5 ? "left" : "right" };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const move = (event: JSX.TargetedPointerEvent<HTMLDivElement>) => {
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

  const shape = bend && bent(bend);
  return (
    <div
      class="squeeze"
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
      <div class="under" style={shape ? { clipPath: shape.back } : {}}>
        <Back />
      </div>
      {shape && (
        <div class={`flap ${bend.edge}`} style={shape.flap}>
          <div style={{ position: "absolute", ...shape.face }}>
            <Face card={card} />
          </div>
        </div>
      )}
    </div>
  );
}
