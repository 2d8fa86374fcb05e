/** The consoles of the tables where people deal: where a Dealer goes who is at no table. */
import type { JSX } from "preact";
import { addressOf } from "../base";
import { useFetch } from "../hooks";
import { t, text } from "../texts";
import type { TableSummary } from "../wire";
import { Waiting } from "./waiting";

export function Consoles(): JSX.Element {
  const { data, problem } = useFetch<TableSummary[]>("/api/tables", null, 3000);
  if (!data) return <Waiting problem={problem} />;
  const tables = data.filter(({ mode }) => mode === "live");
  return (
    <section class="consoles" aria-label={t("choose-console")}>
      <h2>{tables.length ? t("choose-console") : t("no-console")}</h2>
      {tables.map(({ id, name, phase }) => <a key={id} class="gold" href={addressOf(`/dealer/${id}`)} data-test={`console-${id}`}>{name} <small>{text("phases", phase)}</small></a>)}
      <a class="quiet" href={addressOf("/")}>{t("back-to-tables")}</a>
    </section>
  );
}
