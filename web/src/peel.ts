/** How a card looks that is peeled from a point of its edge: where the back is cut, and how the lifted part is folded over. */

export interface Point {
  x: number;
  y: number;
}

export interface Peel {
  /** How far it is peeled, in heights of the card. */
  by: number;
  /** What is left of the back, as a clip path. */
  back: string;
  /** What is lifted, as a clip path of the face that is folded over. */
  flap: string;
  /** The fold: the mirror image at its line, as a transform of the flap. */
  fold: string;
  /** The light on what is lifted: dark in the fold and bright where the card is bent, as a gradient across the fold. */
  light: string;
}

/** The part of a polygon on one side of the line through `at`, across `normal`. */
function cut(shape: readonly Point[], at: Point, normal: Point): Point[] {
  const side = ({ x, y }: Point) => (x - at.x) * normal.x + (y - at.y) * normal.y;
  return shape.flatMap((point, place) => {
    const next = shape[(place + 1) % shape.length]!;
    const [here, there] = [side(point), side(next)];
    const share = here / (here - there);
    const crossing = { x: point.x + (next.x - point.x) * share, y: point.y + (next.y - point.y) * share };
    return [...(here <= 0 ? [point] : []), ...(here * there < 0 ? [crossing] : [])];
  });
}

/** A card of this size that was taken at `from` on its edge and is held at `to`; null while it is not lifted. */
export function peelOf(from: Point, to: Point, width: number, height: number): Peel | null {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  const inward = (width / 2 - from.x) * dx + (height / 2 - from.y) * dy;
  if (length < height * 0.02 || inward <= 0) return null;
  const normal = { x: dx / length, y: dy / length };
  const middle = { x: from.x + dx / 2, y: from.y + dy / 2 };
  const card = [{ x: 0, y: 0 }, { x: width, y: 0 }, { x: width, y: height }, { x: 0, y: height }];
  const path = (shape: readonly Point[]) => `polygon(${shape.map(({ x, y }) => `${percent(x / width)} ${percent(y / height)}`).join(", ")})`;
  // The mirror image of a point is itself less twice its distance from the line; lengths are in parts of the card's width.
  const { x: nx, y: ny } = normal;
  const reach = (2 * (middle.x * nx + middle.y * ny)) / width;
  const shift = `translate(calc(var(--wide) * ${(reach * nx).toFixed(4)}), calc(var(--wide) * ${(reach * ny).toFixed(4)}))`;
  const mirror = [1 - 2 * nx * nx, -2 * nx * ny, -2 * nx * ny, 1 - 2 * ny * ny].map((part) => part.toFixed(5));
  // A gradient runs through the middle of the card, from the inside outwards; the fold crosses it where `middle` lies.
  const along = width * Math.abs(nx) + height * Math.abs(ny);
  const fold = 0.5 - ((middle.x - width / 2) * nx + (middle.y - height / 2) * ny) / along;
  const stops = [["rgb(0 0 0 / 0.3)", 0], ["rgb(255 255 255 / 0.35)", 0.05], ["rgb(0 0 0 / 0.08)", 0.13], ["transparent", 0.3]] as const;
  return {
    by: length / 2 / height,
    back: path(cut(card, middle, { x: -nx, y: -ny })),
    flap: path(cut(card, middle, normal)),
    fold: `${shift} matrix(${mirror.join(", ")}, 0, 0)`,
    light: `linear-gradient(${Math.atan2(-nx, ny).toFixed(4)}rad, ${stops.map(([colour, at]) => `${colour} ${percent(fold + at)}`).join(", ")})`,
  };
}

const percent = (part: number): string => `${(part * 100).toFixed(2)}%`;
