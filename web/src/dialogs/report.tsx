/** Reporting an irregularity: what was seen, with the facts that its ruling needs. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { t, words, type Word } from "../lang";
import { betName } from "../parts/lines";
import { Dialog } from "../parts/frame";
import type { Command, Table } from "../table";
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
const WINDOWS: Record<string, Word> = { "four-cards": "after four cards", "player-third": "after Player's third card" };

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
    <Dialog title={t("Report an irregularity")} onClose={onClose} wide>
      <form class="report" onSubmit={send}>
        <fieldset class="situations">
          <legend>{t("What was seen?")}</legend>
          {[...Object.values(sheet.irregularities).map((each) => [each.id, words(sheet, each.situation), each.rule] as const), [ELSE, t("Anything that no paragraph answers"), ""] as const].map(
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
            <legend>{t("The facts")}</legend>
            <Fields needs={needs} snapshot={snapshot} sheet={sheet} />
            <label>{t("Note")} <input name="note" maxLength={500} /></label>
          </fieldset>
        )}
        {refused && <p role="alert" class="loss" data-test="report-refused">{refused.message}</p>}
        <button type="submit" class="gold" disabled={!situation} data-test="report-send">{t("Report")}</button>
      </form>
    </Dialog>
  );
}

function Fields({ needs, snapshot, sheet }: { needs: string[]; snapshot: Snapshot; sheet: Sheet }): JSX.Element {
  const bets = snapshot.bets ?? [];
  const says = (place: number) => {
    const bet = bets[place]!;
    return `${t("Box {n}", { n: bet.box })} ${snapshot.patrons?.[bet.patron ?? ""] ?? bet.patron}: ${betName(sheet, bet.on)}`;
  };
  const originals = bets.map((bet, place) => ({ bet, place })).filter(({ bet }) => sheet.bets[bet.on]?.hand);
  return (
    <>
      {needs.includes("cards") && (
        <label>
          {t("All cards of the round, in the order they left the shoe")}
          <input name="cards" placeholder="5h Kd 6s 2c 9h" defaultValue={snapshot.cards.map(({ card }) => card ?? "").join(" ")} spellcheck={false} />
        </label>
      )}
      {needs.includes("reconstructible") && (
        <label>
          {t("Can the cards be put back in order?")}
          <select name="reconstructible"><option value="" /><option value="yes">{t("Yes")}</option><option value="no">{t("No")}</option></select>
        </label>
      )}
      {needs.includes("hand") && (
        <label>
          {t("Hand with the wrong number of cards")}
          <select name="hand"><option value="" /><option value="player">{t("Player")}</option><option value="banker">{t("Banker")}</option></select>
        </label>
      )}
      {needs.includes("bet") && (
        <label>
          {t("Bet")}
          <select name="bet"><option value="" />{bets.map((_, place) => <option key={place} value={place}>{says(place)}</option>)}</select>
        </label>
      )}
      {needs.includes("patron") && (
        <label>
          {t("Patron")}
          <select name="patron"><option value="" />{Object.entries(snapshot.patrons ?? {}).map(([id, name]) => <option key={id} value={id}>{name}</option>)}</select>
        </label>
      )}
      {needs.includes("window") && (
        <label>
          {t("Window")}
          <select name="window">{Object.entries(WINDOWS).map(([id, word]) => <option key={id} value={id}>{t(word)}</option>)}</select>
        </label>
      )}
      {needs.includes("claims") && (
        <fieldset>
          <legend>{t("Who had meant to insure")}</legend>
          {originals.map(({ place }) => <label key={place}><input type="checkbox" name="claims" value={place} /> {says(place)}</label>)}
        </fieldset>
      )}
      {needs.includes("round") && <label>{t("Round")} <input name="round" type="number" min={1} max={Math.max(1, snapshot.round - 1)} /></label>}
    </>
  );
}
