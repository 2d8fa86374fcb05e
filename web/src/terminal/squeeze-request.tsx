/** Asking for a squeeze at a face-down table. */
import type { ComponentChildren, JSX } from "preact";
import { waysTo } from "../choices";
import type { SeatProps } from "../components/felt";
import { CommandButtons } from "../components/forms";
import { t } from "../texts";

/** What a patron may ask of the House at a face-down table, and what was asked; where that is nothing, the children. */
export function SqueezeRequest({ snapshot, controls, children }: SeatProps & { children: ComponentChildren }): JSX.Element {
  const { squeeze } = snapshot;
  if (squeeze) return <p class="hint ask">{t("squeeze-asked", { name: squeeze.name, squeeze: squeeze.what })} <small>{squeeze.rule}</small></p>;
  if (!waysTo(snapshot, "ask-squeeze").length) return <>{children}</>;
  return <div class="ask"><CommandButtons snapshot={snapshot} kind="ask-squeeze" onSend={(command) => void controls.send(command)} /></div>;
}
