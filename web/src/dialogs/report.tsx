/** Reporting an irregularity: what was seen, with the facts that its ruling needs. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Dialog } from "../parts/frame";
import type { Command, Table } from "../table";
import { betName, refusalText, sheetWords, t, word } from "../texts";
import type { Refused, Sheet, Snapshot } from "../types";

/** The facts each ruling asks for, as the table does. */
const NEEDS: Record<string, string[]> = {
  reconstruct: ["cards", "reconstructible", "hand"],
  "order-cards": ["cards"],
  "return-original": ["window", "claims"],
  "raise-or-withdraw": ["bet"],
  "no-effect": ["round"],
  settle: ["patron"],
  void: ["reconstructible"],
};
const ELSE = "anything-else";
const HANDS = ["player", "banker"] as const;
const WINDOWS = ["four-cards", "player-third"] as const;

interface Props {
  table: Table;
  snapshot: Snapshot;
  sheet: Sheet;
  onClose: () => void;
}

/** The facts of the form as the command has them; what was left empty is left out. */
function factsOf(form: FormData, snapshot: Snapshot): Record<string, unknown> {
  const facts: Record<string, unknown> = {};
  const text = (name: string) => String(form.get(name) ?? "").trim();
  if (text("cards")) facts["cards"] = text("cards").replaceAll(",", " ").replace(/\s+/g, " ");
  if (text("reconstructible")) facts["reconstructible"] = text("reconstructible") === "yes";
  for (const name of ["hand", "window", "patron", "note"]) if (text(name)) facts[name] = text(name);
  if (text("round")) facts["round"] = Number(text("round"));
  const bets = snapshot.bets ?? [];
  const bet = bets[Number(text("bet") || -1)];
  if (bet) Object.assign(facts, { patron: bet.patron, box: bet.box, on: bet.on });
  const claims = form.getAll("claims").map((place) => bets[Number(place)]!);
  if (claims.length) facts["claims"] = claims.map(({ patron, box, on }) => ({ patron, box, hand: on }));
  return facts;
}

export function ReportDialog({ table, snapshot, sheet, onClose }: Props): JSX.Element {
  const [situation, setSituation] = useState("");
  const [refused, setRefused] = useState<Refused | null>(null);
  const chosen = sheet.irregularities[situation];
  const needs = chosen ? (NEEDS[chosen.ruling] ?? []) : [];
  const send = async (event: JSX.TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const facts = factsOf(new FormData(event.currentTarget), snapshot);
    const command: Command = { kind: "report", situation, facts };
    const answer = await table.send(command);
    setRefused(answer);
    if (!answer) onClose();
  };
  return (
    <Dialog title={t("report-incident")} onClose={onClose} wide>
      <form class="report" onSubmit={send}>
        <fieldset class="situations">
          <legend>{t("what-happened")}</legend>
          {[...Object.values(sheet.irregularities).map((each) => [each.id, sheetWords(sheet, each.situation), each.rule] as const), [ELSE, t("anything-else"), ""] as const].map(
            ([id, says, rule]) => (
              <label key={id}>
                <input type="radio" name="situation" value={id} checked={situation === id} onChange={() => setSituation(id)} data-test={`situation-${id}`} />
                <span>{says}</span> <small>{rule}</small>
              </label>
            ),
          )}
        </fieldset>
        {situation && (
          <fieldset class="facts">
            <legend>{t("the-facts")}</legend>
            <Fields needs={needs} snapshot={snapshot} sheet={sheet} />
            <label>{t("note")} <input name="note" maxLength={500} /></label>
          </fieldset>
        )}
        {refused && <p role="alert" class="loss" data-test="report-refused">{refusalText(refused, sheet)}</p>}
        <button type="submit" class="gold" disabled={!situation} data-test="report-send">{t("report")}</button>
      </form>
    </Dialog>
  );
}

function Fields({ needs, snapshot, sheet }: { needs: string[]; snapshot: Snapshot; sheet: Sheet }): JSX.Element {
  const bets = snapshot.bets ?? [];
  const says = (place: number) => {
    const bet = bets[place]!;
    return `${t("box-number", { box: bet.box })} ${snapshot.patrons?.[bet.patron ?? ""] ?? bet.patron}: ${betName(sheet, bet.on)}`;
  };
  const originals = bets.map((bet, place) => ({ bet, place })).filter(({ bet }) => sheet.bets[bet.on]?.hand);
  return (
    <>
      {needs.includes("cards") && (
        <label>
          {t("cards-of-round")}
          <input name="cards" placeholder="5h Kd 6s 2c 9h" defaultValue={snapshot.cards.map(({ card }) => card ?? "").join(" ")} spellcheck={false} />
        </label>
      )}
      {needs.includes("reconstructible") && (
        <label>
          {t("reconstructible")}
          <select name="reconstructible"><option value="" /><option value="yes">{t("yes")}</option><option value="no">{t("no")}</option></select>
        </label>
      )}
      {needs.includes("hand") && (
        <label>
          {t("hand-at-fault")}
          <select name="hand"><option value="" />{HANDS.map((hand) => <option key={hand} value={hand}>{word("hand", hand)}</option>)}</select>
        </label>
      )}
      {needs.includes("bet") && (
        <label>
          {t("bet")}
          <select name="bet"><option value="" />{bets.map((_, place) => <option key={place} value={place}>{says(place)}</option>)}</select>
        </label>
      )}
      {needs.includes("patron") && (
        <label>
          {t("patron")}
          <select name="patron"><option value="" />{Object.entries(snapshot.patrons ?? {}).map(([id, name]) => <option key={id} value={id}>{name}</option>)}</select>
        </label>
      )}
      {needs.includes("window") && (
        <label>
          {t("window")}
          <select name="window">{WINDOWS.map((window) => <option key={window} value={window}>{word("window", window)}</option>)}</select>
        </label>
      )}
      {needs.includes("claims") && (
        <fieldset>
          <legend>{t("who-meant-to-insure")}</legend>
          {originals.map(({ place }) => <label key={place}><input type="checkbox" name="claims" value={place} /> {says(place)}</label>)}
        </fieldset>
      )}
      {needs.includes("round") && <label>{t("round")} <input name="round" type="number" min={1} max={Math.max(1, snapshot.round - 1)} /></label>}
    </>
  );
}
