/** A table as the one at the pit desk sees it, and what they do with it. */
import { useState } from "preact/hooks";
import { post, problemText, type Problem } from "./api";
import { useFetch } from "./hooks";
import type { Command, Sheet, Snapshot } from "./wire";

interface DeskTable {
  snapshot: Snapshot | null;
  /** Why it cannot be seen. */
  problem: Problem | null;
  refused: string | null;
  onSend: (command: Command) => void;
  act: (path: string, body: unknown) => void;
}

/** The table is asked for again when its log has gone on, as the floor tells by its sequence number. */
export function useDeskTable(table: string, sheet: Sheet | null, seq: number | undefined): DeskTable {
  const { data, problem, refetch } = useFetch<Snapshot>(`/api/tables/${table}`, "staff", 0, seq);
  const [refused, setRefused] = useState<string | null>(null);
  const done = (refusal: string | null) => {
    setRefused(refusal);
    refetch();
  };
  const act = (path: string, body: unknown) =>
    void post(path, "staff", body).then(
      () => done(null),
      (error: unknown) => done(problemText(error, sheet ?? undefined)),
    );
  return { snapshot: data, problem, refused, onSend: (command) => act(`/api/tables/${table}/commands`, command), act };
}
