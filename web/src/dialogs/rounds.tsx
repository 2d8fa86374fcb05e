/** Rounds of the past, always marked as a replay. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { lang, moment, t } from "../lang";
import type { Kind } from "../session";
import { Dialog } from "../parts/frame";
import { spoken } from "../parts/card";
import { Hands } from "../parts/hands";
import { Lines } from "../parts/lines";
import type { DealtCard, HandName, Line, Result, Sheet } from "../types";
import { useFetch } from "../use";

export interface RoundRecord {
  round: number;
  shoe: number;
  at?: number;
  cards: DealtCard[] | string[] | string;
  result: Result | null;
  void?: boolean;
  lines?: Line[];
  replay?: boolean;
}

/** The cards of a record with their hands: first, third and Player's third to Player. */
function dealt(record: RoundRecord): DealtCard[] {
  const cards = typeof record.cards === "string" ? record.cards.split(" ").filter(Boolean) : record.cards;
  return cards.map((card) => (typeof card === "string" ? { card, hand: "player" as HandName } : card));
}

export function PastRounds({ table, sheet, kind, onClose }: { table: string; sheet: Sheet; kind: Kind; onClose: () => void }): JSX.Element {
  const list = useFetch<RoundRecord[]>(`/api/tables/${table}/rounds?limit=50`, kind);
  const [picked, setPicked] = useState<number | null>(null);
  const number = picked ?? list.data?.[0]?.round ?? null;
  const one = useFetch<RoundRecord>(number ? `/api/tables/${table}/rounds/${number}` : null, kind);
  return (
    <Dialog title={t("Past rounds")} onClose={onClose} wide>
      <div class="past">
        <ol>
          {list.data?.map((record) => (
            <li key={record.round}>
              <button type="button" aria-pressed={record.round === number} onClick={() => setPicked(record.round)} data-test={`past-${record.round}`}>
                {t("Round {n}", { n: record.round })} <span>{summary(record)}</span>
              </button>
            </li>
          ))}
          {list.data?.length === 0 && <li>{t("No round has been played yet.")}</li>}
        </ol>
        {one.data && <Replay record={one.data} sheet={sheet} />}
      </div>
    </Dialog>
  );
}

function summary(record: RoundRecord): string {
  const { result } = record;
  if (!result) return t("void");
  const winner = result.winner === "tie" ? t("Tie") : result.winner === "banker" ? t("Banker") : t("Player");
  return `${winner} ${result.player_points}–${result.banker_points}`;
}

function Replay({ record, sheet }: { record: RoundRecord; sheet: Sheet }): JSX.Element {
  const cards = dealt(record);
  const points = { player: record.result?.player_points ?? null, banker: record.result?.banker_points ?? null };
  return (
    <article class="replay" data-test="replay" aria-label={cards.map(({ card }) => spoken(card, lang.value === "zh")).join(", ")}>
      <p class="stamp">{t("Replay")} · {t("Round {n}", { n: record.round })} · {summary(record)} {record.at ? `· ${moment(record.at)}` : ""}</p>
      <Hands cards={cards} points={points} winner={record.result?.winner ?? null} />
      <Lines lines={record.lines ?? []} sheet={sheet} title={t("Bets")} />
    </article>
  );
}
