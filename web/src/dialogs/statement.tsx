/** Every movement of one's credits, with the balance before and after. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { download, problemText } from "../api";
import { DataTable, type Column } from "../components/data-table";
import { Dialog } from "../components/page-frame";
import { useFetch } from "../hooks";
import { money, signed } from "../money";
import { moment, t, wordFor } from "../texts";
import type { Movement, Person } from "../wire";

const PAGE = 100;

/** What moved, and who of the staff moved it. */
function madeBy({ reason, by }: Movement): string {
  const [role, person] = by?.split(":") ?? [];
  return person ? t("movement-by-staff", { movement: reason, person, role: role as Person["role"] }) : wordFor("movement", reason);
}

export function Statement({ onClose }: { onClose: () => void }): JSX.Element {
  const [before, setBefore] = useState<string | null>(null);
  const { data, problem } = useFetch<Movement[]>(`/api/me/statement?limit=${PAGE}${before ? `&before=${before}` : ""}`, "patron");
  const movements = data ?? [];
  const oldest = movements.length === PAGE ? movements[PAGE - 1]?.place : undefined;
  const columns: Column<Movement>[] = [
    { title: t("time"), cell: ({ at_ms }) => moment(at_ms) },
    { title: t("what"), cell: madeBy },
    { title: t("table"), cell: ({ table }) => table, spare: true },
    { title: t("round"), cell: ({ round }) => round, class: "number" },
    { title: "¶", cell: ({ rule }) => rule, class: "rule", spare: true },
    { title: t("amount"), cell: ({ amount_cents }) => signed(amount_cents), class: ({ amount_cents }) => (amount_cents < 0 ? "number loss" : "number gain") },
    { title: t("before"), cell: ({ before_cents }) => money(before_cents), class: "number", spare: true },
    { title: t("after"), cell: ({ after_cents }) => money(after_cents), class: "number" },
    { title: t("debt"), cell: ({ owed_cents }) => owed_cents !== 0 && signed(owed_cents), class: "number" },
  ];
  return (
    <Dialog title={t("statement")} onClose={onClose} wide>
      {problem && <p role="alert">{problemText(problem)}</p>}
      {data && !movements.length && <p>{t("no-movements")}</p>}
      <DataTable rows={movements} columns={columns} test="statement" />
      {before && <button type="button" class="quiet" onClick={() => setBefore(null)}>{t("newest")}</button>}
      {oldest && <button type="button" class="quiet" onClick={() => setBefore(oldest)} data-test="older">{t("older")}</button>}
      <button type="button" class="quiet" onClick={() => void download("/api/me/statement.csv", "patron")}>{t("save-as-csv")}</button>
    </Dialog>
  );
}
