/** What patrons owe to the House. */
import type { JSX } from "preact";
import { money } from "../money";
import { t } from "../texts";
import type { Debt } from "../wire";
import { DataTable, type Column } from "./data-table";

export function Debts({ debts, caption }: { debts: readonly Debt[]; caption?: string }): JSX.Element {
  const columns: Column<Debt>[] = [
    { title: t("patron"), cell: ({ name }) => name, class: "heading" },
    { title: t("amount"), cell: ({ owed_cents }) => money(owed_cents), class: "number" },
  ];
  return <DataTable rows={debts} columns={columns} test="debts" {...(caption ? { caption } : {})} />;
}
