/** The first bet in three steps, told until it is placed. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { SeatProps } from "../components/felt";
import { t } from "../texts";

const STORED = "punto.has-bet";

export function FirstSteps({ snapshot, controls }: SeatProps): JSX.Element | null {
  const [hasBet, setHasBet] = useState(localStorage.getItem(STORED) === "true");
  const placed = (snapshot.me?.in_play_cents ?? 0) > 0;
  useEffect(() => {
    if (!placed || hasBet) return;
    localStorage.setItem(STORED, "true");
    setHasBet(true);
  }, [placed]);
  if (hasBet || snapshot.phase !== "betting") return null;
  const staged = controls.isStaged.value;
  return (
    <ol class="first-steps" data-test="first-steps">
      <li class={staged ? "done" : ""}>{t("step-chip")}</li>
      <li class={staged ? "done" : "due"}>{t("step-spot")}</li>
      <li class={staged ? "due" : ""}>{t("step-confirm")}</li>
    </ol>
  );
}
