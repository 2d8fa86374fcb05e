/** Every movement of one's credits, with the balance before and after. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { download } from "../api";
import { money, signed } from "../money";
import { Dialog } from "../parts/frame";
import { moment, refusalText, t, word, type Word } from "../texts";
import type { Cents } from "../types";
import { useFetch } from "../use";

interface Movement {
  place: string;
  at: number;
  reason: Word<"movement">;
  table: string | null;
  round: number | null;
  cents: Cents;
  before: Cents;
  after: Cents;
}

const PAGE = 100;

export function Statement({ onClose }: { onClose: () => void }): JSX.Element {
  const [before, setBefore] = useState<string | null>(null);
  const { data, problem } = useFetch<Movement[]>(`/api/me/statement?limit=${PAGE}${before ? `&before=${before}` : ""}`, "patron");
  const movements = data ?? [];
  const oldest = movements.length === PAGE ? movements[PAGE - 1]?.place : undefined;
  return (
    <Dialog title={t("statement")} onClose={onClose} wide>
      {problem && <p role="alert">{refusalText(problem)}</p>}
      {data && !movements.length && <p>{t("no-movements")}</p>}
      <table class="pays" data-test="statement">
        <thead>
          <tr><th>{t("time")}</th><th>{t("what")}</th><th class="spare">{t("table")}</th><th>{t("round")}</th><th>{t("amount")}</th><th class="spare">{t("before")}</th><th>{t("after")}</th></tr>
        </thead>
        <tbody>
          {movements.map((each) => (
            <tr key={each.place}>
              <td>{moment(each.at)}</td>
              <td>{word("movement", each.reason)}</td>
              <td class="spare">{each.table}</td>
              <td class="number">{each.round}</td>
              <td class={`number ${each.cents < 0 ? "loss" : "gain"}`}>{signed(each.cents)}</td>
              <td class="number spare">{money(each.before)}</td>
              <td class="number">{money(each.after)}</td>
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
