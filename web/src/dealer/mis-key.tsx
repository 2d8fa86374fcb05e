/** "I mis-keyed": the last card taken back, or any card replaced by the one that came. */
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { CardEntry } from "../card-entry";
import { choiceOf, waysTo, type Way } from "../choices";
import { Back, Face, spokenName } from "../components/card";
import { CardPad } from "../components/card-picker";
import { CommandPreview } from "../components/command-preview";
import { Dialog } from "../components/page-frame";
import type { TableView } from "../hooks";
import type { LiveTable } from "../live-table";
import { refusalText, t, word } from "../texts";
import type { Command, DealtCard, Refusal } from "../wire";

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
  const [place, setPlace] = useState<number | null>(null);
  const [changes, setChanges] = useState<Changes>({});
  const [refused, setRefused] = useState<Refusal | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const isChanged = Object.keys(changes).length > 0;
  const corrected = isChanged ? correctedCards(cards, changes, way) : null;
  const command: Command | null = corrected === null ? null : { kind: "correct-cards", cards: corrected, reason: t("mis-keyed-reason") };
  const after = cards.map(({ card }, at) => (at in changes ? changes[at] : card));
  /** The last card that is not taken back. */
  const last = cards.flatMap((_, at) => (at in changes && !changes[at] ? [] : [at])).at(-1) ?? null;
  const change = (at: number | null, to: string | null) => {
    if (at === null) return;
    setPlace(at);
    setChanges({ ...changes, [at]: to });
  };
  const reset = () => setChanges(Object.fromEntries(Object.entries(changes).filter(([each]) => each !== `${place}`)));
  const pick = (at: number) => {
    setPlace(at);
    form.current?.querySelector<HTMLElement>(`[data-test=dealt-${at + 1}]`)?.focus();
  };
  const entry = useMemo(() => new CardEntry(), []);
  const press = (event: KeyboardEvent) => {
    const { key, repeat } = event;
    if (repeat) return;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (step) pick(Math.min(cards.length - 1, Math.max(0, (place ?? (step > 0 ? -1 : cards.length)) + step)));
    else if (key === "Backspace" && !entry.text.value) change(last, null);
    else if (key.length > 1 && key !== "Backspace") return;
    else if (!entry.press(key)) return;
    event.preventDefault();
    const read = entry.read();
    if (!read) return;
    entry.clear();
    change(place, read.card);
  };
  useEffect(() => {
    if (isChanged) form.current?.querySelector<HTMLElement>("[type=submit]")?.focus(); // Enter corrects
  }, [changes]);
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    const answer = command && (await table.send(command));
    setRefused(answer);
    if (command && !answer) onClose();
  };
  return (
    <form data-form="mis-key" class="mis-key" ref={form} onSubmit={send} onKeyDown={press}>
      <div class="step">
        <p>{t("which-card-is-wrong")}</p>
        <div class="card-row" role="group" aria-label={t("which-card-is-wrong")}>
          {cards.map(({ card, hand }, at) => (
            <button key={at} type="button" autofocus={at === 0} aria-pressed={at === place} aria-label={`${hand ? word("hand", hand) : ""} ${spokenName(card)}`} data-test={`dealt-${at + 1}`} onClick={() => setPlace(at)}>
              {card ? <Face card={card} /> : <Back />}
              <small>{hand && word("hand", hand)}</small>
            </button>
          ))}
        </div>
        {isChanged && (
          <>
            <p>{t("cards-after")}</p>
            <div class="card-row after" role="group" aria-label={t("cards-after")} data-test="after">
              {cards.map(({ card, hand }, at) => {
                const now = after[at];
                return (
                  <span key={at} class={at in changes ? "changed" : ""} data-card={now ?? ""}>
                    {at in changes && !now ? <span class="gone" role="img" aria-label={t("taken-back", { card: spokenName(card) })}>✕</span> : now ? <Face card={now} /> : <Back />}
                    <small>{hand && word("hand", hand)}</small>
                  </span>
                );
              })}
            </div>
          </>
        )}
        <div class="ways">
          <button type="button" disabled={place === null} data-test="take-back" onClick={() => change(place, null)}>{t("no-such-card")}</button>
          <button type="button" disabled={place === null || !(place in changes)} onClick={reset}>{t("leave-as-is")}</button>
          <span>{t("or-it-was")}</span>
        </div>
        <CardPad excluded={way.inputs?.find(({ type }) => type === "cards")?.excluded} disabled={place === null} onPick={(card) => change(place, card)} />
      </div>
      <div class="step">
        {command && <CommandPreview id={table.id} command={command} snapshot={snapshot} sheet={sheet} />}
        {refused && <p role="alert" class="loss" data-test="mis-key-refused">{refusalText(refused, sheet)}</p>}
        <button type="submit" class="gold" disabled={!command} data-test="correct">{t("correct-the-cards")}</button>
        <p class="hint">{t("mis-keyed-keys")}</p>
      </div>
    </form>
  );
}
