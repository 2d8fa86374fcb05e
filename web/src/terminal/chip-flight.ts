/** Chips that travel over the page: from the tray to a bet, to the Dealer when it is lost, back when it is won. */

const FLIGHT_MS = 420;
/** How long after one chip the next one follows. */
const APART_MS = 70;

type Place = Element | string;

const centreOf = (place: Place): { x: number; y: number } | null => {
  const box = (typeof place === "string" ? document.querySelector(place) : place)?.getBoundingClientRect();
  return box ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : null;
};

/** Let so many chips travel; none does where no motion is wanted, or the page is in the background. */
export function flyChips(from: Place, to: Place, count = 1): void {
  const [start, end] = [centreOf(from), centreOf(to)];
  const chip = document.querySelector(".chips [aria-checked=true] svg")?.cloneNode(true);
  if (!start || !end || !chip || document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const at = ({ x, y }: { x: number; y: number }, more = "") => ({ transform: `translate(${x - 17}px, ${y - 17}px) ${more}` });
  const way = [{ ...at(start), opacity: 1 }, { ...at(end, "rotate(200deg)"), opacity: 1, offset: 0.85 }, { ...at(end, "rotate(220deg)"), opacity: 0 }];
  for (let place = 0; place < count; place++) {
    const flying = document.createElement("span");
    flying.className = "flying-chip";
    flying.append(chip.cloneNode(true));
    document.body.append(flying);
    const flight = flying.animate(way, { duration: FLIGHT_MS, delay: place * APART_MS, fill: "backwards", easing: "cubic-bezier(0.3, 0.7, 0.3, 1)" });
    flight.finished.finally(() => flying.remove());
  }
}
