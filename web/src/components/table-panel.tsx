/** One table under the hand of the pit desk: its limits, its play, its people, and what may be put right there. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { addressOf } from "../base";
import { choiceOf, waysTo, type WayTo } from "../choices";
import { useDeskTable } from "../desk-table";
import { setUpAgain } from "../dialogs/table-form";
import { useSheet } from "../hooks";
import { moneyIn } from "../field-readers";
import { money } from "../money";
import { betName, commandName, maximumName, patronName, refusalText, sheetWords, t, text, word } from "../texts";
import type { Command, FloorTable, Sheet, Snapshot } from "../wire";
import { Field } from "./field";
import { CommandButtons, Form } from "./forms";
import { LiveValues } from "./live-values";
import { Dialog } from "./page-frame";
import { Waiting } from "./waiting";

/** What staff may put right at a table on their own authority. */
const CORRECTIONS = ["correct-cards", "correct-round", "replace-shoe"] as const;

interface Props {
  row: FloorTable;
  part: "controls" | "values";
  onRecall: () => void;
  onClose: () => void;
}

export function TablePanel({ row, part, onRecall, onClose }: Props): JSX.Element {
  const sheet = useSheet(row.game);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.scrollIntoView({ block: "nearest" }), [part]);
  return (
    <article ref={panel} class="floor-table" aria-label={row.name}>
      <header>
        <h3>{row.name}<small>{sheet && sheetWords(sheet, sheet.title)}{row.mode && ` · ${word("mode", row.mode)}`}</small></h3>
        <span class={`state ${row.phase}`}>{text("phases", row.phase)}</span>
        <a href={addressOf(`/dealer/${row.table}`)}>{t("console")}</a>
        <a href={addressOf(`/board/${row.table}`)}>{t("board")}</a>
        <button type="button" class="quiet" onClick={onRecall} data-test="recall">{t("past-rounds")}</button>
        <button type="button" class="quiet" aria-label={t("close")} onClick={onClose}>✕</button>
      </header>
      {part === "values" && <h4>{t("live-values")}</h4>}
      {part === "values" ? <LiveValues id={row.table} game={row.game} version={`${row.shoe} ${row.dealt}`} /> : <Controls row={row} sheet={sheet} />}
    </article>
  );
}

function Controls({ row, sheet }: { row: FloorTable; sheet: Sheet | null }): JSX.Element {
  const { snapshot, problem, refused, onSend, act } = useDeskTable(row.table, sheet, row.seq);
  const [closing, setClosing] = useState(false);
  if (!snapshot || !sheet) return <Waiting problem={problem} />;
  const again = snapshot.phase === "not-open" ? setUpAgain(snapshot) : null;
  const { patrons, duty = [] } = snapshot;
  const staff = Object.fromEntries(duty.map((each) => [each.id, each.name]));
  const insurance = ({ patron, offered }: WayTo<"change-insurance">) => {
    const name = patronName(patrons, patron ?? "");
    return offered ? t("insurance-on", { name }) : t("insurance-off", { name });
  };
  return (
    <div class="controls">
      <section aria-label={t("limits")}>
        <h4>{t("limits")}</h4>
        <Limits snapshot={snapshot} sheet={sheet} onSend={onSend} />
      </section>
      <section aria-label={t("play")}>
        <h4>{t("play")}</h4>
        {row.play_suspended !== null && <p class="calm">{t("play-suspended-because", { reason: row.play_suspended })}</p>}
        <div class="buttons">
          {again && <button type="button" class="gold" data-test="reopen" onClick={() => act("/api/tables", again)}>{t("open-the-table")}</button>}
          <CommandButtons kind="suspend-play" snapshot={snapshot} onSend={onSend} />
          <CommandButtons kind="resume-play" snapshot={snapshot} onSend={onSend} />
          {waysTo(snapshot, "close-table").length > 0 && <button type="button" class="warn" data-test="close-table" onClick={() => setClosing(true)}>{commandName("close-table")}</button>}
          <CommandButtons kind="change-insurance" label={insurance} snapshot={snapshot} onSend={onSend} />
        </div>
        {again && <p class="hint">{t("reopening-does")}</p>}
      </section>
      <section aria-label={t("on-duty")}>
        <h4>{t("on-duty")}</h4>
        <ul data-test="duty">
          {duty.map(({ id, name, role, position }) => <li key={id}>{name} ({word("role", position)}{position === role ? "" : ` ← ${word("role", role)}`})</li>)}
          {duty.length === 0 && <li class="calm">{t("nobody-on-duty")}</li>}
        </ul>
        <div class="buttons">
          <CommandButtons kind="come-on-duty" snapshot={snapshot} onSend={onSend} />
          <CommandButtons kind="go-off-duty" snapshot={snapshot} onSend={onSend} />
          <CommandButtons kind="assign-position" snapshot={snapshot} patrons={{ ...patrons, ...staff }} onSend={onSend} />
        </div>
      </section>
      <section aria-label={t("corrections")}>
        <h4>{t("corrections")}</h4>
        <div class="buttons">
          {CORRECTIONS.map((kind) => <CommandButtons key={kind} kind={kind} snapshot={snapshot} patrons={patrons} onSend={onSend} />)}
        </div>
        <NotNow snapshot={snapshot} sheet={sheet} />
      </section>
      {refused && <p role="alert" class="loss">{refused}</p>}
      {closing && (
        <Dialog title={t("close-table-named", { table: row.name })} onClose={() => setClosing(false)}>
          <p>{t("closing-does")}</p>
          <p>{t("seated-now", { n: row.seats_taken })}</p>
          <div class="buttons">
            <button type="button" class="warn" data-test="close-table-confirm" onClick={() => { setClosing(false); onSend({ kind: "close-table" }); }}>{commandName("close-table")}</button>
            <button type="button" onClick={() => setClosing(false)}>{t("keep-open")}</button>
          </div>
        </Dialog>
      )}
    </div>
  );
}

