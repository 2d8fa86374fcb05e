/** "I mis-keyed": the last card taken back, or any card replaced by the one that came. */
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { CardEntry } from "../card-entry";
import { choiceOf, waysTo } from "../choices";
import { Back, Face, spokenName } from "../components/card";
import { CardPad } from "../components/card-picker";
import { CommandPreview } from "../components/command-preview";
import { Dialog } from "../components/page-frame";
import type { TableView } from "../hooks";
import type { LiveTable } from "../live-table";
import { refusalText, t, word } from "../texts";
import type { Command, DealtCard, Refusal, Way } from "../wire";

/** What a card becomes: another card, or null where none came at all. */
type Changes = Readonly<Record<number, string | null>>;

/** The cards as they should have been keyed, with those that wait for the next round; null while a closed one has no name. */
function correctedCards(cards: readonly DealtCard[], changes: Changes, { inputs = [] }: Way): string | null {
  const named = cards.map(({ card }, place) => (place in changes ? (changes[place] ?? "") : card));
  const carried = inputs.find(({ type }) => type === "cards")?.includes ?? "";
  return named.includes(null) ? null : [...named, ...carried.split(" ")].filter(Boolean).join(" ");
}

export function MisKey({ table, snapshot, sheet, onClose }: TableView & { table: LiveTable; onClose: () => void }): JSX.Element {
  const { cards } = snapshot;
  const [way] = waysTo(snapshot, "correct-cards");
  const { refusal } = choiceOf(snapshot, "correct-cards");
  return (
    <Dialog title={t("mis-keyed")} onClose={onClose} wide>
      {!cards.length ? <p>{t("no-card-to-correct")}</p> : way ? <Correction table={table} way={way} snapshot={snapshot} sheet={sheet} onClose={onClose} /> : (
        <>
          {refusal && <p class="notice" data-test="mis-key-refused">{refusalText(refusal, sheet)}</p>}
          {refusal?.code === "not-permitted" && <p>{t("call-for-correction")}</p>}
        </>
      )}
    </Dialog>
  );
}

function Correction({ table, way, snapshot, sheet, onClose }: TableView & { table: LiveTable; way: Way; onClose: () => void }): JSX.Element {
  const { cards } = snapshot;
  const last = cards.length - 1;
  const [place, setPlace] = useState(last);
  const [changes, setChanges] = useState<Changes>({ [last]: null });
  const [refused, setRefused] = useState<Refusal | null>(null);
  const corrected = correctedCards(cards, changes, way);
  const command: Command | null = corrected === null ? null : { kind: "correct-cards", cards: corrected, reason: t("mis-keyed-reason") };
  const change = (to: string | null) => setChanges({ ...changes, [place]: to });
  const reset = () => setChanges(Object.fromEntries(Object.entries(changes).filter(([each]) => Number(each) !== place)));
  const entry = useMemo(() => new CardEntry(), []);
  const press = ({ key, repeat }: KeyboardEvent) => {
    const read = !repeat && key.length === 1 && entry.press(key) ? entry.read() : null;
    if (!read) return;
    entry.clear();
    change(read.card);
  };
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    const answer = command && (await table.send(command));
    setRefused(answer);
    if (command && !answer) onClose();
  };
  return (
    <form class="mis-key" onSubmit={send} onKeyDown={press}>
      <div class="step">
        <p>{t("which-card-is-wrong")}</p>
        <div class="card-row" role="group" aria-label={t("which-card-is-wrong")}>
          {cards.map(({ card, hand }, at) => {
            const now = at in changes ? (changes[at] ?? null) : card;
            return (
              <button key={at} type="button" class={at in changes ? "changed" : ""} aria-pressed={at === place} data-test={`dealt-${at + 1}`} onClick={() => setPlace(at)}>
                {at in changes && now === null ? <span class="gone" aria-label={t("taken-back", { card: spokenName(card) })}>✕</span> : now ? <Face card={now} /> : <Back />}
                <small>{hand && word("hand", hand)}</small>
              </button>
            );
          })}
        </div>
        <div class="ways">
          <button type="button" aria-pressed={changes[place] === null} data-test="take-back" onClick={() => change(null)}>{t("no-such-card")}</button>
          <button type="button" disabled={!(place in changes)} onClick={reset}>{t("leave-as-is")}</button>
          <span>{t("or-it-was")}</span>
        </div>
        <CardPad excluded={way.inputs?.find(({ type }) => type === "cards")?.excluded} onPick={change} />
      </div>
      <div class="step">
        {command && <CommandPreview id={table.id} command={command} snapshot={snapshot} sheet={sheet} />}
        {refused && <p role="alert" class="loss" data-test="mis-key-refused">{refusalText(refused, sheet)}</p>}
        <button type="submit" class="gold" autofocus disabled={!command} data-test="correct">{t("correct-the-cards")}</button>
      </div>
    </form>
  );
}
