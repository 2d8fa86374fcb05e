/** Every box: who sits and stands there, what is bet on it, and what in all. */
import type { JSX } from "preact";
import { commandOf, waysTo, type WayTo } from "../choices";
import { CommandButtons } from "../components/forms";
import type { TableView } from "../hooks";
import { money } from "../money";
import { betName, isCash, narrationText, patronName, t } from "../texts";
import type { BoxView, BoxWarning, Command, Hand, Sheet, Snapshot } from "../wire";

/** With more bets than this, their columns are narrow. */
const MANY = 6;

/** The bets that have a column: those of the sheet, and insurance where there is any. */
function columnsOf(sheet: Sheet, boxes: readonly BoxView[]): { id: string; hand: string }[] {
  const insured = (sheet.insurance?.bets ?? []).filter(({ id }) => boxes.some(({ totals_cents }) => totals_cents[id]));
  return [...Object.values(sheet.bets), ...insured].map(({ id, hand }) => ({ id, hand: hand ?? "" }));
}

/** What puts bets outside the limits right, and how it is called for one and for all. */
const REMEDIES = [
  { kind: "put-right", one: ({ problem }: BoxWarning) => (problem === "over-differential" ? t("reject-excess") : t("ask-to-raise")), all: () => t("put-all-right") },
  { kind: "return-low-bet", one: () => t("return-low-bet"), all: () => t("return-all-low-bets") },
] as const;

/** Whether a way is about just the box or bet of a warning. */
const isAbout = (way: WayTo<"put-right">, { box, patron, on }: BoxWarning): boolean => way.box === box && (way.patron ?? "") === (patron ?? "") && (way.on ?? "") === (on ?? "");

/** What should be looked at before bets close. */
export const warningsOf = (snapshot: Snapshot): readonly BoxWarning[] => waysTo(snapshot, "close-bets")[0]?.warnings ?? [];

/** The warnings, each with its remedy in one tap, one tap for all, and the call that was made all the same. */
export function Warnings({ snapshot, sheet, send }: TableView & { send: (command: Command) => void }): JSX.Element | null {
  const warnings = warningsOf(snapshot);
  if (!warnings.length) return null;
  return (
    <section class="panel warnings" role="alert">
      <h2>{t("check-before-close")}</h2>
      <ul data-test="warnings">
        {warnings.map((warning, place) => (
          <li key={place}>
            <span>{narrationText("warning", { ...warning, patron: warning.patron && patronName(snapshot.patrons, warning.patron) }, sheet)}{warning.rule && ` ¶ ${warning.rule}`}</span>
            {REMEDIES.flatMap(({ kind, one }) => waysTo(snapshot, kind).filter((way) => isAbout(way, warning)).map((way) => (
              <button key={kind} type="button" data-test={`${kind}-${place}`} onClick={() => send(commandOf(kind, way, {}))}>{one(warning)}</button>
            )))}
          </li>
        ))}
      </ul>
      <div class="for-all">
        {REMEDIES.flatMap(({ kind, all }) => waysTo(snapshot, kind).filter(({ box }) => box == null).map((way) => (
          <button key={kind} type="button" class="gold" data-test={`${kind}-all`} onClick={() => send(commandOf(kind, way, {}))}>{all()}</button>
        )))}
        <CommandButtons snapshot={snapshot} kind="close-bets" fits={({ inputs = [] }) => inputs.length > 0} label={() => t("called-all-the-same")} onSend={send} />
      </div>
    </section>
  );
}

interface Props extends TableView {
  selected: number | null;
  onSelect: (box: number | null) => void;
}

export function Boxes({ snapshot, sheet, selected, onSelect }: Props): JSX.Element {
  const { boxes, totals_cents: inAll, total_cents: total } = snapshot;
  const bets = columnsOf(sheet, boxes);
  const warnings = warningsOf(snapshot);
  const isWarned = (box: number, on: string) => warnings.some((warning) => warning.box === box && (warning.on == null || warning.on === on));
  const hasCash = (box: number) => snapshot.bets?.some((bet) => bet.box === box && isCash(bet.patron ?? ""));
  const amount = (cents: number) => (cents ? money(cents) : "");
  const knowsDifferential = !!sheet.limits;
  /** How far the bets on one hand of a box are ahead of those on the other, and of which. */
  const lead = (totals: BoxView["totals_cents"]) => {
    const on = (hand: Hand) => Object.values(sheet.bets).reduce((sum, bet) => sum + (bet.hand === hand ? (totals[bet.id] ?? 0) : 0), 0);
    const ahead = on("player") - on("banker");
    return { cents: Math.abs(ahead), hand: ahead > 0 ? "player" : ahead < 0 ? "banker" : "" };
  };
  return (
    <section class="panel boxes-panel">
      <table class={`box-table ${bets.length > MANY ? "many" : ""}`} data-test="boxes" aria-label={t("boxes")}>
        <thead>
          <tr>
            <th scope="col">{t("box")}</th>
            <th scope="col">{t("patrons")}</th>
            {bets.map(({ id, hand }) => <th key={id} scope="col" class={`number ${hand}`}>{betName(sheet, id)}</th>)}
            {knowsDifferential && <th scope="col" class="number">{t("differential-of-box")}</th>}
            <th scope="col" class="number">{t("total")}</th>
          </tr>
        </thead>
        <tbody>
          {boxes.map(({ box, seated, standing_names = [], totals_cents, total_cents }) => (
            <tr key={box} class={`${selected === box ? "selected" : ""} ${warnings.some((warning) => warning.box === box) ? "warned" : ""}`} data-test={`box-${box}`} onClick={() => onSelect(selected === box ? null : box)}>
              <th scope="row"><button type="button" aria-pressed={selected === box} aria-label={t("box-number", { box })} data-test={`select-box-${box}`}>{box}</button></th>
              <td class="who">
                <span class={seated ? "" : "free"}>{seated ?? (hasCash(box) ? t("cash") : t("free"))}</span>
                {standing_names.length > 0 && <small title={standing_names.join(", ")}>+ {standing_names.join(", ")}</small>}
              </td>
              {bets.map(({ id, hand }) => <td key={id} class={`number ${hand} ${totals_cents[id] && isWarned(box, id) ? "over" : ""}`} data-test={`total-${box}-${id}`} data-name={betName(sheet, id)}>{amount(totals_cents[id] ?? 0)}</td>)}
              {knowsDifferential && <td class={`number ${lead(totals_cents).hand} ${lead(totals_cents).cents > (snapshot.table.limits?.differential_cents ?? Infinity) ? "over" : ""}`} data-test={`differential-${box}`} data-name={t("differential-of-box")}>{amount(lead(totals_cents).cents)}</td>}
              <td class="number total">{amount(total_cents)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={2}>{t("in-all")}</th>
            {bets.map(({ id, hand }) => <td key={id} class={`number ${hand}`} data-test={`total-${id}`} data-name={betName(sheet, id)}>{amount(inAll[id] ?? 0)}</td>)}
            {knowsDifferential && <td />}
            <td class="number total" data-test="total">{amount(total)}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}
