/** Every movement of one's credits, with the balance before and after. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { download, problemText } from "../api";
import { money, signed } from "../money";
import { Dialog } from "../parts/frame";
import { moment, t, wordFor } from "../texts";
import { useFetch } from "../use";
import type { Movement } from "../wire";

const PAGE = 100;

export function Statement({ onClose }: { onClose: () => void }): JSX.Element {
  const [before, setBefore] = useState<string | null>(null);
  const { data, problem } = useFetch<Movement[]>(`/api/me/statement?limit=${PAGE}${before ? `&before=${before}` : ""}`, "patron");
  const movements = data ?? [];
  const oldest = movements.length === PAGE ? movements[PAGE - 1]?.place : undefined;
  return (
    <Dialog title={t("statement")} onClose={onClose} wide>
      {problem && <p role="alert">{problemText(problem)}</p>}
      {data && !movements.length && <p>{t("no-movements")}</p>}
      <table class="pays" data-test="statement">
        <thead>
          <tr><th>{t("time")}</th><th>{t("what")}</th><th class="spare">{t("table")}</th><th>{t("round")}</th><th>{t("amount")}</th><th class="spare">{t("before")}</th><th>{t("after")}</th></tr>
        </thead>
        <tbody>
          {movements.map((each) => (
            <tr key={each.place}>
              <td>{moment(each.at_ms)}</td>
              <td>{wordFor("movement", each.reason)}</td>
              <td class="spare">{each.table}</td>
              <td class="number">{each.round}</td>
              <td class={`number ${each.amount_cents < 0 ? "loss" : "gain"}`}>{signed(each.amount_cents)}</td>
              <td class="number spare">{money(each.before_cents)}</td>
              <td class="number">{money(each.after_cents)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {before && <button type="button" class="quiet" onClick={() => setBefore(null)}>{t("newest")}</button>}
      {oldest && <button type="button" class="quiet" onClick={() => setBefore(oldest)} data-test="older">{t("older")}</button>}
      <button type="button" class="quiet" onClick={() => void download("/api/me/statement.csv", "patron")}>{t("save-as-csv")}</button>
    </Dialog>
  );
}
