/** The next call, what else may be done now, and the keys that do it. */
import { Fragment, type ComponentChildren, type JSX } from "preact";
import { waysTo } from "../choices";
import { CommandButtons } from "../components/forms";
import type { TableView } from "../hooks";
import { t, wayLabel } from "../texts";
import type { Command } from "../wire";
import { KEYS } from "./keyboard";
import { callName, nextCall } from "./next-call";

interface Props extends TableView {
  /** Whether the next call may be given: not while a command is under way, nor just after one. */
  ready: boolean;
  send: (command: Command) => void;
  onCall: () => void;
}

const Key = ({ children }: { children: ComponentChildren }): JSX.Element => <kbd aria-hidden="true">{children}</kbd>;

/** What belongs to no round: the life of a shoe, and who is on duty. Each is there only when it can be done. */
const FURTHER = ["check-decks", "shuffle-cards", "count-shoe", "come-on-duty", "go-off-duty"] as const;

export function CallBar({ snapshot, sheet, ready, send, onCall }: Props): JSX.Element {
  const call = nextCall(snapshot);
  const { squeeze, shoe } = snapshot;
  const others = waysTo(snapshot, "open-card").filter(({ place }) => call?.kind !== "open-card" || call.place !== place);
  return (
    <div class="calls">
      {squeeze && <p class="asks" role="alert" data-test="squeeze-asked">{t("squeeze-asked", { name: squeeze.name, squeeze: squeeze.what })} ¶ {squeeze.rule}</p>}
      {waysTo(snapshot, "answer-squeeze").map((way) => (
        <button key={String(way.consent)} type="button" class={way.consent ? "gold" : ""} data-test={`answer-squeeze-${way.consent}`} onClick={() => send({ kind: "answer-squeeze", consent: way.consent ?? false })}>
          {wayLabel("answer-squeeze", way)} <Key>{way.consent ? KEYS.consent : KEYS.decline}</Key>
        </button>
      ))}
      {call?.kind === "open-bets" && shoe && !(shoe.checked && shoe.shuffled) && <p class="asks" role="alert" data-test="unprepared">{t("shoe-not-prepared")}</p>}
      {call && (
        <button type="button" class="gold next" disabled={!ready} data-test={call.kind === "open-card" ? `open-card-${call.place}` : call.kind} onClick={onCall}>
          {callName(call, sheet)} <Key>⏎</Key>
        </button>
      )}
      <div class="further">
        {waysTo(snapshot, "cut-card").length > 0 && (
          <button type="button" data-test="cut-card" onClick={() => send({ kind: "cut-card" })}>{t("cut-card")} <Key>{KEYS.cut}</Key></button>
        )}
        <CommandButtons snapshot={snapshot} kind="open-card" fits={(way) => !way.inputs?.length && others.includes(way)} label={({ place }) => t("open-card", { place: place ?? 0 })} onSend={send} />
        {FURTHER.map((kind) => <CommandButtons key={kind} snapshot={snapshot} kind={kind} onSend={send} />)}
      </div>
    </div>
  );
}

/** The keys that no button names. */
export function KeyLegend(): JSX.Element {
  const keys: [keys: string, what: string][] = [
    ["⏎", t("next-call")],
    ["A 2–9 T J Q K", t("rank")],
    ["s h d c", t("suit")],
    ["⌫", t("undo-a-card")],
    [KEYS.paid, t("paid")],
  ];
  return (
    <ul class="legend" aria-label={t("keys")} data-test="legend">
      {keys.map(([names, what]) => <li key={names}>{names.split(" ").map((name) => <Fragment key={name}><kbd>{name}</kbd> </Fragment>)}{what}</li>)}
    </ul>
  );
}
