/** An amount that counts to its new value instead of jumping there. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { money, type Cents } from "../money";

const COUNTING_MS = 700;

export function CountUp({ cents }: { cents: Cents }): JSX.Element {
  const [shown, setShown] = useState(cents);
  const last = useRef(cents);
  last.current = shown;
  useEffect(() => {
    const from = last.current;
    if (document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches) return setShown(cents);
    let frame = 0;
    const began = performance.now();
    const step = (now: number) => {
      const share = Math.min(1, (now - began) / COUNTING_MS);
      setShown(share === 1 ? cents : from + Math.round(((cents - from) * share) / 100) * 100);
      if (share < 1) frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, [cents]);
  return <>{money(shown)}</>;
}
