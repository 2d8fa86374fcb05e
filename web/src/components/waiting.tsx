/** What stands in the place of an answer: that it is awaited, or why there is none. */
import type { JSX } from "preact";
import { problemText, type Problem } from "../api";
import { t } from "../texts";

export function Waiting({ problem, text = t("connecting") }: { problem: Problem | null; text?: string }): JSX.Element {
  return problem ? <p role="alert" class="loss" data-test="problem">{problemText(problem)}</p> : <p>{text}</p>;
}