/** Why something cannot be done now, for those who look for it. */
function NotNow({ snapshot, sheet }: { snapshot: Snapshot; sheet: Sheet }): JSX.Element | null {
  const refused = ([...CORRECTIONS, "close-table", "change-limits"] as const).flatMap((kind) => {
    const { refusal } = choiceOf(snapshot, kind);
    return refusal ? [{ kind, refusal }] : [];
  });
  if (!refused.length) return null;
  return (
    <details class="not-now">
      <summary>{t("not-possible-now")}</summary>
      <ul>{refused.map(({ kind, refusal }) => <li key={kind}><b>{commandName(kind)}</b> {refusalText(refusal, sheet)}</li>)}</ul>
    </details>
  );
}

/** The limits of now and, between rounds, new ones for the rounds to come. */
function Limits({ snapshot, sheet, onSend }: { snapshot: Snapshot; sheet: Sheet; onSend: (command: Command) => void }): JSX.Element | null {
  const { limits } = snapshot.table;
  if (!limits) return null;
  const send = (form: FormData) => {
    const sides = limits.sides.map(({ on }) => ({ on, minimum_cents: moneyIn(form, `${on}-minimum`), maximum_cents: moneyIn(form, `${on}-maximum`) }));
    onSend({ kind: "change-limits", minimum_cents: moneyIn(form, "minimum"), differential_cents: moneyIn(form, "differential"), sides });
  };
  const shared = (name: string, value: number) => ({ name, kind: "money", required: true, start: money(value) }) as const;
  return (
    <>
      <dl class="facts-list" data-test="limits-now">
        <div><dt>{t("minimum")}</dt><dd>{money(limits.minimum_cents)}</dd></div>
        <div><dt>{maximumName(sheet)}</dt><dd>{money(limits.differential_cents)}</dd></div>
        {limits.sides.map(({ on, minimum_cents, maximum_cents }) => <div key={on}><dt>{betName(sheet, on)}</dt><dd>{money(minimum_cents)}–{money(maximum_cents)}</dd></div>)}
      </dl>
      {waysTo(snapshot, "change-limits").length > 0 && (
        <details data-test="change-limits">
          <summary>{commandName("change-limits")}</summary>
          <Form name="limits" class="limits-form" onSubmit={send}>
            <Field key={`minimum ${limits.minimum_cents}`} {...shared("minimum", limits.minimum_cents)} label={t("minimum")} minimum={1} />
            <Field key={`differential ${limits.differential_cents}`} {...shared("differential", limits.differential_cents)} label={maximumName(sheet)} minimum={1} />
            {limits.sides.map(({ on, minimum_cents, maximum_cents }) => (
              <fieldset key={`${on} ${minimum_cents} ${maximum_cents}`}>
                <legend>{betName(sheet, on)}</legend>
                <Field {...shared(`${on}-minimum`, minimum_cents)} label="" spoken={`${betName(sheet, on)}, ${t("side-bets-from")}`} />
                <span>–</span>
                <Field {...shared(`${on}-maximum`, maximum_cents)} label="" spoken={`${betName(sheet, on)}, ${t("side-bets-to")}`} />
              </fieldset>
            ))}
            <button type="submit" class="gold" data-test="change-limits-send">{commandName("change-limits")}</button>
          </Form>
        </details>
      )}
    </>
  );
}
