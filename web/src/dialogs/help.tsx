/** Help at the terminal: how a round goes, what each bet is and pays, and the keys. */
import type { JSX } from "preact";
import { Dialog } from "../components/page-frame";
import type { TableView } from "../hooks";
import { shortcutsOf } from "../shortcuts";
import { betName, sheetWords, t, word } from "../texts";
import type { OfferedBet, Sheet } from "../wire";

export function Help({ sheet, snapshot, onClose }: TableView & { onClose: () => void }): JSX.Element {
  const { face_down, without_insurance } = snapshot.table;
  const insured = sheet.insurance && !without_insurance;
  return (
    <Dialog title={t("help")} onClose={onClose} wide>
      <section class="help" data-test="help">
        <h3>{t("how-a-round-goes")}</h3>
        <ol class="steps">
          <li>{t("help-aim")}</li>
          <li>{t("help-bet")}</li>
          <li>{t("help-cards")}</li>
          {face_down && <li>{t("help-squeeze")}</li>}
          {insured && <li>{t("help-insurance")}</li>}
          <li>{t("help-result")}</li>
        </ol>
        <h3>{t("what-each-bet-is")}</h3>
        <dl class="bets">
          {Object.values(sheet.bets).map((bet) => <BetHelp key={bet.id} bet={bet} sheet={sheet} />)}
        </dl>
        <div class="keys">
          <h3>{t("keyboard")}</h3>
          <ul>
            {shortcutsOf(sheet).map(({ keys, name }) => (
              <li key={name}><span>{keys.map((key, place) => <>{place > 0 && "–"}<kbd>{key}</kbd></>)}</span> {name}</li>
            ))}
          </ul>
        </div>
      </section>
    </Dialog>
  );
}

/** A bet in the words of its sheet: each line with what it pays, and when it comes back. */
function BetHelp({ bet, sheet }: { bet: OfferedBet; sheet: Sheet }): JSX.Element {
  return (
    <div class={bet.hand ?? ""}>
      <dt>{betName(sheet, bet.id)}</dt>
      {bet.pays.map(({ says, odds }) => <dd key={says}><b>{odds}</b> {sheetWords(sheet, says)}</dd>)}
      {bet.returned_rule && <dd><b>{word("bet_result", "returned")}</b> {word("winner", "tie")}</dd>}
    </div>
  );
}
