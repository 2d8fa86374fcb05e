/** What a command would do: asked of the table, which does nothing of it. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { post, problemText } from "../api";
import { eventTexts } from "../event-texts";
import type { TableView } from "../hooks";
import { t } from "../texts";
import type { Command, Preview } from "../wire";
import { WithCards } from "./card-picker";
import { Effect } from "./effect";

const WAIT_MS = 300;

interface Answer {
  lines: readonly string[];
  effect: Preview["effect"] | null;
}

/** What was asked last, and its answer. It is asked again when the command or the table changes. */
export function CommandPreview({ id, command, sheet, snapshot }: TableView & { id: string; command: Command }): JSX.Element | null {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const body = JSON.stringify(command);
  useEffect(() => {
    let current = true;
    const ask = () =>
      post<Preview>(`/api/tables/${id}/preview`, "staff", JSON.parse(body)).then(
        ({ events, effect = null }) => current && setAnswer({ lines: eventTexts(events, sheet, snapshot.patrons), effect }),
        (error: unknown) => current && setAnswer({ lines: [problemText(error, sheet)], effect: null }),
      );
    const timer = setTimeout(ask, WAIT_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [body, snapshot.seq]);
  if (!answer) return null;
  return (
    <section class="preview" aria-live="polite" data-test="preview">
      <h3>{t("what-would-happen")}</h3>
      <ul>{answer.lines.map((line, place) => <li key={place}><WithCards text={line} /></li>)}</ul>
      {answer.effect && <Effect {...answer.effect} />}
    </section>
  );
}
