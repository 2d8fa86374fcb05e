/** A card by two keys or a scanner that types: seen first, sent by Enter, and undone before that by Backspace. */
import type { JSX } from "preact";
import type { CardEntry } from "../card-entry";
import { isRequired, waysTo, type Way } from "../choices";
import { Face, isRed, RANKS, spokenName, SUITS } from "../components/card";
import type { Pending } from "../live-table";
import { t } from "../texts";
import type { Command, Snapshot } from "../wire";

/** A card that is named by its value: the next one, or a closed one at its place. */
export interface NamedCard {
  label: string;
  excluded: string;
  command: (card: string, reading: number | null) => Command;
}

/** The card that a way asks for; undefined where the table knows it. */
const cardInput = ({ inputs = [] }: Way) => inputs.find(({ type, missing }) => type === "card" && missing === "card-not-given");

/** The cards that may be named now: the next card comes before those that lie closed. */
export function cardsToName(snapshot: Snapshot): NamedCard[] {
  const next = waysTo(snapshot, "deal").flatMap((way): NamedCard[] => {
    const { hand } = snapshot.next;
    const { place } = way;
    const input = cardInput(way);
    return input ? [{ label: hand ? t("next-hand", { hand }) : t("next-card"), excluded: input.excluded ?? "", command: (card, reading) => ({ kind: "deal", card, reading, place }) }] : [];
  });
  const closed = waysTo(snapshot, "open-card").flatMap((way): NamedCard[] => {
    const { place } = way;
    const input = cardInput(way);
    return input ? [{ label: t("open-card", { place }), excluded: input.excluded ?? "", command: (card) => ({ kind: "open-card", place, card }) }] : [];
  });
  const burn = waysTo(snapshot, "burn-cards").map(({ inputs = [] }): NamedCard => ({ label: t("burn-first-card"), excluded: inputs[0]?.excluded ?? "", command: (card) => ({ kind: "burn-cards", card }) }));
  return [...next, ...closed, ...burn];
}

/** A card as it is sent while others are on their way: its place is after theirs. The server refuses one for another place. */
export function afterPending(command: Command, pending: readonly Pending[]): Command {
  if (command.kind !== "deal" || command.place == null) return command;
  const sent = pending.map((each) => (each.command.kind === "deal" ? (each.command.place ?? 0) : 0));
  return { ...command, place: Math.max(command.place, ...sent.map((place) => place + 1)) };
}

/** Whether no card must be named for the next one to be dealt: then it is said which card the keys name. */
const dealsUnnamed = (snapshot: Snapshot): boolean => !waysTo(snapshot, "deal").some((way) => way.inputs?.some((input) => input.type === "card" && isRequired(input)));

interface Props {
  snapshot: Snapshot;
  entry: CardEntry;
  named: readonly NamedCard[];
  target: NamedCard;
  onPick: (label: string) => void;
  onConfirm: () => void;
}

export function CardKeys({ snapshot, entry, named, target, onPick, onConfirm }: Props): JSX.Element {
  const text = entry.text.value;
  const read = entry.read();
  return (
    <div class="entry" data-test="entry">
      <div class="slot">{read ? <Face card={read.card} /> : <span>{text || "?"}</span>}</div>
      <div class="keys">
        {(named.length > 1 || dealsUnnamed(snapshot)) && (
          <div role="group" aria-label={t("card-to-name")}>
            {named.map(({ label }) => <button key={label} type="button" aria-pressed={label === target.label} onClick={() => onPick(label)}>{label}</button>)}
          </div>
        )}
        <div role="group" aria-label={t("rank")}>
          {RANKS.map((rank) => <button key={rank} type="button" onClick={() => { entry.clear(); entry.press(rank); }}>{rank}</button>)}
        </div>
        <div role="group" aria-label={t("suit")}>
          {Object.entries(SUITS).map(([key, sign]) => (
            <button key={key} type="button" class={isRed(key) ? "red" : ""} aria-label={key} onClick={() => entry.press(key)}>{sign}</button>
          ))}
          <button type="button" onClick={() => entry.clear()} disabled={!text} data-test="unkey">{t("undo")}</button>
          <button type="button" class="gold" onClick={onConfirm} disabled={!read || target.excluded.split(" ").includes(read.card)} data-test="confirm-card">{t("confirm")}</button>
        </div>
        <small aria-live="polite">{read ? t("confirm-card", { card: spokenName(read.card) }) : t("key-card")}</small>
      </div>
    </div>
  );
}
