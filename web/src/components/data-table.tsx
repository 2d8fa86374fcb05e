/** A table whose columns say what each of its rows shows. */
import type { ComponentChildren, JSX } from "preact";

export interface Column<Row> {
  title?: ComponentChildren;
  cell: (row: Row) => ComponentChildren;
  /** Of its cells; a `heading` names its row. */
  class?: "" | "heading" | "number" | "chart" | "rule";
  /** What a cell's colour says of its row. */
  tone?: (row: Row) => string;
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

export function DataTable<Row>({ rows, columns, rowProps = () => ({}), class: more = "", caption, test }: Props<Row>): JSX.Element {
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
          {columns.map(({ title, class: kind, spare }, place) => {
            const style = `${kind === "number" ? kind : ""} ${spare ? "spare" : ""}`;
            return title ? <th key={place} class={style}>{title}</th> : <td key={place} class={style} />;
          })}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => <tr key={at} {...rowProps(row)}>{columns.map((column, place) => cell(row, column, place))}</tr>)}
      </tbody>
    </table>
  );
}
