/** A table whose columns say what each of its rows shows. */
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";

export interface Column<Row> {
  title?: ComponentChildren;
  cell: (row: Row) => ComponentChildren;
  /** Of its cells; a `heading` names its row. */
  class?: "" | "heading" | "number" | "chart" | "rule";
  /** What a cell's colour says of its row. */
  tone?: (row: Row) => string;
  /** What rows are sorted by, where its title is pressed: numbers from the most, words from the first. */
  by?: (row: Row) => number | string;
  /** Left out on small screens. */
  spare?: boolean;
  /** Whether its cell reaches over that of the next column too. */
  joins?: (row: Row) => boolean;
}

interface Props<Row> {
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  rowProps?: (row: Row) => JSX.HTMLAttributes<HTMLTableRowElement>;
  class?: string;
  caption?: string;
  test?: string;
}

const compare = (one: number | string, other: number | string): number => (typeof one === "number" && typeof other === "number" ? other - one : String(one).localeCompare(String(other)));

export function DataTable<Row>({ rows, columns, rowProps = () => ({}), class: more = "", caption, test }: Props<Row>): JSX.Element {
  const [sorted, setSorted] = useState<{ at: number; back: boolean } | null>(null);
  const by = sorted && columns[sorted.at]?.by;
  const inOrder = by ? [...rows].sort((one, other) => compare(by(one), by(other)) * (sorted.back ? -1 : 1)) : rows;
  const press = (at: number) => setSorted(sorted?.at !== at ? { at, back: false } : sorted.back ? null : { at, back: true });
  const cell = (row: Row, { cell, class: kind = "", tone, spare, joins }: Column<Row>, place: number) => {
    if (columns[place - 1]?.joins?.(row)) return null;
    const style = `${kind} ${tone?.(row) ?? ""} ${spare ? "spare" : ""}`;
    const shown = cell(row);
    // An empty heading names nothing: the row goes on with what the one above is about.
    return kind === "heading" && shown ? <th key={place} scope="row">{shown}</th> : <td key={place} class={style} colSpan={joins?.(row) ? 2 : 1}>{shown}</td>;
  };
  return (
    <table class={`pays ${more}`} data-test={test}>
      {caption && <caption>{caption}</caption>}
      <thead>
        <tr>
          {columns.map(({ title, class: kind, by, spare }, place) => {
            const style = `${kind === "number" ? kind : ""} ${spare ? "spare" : ""}`;
            if (!title) return <td key={place} class={style} />;
            if (!by) return <th key={place} class={style}>{title}</th>;
            const order = sorted?.at === place ? (typeof rows[0] === "undefined" || (typeof by(rows[0]) === "number") !== sorted.back ? "descending" : "ascending") : "none";
            return <th key={place} class={style} aria-sort={order}><button type="button" class="sorts" onClick={() => press(place)}>{title}</button></th>;
          })}
        </tr>
      </thead>
      <tbody>
        {inOrder.map((row, at) => <tr key={at} {...rowProps(row)}>{columns.map((column, place) => cell(row, column, place))}</tr>)}
      </tbody>
    </table>
  );
}
