/** The commitment to the shoe in play, to be noted down before the first bet, and the record of the shoe before it. */
import type { JSX } from "preact";
import { download } from "../api";
import { Dialog } from "../components/page-frame";
import { t } from "../texts";
import type { ShoeView } from "../wire";

export function ShoeCommitment({ table, shoe, onClose }: { table: string; shoe: ShoeView; onClose: () => void }): JSX.Element {
  const before = shoe.number - 1;
  return (
    <Dialog title={t("commitment-of-shoe", { shoe: shoe.number })} onClose={onClose}>
      <p>{t("commitment-meaning")}</p>
      <p><code class="commitment" data-test="commitment">{shoe.commitment}</code></p>
      <p>{t("commitment-check")}</p>
      <p><code>punto verify-shoe {shoe.number}.json --commitment {shoe.commitment?.slice(0, 8)}…</code></p>
      {before > 0 && (
        <button type="button" class="quiet" data-test="published" onClick={() => void download(`/api/tables/${table}/shoes/${before}`, "patron", `${before}.json`)}>
          {t("save-shoe", { shoe: before })}
        </button>
      )}
    </Dialog>
  );
}
