/** The promise of the shoe in play, to be noted down before the first bet, and the record of the one before it. */
import type { JSX } from "preact";
import { download } from "../api";
import { t } from "../lang";
import { Dialog } from "../parts/frame";
import type { Snapshot } from "../types";

type Shoe = NonNullable<Snapshot["shoe"]>;

export function Promised({ table, shoe, onClose }: { table: string; shoe: Shoe; onClose: () => void }): JSX.Element {
  const before = shoe.number - 1;
  return (
    <Dialog title={t("Promise of shoe {n}", { n: shoe.number })} onClose={onClose}>
      <p>{t("The order of this shoe was fixed before its first bet. This is its mark; nobody can change a card of it without the mark changing.")}</p>
      <p><code class="promise" data-test="promise">{shoe.commitment}</code></p>
      <p>{t("When the shoe is over its order is published. Anyone can hold it against the mark:")}</p>
      <p><code>punto verify-shoe {shoe.number}.json --commitment {shoe.commitment?.slice(0, 8)}…</code></p>
      {before > 0 && (
        <button type="button" class="quiet" data-test="published" onClick={() => void download(`/api/tables/${table}/shoes/${before}`, "patron", `${before}.json`)}>
          {t("Save the record of shoe {n}", { n: before })}
        </button>
      )}
    </Dialog>
  );
}
