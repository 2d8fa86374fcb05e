/** The chips of a table, each to be tapped. One that cannot be taken keeps the focus, so that no next Enter goes elsewhere. */
import type { JSX } from "preact";
import { money, type Cents } from "../money";
import { t } from "../texts";
import type { TableLimits } from "../wire";
import { Chip } from "./chip";

interface Props {
  limits: TableLimits;
  /** The chip in hand, where one is. */
  inHand?: Cents;
  accepts?: (chip: Cents) => boolean;
  onTap: (chip: Cents) => void;
}

export function ChipRack({ limits, inHand, accepts = () => true, onTap }: Props): JSX.Element {
  return (
    <div class="chips" role="group" aria-label={t("chips")}>
      {limits.chips_cents.map((chip) => (
        <button key={chip} type="button" {...(inHand === undefined ? {} : { "aria-pressed": inHand === chip })} aria-label={money(chip)} aria-disabled={!accepts(chip)} data-test={`chip-${chip}`} onClick={() => accepts(chip) && onTap(chip)}>
          <Chip cents={chip} />
        </button>
      ))}
    </div>
  );
}
